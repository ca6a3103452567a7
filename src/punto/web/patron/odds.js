// The exact odds of every bet, from the cards that nobody has seen this shoe.

import { nameOfBet } from "../base/bet-names.js";
import { fill, html } from "../base/dom.js";
import { learn, phrase, sentence } from "../base/language.js";
import { perCent } from "../base/money.js";
import { payRows } from "./felt.js";

learn({
  "odds from": ["Exact, from the {n} cards not seen this shoe.", "按本靴未見的 {n} 張牌精確計算。"],
  pays: ["Pays", "賠率"],
  chance: ["Wins", "命中"],
  edge: ["House edge", "賭場優勢"],
});

const COLUMNS = ["bet", "pays", "chance", "edge"];

export async function fillOdds(panel, table, menu) {
  const { cards, bets, why_not: whyNot, message } = await table.get("odds");
  const headings = COLUMNS.map((key) => html("th", { scope: "col" }, phrase(key)));
  const rows = Object.entries(menu).map(([id, bet]) => betRow(bet, bets[id]));
  fill(
    panel,
    html("p.quiet.small", whyNot ? sentence({ says: whyNot, message }) : phrase("odds from", cards)),
    html("div.scrolls", html("table.figures", html("thead", html("tr", headings)), html("tbody", rows))),
  );
}

function betRow(bet, now) {
  const pays = payRows(bet).map(({ says, when }) => html("div", html("b", says), " ", html("span.quiet.tiny", when)));
  const fullShoe = html("div.quiet.tiny", phrase("full shoe", perCent(now.full_per_cent)));
  return html(
    "tr",
    html("th", { scope: "row" }, nameOfBet(bet)),
    html("td", pays),
    html("td.money", perCent(now.hit)),
    html("td.money", { class: now.against_house && "won" }, perCent(now.per_cent), fullShoe),
  );
}
