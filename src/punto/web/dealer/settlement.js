// Paying and collecting, patron by patron: each is ticked before the next round.

import { betName } from "../base/bet-names.js";
import { cardInline } from "../base/cards.js";
import { clauseTags } from "../base/clauses.js";
import { html } from "../base/dom.js";
import { oddsText } from "../base/labels.js";
import { phrase, sentence } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { storage } from "../base/storage.js";
import { byBox } from "./boxes.js";

function isSettled({ round }) {
  return round && ["settled", "void"].includes(round.phase) && Object.keys(round.lines).length > 0;
}

const netsOf = (lines) => lines.map(({ net }) => net);
const total = (nets) => nets.reduce((sum, net) => sum + net, 0);

/** By patron: what each line of theirs had brought when they were ticked, in this round. */
function readTicks({ table, view: { round } }) {
  const kept = storage.get(`ticked ${table.name}`);
  return kept?.round === round.number ? kept.done : {};
}

function writeTicks(state, done) {
  storage.set(`ticked ${state.table.name}`, { round: state.view.round.number, done });
}

function writeTick(state, patron, isTicked) {
  const { [patron]: _before, ...others } = readTicks(state);
  const nets = netsOf(state.view.round.lines[patron]);
  writeTicks(state, isTicked ? { ...others, [patron]: nets } : others);
}

/** Whether somebody is ticked: lines that are paid otherwise since must be ticked again. */
function isTicked(state, patron) {
  return JSON.stringify(readTicks(state)[patron]) === JSON.stringify(netsOf(state.view.round.lines[patron]));
}

/** How many patrons are still to be ticked; a virtual table pays by itself. */
export function patronsToTick(state) {
  if (!isSettled(state.view) || state.desk.shoe_kind === "virtual") return 0;
  return Object.keys(state.view.round.lines).filter((patron) => !isTicked(state, patron)).length;
}

/** Tick whoever sits at a box, or take the tick away; false where nothing is to be paid there. */
export function tickBox(state, box) {
  if (!isSettled(state.view) || state.desk.shoe_kind === "virtual") return false;
  const patron = state.view.patrons.find((each) => each.box === box)?.name;
  if (!state.view.round.lines[patron]) return false;
  writeTick(state, patron, !isTicked(state, patron));
  return true;
}

/** The list of payments; `changed()` is called when somebody is ticked. Null where nothing is to be paid. */
export function settlementList(state, changed) {
  const { view } = state;
  if (!isSettled(view)) return null;
  const { round } = view;
  const seated = byBox(view.patrons).map(({ name }) => name);
  const patrons = Array.from(new Set([...seated, ...Object.keys(round.lines)])).filter((name) => name in round.lines);
  const status = html("p.small", { role: "status" });

  function showCount() {
    const ticked = patrons.filter((patron) => isTicked(state, patron));
    status.textContent = phrase("ticked", { n: ticked.length, m: patrons.length });
  }
  function tick(patron, isDone) {
    writeTick(state, patron, isDone);
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
  const seat = state.view.patrons.find(({ name }) => name === patron)?.box; // whose key ticks it
  const net = sumOf(lines, "net");
  const isDone = isTicked(state, patron);
  const before = isDone ? 0 : total(readTicks(state)[patron] ?? []);
  const box = html("input", {
    type: "checkbox",
    checked: isDone,
    label: patron,
    onchange: (event) => tick(patron, event.target.checked),
  });
  return html(
    "li",
    { class: isDone && "ticked" },
    html(
      "label.row",
      box,
      seat && html("span.box-number", seat),
      html("b", patron),
      html(`span.money.net.${netClass(net - before)}`, netText(net, before)),
    ),
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
      odds && html("span.quiet", ` ${oddsText(odds)}`),
    ),
    html(`span.money.${netClass(net)}`, money(net, "sign")),
    html("span.settle-says.small.quiet", sentence({ says, message }), " ", clauseTags(basis?.clauses, view.book)),
  );
}

function netClass(net) {
  return net > 0 ? "won" : "lost";
}

/** What has to move from hand to hand, less what has moved `before` the round was paid otherwise. */
function netText(net, before) {
  const due = net - before;
  const text = due > 0 ? phrase("to pay", money(due)) : due < 0 ? phrase("collects", money(-due)) : phrase("evens");
  if (!before) return text;
  return `${text} ${before > 0 ? phrase("paid before", money(before)) : phrase("collected before", money(-before))}`;
}
