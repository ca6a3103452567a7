// Amounts that people type.

import { learn } from "./language.js";
import { digits } from "./money.js";

learn({
  "no amount": ["“{n}” is no amount.", "「{n}」不是金額。"],
});

/** "1,050.25" → 105025, or null where it is no amount of the currency. */
export function parseMoney(text, places = digits()) {
  const found = /^\s*(\d[\d,]*)(?:\.(\d+))?\s*$/.exec(text);
  if (!found) return null;
  const [, whole, cents = ""] = found;
  if (cents.length > places) return null;
  return Number(whole.replaceAll(",", "")) * 10 ** places + Number(cents.padEnd(places, "0"));
}
