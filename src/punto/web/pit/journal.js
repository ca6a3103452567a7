// The journal: what has happened at a table, filtered by kind, patron and round.

import { get } from "../base/api.js";
import { button, h, put } from "../base/dom.js";
import { clauseTags } from "../base/notes.js";
import { t } from "../base/words.js";
import { labelled } from "../dealer/forms.js";
import { clock, kindOf, told } from "./telling.js";

const PAGE = 500;

/** Whom an event is about. */
const about = (event) => [event.patron, event.person, ...(event.patrons ?? []), ...(event.question?.waiting ?? []), ...Object.keys(event.lines ?? {})].filter(Boolean);

export function journal(table, book) {
  let entries = [], first = 0;
  const kind = h("select", { class: "field" }), who = h("select", { class: "field" }), round = h("select", { class: "field" });
  const list = h("ol", { class: "journal" }), count = h("span", { class: "small quiet" });
  const options = (select, values, words) => {
    const chosen = select.value;
    put(select, h("option", { value: "" }, t("everything")), values.map((each) => h("option", { value: each }, words(each))));
    if (values.includes(chosen)) select.value = chosen;
  };
  const rounds = () => {
    let number = "";
    for (const each of entries) {
      if (each.event.event === "bets-opened") number = String(each.event.number);
      each.round = number;
    }
  };
  const row = (each) => {
    const more = h("pre", { class: "tiny", hidden: true });
    return h("li", {}, h("button", { type: "button", class: "entry-line", "aria-expanded": "false", onclick: (event) => {
      more.hidden = !more.hidden;
      event.currentTarget.setAttribute("aria-expanded", String(!more.hidden));
      more.textContent = JSON.stringify(each.event, null, 1);
    } }, h("span", { class: "quiet tiny" }, `${each.sequence} ${clock(each.at)}`), h("b", { class: "small" }, kindOf(each.event)), h("span", { class: "small grow" }, told(each.event)), each.event.basis?.clauses && clauseTags(each.event.basis.clauses.slice(0, 3), book), h("span", { class: "tiny quiet" }, each.who ?? "")), more);
  };
  const draw = () => {
    rounds();
    const tell = (values) => [...new Set(values)].filter(Boolean);
    options(kind, tell(entries.map((each) => each.event.event)).sort(), (event) => kindOf({ event }));
    options(who, tell(entries.flatMap((each) => about(each.event))).sort(), String);
    options(round, tell(entries.map((each) => each.round)).reverse(), (n) => t("round", { n }));
    filter();
  };
  const filter = () => {
    const shown = entries.filter((each) => (!kind.value || each.event.event === kind.value) && (!who.value || about(each.event).includes(who.value)) && (!round.value || each.round === round.value));
    put(list, shown.slice(-150).reverse().map(row));
    count.textContent = t("entries", { n: shown.length });
  };
  for (const each of [kind, who, round]) each.addEventListener("change", filter);
  const load = async (after) => {
    const page = await get(`/api/tables/${table.name}/events?after=${after}`);
    entries = [...page.entries.filter((each) => !entries.length || each.sequence < entries[0].sequence), ...entries];
    first = entries[0]?.sequence ?? 0;
    earlier.disabled = first <= 1;
    draw();
  };
  const earlier = button(t("earlier entries"), () => void load(Math.max(0, first - 1 - PAGE)), { class: "button small" });
  let soon = 0;
  const off = table.on("event", (event) => {
    if (entries.at(-1)?.sequence < event.detail.sequence) entries.push(event.detail);
    clearTimeout(soon);
    soon = setTimeout(() => { if (!list.contains(document.activeElement)) draw(); }, 400);
  });
  void load(Math.max(0, table.snapshot.sequence - PAGE));
  const element = h("div", { class: "col" }, h("div", { class: "row" }, labelled(t("kind"), kind), labelled(t("patron"), who), labelled(t("of round"), round)), h("div", { class: "row" }, count, h("span", { class: "grow" }), earlier), list);
  return { element, close() { off(); clearTimeout(soon); } };
}
