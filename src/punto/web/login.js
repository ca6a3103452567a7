// Logging in: by name and password, or as a guest where guests are welcome.

import { get } from "./base/api.js";
import { button, html, labelled } from "./base/dom.js";
import { learn, phrase } from "./base/language.js";
import { attempt } from "./base/notes.js";
import { enterAsGuest, logIn } from "./base/session.js";

learn({
  "what it is": [
    "Casino baccarat, dealt and paid by the rulebook of each table. Every payment names the clause it rests on.",
    "按各檯規則發牌與派彩的百家樂。每一筆派彩都註明所依條文。",
  ],
  "log in": ["Log in", "登入"],
  "play as guest": ["Play as a guest", "以訪客身分遊玩"],
  name: ["Name", "名稱"],
  password: ["Password", "密碼"],
  code: ["Code", "驗證碼"],
  "sign in": ["Staff: sign in", "員工單一登入"],
});

/** A form to log in with; `entered()` is called when somebody has. */
export function logInForm(entered) {
  const field = (name, properties) =>
    labelled(phrase(name), html("input.field", { name, required: true, maxlength: 200, ...properties }));
  const submit = async () => {
    const { name, password, code } = form.elements;
    const send = () => logIn(name.value, password.value, code.value).catch(askForCode);
    if (await attempt(form, null, send)) entered();
  };
  const askForCode = (refusal) => {
    if (refusal.needs === "code") {
      second.hidden = false;
      form.elements.code.focus();
    }
    throw refusal;
  };
  const enter = async () => {
    if (await attempt(form, null, enterAsGuest)) entered();
  };
  const guest = button(phrase("play as guest"), enter, { class: "button primary", hidden: true });
  const staff = html("a.button", { href: "/api/oidc/start", target: "_self", hidden: true }, phrase("sign in"));
  const second = field("code", { autocomplete: "one-time-code", autocapitalize: "none", required: false });
  second.hidden = true;
  const form = html(
    "form.panel.log-in",
    { onsubmit: submit },
    html("h1", "Punto"),
    html("p.quiet", phrase("what it is")),
    guest,
    field("name", { autocomplete: "username", autocapitalize: "none" }),
    field("password", { type: "password", autocomplete: "current-password" }),
    second,
    html("button.button.primary", phrase("log in")),
    staff,
  );
  get("/health").then(
    ({ guests, sign_in }) => {
      guest.hidden = !guests;
      staff.hidden = !sign_in;
    },
    () => {}, // without an answer nobody is offered another way in
  );
  return form;
}
