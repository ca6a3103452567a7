// A patron who is being served, and what lies on the felt for them.

import { betName } from "../base/bet-names.js";
import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { oddsText } from "../base/labels.js";
import { phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { wagersOf } from "./boxes.js";

/** Who is served: where they are, what they have, their wagers and cover. */
export function servedPatron(patron, state) {
  const wagers = wagersOf(state, patron.name);
  const covers = wagers.length ? state.desk.covers.filter((cover) => cover.patron === patron.name) : [];
  return [
    html(
      "h3.row",
      html("span", patron.name),
      html("span.small.quiet", whereabouts(patron)),
      html("span.money", money(patron.balance)),
    ),
    html(
      "div",
      wagers.map((wager) => wagerRow(wager, patron.box, state)),
      covers.map(coverRow),
    ),
  ];
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
    html("span.tiny.quiet", oddsText(odds)),
    html("span.money", money(stake)),
  );
}
