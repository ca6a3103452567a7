// One's own sessions: where one is logged in, and ending one of them.

import { get } from "./base/api.js";
import { fill, html, smallButton } from "./base/dom.js";
import { language, learn, noted, phrase } from "./base/language.js";
import { attempt } from "./base/notes.js";
import { endSession } from "./base/session.js";

learn({
  sessions: ["Your sessions", "您的登入工作階段"],
  "sessions line": [
    "Where you are logged in. End whatever is not you, and ask the house for a new password.",
    "您登入的位置。若非本人，請結束該工作階段，並向場方申請新密碼。",
  ],
  "this session": ["This one", "目前使用中"],
  "session end": ["End", "結束"],
  "session from": ["{way}, from {place}", "{way}，來自 {place}"],
  "session times": [
    "Since {since}; last used about {seen}; until {until}",
    "自 {since}；約 {seen} 最後使用；至 {until}",
  ],
  "way password": ["Password", "密碼"],
  "way code": ["Password and code", "密碼及驗證碼"],
  "way link": ["One-time link", "一次性連結"],
  "way guest": ["Guest", "訪客"],
  "way oidc": ["The house's sign-in", "場方單一登入"],
});

const timeOf = (text) => new Date(text).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });

export async function show(root, { go }) {
  document.title = `Punto · ${phrase("sessions")}`;
  const list = html("ul.plain");

  function row(session) {
    const [since, seen, until] = [session.since, session.seen, session.until].map(timeOf);
    const from = phrase("session from", { way: phrase(`way ${session.way}`), place: session.place });
    const end = async () => {
      if (await attempt(item, null, () => endSession(session.id))) await (session.present ? go("/") : draw());
    };
    const item = html(
      "li.row",
      { "data-session": session.id },
      html("div.grow", html("strong", from), html("p.quiet.small", phrase("session times", { since, seen, until }))),
      session.present && html("span.small", phrase("this session")),
      smallButton(phrase("session end"), end, { label: noted(phrase("session end"), `${from}, ${since}`) }),
    );
    return item;
  }
  async function draw() {
    fill(list, (await get("/api/sessions")).map(row));
  }

  fill(root, html("section.panel", html("h1", phrase("sessions")), html("p.quiet", phrase("sessions line")), list));
  await draw();
}
