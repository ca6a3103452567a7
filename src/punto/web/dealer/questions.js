// Questions of every form: a choice, an order, patrons, a count, the steps of a ruling, a reason; and patrons' answers.

import { questionCard } from "../base/asking.js";
import { cardInline } from "../base/cards.js";
import { button, h, put } from "../base/dom.js";
import { clauseTags, printed } from "../base/notes.js";
import { plain, t, title } from "../base/words.js";
import { doing } from "./desk.js";
import { labelled, readCards, select, several } from "./forms.js";
import { hand, said } from "./words.js";

const RANKS = "A23456789TJQK";
const SUITS = "shcd";

/** Cards tapped in the order in which they count. */
function orderForm(question, desk) {
  const places = desk.procedures.at(-1)?.cards ?? [];
  let order = [];
  const list = h("div", { class: "row order-form" });
  const draw = () => put(list, places.map((at) => {
    const card = desk.cards.find((each) => each.at === at);
    const place = order.indexOf(at);
    return h("button", { type: "button", class: "choice card-choice", "aria-pressed": String(place >= 0), onclick: () => { order = place >= 0 ? order.filter((each) => each !== at) : [...order, at]; draw(); } },
      h("b", {}, card?.face ? cardInline(card.face) : `#${at}`), h("span", {}, place >= 0 ? `${place + 1}.` : "–"));
  }), button(t("clear"), () => { order = []; draw(); }, { class: "button small" }));
  draw();
  return { body: h("div", { class: "col" }, h("p", { class: "small" }, t("tap in order")), list), more: () => ({ order }) };
}

/** Who it was, of those it concerns. */
function patronsForm(question) {
  const { element, read } = several(t("who intended"), question.about.map((name) => [name, name]));
  return { body: element, more: () => ({ patrons: read() }) };
}

/** The cards counted, by rank and suit, and those read under seal. */
function countForm(decks) {
  const fields = new Map();
  const sum = h("b", {});
  const count = () => Object.fromEntries([...fields].map(([card, field]) => [card, Number(field.value) || 0]).filter(([, n]) => n > 0));
  const add = () => { sum.textContent = t("counted sum", { n: Object.values(count()).reduce((a, b) => a + b, 0) }); };
  const grid = h("table", { class: "count-grid" },
    h("tr", {}, h("th"), [...RANKS].map((rank) => h("th", { scope: "col" }, rank === "T" ? "10" : rank))),
    [...SUITS].map((suit) => h("tr", {}, h("th", { scope: "row" }, { s: "♠", h: "♥", c: "♣", d: "♦" }[suit]), [...RANKS].map((rank) => {
      const field = h("input", { type: "number", min: 0, max: 99, inputmode: "numeric", "aria-label": rank + suit, oninput: add });
      fields.set(rank + suit, field);
      return h("td", {}, field);
    }))));
  const sealed = h("input", { class: "field", placeholder: "6h Kd" });
  add();
  return {
    body: h("div", { class: "col" }, h("p", { class: "small" }, t("count hint")), h("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": t("count hint") }, grid),
      h("div", { class: "row" }, sum, button(t("fill full", { n: decks }), () => { for (const field of fields.values()) field.value = decks; add(); }, { class: "button small" })),
      labelled(t("sealed"), sealed)),
    more: () => ({ count: count(), sealed: readCards(sealed.value) }),
  };
}

/** The steps of a ruling, one after the other. */
function rulingForm(desk) {
  let steps = [];
  const list = h("ol", { class: "steps" });
  const choose = select(desk.remedies.map((each) => [each, said(each.names)]), { "aria-label": t("add step") });
  const draw = () => put(list, steps.map((each, at) => h("li", {}, said(each.names), " ", button("×", () => { steps = steps.filter((_, n) => n !== at); draw(); }, { class: "bare", "aria-label": t("clear") }))));
  return {
    body: h("details", { class: "col" }, h("summary", {}, t("ruling")), list, h("div", { class: "row" }, h("div", { class: "grow" }, choose), button(t("add step"), () => { steps = [...steps, choose.read()]; draw(); }, { class: "button small" }))),
    more: (choice) => (choice === "rule" ? { remedies: steps.map((each) => ({ [each.verb]: each.object || true })) } : {}),
  };
}

