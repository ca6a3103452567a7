// What some questions ask besides a choice: an order of cards, patrons, a count, or the steps of a ruling.

import { button, fill, html, labelled, smallButton } from "../base/dom.js";
import { checkBoxes, optionsOf, readCards, selectField } from "../base/forms.js";
import { inLanguage, phrase } from "../base/language.js";
import { cardPicker } from "./card-picker.js";
import { RANKS, rankText, SUITS } from "./cards.js";

/** The cards that the question is about, to be tapped in the order in which they count. */
function orderForm({ case: found }, desk) {
  const among = found?.cards.map(({ at }) => at);
  const body = cardPicker(desk.cards, { name: "order", legend: phrase("tap in order"), among, inOrder: true });
  return { body, read: () => ({ order: body.read() }) };
}

/** Which of the patrons in question it concerns. */
function patronsForm({ question }) {
  const { element, read } = checkBoxes(phrase("who intended"), optionsOf(question.about, String));
  return { body: element, read: () => ({ patrons: read() }) };
}

/** A count of all cards by rank and suit, and the cards under seal. */
function countForm(_open, _desk, decks) {
  const sum = html("b");
  const sealed = html("input.field", { name: "sealed", placeholder: "6h Kd" });
  const grid = countGrid(showSum);
  const fields = Array.from(grid.querySelectorAll("input"));

  function readCount() {
    const counts = fields.map(({ name, value }) => [name, Number(value)]);
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
  function showSum() {
    const all = Object.values(readCount()).reduce((total, count) => total + count, 0);
    sum.textContent = phrase("counted sum", all);
  }
  function fillFull() {
    for (const field of fields) field.value = decks;
    showSum();
  }

  showSum();
  const hint = phrase("count hint");
  return {
    body: html(
      "div.col",
      html("p.small", hint),
      html("div.scrolls", { tabindex: 0, role: "group", label: hint }, grid),
      html("div.row", sum, smallButton(phrase("fill full", decks), fillFull)),
      labelled(phrase("sealed"), sealed),
    ),
    read: () => ({ count: readCount(), sealed: readCards(sealed.value) }),
  };
}

function countGrid(oninput) {
  const field = (card) =>
    html("input", { name: card, type: "number", min: 0, max: 99, inputmode: "numeric", label: card, oninput });
  const headings = RANKS.map((rank) => html("th", { scope: "col" }, rankText(rank)));
  const row = ([suit, sign]) => {
    const cells = RANKS.map((rank) => html("td", field(rank + suit)));
    return html("tr", html("th", { scope: "row" }, sign), cells);
  };
  return html("table.count-grid", html("tr", html("th"), headings), Object.entries(SUITS).map(row));
}

/** The steps of a ruling, put together from those that the table offers. */
function remediesForm(_open, desk) {
  const list = html("ol.steps");
  const offered = new Map(desk.remedies.map((step) => [`${step.verb} ${step.object ?? ""}`, step]));
  const options = Array.from(offered, ([id, step]) => [id, inLanguage(step.names)]);
  const choose = selectField(options, { name: "step", label: phrase("add step") });
  let steps = []; // {id} of those that are offered: one may be taken twice

  function setSteps(now) {
    steps = now;
    fill(list, steps.map(stepItem));
  }
  function stepItem(step) {
    const remove = () => setSteps(steps.filter((other) => other !== step));
    return html(
      "li",
      inLanguage(offered.get(step.id).names),
      " ",
      button("×", remove, { class: "bare", label: phrase("clear") }),
    );
  }

  const add = smallButton(phrase("add step"), () => setSteps([...steps, { id: choose.read() }]));
  const remedies = () => steps.map(({ id }) => ({ [offered.get(id).verb]: offered.get(id).object || true }));
  const composed = html("fieldset.col", { name: "steps" }, list, html("div.row", html("div.grow", choose), add));
  composed.read = () => steps;
  composed.take = (before) => setSteps(before.filter(({ id }) => offered.has(id)));
  return {
    body: html("details.col", html("summary", phrase("ruling")), composed),
    read: (choice) => (choice === "rule" ? { remedies: remedies() } : {}),
  };
}

const FORMS = { order: orderForm, patrons: patronsForm, count: countForm, remedies: remediesForm };

/** What a question asks besides a choice: {body, read(choice)}, where what is read is added to the answer. */
export function questionForm(open, desk, decks) {
  return FORMS[open.question.form]?.(open, desk, decks) ?? { body: null, read: () => ({}) };
}
