// What a patron is asked who leaves with money at stake.

import { button, fill, html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { attempt } from "../base/notes.js";

learn({
  "stake plays on": [
    "You have {n} at stake. It plays on without you; what it wins is kept for you at this table.",
    "你尚有 {n} 在注。該注會繼續；贏得的金額保留在此檯。",
  ],
  "leave anyway": ["Leave all the same", "仍然離開"],
  stay: ["Stay", "留下"],
});

/** Tell what becomes of the money that is `held`, and ask once more; `leave` goes. */
export function askLeaving(note, book, held, leave) {
  fill(
    note,
    html("p", phrase("stake plays on", money(held))),
    html(
      "div.row",
      button(phrase("leave anyway"), () => attempt(note, book, leave)),
      button(phrase("stay"), () => fill(note)),
    ),
  );
}
