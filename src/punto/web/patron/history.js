// Past rounds of the shoe in use, and a patron's own over all shoes; each opens to what it paid.

import { arrived } from "../base/api.js";
import { cardInline } from "../base/cards.js";
import { fill, html, smallButton } from "../base/dom.js";
import { outcomeDot, outcomeText } from "../base/labels.js";
import { learn, phrase } from "../base/language.js";
import { attempt } from "../base/notes.js";
import { lineList } from "./result.js";

learn({
  "no rounds": ["No round is over yet.", "尚未有已結束的牌局。"],
  "this shoe": ["This shoe", "此牌靴"],
  "own rounds": ["Your rounds", "你的牌局"],
});

const SHOWN = 60;
const VALUES = { A: 1, T: 0, J: 0, Q: 0, K: 0 };

function pointsOf(cards) {
  return cards.reduce((sum, card) => sum + (VALUES[card[0]] ?? Number(card[0])), 0) % 10;
}

export async function fillHistory(panel, table, menu, patron) {
  const list = html("div.col");
  const kinds = {
    "this shoe": () => fillShoe(list, table, menu, patron),
    "own rounds": async () => (await arrived(import("./own-rounds.js"))).fillOwnRounds(list, table, menu, patron),
  };
  const choose = (wanted) => {
    for (const each of buttons) each.setAttribute("aria-pressed", each.dataset.kind === wanted);
    return attempt(list, table.view.book, kinds[wanted]);
  };
  const buttons = Object.keys(kinds).map((kind) =>
    smallButton(phrase(kind), () => choose(kind), { "data-kind": kind, "aria-pressed": "false" }),
  );
  fill(panel, patron && html("div.row", buttons), list);
  await choose("this shoe");
}

async function fillShoe(list, table, menu, patron) {
  const rounds = await table.get("rounds");
  const newest = rounds.reverse().slice(0, SHOWN);
  fill(list, newest.length ? newest.map((round) => pastRound(round, table, menu, patron)) : noRounds());
}

export function noRounds() {
  return html("p.quiet", phrase("no rounds"));
}

/** A round that opens to what it paid; `beside` stands at the end of its line. */
export function pastRound(round, table, menu, patron, beside = null) {
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
      beside,
    ),
    body,
  );
}

async function fillRound(body, sequence, table, menu, patron) {
  const { winner, player, banker, lines } = await table.get(`rounds/${sequence}`);
  const round = { result: { winner }, player: { points: pointsOf(player) }, banker: { points: pointsOf(banker) } };
  fill(body, html("p", outcomeText(round)), lineList(lines[patron], menu, table.view.book));
}
