// What to do next, always: one large button with its sentence and its clause.

import { button, h } from "../base/dom.js";
import { clauseTags } from "../base/notes.js";
import { t, title } from "../base/words.js";
import { give } from "./desk.js";
import { hand } from "./words.js";

const BY_VIRTUAL = ["load-shoe", "end-shoe", "open-bets", "close-bets", "draw", "expose", "announce", "settle", "offer-insurance"];

/** Whether the shoe, and not the dealer, does a step. */
export const byShoe = (desk, step) =>
  desk.shoe_kind === "virtual" ? BY_VIRTUAL.includes(step) : desk.shoe_kind === "read" && (step === "draw" || (step === "expose" && !desk.face_down));

const NAMES = { expose: "open cards", settle: "pay and collect", answer: "answering" };
const words = (step, desk) => t(NAMES[step.do] ?? step.do, { hand: desk.due ? hand(desk.due) : "" });

/** The command of a step, or null where it takes more than a click. */
function command(step) {
  if (["answer", "expose", "set-method"].includes(step.do)) return null;
  return step.do === "announce" ? { do: "announce", what: "result" } : { do: step.do };
}

/** The large button and what else comes next. `left()` says how many patrons are still to be ticked. */
export function drawNext({ table, view, desk }, { left, toEntry, toQuestions }) {
  const steps = view.next ?? [];
  if (!steps.length) return h("p", {}, t("nothing next"));
  const first = steps[0];
  const waits = first.do === "open-bets" ? left() : 0;
  const shoe = byShoe(desk, first.do);
  const not = waits > 0 || shoe || (first.do === "answer" && !desk.questions.some((each) => each.mine));
  const patron = !desk.ranks.flat().includes(first.by) && first.do !== "answer" ? first.by : null;
  const press = async () => {
    const given = command(first);
    if (given) return void (await give(table, given, main.parentElement));
    if (first.do === "answer") toQuestions();
    if (first.do === "expose") toEntry();
  };
  const main = h("button", { type: "button", class: "button primary next-button", "data-first": "", disabled: not, onclick: async () => {
    main.disabled = true;
    await press();
    main.disabled = not;
  } }, words(first, desk));
  const sentence = first.do === "answer" && first.by ? t("waits for", { who: first.by.includes(" ") ? first.by : title(first.by) }) : null;
  return [
    h("h2", { class: "unseen" }, t("what next")),
    h("p", { class: "next-says" }, h("span", {}, first.says), " ", clauseTags(first.basis?.clauses, view.book)),
    first.do === "set-method"
      ? h("div", { class: "row" }, desk.methods.map((method) => button(`${t("method")} ${method}`, (event) => give(table, { do: "set-method", method }, event.target.parentElement), { class: "button primary" })))
      : main,
    waits > 0 && h("p", { class: "small waits" }, t("tick first", { n: waits })),
    shoe && h("p", { class: "small quiet" }, t("the shoe does it")),
    sentence && h("p", { class: "small quiet" }, sentence),
    patron && h("p", { class: "small quiet" }, t("patron does it", { who: patron })),
    steps.length > 1 && h("div", { class: "row" }, steps.slice(1).map((step) =>
      step.do === "answer"
        ? h("p", { class: "small" }, step.says)
        : button(words(step, desk), (event) => (command(step) ? give(table, command(step), event.target.parentElement) : toEntry()), { class: "button small", disabled: byShoe(desk, step.do) }))),
  ];
}
