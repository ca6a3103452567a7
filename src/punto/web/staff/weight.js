// How the two hands weigh against each other under the differential.

import { html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { money } from "../base/money.js";

const NEARLY_FULL = 0.8; // from here on a meter warns

export function weightText({ player, banker }) {
  return html("span.small.money", phrase("weight", { p: money(player), b: money(banker) }));
}

/** How much of the differential is used; null where none is posted. */
export function weightMeter({ player, banker, limit }) {
  if (!limit) return null;
  const value = Math.min(Math.abs(player - banker), limit);
  return html("meter", { min: 0, max: limit, high: limit * NEARLY_FULL, value, label: phrase("differential") });
}
