// The settlement, patron by patron: ticked before the next round is opened.

import { cardInline } from "../base/cards.js";
import { h } from "../base/dom.js";
import { clauseTags } from "../base/notes.js";
import { money } from "../base/money.js";
import { t } from "../base/words.js";

const store = {
  get: (key) => { try { return JSON.parse(localStorage.getItem(key) ?? "[]"); } catch { return []; } },
  set: (key, value) => { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* it holds for this page */ } },
};
let kept = {};

/** Lines that were paid otherwise must be ticked again: the key holds what was paid. */
function keyOf({ table, view }) {
  const paid = Object.entries(view.round.lines).map(([who, lines]) => `${who}:${lines.map((each) => each.net).join("+")}`).join(" ");
  return `ticked ${table.name} ${view.round.number} ${paid}`;
}
const settled = (view) => view.round && ["settled", "void"].includes(view.round.phase) && Object.keys(view.round.lines).length > 0;

function ticks(state) {
  const key = keyOf(state);
  return (kept.key === key ? kept : (kept = { key, done: store.get(`ticked ${state.table.name}`).key === key ? store.get(`ticked ${state.table.name}`).done : [] })).done;
}

/** How many patrons are still to be ticked. */
export const left = (state) => (settled(state.view) && state.desk.shoe_kind !== "virtual" ? Object.keys(state.view.round.lines).filter((who) => !ticks(state).includes(who)).length : 0);

export const checklistShows = (state) => [state.view.round?.lines, state.view.round?.phase, state.view.round?.number];

/** The list; `changed()` when somebody was ticked. */
export function drawChecklist(state, changed) {
  const { table, view } = state;
  if (!settled(view)) return null;
  const round = view.round, everybody = Object.keys(round.lines);
  const done = h("p", { class: "small", role: "status" });
  const count = () => { done.textContent = t("ticked", { n: everybody.filter((who) => ticks(state).includes(who)).length, m: everybody.length }); };
  const rows = everybody.map((who) => {
    const lines = round.lines[who];
    const net = lines.reduce((sum, each) => sum + each.net, 0);
    const box = h("input", { type: "checkbox", checked: ticks(state).includes(who), "aria-label": who, onchange: () => {
      const now = ticks(state).filter((each) => each !== who);
      kept.done = box.checked ? [...now, who] : now;
      store.set(`ticked ${table.name}`, kept);
      row.classList.toggle("done", box.checked);
      count();
      changed();
    } });
    const row = h("li", { class: box.checked ? "done" : "" },
      h("label", { class: "settle-head" }, box, h("b", {}, who), h("span", { class: `money net ${net > 0 ? "won" : "lost"}` }, net > 0 ? t("to pay", { n: money(net) }) : net < 0 ? t("collects", { n: money(-net) }) : t("evens"))),
      h("ul", { class: "settle-lines" }, lines.map((each) => h("li", {},
        h("span", { class: "settle-bet" }, h("b", {}, t(each.bet)), h("span", { class: "quiet money" }, ` ${money(each.stake)} `), t(`result ${each.result}`), each.odds && h("span", { class: "quiet" }, ` ${each.odds}`)),
        h("span", { class: `money ${each.net > 0 ? "won" : "lost"}` }, money(each.net, { sign: true })),
        h("span", { class: "settle-says small quiet" }, each.says, " ", clauseTags(each.basis?.clauses, view.book))))));
    return row;
  });
  count();
  return [
    h("header", { class: "row" }, h("h2", {}, t("settlement")), h("span", { class: "grow" }), done),
    h("p", { class: "row small" }, h("span", {}, t("player"), " ", round.player.cards.map((each) => cardInline(each))), h("span", {}, t("banker"), " ", round.banker.cards.map((each) => cardInline(each)))),
    h("ul", { class: "settlement" }, rows)];
}
