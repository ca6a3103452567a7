// Who is at the table, and what lies on the felt.

import { betName } from "../base/bet-names.js";
import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { byBox } from "./boxes.js";
import { weightText } from "../staff/weight.js";

export function patronList(state) {
  const { view, desk } = state;
  return [
    balanceOfHands(desk.weight),
    html(
      "ul.patrons",
      byBox(view.patrons).map((patron) => patronRow(patron, state)),
    ),
  ];
}

/** What lies on both hands, and where the differential is exceeded. */
function balanceOfHands(weight) {
  const { limit, over } = weight;
  const exceeded = ([hand, box, amount]) => {
    const text = phrase("over", { hand: phrase(hand), n: money(amount) });
    return html("b.waits", text, box && ` · ${phrase("box", box)}`);
  };
  return html(
    "p.row.small",
    weightText(weight),
    limit && html("span.quiet", `${phrase("differential")} ${money(limit)}`),
    over.map(exceeded),
  );
}

function patronRow(patron, state) {
  const { view, desk } = state;
  const isRunning = ["betting", "closed"].includes(view.round?.phase);
  const wagers = isRunning ? view.round.wagers : [];
  const covers = wagers.length ? desk.covers : [];
  const ofPatron = (each) => each.patron === patron.name;
  return html(
    "li",
    html(
      "div.row",
      html("b", patron.name),
      html("span.small.quiet", whereabouts(patron)),
      html("span.money", money(patron.balance)),
    ),
    wagers.filter(ofPatron).map((wager) => wagerRow(wager, patron.box, state)),
    covers.filter(ofPatron).map(coverRow),
  );
}

function whereabouts({ box, away, owed }) {
  const parts = [
    box ? phrase("box", box) : phrase("standing"),
    away && phrase("is away"),
    owed > 0 && phrase("owes", money(owed)),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** A wager with what the dealer may do about it; `seat` is the box of its patron. */
function wagerRow(wager, seat, { table, view, desk, bets }) {
  const { patron, bet, box, stake, advised } = wager;
  const press = (id, more) =>
    commandButton(table, phrase(id), { do: id, patron, bet, box, ...more }, { class: "bare" });
  const isOver = desk.weight.over.some(([heavier]) => heavier === bet);
  const isBetting = view.round.phase === "betting";
  return html(
    "div.row.wager",
    html("span.mark", { "data-bet": bet }, betName(bets, bet)),
    box !== seat && html("span.tiny.quiet", phrase("box", box)),
    advised && html("span.tiny.waits", phrase("under minimum")),
    html("span.money", money(stake)),
    isBetting ? press("withdraw") : [press("pull"), isOver && press("remove", { amount: stake })],
  );
}

function coverRow({ hand, odds, stake }) {
  return html(
    "div.row.wager",
    html("span.mark", phrase(`${hand}-insurance`)),
    html("span.tiny.quiet", odds),
    html("span.money", money(stake)),
  );
}
