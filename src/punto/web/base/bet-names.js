// What bets are called. Their ids are no words of the pages: a bet of a book may be called "big", "open" or "won".

import { html } from "./dom.js";
import { chineseTag, language, phrase, written } from "./language.js";

/** The Chinese for the bets of the five books, by their English names. */
const CHINESE = {
  Player: "閒",
  Banker: "庄",
  Tie: "和",
  "Player Pair": "閒對",
  "Banker Pair": "庄對",
  Tiger: "虎",
  "Big Tiger": "大老虎",
  "Small Tiger": "小老虎",
  "Tiger Tie": "老虎和",
  "Tiger Pair": "老虎對",
  "Big Dragon": "大龍",
  "Small Dragon": "小龍",
  "Dragon Tiger": "龍虎",
  "Banker Big 7": "庄大七",
  "Banker Small 7": "庄小七",
  "Player Big 7": "閒大七",
  "Player Small 7": "閒小七",
  "Wu Song": "武松",
  "Wu Dalang": "武大郎",
};
const COVERS = ["player-insurance", "banker-insurance"];

/** "zh-Hant" → "zh". */
const mainTag = (tag) => tag.toLowerCase().split("-")[0];

/** Of texts by their languages, as a book gives them, that in a language, or in another form of it; else nothing. */
function findText(texts, wanted) {
  const found = Object.entries(texts).filter(([tag]) => mainTag(tag) === mainTag(wanted));
  const own = (form) => found.find(([tag]) => tag.toLowerCase() === form.toLowerCase());
  const [, text] = own(wanted) ?? own("zh-Hant") ?? found[0] ?? [];
  return text && wanted === "zh-Hans" ? written(text) : text;
}

/** Of texts by their languages, that in the language of the page; `name` where there is none. */
export function textFor(texts, name) {
  return findText(texts, language()) ?? name;
}

const met = new Map(); // bets of the tables that the page has shown, by their English names

/** Learn what a book calls its bets, so that sentences about them say it, too. */
export function meetBets(menu) {
  for (const bet of Object.values(menu)) met.set(bet.name, bet.names);
  return menu;
}

/** What its own book calls a bet in the language of the page, by its English name; nothing where it does not say. */
export function ownBetName(name) {
  return met.has(name) ? findText(met.get(name), language()) : undefined;
}

/** A bet's Chinese name, marked as such: the file's own, or ours where it has the name of one of ours; else nothing. */
export function chineseName({ name, names }) {
  const ours = Object.hasOwn(CHINESE, name) && written(CHINESE[name]);
  const text = findText(names, chineseTag()) || ours;
  return text && html("b", { lang: chineseTag() }, text);
}

/** A bet of a menu, or what `choice` is of, by its name in the language of the page. */
export function nameOfBet(bet) {
  return (mainTag(language()) === "zh" && chineseName(bet)?.textContent) || textFor(bet.names, bet.name);
}

/** The name of a bet or a cover by its id. `menu` are the bets of the table, as the house gives them. */
export function betName(menu, id) {
  if (Object.hasOwn(menu, id)) return nameOfBet(menu[id]);
  return COVERS.includes(id) ? phrase(id) : id.replaceAll("-", " ");
}
