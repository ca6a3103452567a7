// What is posted on the felt, explained where it stands: a tap shows it, and another hides it.

import { html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";

learn({
  "term min": ["the least that may lie on a bet", "每注最低金額"],
  "term max": ["the most that one patron may lay on a bet", "每位客人每注最高金額"],
  "term differential": [
    "how much more may lie on one hand than on the other, of all patrons together",
    "全檯閒與庄注碼總額的最大差額",
  ],
  "term most paid": ["the most that one round pays, counted as the book says", "每局派彩上限，按規則計算"],
  "term room": [
    "what may still be laid on each hand before the differential is reached",
    "未達差額上限前每手尚可下注的金額",
  ],
});

const POSTED = { min: "minimum", max: "maximum", differential: "differential", "most paid": "payout" };

/** Show the terms that a table posts under `posted`, or hide them: limits, and the room under the differential. */
export function toggleTerms(posted, { snapshot, view: { limits } }) {
  const shown = posted.nextSibling;
  if (shown) {
    shown.remove();
    return;
  }
  const keys = Object.keys(POSTED).filter((key) => (limits[POSTED[key]] ?? null) !== null);
  if ("player" in snapshot.room) keys.push("room");
  posted.after(
    html(
      "dl.terms.small",
      keys.map((key) => html("div", html("dt", phrase(key)), html("dd", phrase(`term ${key}`)))),
    ),
  );
}
