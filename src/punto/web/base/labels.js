// What a table is called and what is posted at it, in words.

import { html } from "./dom.js";
import { learn, phrase } from "./language.js";
import { money } from "./money.js";

learn({
  odds: ["{win} to {of}", "{of} 賠 {win}"],
  "banker wins": ["Banker wins {high} to {low}", "庄贏 {high} 比 {low}"],
  "player wins": ["Player wins {high} to {low}", "閒贏 {high} 比 {low}"],
  "tie at": ["Tie at {high}", "和局 {high} 點"],
});

/** "0.95:1" → "0.95 to 1". */
export function oddsText(odds) {
  const [win, of] = odds.split(":");
  return phrase("odds", { win, of });
}

/** "Wu Song (Non-Commission Baccarat)" → ["Wu Song", "Non-Commission Baccarat"]. */
export function splitTitle(title) {
  const [, name, kind] = /^(.*?)\s*(?:\((.*)\))?\s*$/.exec(title);
  return [name, kind ?? ""];
}

/** What is posted at a table: [["Min", "10"], …]. */
export function limitRows({ minimum, maximum, differential, payout }, digits) {
  return Object.entries({ min: minimum, max: maximum, differential, "most paid": payout })
    .filter(([, amount]) => amount !== null && amount !== undefined)
    .map(([key, amount]) => [phrase(key), money(amount, undefined, digits)]);
}

/** The same as texts: ["Min 10", …]. */
export function limitTexts(limits, digits) {
  return limitRows(limits, digits).map((row) => row.join(" "));
}

/** Where a table stands: closed, between rounds, or the phase of its round. */
export function phaseText({ open, phase }) {
  return phrase(open ? (phase ?? "between rounds") : "table closed");
}

/** A round mark for Banker, Player or Tie, with its letter. */
export function outcomeDot(kind, properties = { "aria-hidden": "true" }) {
  return html(`span.dot.${kind}`, properties, phrase(`mark ${kind}`));
}

/** How a round ended: "Banker wins 6 to 5". */
export function outcomeText({ result: { winner }, player, banker }) {
  const high = Math.max(player.points, banker.points);
  const low = Math.min(player.points, banker.points);
  return phrase(winner === "tie" ? "tie at" : `${winner} wins`, { high, low });
}
