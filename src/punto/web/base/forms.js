// Forms of named fields. A command's form is a list of names: what each field offers and how it is read stands here.

import { betName } from "./bet-names.js";
import { countTo, html, fill, labelled } from "./dom.js";
import { learn, nameOf, phrase } from "./language.js";
import { clearRefusal, showRefusal } from "./notes.js";
import { parseMoney } from "./typed-money.js";

learn({
  yes: ["Yes", "是"],
  no: ["No", "否"],
  amount: ["Amount", "金額"],
  says: ["What is said", "內容"],
  "raise-dispute": ["Raise a dispute", "提出爭議"],
  "by-squeezing": ["By squeezing", "眯牌"],
  expose: ["Expose", "翻開"],
  "not a card": ["“{n}” is no card: write it like 6h, Kd or 10s.", "「{n}」不是牌：請輸入如 6h、Kd、10s。"],
});

/** Read "6h 10s" → ["6h", "Ts"]; throws an error that names what is no card. */
export function readCards(text) {
  const words = text.trim().split(/[\s,]+/);
  return words.filter(Boolean).map((word) => {
    const found = /^(10|[2-9tjqka])([cdhs])$/i.exec(word);
    if (!found) throw new Error(phrase("not a card", word));
    const [, rank, suit] = found;
    return (rank === "10" ? "T" : rank.toUpperCase()) + suit.toLowerCase();
  });
}

function readAmount(text, digits) {
  const amount = parseMoney(text, digits);
  if (amount === null) throw new Error(phrase("no amount", text));
  return amount;
}

/** Options of a list, as [[value, text], …]: optionsOf(["minimum"]) → [["minimum", "Minimum"]]. */
export function optionsOf(ids, textOf = nameOf) {
  return ids.map((id) => [id, textOf(id)]);
}

const yesOrNo = () => [
  [true, phrase("yes")],
  [false, phrase("no")],
];
const noOrYes = () => yesOrNo().reverse();

/** What fields offer that are lists, by their names. `state` is that of the staff's desk. */
const OPTIONS = {
  patron: ({ view }) => {
    const names = view.patrons.map(({ name }) => name);
    return optionsOf(names, String);
  },
  bet: ({ bets }) => optionsOf(Object.keys(bets), (id) => betName(bets, id)),
  box: ({ desk }) => optionsOf(countTo(desk.positions), String),
  post: ({ desk }) => optionsOf(desk.ranks.flat()),
  hand: () => optionsOf(["player", "banker"]),
  how: () => [
    ["squeeze", phrase("by-squeezing")],
    ["expose", phrase("expose")],
  ],
  order: () => optionsOf(["known", "unknown"]),
  cause: () => optionsOf(["power", "other"]),
  acting: noOrYes,
  chips: noOrYes,
  acknowledged: noOrYes,
  agreed: yesOrNo,
  reconstructible: yesOrNo,
  exposed: yesOrNo,
  seen: yesOrNo,
  earlier: yesOrNo,
};

/** How fields are read that are no plain text, by their names. */
const READERS = {
  amount: readAmount,
  stake: readAmount,
  minimum: readAmount,
  maximum: readAmount,
  differential: readAmount,
  payout: readAmount,
  faces: readCards,
  decks: Number,
  positions: Number,
};

/** Phrases for fields whose names mean something else elsewhere. */
const LABELS = { name: "new patron", box: "box-number", order: "order known", payout: "most paid" };

/** A value as a list holds it; "No" is a value, too. */
const textOfValue = (value) => String(value ?? "");

/** A list of [[value, text], …]. `setOptions` changes what it offers and keeps what is chosen. */
export function selectField(options = [], properties = {}) {
  const list = html("select.field", properties);
  let offered = [];
  list.setOptions = (found) => {
    const chosen = list.value;
    offered = found;
    fill(
      list,
      found.map(([value, text]) => html("option", { value: textOfValue(value) }, text)),
    );
    if (found.some(([value]) => textOfValue(value) === chosen)) list.value = chosen;
  };
  list.read = () => offered[list.selectedIndex]?.[0];
  list.setOptions(options);
  return list;
}

