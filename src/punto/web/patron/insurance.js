// Insurance on offer: how much of a wager may be covered, what that costs and wins, and how likely it is.

import { actionButton } from "../base/commands.js";
import { foldedClauses } from "../base/clauses.js";
import { button, html, setText, smallButton } from "../base/dom.js";
import { oddsText } from "../base/labels.js";
import { learn, phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { announce } from "../base/notes.js";
import { parseMoney } from "../base/typed-money.js";

learn({
  "insure hand": ["Insurance on your {hand} wager, {odds}", "為你的{hand}注投保，賠率 {odds}"],
  "cover up to": ["Cover up to {most} of {stake}.", "已下注 {stake}，最多可投保 {most}。"],
  "cover pays": ["{cover} of cover pays {pays} if it wins.", "投保 {cover}，若中可得 {pays}。"],
  "cover wins": ["It wins if {other} wins; a tie returns it.", "{other}贏則中；和局退回。"],
  "cover wins tie": ["It wins if the round is a tie.", "和局則中。"],
  "cover odds": ["It wins {win}% of the time; the house keeps {edge}%.", "命中率 {win}%；賭場優勢 {edge}%。"],
  "cover gains": ["It wins {win}% of the time; you gain {edge}%.", "命中率 {win}%；客人優勢 {edge}%。"],
  "take cover": ["Insure {n}", "投保 {n}"],
  "no cover": ["No insurance", "不投保"],
  "cover amount": ["Amount of cover", "投保金額"],
  most: ["All", "全數"],
});

const SHARES = [
  ["¼", 0.25],
  ["½", 0.5],
  ["most", 1],
];

/** What odds like "1.5:1" make of an amount. */
function winnings(amount, odds) {
  const [win, stake] = odds.split(":").map(Number);
  return Math.round((amount * win) / stake);
}

/** Whether the hand cannot lose any more, so that cover only wins on a tie. */
function cannotLose({ stage, hand }, round) {
  return stage === "third-card" && round.player.points === (hand === "player" ? 9 : 0);
}

/**
 * A card for an offer. `most` is the cover that may be taken on the `stake`, `clauses` what the offer rests on;
 * `insure(amount)` and `decline()` answer it. `timeLeft` shows how long it stands.
 */
export function insuranceCard({ table, offer, clauses, most, stake, insure, decline, timeLeft }) {
  const { round, book } = table.view;
  const hand = phrase(offer.hand);
  const other = phrase(offer.hand === "player" ? "banker" : "player");
  const field = html("input.field", {
    inputmode: "decimal",
    label: phrase("cover amount"),
    oninput: () => setAmount(parseMoney(field.value)),
  });
  const fault = html("span.small.waits", { role: "alert" });
  const lead = phrase("insure hand", { hand, odds: oddsText(offer.odds) });
  const wins = phrase(cannotLose(offer, round) ? "cover wins tie" : "cover wins", { other });
  const shares = SHARES.map(([key, share]) => smallButton(phrase(key), () => setShare(share)));
  const pays = html("span");
  const chances = html("span.quiet", { hidden: true });
  let amount = most;
  const take = actionButton(table, "", () => insure(amount), { class: "button primary" });

  function setAmount(value) {
    setText(fault, value ? "" : phrase("no amount", field.value));
    take.disabled = !value;
    if (!value) return;
    amount = value;
    setText(pays, phrase("cover pays", { cover: money(amount), pays: money(winnings(amount, offer.odds)) }));
    setText(take, phrase("take cover", money(amount)));
  }
  function setShare(share) {
    const part = Math.floor((most * share) / offer.step) * offer.step;
    setAmount(share === 1 ? most : Math.max(offer.step, part));
    field.value = money(amount);
  }

  setShare(1);
  announce(`${lead}. ${wins}`, "urgent");
  table.get("odds").then(
    ({ offer: exact }) => exact && showChances(chances, exact),
    () => {}, // the offer stands without its odds
  );
  return html(
    "section.question.offer",
    { label: phrase("insurance") },
    html("header", html("p.lead", lead), foldedClauses(clauses, book), timeLeft),
    html("p", html("span", wins), " ", html("span", phrase("cover up to", { stake: money(stake), most: money(most) }))),
    html(
      "div.row.cover-row",
      html("div.row.shares", shares, field),
      html("div.row", take, button(phrase("no cover"), decline)),
      fault,
    ),
    html("p.small", pays, " ", chances),
  );
}

function showChances(element, { win, per_cent: edge }) {
  const chances = { win: Number(win).toFixed(1), edge: Math.abs(edge).toFixed(2) };
  setText(element, phrase(edge < 0 ? "cover gains" : "cover odds", chances));
  element.hidden = false;
}
