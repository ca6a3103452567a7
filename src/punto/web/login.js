// Logging in: by name and password, or as a guest where guests are welcome.

import { get } from "./base/api.js";
import { button, fill, html, labelled } from "./base/dom.js";
import { nameAndKind } from "./base/labels.js";
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
  "new to it": ["New to baccarat?", "初次接觸百家樂？"],
  "new bet": [
    "Two hands are dealt, Player and Banker. You bet on the one that comes closer to nine, or on a tie.",
    "荷官派出「閒」「庄」兩手牌。你押哪一手較接近九點，或押和局。",
  ],
  "new play": [
    "Take a seat, choose a chip and tap a field of the felt. The dealer does the rest.",
    "入座後選一枚籌碼，再點檯面上的格位，其餘由荷官處理。",
  ],
  "new cost": [
    "What a game pays, what is special about it and what it costs is told in a minute:",
    "各玩法的賠率、特色與成本，一分鐘看懂：",
  ],
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

/** What a newcomer wants to know first, with the games that are played here. */
export function newcomers() {
  const games = html("ul.row");
  const line = html("p", { hidden: true }, phrase("new cost"));
  get("/api/tables").then(
    (tables) => {
      const byBook = new Map(tables.filter(({ open }) => open).map((table) => [table.book, table]));
      const names = Array.from(byBook.values(), ({ book, title, titles }) => nameAndKind(book, title, titles)[0]);
      const link = ({ name, book, title, titles }) => {
        const [game, kind] = nameAndKind(book, title, titles);
        const isOnly = names.filter((each) => each === game).length === 1;
        return html("a.button.small", { href: `/guide/${name}` }, isOnly ? game : `${game} (${kind})`);
      };
      line.hidden = !byBook.size;
      fill(
        games,
        Array.from(byBook.values(), (table) => html("li", link(table))),
      );
    },
    () => {}, // the rest is true without them
  );
  return html(
    "section.panel.log-in",
    html("h2", phrase("new to it")),
    html("p", phrase("new bet")),
    html("p", phrase("new play")),
    line,
    games,
  );
}
