// Paying and collecting, patron by patron: each is ticked before the next round.

import { betName } from "../base/bet-names.js";
import { cardInline } from "../base/cards.js";
import { clauseTags } from "../base/clauses.js";
import { html } from "../base/dom.js";
import { phrase, sentence } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { storage } from "../base/storage.js";

function isSettled({ round }) {
  return round && ["settled", "void"].includes(round.phase) && Object.keys(round.lines).length > 0;
}

/** Who is ticked. It is kept with what was paid: lines that were paid otherwise must be ticked again. */
function readTicks({ table, view: { round } }) {
  const nets = Object.entries(round.lines).map(([patron, lines]) => [patron, lines.map(({ net }) => net)]);
  const paid = JSON.stringify([round.number, nets]);
  const kept = storage.get(`ticked ${table.name}`);
  return { paid, patrons: kept?.paid === paid ? kept.done : [] };
}

function writeTick(state, patron, isTicked) {
  const { paid, patrons } = readTicks(state);
  const others = patrons.filter((each) => each !== patron);
  storage.set(`ticked ${state.table.name}`, { paid, done: isTicked ? [...others, patron] : others });
}

/** How many patrons are still to be ticked; a virtual table pays by itself. */
export function patronsToTick(state) {
  if (!isSettled(state.view) || state.desk.shoe_kind === "virtual") return 0;
  const { patrons } = readTicks(state);
  return Object.keys(state.view.round.lines).filter((patron) => !patrons.includes(patron)).length;
}

/** The list of payments; `changed()` is called when somebody is ticked. Null where nothing is to be paid. */
export function settlementList(state, changed) {
  const { view } = state;
  if (!isSettled(view)) return null;
  const { round } = view;
  const patrons = Object.keys(round.lines);
  const status = html("p.small", { role: "status" });

  function showCount() {
    const ticked = patrons.filter((patron) => readTicks(state).patrons.includes(patron));
    status.textContent = phrase("ticked", { n: ticked.length, m: patrons.length });
  }
  function tick(patron, isTicked) {
    writeTick(state, patron, isTicked);
    showCount();
    changed();
  }

  showCount();
  const handCards = (hand) => html("span", phrase(hand), " ", round[hand].cards.map(cardInline));
  return [
    html("header.row", html("h2", phrase("settlement")), html("span.grow"), status),
    html("p.row.small", ["player", "banker"].map(handCards)),
    html(
      "ul.settlement",
      patrons.map((patron) => paymentRow(patron, state, tick)),
    ),
  ];
}

function paymentRow(patron, state, tick) {
  const lines = state.view.round.lines[patron];
  const net = sumOf(lines, "net");
  const box = html("input", {
    type: "checkbox",
    checked: readTicks(state).patrons.includes(patron),
    label: patron,
    onchange: (event) => tick(patron, event.target.checked),
  });
  return html(
    "li",
    html("label.row", box, html("b", patron), html(`span.money.net.${netClass(net)}`, netText(net))),
    html(
      "ul.settle-lines",
      lines.map((line) => paymentLine(line, state)),
    ),
  );
}

function paymentLine({ bet, stake, result, odds, net, says, message, basis }, { bets, view }) {
  return html(
    "li",
    html(
      "span",
      html("b", betName(bets, bet)),
      html("span.quiet.money", ` ${money(stake)} `),
      phrase(`result ${result}`),
      odds && html("span.quiet", ` ${odds}`),
    ),
    html(`span.money.${netClass(net)}`, money(net, "sign")),
    html("span.settle-says.small.quiet", sentence({ says, message }), " ", clauseTags(basis?.clauses, view.book)),
  );
}

function netClass(net) {
  return net > 0 ? "won" : "lost";
}

function netText(net) {
  if (net > 0) return phrase("to pay", money(net));
  return net < 0 ? phrase("collects", money(-net)) : phrase("evens");
}
