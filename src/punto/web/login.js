// Logging in: by name and password, or as a guest where guests are welcome.

import { enterAsGuest, get, logIn } from "./base/api.js";
import { button, html, labelled } from "./base/dom.js";
import { learn, phrase } from "./base/language.js";
import { attempt } from "./base/notes.js";

learn({
  "log in": ["Log in", "登入"],
  "play as guest": ["Play as a guest", "以訪客身分遊玩"],
  name: ["Name", "名稱"],
  password: ["Password", "密碼"],
});

/** A form to log in with; `entered()` is called when somebody has. */
export function logInForm(entered) {
  const field = (name, properties) =>
    labelled(phrase(name), html("input.field", { name, required: true, maxlength: 200, ...properties }));
  const submit = async () => {
    const { name, password } = form.elements;
    if (await attempt(form, null, () => logIn(name.value, password.value))) entered();
  };
  const enter = async () => {
    if (await attempt(form, null, enterAsGuest)) entered();
  };
  const guest = button(phrase("play as guest"), enter, { class: "button primary", hidden: true });
  const form = html(
    "form.panel.log-in",
    { onsubmit: submit },
    html("h1", "Punto"),
    guest,
    field("name", { autocomplete: "username", autocapitalize: "none" }),
    field("password", { type: "password", autocomplete: "current-password" }),
    html("button.button.primary", phrase("log in")),
  );
  get("/health").then(
    ({ guests }) => (guest.hidden = !guests),
    () => {}, // without an answer nobody is offered to come in as a guest
  );
  return form;
}
