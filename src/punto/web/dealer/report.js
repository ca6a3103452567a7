// Report an irregularity: pick from what is possible now, say what is known, see what the book will do, confirm.

import { post } from "../base/api.js";
import { button, h, put } from "../base/dom.js";
import { clauseTags, printed, refuse } from "../base/notes.js";
import { t, title } from "../base/words.js";
import { give, labelled, select } from "./desk.js";
import { readCards } from "./felt.js";
import { cardChoices } from "./questions.js";
import { fact as factName, hand } from "./words.js";

const yesNo = () => [["", "–"], ["true", t("yes")], ["false", t("no")]];

/** The fields for what is known of a fact; `read()` gives them as the command has them. */
function details(found, { desk, view }) {
  const fields = {};
  const rows = found.details.map((name) => {
    if (name === "cards") {
      const more = found.fact === "simultaneous-draw" && view.round?.phase === "closed" ? 2 : 0;
      const boxes = cardChoices(desk, more).map(([at, words]) => [at, h("input", { type: "checkbox" }), words]);
      fields.cards = () => boxes.filter(([, box]) => box.checked).map(([at]) => at);
      return h("fieldset", { class: "row" }, h("legend", {}, t("detail cards")), boxes.length ? boxes.map(([, box, words]) => h("label", { class: "tick" }, box, words)) : "–");
    }
    if (name === "faces") {
      const field = h("input", { class: "field", autocapitalize: "none", autocomplete: "off", placeholder: "9h" });
      fields.faces = () => readCards(field.value);
      return labelled(t("detail faces"), field);
    }
    const options = {
      hand: [["", "–"], ["player", hand("player")], ["banker", hand("banker")]],
      order: [["", "–"], ["known", t("known")], ["unknown", t("unknown")]],
      cause: [["", "–"], ["power", t("power")], ["other", t("fact other")]],
      patron: [["", "–"], ...view.patrons.map((each) => [each.name, each.name])],
      earlier: [["", t("in this round")], ["true", t("in an earlier round")]],
    }[name] ?? yesNo();
    const field = select(options);
    fields[name] = () => (field.value === "" ? undefined : field.value === "true" ? true : field.value === "false" ? false : field.value);
    return labelled(t(`detail ${name}`), field);
  });
  const note = h("input", { class: "field", maxlength: 400, required: found.fact === "other" });
  rows.push(labelled(t("detail note"), note));
  fields.note = () => note.value;
  return {
    rows,
    read: () => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value()]).filter(([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length))),
  };
}

/** What the book would do, step by step. */
function foreseen(found, book) {
  const beside = (clauses) => clauses.map(printed).map((clause) => found.summaries[clause]).filter(Boolean)[0];
  return h("div", { class: "foreseen" }, h("h3", {}, t("what the book says"), " ", clauseTags(found.clauses, book)),
    h("ol", { class: "steps" },
      found.steps.map((each) => h("li", {}, h("span", {}, each.says), " ", clauseTags(each.clauses, book), beside(each.clauses) && h("p", { class: "tiny quiet" }, beside(each.clauses)))),
      found.asks && h("li", {}, t("then asked", { who: found.asks.to === "patrons" ? found.asks.waiting.join(", ") : title(found.asks.to), says: found.asks.says }), " ", clauseTags(found.asks.basis?.clauses, book),
        beside(found.asks.basis?.clauses ?? []) && h("p", { class: "tiny quiet" }, beside(found.asks.basis.clauses)))));
}

/** The whole form; `show(state)` when the table has changed. */
export function reportForm(current) {
  const body = h("div", { class: "col report-body" });
  let chosen = null, was = "";
  const choose = (found) => {
    chosen = found;
    draw();
  };
  const draw = () => {
    const { desk, view, table } = current();
    if (!chosen) {
      const group = (words, facts) => facts.length > 0 && [h("h3", { class: "small" }, words), h("div", { class: "facts" }, facts.map((each) =>
        button(factName(each.fact), () => choose(each), { class: "choice fact" })))];
      const now = desk.facts.filter((each) => !each.why_not);
      const not = desk.facts.filter((each) => each.why_not);
      put(body, h("p", { class: "small quiet" }, t("choose fact")), group(t("book covers"), now.filter((each) => each.covered)), group(t("book silent"), now.filter((each) => !each.covered)),
        not.length > 0 && h("details", { class: "small" }, h("summary", {}, t("not now")), h("ul", {}, not.map((each) => h("li", {}, h("b", {}, factName(each.fact)), " ", h("span", { class: "quiet" }, each.why_not))))));
      return;
    }
    const form = details(chosen, current());
    const preview = h("div", { "data-refusals": "", role: "status" });
    const command = () => ({ do: "report", fact: chosen.fact, ...form.read() });
    const tried = async () => {
      try {
        put(preview, foreseen(await post(`/api/tables/${table.name}/foresee`, command()), view.book));
        return true;
      } catch (error) {
        put(preview);
        refuse(preview, typeof error === "string" ? new Error(t("not a card", { n: error })) : error, view.book, { for: 0 });
        return false;
      }
    };
    const one = h("form", { class: "col", oninput: () => put(preview), onsubmit: async (event) => {
      event.preventDefault();
      if (!(await tried())) return;
      if (await give(table, command(), preview)) choose(null);
    } },
      h("h3", {}, factName(chosen.fact), " ", clauseTags(chosen.clauses, view.book)), form.rows, preview,
      h("div", { class: "row" }, h("button", { class: "button primary" }, t("report it")), button(t("what the book says"), tried), button(t("cancel"), () => choose(null))));
    put(body, one);
    one.querySelector("input,select")?.focus();
  };
  body.show = ({ desk, view }) => {
    const now = JSON.stringify([desk.facts.map((each) => [each.fact, each.why_not]), view.patrons.map((each) => each.name), chosen ? desk.cards : 0]);
    if (now === was) return;
    was = now;
    if (chosen && !desk.facts.some((each) => each.fact === chosen.fact && !each.why_not)) chosen = null;
    draw();
  };
  return body;
}
