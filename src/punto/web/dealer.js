// The dealer's console: what to do next, the cards, the people, and what went wrong.

import { book, get } from "./base/api.js";
import { h, put, style } from "./base/dom.js";
import { showLink } from "./base/notes.js";
import { money } from "./base/money.js";
import { timerRing } from "./base/timer.js";
import { t } from "./base/words.js";
import { checklistShows, drawChecklist, left } from "./dealer/checklist.js";
import { openDesk, panel, part } from "./dealer/desk.js";
import { cardEntry, drawHands, whereTo } from "./dealer/felt.js";
import { drawNext } from "./dealer/next.js";
import { actForPatron, drawInsurance, drawPatrons, insuranceShows, patronsShow } from "./dealer/patrons.js";
import { drawQuestions, questionsShow } from "./dealer/questions.js";
import { reportForm } from "./dealer/report.js";
import { drawShoe, shoeShows } from "./dealer/shoe.js";

async function chooseTable(root, me) {
  const tables = await get("/api/tables");
  const mine = tables.filter((each) => me.posts[each.name] || me.posts["*"]);
  put(root, h("div", { class: "console choose" }, h("h1", {}, t("choose table")),
    h("ul", { class: "tables" }, mine.map((each) => h("li", {}, h("a", { class: "panel", href: `/dealer/${each.name}` }, h("b", {}, each.name),
      h("span", { class: "small quiet" }, `${each.book} · ${each.layout} · ${each.patrons} · ${each.phase ? t(`phase ${each.phase}`) : t("no round")}`)))))));
}

/** The view at /dealer and /dealer/NAME. */
export async function show(root, { params, me }) {
  document.title = `${t("dealer")} · Punto`;
  await style("/static/dealer.css");
  if (!params.name) return void (await chooseTable(root, me));
  document.title = `${params.name} · ${t("dealer")} · Punto`;

  let state = null;
  const current = () => state;
  const entry = cardEntry(current);
  const el = {
    bar: h("header", { class: "table-bar" }), next: h("section", { class: "panel next", "aria-label": t("what next"), "data-refusals": "", tabindex: -1 }),
    hands: h("div"), questions: h("section", { class: "questions", "aria-label": t("questions") }),
    insurance: h("section", { class: "panel part-insurance", "aria-label": t("insurance") }), list: h("section", { class: "panel part-checklist", "aria-label": t("settlement"), "data-refusals": "" }),
    patrons: h("div"), shoe: h("div", { class: "col" }),
  };
  const report = reportForm(current);
  const ring = timerRing();
  const note = h("p", { class: "small quiet shoe-note" });

  const redraw = () => { if (state) for (const each of parts) each(state); };
  const toQuestions = () => { el.questions.scrollIntoView({ block: "center" }); el.questions.querySelector("button,input")?.focus(); };
  const toEntry = () => { if (entry.hidden) return; entry.scrollIntoView({ block: "center" }); entry.typeHere(); };
  const pick = (at) => { entry.pick(at); redraw(); entry.typeHere(); };
  const rules = await get(`/api/tables/${params.name}`).then((found) => book(found.view.book));
  const act = actForPatron(current);

  const parts = [
    part(el.bar, ({ view, desk }) => [view.round?.number, view.round?.phase, view.cards_left, view.limits, desk.shoe_kind, view.last_round], ({ view }) => [
      h("h1", {}, params.name), h("span", { class: "quiet small" }, `${rules.title} · ${t("layout")} ${view.layout}`), h("span", { class: "grow" }),
      h("span", { class: "small" }, view.round ? `${t("round", { n: view.round.number })} · ${t(`phase ${view.round.phase}`)}` : t("no round")),
      h("span", { class: "small money" }, `${t("min")} ${money(view.limits.minimum)} · ${t("max")} ${money(view.limits.maximum)} · ${view.currency}`),
      view.cards_left !== null && h("span", { class: "small" }, t("cards left", { n: view.cards_left })),
      ring]),
    part(el.next, (each) => [each.view.next, each.desk.due, left(each), each.desk.shoe_kind, each.desk.methods], (each) => drawNext(each, { left: () => left(each), toEntry, toQuestions })),
    part(el.hands, (each) => [each.desk.cards, each.desk.due, each.view.round?.player, each.view.round?.banker, whereTo(each, entry.picked())], (each) => drawHands(each, whereTo(each, entry.picked())?.at, pick)),
    (each) => entry.show(each),
    ({ desk }) => { note.hidden = desk.shoe_kind === "hand"; note.textContent = desk.shoe_kind === "virtual" ? t("the shoe deals") : t("the shoe reads"); },
    part(el.questions, questionsShow, (each) => drawQuestions(each, { empty: false })),
    part(el.insurance, insuranceShows, drawInsurance),
    part(el.list, checklistShows, (each) => drawChecklist(each, redraw)),
    part(el.patrons, patronsShow, drawPatrons),
    part(el.shoe, shoeShows, drawShoe),
    (each) => act.show(each),
    (each) => report.show(each),
    () => { for (const each of [el.questions, el.insurance, el.list]) each.hidden = !each.childElementCount; },
    ({ table }) => { const { closes_at: closes, opened_at: opens } = table.snapshot; ring.set(closes && closes > table.now() ? closes : null, opens, () => table.now()); },
  ];
  put(root, h("div", { class: "console dealer" }, el.bar,
    h("div", { class: "main-column" }, el.next, el.questions, el.insurance, el.list, h("section", { class: "panel part-felt", "aria-label": t("table") }, el.hands, note, entry)),
    h("div", { class: "side-column" },
      panel("patrons", t("patrons"), el.patrons, h("details", { class: "more" }, h("summary", {}, t("act for")), act)),
      panel("shoe", t("shoe and calls"), el.shoe),
      h("details", { class: "panel part-report" }, h("summary", {}, h("h2", {}, t("report"))), report))));
  const desk = await openDesk(params.name, (now) => { state = now; redraw(); });
  const off = showLink(desk.table);
  const keys = (event) => {
    if (event.target.matches?.("input,select,textarea") || event.metaKey || event.ctrlKey || event.altKey || entry.hidden) return;
    if (/^[2-9tjqka1]$/i.test(event.key)) entry.typeHere();
  };
  document.addEventListener("keydown", keys);
  return () => { document.removeEventListener("keydown", keys); off(); desk.close(); };
}