/** Check boxes for [[value, text], …]; `read` gives the values that are ticked. */
export function checkBoxes(legend, options) {
  const boxes = options.map(([value, text]) => ({
    value,
    text,
    box: html("input", { type: "checkbox", name: value }),
  }));
  const labels = boxes.map(({ box, text }) => html("label.tick", box, text));
  const element = html("fieldset.row", html("legend", legend), labels.length ? labels : "–");
  return { element, read: () => boxes.filter(({ box }) => box.checked).map(({ value }) => value) };
}

/**
 * A field by its name: {name, element, read}; what a list offers follows the table by `follow(state)`. "box?" may be
 * left empty; ["value", options] has options of its own, and ["value", options, true] takes several of them.
 */
function namedField(spec, state) {
  const [wanted, ownOptions, takesSeveral] = [spec].flat();
  const name = wanted.replace("?", "");
  const isOptional = wanted !== name;
  const label = phrase(LABELS[name] ?? name);
  if (takesSeveral) return { name, ...checkBoxes(label, ownOptions) };
  const options = ownOptions ?? OPTIONS[name]?.(state);
  if (options) {
    const offered = (found) => (isOptional ? [[undefined, "–"], ...found] : found);
    const list = selectField(offered(options), { name });
    const follow = (next) => ownOptions ?? list.setOptions(offered(OPTIONS[name](next)));
    return { name, element: labelled(label, list), read: list.read, follow };
  }
  return { name, ...textField(name, label, isOptional, state) };
}

function textField(name, label, isOptional, state) {
  const input = html("input.field", {
    name,
    maxlength: 400,
    autocomplete: "off",
    autocapitalize: "none",
    required: !isOptional,
  });
  const read = READERS[name] ?? ((text) => text.trim());
  const readHere = () => read(input.value, state?.digits);
  return { element: labelled(label, input), read: () => (input.value.trim() ? readHere() : undefined) };
}

/** Fields by their names: their elements, how to read those that say anything, and how lists follow the table. */
export function namedFields(specs, state) {
  const fields = specs.filter(Boolean).map((spec) => namedField(spec, state));
  const read = () => {
    const values = fields.map(({ name, read: readField }) => [name, readField()]);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined && value.length !== 0));
  };
  const follow = (next) => fields.forEach((field) => field.follow?.(next));
  return { elements: fields.map(({ element }) => element), read, follow };
}

/**
 * A form of fields; `send` gets what they say. What is refused is said beside the field that it names. What its lists
 * offer follows the table by `follow(state)`.
 */
export function fieldForm({ elements, read, follow }, submitText, book, send) {
  const submit = async () => {
    clearRefusal(form);
    form.dataset.sending = "";
    try {
      await send(read());
      form.reset();
    } catch (refusal) {
      const note = showRefusal(form, refusal, book());
      fieldNamedIn(form, refusal.english ?? refusal.message)?.after(note);
    }
    delete form.dataset.sending;
  };
  const form = html("form.row.ask-form", { onsubmit: submit }, elements, html("button.button.small", submitText));
  form.follow = follow;
  return form;
}

function fieldNamedIn(form, message) {
  const text = message.toLowerCase();
  const found = Array.from(form.elements).find(({ name }) => name && text.includes(name.replaceAll("-", " ")));
  return found?.closest(".labelled");
}

/**
 * A form that gives a command: `id` names it, `specs` its fields; `fixed` is added to what they say, and `change` may
 * make something else of it all.
 */
export function commandForm(state, id, specs, { fixed = {}, change = (command) => command, text = phrase(id) } = {}) {
  const send = (values) => state.table.give(change({ do: id, ...fixed, ...values }));
  return fieldForm(namedFields(specs, state), text, () => state.view.book, send);
}
