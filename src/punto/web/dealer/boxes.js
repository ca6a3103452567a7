// The boxes around the table, with who sits there and what they have laid.

import { betName } from "../base/bet-names.js";
import { button, countTo, html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { weightText } from "../staff/weight.js";

const STANDING = 99; // sorts those who have no box behind the boxes

/** Patrons by their boxes; those who stand come last. */
export function byBox(patrons) {
  return [...patrons].sort((one, other) => (one.box ?? STANDING) - (other.box ?? STANDING));
}

/** The places of a table, {box, patron}: every box, and those who stand. A box that is free has no patron. */
export function placesOf({ view, desk }) {
  const standing = view.patrons.filter(({ box }) => !box);
  const places = countTo(desk.positions).map((box) => ({ box, patron: view.patrons.find((each) => each.box === box) }));
  return [...places, ...standing.map((patron) => ({ box: null, patron }))];
}

/** What lies on the felt while a round is on. */
export function wagersOf({ view }, patron) {
  const isRunning = ["betting", "closed"].includes(view.round?.phase);
  return isRunning ? view.round.wagers.filter((wager) => wager.patron === patron) : [];
}

/** Every box as a button; `serve(place)` is called with the one that is tapped, `isServed(place)` tells which it is. */
export function boxTiles(state, { serve, isServed }) {
  const tile = (place) => {
    const { box, patron } = place;
    const parts = [
      html("span.box-number", box ?? "–"),
      patron ? html("b", patron.name) : html("span.quiet.small", phrase("free box")),
      patron && html("span.money.small", money(patron.balance)),
      patron && html("span.laid", wagersOf(state, patron.name).map(laidMark(state))),
    ];
    const properties = { class: ["box-tile", !patron && "free"], "aria-pressed": String(isServed(place)) };
    return html(
      "li",
      button(parts, () => serve(place), properties),
    );
  };
  return [balanceOfHands(state.desk.weight), html("ul.box-tiles", placesOf(state).map(tile))];
}

function laidMark({ bets }) {
  return ({ bet, stake }) =>
    html("span.mark.tiny", { "data-bet": bet, title: betName(bets, bet) }, `${betName(bets, bet)} ${money(stake)}`);
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
