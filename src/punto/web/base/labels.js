// What a table is called and what is posted at it, in words.

import { textFor } from "./bet-names.js";
import { html } from "./dom.js";
import { language, learn, phrase, written } from "./language.js";
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

/** The Chinese for the titles of what ships, by the names of the books. */
const CHINESE_TITLES = {
  "wu-song": "武松 (免佣百家樂)",
  "da-hu-ying-xiong": "打虎英雄 (免佣百家樂，附設保險)",
  "commission-insurance": "保險百家樂 (收佣)",
  "dragon-tiger-mbs": "龍虎百家樂 (MBS)",
  "dragon-tiger-hoiana": "龍虎百家樂 (Hoiana)",
  "punto-banco": "經典百家樂 (公開玩法，非核准文本)",
  "classic-punto-banco": "經典百家樂：和局 1 賠 8 或 9，收佣或免佣 (公開玩法，非核准文本)",
  "dragon-bonus": "龍寶百家樂 (公開玩法，非核准文本)",
  egalite: "Egalité：按點數或牌面押和局 (公開玩法，非核准文本)",
  "ez-baccarat": "EZ 百家樂 (公開玩法，非核准文本)",
  "five-treasures": "五寶與 Dai Bacc (公開玩法，非核准文本)",
  match: "點數、花色、顏色配對 (公開玩法，非核准文本)",
  "pairs-and-size": "對子、大小百家樂 (公開玩法，非核准文本)",
  "super-6": "Punto 2000 與超級六 (公開玩法，非核准文本)",
  totals: "Quik、贏牌點數、例牌與三張贏 (公開玩法，非核准文本)",
};

/** The title of a book in the language of the page: the book's own, else ours where it ships, else as it is written. */
export function titleOf(book, title, titles = {}) {
  const isKnown = language().startsWith("zh") && Object.hasOwn(CHINESE_TITLES, book);
  return textFor(titles, isKnown ? written(CHINESE_TITLES[book]) : title);
}

/** The same in two parts: ["Wu Song", "Non-Commission Baccarat"]. */
export function nameAndKind(book, title, titles) {
  const [, name, kind] = /^(.*?)\s*(?:\((.*)\))?\s*$/.exec(titleOf(book, title, titles));
  return [name, kind ?? ""];
}

/** The same for the game of a table that is followed. */
export function gameOf({ view, snapshot }) {
  return nameAndKind(view.book, snapshot.title, snapshot.titles);
}

/** Whether a table is meant by what somebody types: a part of its name, or of its title in either language. */
export function isSoughtBy(typed, { name, book, title, titles }) {
  return `${name} ${title} ${titleOf(book, title, titles)}`.toLowerCase().includes(typed.trim().toLowerCase());
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

/** Where a table stands: closed, without a dealer yet, between rounds, or the phase of its round. */
export function phaseText({ open, phase, isBegun = true }) {
  return phrase(open ? (phase ?? (isBegun ? "between rounds" : "no dealer yet")) : "table closed");
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
