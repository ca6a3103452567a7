// The last shoe is checked at the table itself, by this browser alone; nothing of the game is in its way.

import { arrived } from "../base/api.js";
import { fill, html, smallButton } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { canHash } from "../base/shoe-hashes.js";
import "../shoe/phrases.js";
import { checkTold } from "../shoe/verdict.js";

learn({
  "check by hand": ["Check it by hand", "手動查驗"],
});

/** Check the last shoe of a table that has ended, and say in `place` what was found. */
export async function fillShoeCheck(place, table) {
  const told = await arrived(table.get("shoes/last"), "shoe.css");
  fill(
    place,
    html(
      "div.row",
      html("a.small", { href: `/shoe/${table.name}`, target: "_blank" }, phrase("check by hand")),
      html("span.grow"),
      smallButton(phrase("close"), () => fill(place)),
    ),
    await foundIn(table.name, told),
  );
}

function foundIn(name, told) {
  if (!told?.commitment) return html("p.panel", phrase(told ? "dealt by hand" : "none ended"));
  return canHash() ? checkTold(name, told) : html("p.panel", phrase("cannot hash"));
}
