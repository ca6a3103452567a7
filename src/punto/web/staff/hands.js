// Two hands as they lie on a table, for the dealer and for drills.

import { html } from "../base/dom.js";
import { inChinese, inEnglish, phrase } from "../base/language.js";

/** Where cards lie that are in no hand, and what that is called. */
const OTHER_AREAS = { aside: "aside", next: "next card" };

/**
 * A hand. `spots` are {art, mark}, where a mark is a class; the third card lies sideways. `total` are its points where
 * they are to be shown, and `below` stands under the cards.
 */
export function layHand(area, spots, { total = null, below = null } = {}) {
  const name = OTHER_AREAS[area] ? phrase(OTHER_AREAS[area]) : [inEnglish(area), " ", inChinese(area)];
  const spot = ({ art, mark }, index) => html("li.d-spot", { class: [index === 2 && "d-sideways", mark] }, art);
  return html(
    `div.d-lay-hand.${area}`,
    html("h2", name, total !== null && html("b.d-total", total)),
    html("ul.d-spots", { label: phrase(OTHER_AREAS[area] ?? area) }, spots.map(spot)),
    below,
  );
}