function formOf(question, desk, decks) {
  if (question.form === "order") return orderForm(question, desk);
  if (question.form === "patrons") return patronsForm(question);
  if (question.form === "count") return countForm(decks);
  if (question.form === "remedies") return rulingForm(desk);
  return { body: null, more: () => ({}) };
}

/** A question with its form, its clauses in words, and the patrons whose answers are entered for them. */
function asked({ question, mine }, state) {
  const { table, view, desk } = state;
  const told = [...new Set((question.basis?.clauses ?? []).map(printed))].filter((clause) => desk.clauses[clause]);
  const beside = told.length ? h("dl", { class: "clause-says" }, told.flatMap((clause) => [h("dt", {}, clauseTags([clause], view.book)), h("dd", {}, desk.clauses[clause])])) : null;
  const answered = Object.entries(question.answers ?? {}).map(([who, choice]) => h("p", { class: "small" }, `${who}: ${plain(choice)}`));
  const give = (choice, more) => table.do({ do: "answer", question: question.id, choice, ...more });
  if (question.to === "patrons") {
    return h("div", { class: "put-to" }, h("section", { class: "question", "aria-label": question.says }, h("header", {}, h("p", { class: "lead" }, question.says), clauseTags(question.basis?.clauses, view.book)),
      h("ul", { class: "for-patrons" }, question.waiting.map((who) => h("li", { class: "row", "data-refusals": "" }, h("b", {}, who), question.choices.map((choice) =>
        doing(table, plain(choice), { do: "answer", question: question.id, choice, patron: who }, { class: `button small${choice === question.default ? " default" : ""}` }))))), answered), beside);
  }
  if (!mine) {
    return h("div", { class: "put-to" }, h("section", { class: "question other" }, h("header", {}, h("p", { class: "lead" }, question.says), clauseTags(question.basis?.clauses, view.book)),
      h("p", { class: "waits" }, t("waits for", { who: title(question.to) }))), beside);
  }
  const form = formOf(question, desk, table.snapshot.decks);
  return h("div", { class: "put-to" }, questionCard(question, { book: view.book, body: form.body, answer: async (choice, more) => give(choice, { ...more, ...form.more(choice) }) }), beside);
}

/** What a part that shows the questions depends on. */
export const questionsShow = ({ desk, view }) => [desk.questions, desk.procedures, desk.cards, view.book];

/** Every open question, and the steps that are still to come. */
export function drawQuestions(state, { empty = true } = {}) {
  const { desk, view } = state;
  const steps = desk.procedures.map((each) => h("section", { class: "procedure" },
    h("h3", {}, said(each.names), " ", clauseTags(each.clauses, view.book)),
    each.note && h("p", { class: "small quiet" }, each.note),
    h("ol", { class: "steps" }, each.rest.map((one) => h("li", {}, h("span", {}, said(one.names), one.by && h("span", { class: "quiet" }, ` · ${title(one.by)}`)), " ", one.clause && clauseTags([one.clause], view.book),
      one.clause && desk.clauses[printed(one.clause)] && h("p", { class: "tiny quiet" }, desk.clauses[printed(one.clause)]))))));
  if (!desk.questions.length && !steps.length) return empty ? h("p", { class: "quiet" }, t("no questions")) : null;
  return [desk.questions.map((each) => asked(each, state)), steps];
}

/** Cards on the felt as choices, by place. */
export const cardChoices = (desk, more = 0) => [
  ...desk.cards.map((each) => [each.at, `${each.at} · ${hand(each.area)}${each.face ? ` ${each.face}` : ""}`]),
  ...Array.from({ length: more }, (_, n) => [desk.cards.length + n, `${desk.cards.length + n} · ${t("next card")}`]),
];
