// Small forms: named fields, what each of them may hold, and the command that they make.

import { h } from "../base/dom.js";
import { minor } from "../base/money.js";
import { refuse } from "../base/notes.js";
import { t, title } from "../base/words.js";

/** Read "6h 10s" → ["6h", "Ts"]; throws an error that names what is no card. */
export function readCards(words) {
  return words.trim().split(/[\s,]+/).filter(Boolean).map((each) => {
    const found = /^(10|[2-9tjqka])([cdhs])$/i.exec(each);
    if (!found) throw new Error(t("not a card", { n: each }));
    return (found[1] === "10" ? "T" : found[1].toUpperCase()) + found[2].toLowerCase();
  });
}
function readAmount(words) {
  const amount = minor(words);
  if (amount === null) throw new Error(t("no amount", { n: words }));
  return amount;
}
const FLAG = () => [[true, t("yes")], [false, t("no")]];
const WORDS = (...ids) => () => ids.map((id) => [id, t(id)]);
const OPTIONS = {
  patron: ({ view }) => view.patrons.map((each) => [each.name, each.name]), bet: ({ bets }) => Object.keys(bets).map((id) => [id, t(id)]), box: ({ desk }) => Array.from({ length: desk.positions }, (_, n) => [n + 1, n + 1]), post: ({ desk }) => desk.ranks.flat().map((id) => [id, title(id)]),
  hand: WORDS("player", "banker"), how: () => [["squeeze", t("by-squeezing")], ["expose", t("expose")]], order: WORDS("known", "unknown"), cause: WORDS("power", "other"), reconstructible: FLAG, exposed: FLAG, seen: FLAG, earlier: FLAG,
};

const LABELS = { name: "new patron", box: "box-number", order: "order known" };

/** A labelled field. */
export const labelled = (words, field) => h("label", { class: "labelled" }, h("span", {}, words), field);

/** A list to choose from: [[value, words], …]. */
export function select(options, props = {}) {
  const list = h("select", { class: "field", ...props }, options.map(([value, words]) => h("option", { value: String(value ?? "") }, words)));
  list.read = () => options[list.selectedIndex]?.[0];
  return list;
}

/** Boxes to tick, for some of several: [[value, words], …]. */
export function several(words, options) {
  const boxes = options.map(([value, name]) => [value, h("input", { type: "checkbox" }), name]);
  const element = h("fieldset", { class: "row" }, h("legend", {}, words), boxes.length ? boxes.map(([, box, name]) => h("label", { class: "tick" }, box, name)) : "–");
  return { element, read: () => boxes.filter(([, box]) => box.checked).map(([value]) => value) };
}

/** A field by its name; "box?" may be left empty, ["value", options] has its own options. */
function field(spec, state) {
  const own = Array.isArray(spec);
  const name = own ? spec[0] : spec.replace("?", ""), may = !own && spec.endsWith("?");
  if (own && spec[2]) return { name, ...several(t(name), spec[1]) };
  const options = own ? spec[1] : OPTIONS[name]?.(state);
  if (options) {
    const list = select([...(may ? [[undefined, "–"]] : []), ...options]);
    return { name, element: labelled(t(LABELS[name] ?? name), list), read: list.read };
  }
  const one = h("input", { class: "field", maxlength: 400, autocomplete: "off", autocapitalize: "none", required: !may });
  const read = name === "amount" || name === "stake" ? readAmount : name === "faces" ? readCards : (words) => words.trim();
  return { name, element: labelled(t(LABELS[name] ?? name), one), read: () => (one.value.trim() ? read(one.value) : undefined) };
}

/** Fields as rows, and what they say. */
export function fields(specs, state) {
  const all = specs.filter(Boolean).map((spec) => field(spec, state));
  return {
    rows: all.map((each) => each.element),
    read: () => Object.fromEntries(all.map((each) => [each.name, each.read()]).filter(([, value]) => value !== undefined && !(Array.isArray(value) && !value.length))),
  };
}

/** A form that gives a command made of its fields. `make` may change what they say. */
export function commandForm(state, id, specs, { fixed = {}, make = (given) => given, words = t(id) } = {}) {
  const { rows, read } = fields(specs, state);
  const form = h("form", { class: "row ask-form", "data-refusals": "", onsubmit: async (event) => {
    event.preventDefault();
    form.querySelector(":scope > .refusal")?.remove();
    try {
      await state.table.do(make({ do: id, ...fixed, ...read() }));
      form.reset();
    } catch (refusal) {
      refuse(form, refusal, state.view.book, { for: 0 });
    }
  } }, rows, h("button", { class: "button small" }, words));
  return form;
}
