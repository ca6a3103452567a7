// Report an irregularity: pick from what is possible now, say what is known, see what the book will do, confirm.

import { post } from "../base/api.js";
import { button, h, put } from "../base/dom.js";
import { clauseTags, printed, refuse } from "../base/notes.js";
import { t, title } from "../base/words.js";
import { give } from "./desk.js";
import { fields } from "./forms.js";
import { cardChoices } from "./questions.js";
import { said } from "./words.js";

/** The fields for what is known of a fact. */
const details = (found, state) => fields([...found.details.map((name) =>
  name === "cards" ? ["cards", cardChoices(state.desk, found.fact === "simultaneous-draw" && state.view.round?.phase === "closed" ? 2 : 0), true] : `${name}?`), found.fact === "other" ? "note" : "note?"], state);

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
        button(said(each.names), () => choose(each), { class: "choice fact" })))];
      const now = desk.facts.filter((each) => !each.why_not);
      const not = desk.facts.filter((each) => each.why_not);
      put(body, h("p", { class: "small quiet" }, t("choose fact")), group(t("book covers"), now.filter((each) => each.covered)), group(t("book silent"), now.filter((each) => !each.covered)),
        not.length > 0 && h("details", { class: "small" }, h("summary", {}, t("not now")), h("ul", {}, not.map((each) => h("li", {}, h("b", {}, said(each.names)), " ", h("span", { class: "quiet" }, each.why_not))))));
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
        refuse(preview, error, view.book, { for: 0 });
        return false;
      }
    };
    const one = h("form", { class: "col", oninput: () => put(preview), onsubmit: async (event) => {
      event.preventDefault();
      if (!(await tried())) return;
      if (await give(table, command(), preview)) choose(null);
    } },
      h("h3", {}, said(chosen.names), " ", clauseTags(chosen.clauses, view.book)), form.rows, preview,
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
