// Past rounds of the shoe in use; each opens to what it paid.

import { cardInline } from "../base/cards.js";
import { fill, html } from "../base/dom.js";
import { outcomeDot, outcomeText } from "../base/labels.js";
import { learn, phrase } from "../base/language.js";
import { attempt } from "../base/notes.js";
import { lineList } from "./result.js";

learn({
  "no rounds": ["No round is over yet.", "尚未有已結束的牌局。"],
});

const SHOWN = 60;
const VALUES = { A: 1, T: 0, J: 0, Q: 0, K: 0 };

function pointsOf(cards) {
  return cards.reduce((sum, card) => sum + (VALUES[card[0]] ?? Number(card[0])), 0) % 10;
}

export async function fillHistory(panel, table, menu, patron) {
  const rounds = await table.get("rounds");
  const newest = rounds.reverse().slice(0, SHOWN);
  fill(panel, newest.length ? newest.map((round) => pastRound(round, table, menu, patron)) : noRounds());
}

function noRounds() {
  return html("p.quiet", phrase("no rounds"));
}

function pastRound(round, table, menu, patron) {
  const { book } = table.view;
  const body = html("div.col");
  const open = () => {
    if (body.children.length || !round.winner) return;
    void attempt(body, book, () => fillRound(body, round.last, table, menu, patron));
  };
  const outcome = round.winner
    ? outcomeDot(round.winner, { role: "img", label: phrase(round.winner) })
    : html("span", phrase("void"));
  const cards = (hand) => html("span.past-cards", hand.map(cardInline));
  return html(
    "details.past",
    { ontoggle: open },
    html(
      "summary",
      html("span.quiet.money", round.number),
      outcome,
      cards(round.player),
      html("span.quiet", "–"),
      cards(round.banker),
    ),
    body,
  );
}

async function fillRound(body, sequence, table, menu, patron) {
  const { winner, player, banker, lines } = await table.get(`rounds/${sequence}`);
  const round = { result: { winner }, player: { points: pointsOf(player) }, banker: { points: pointsOf(banker) } };
  fill(body, html("p", outcomeText(round)), lineList(lines[patron], menu, table.view.book));
}
