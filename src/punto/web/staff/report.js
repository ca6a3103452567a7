// Reporting an irregularity: which facts can be true now, what is known of one, and what the book would do about it.

import { post } from "../base/api.js";
import { clauseTags } from "../base/clauses.js";
import { giveCommand } from "../base/commands.js";
import { button, fill, html } from "../base/dom.js";
import { namedFields } from "../base/forms.js";
import { inLanguage, phrase, sentence } from "../base/language.js";
import { attempt } from "../base/notes.js";
import { cardPicker } from "./card-picker.js";
import { foreseenSteps } from "./foreseen.js";
import { drawAnew } from "./sections.js";

/** What is asked about a fact, as fields; which cards it is about is shown on a picture of the felt. */
function detailFields({ fact, details }, state) {
  const specs = details.filter((name) => name !== "cards").map((name) => `${name}?`);
  const fields = namedFields([...specs, fact === "other" ? "note" : "note?"], state);
  if (!details.includes("cards")) return fields;
  const picker = cardPicker(cardsFor(fact, state), { name: "cards", legend: phrase("cards") });
  const read = () => {
    const cards = picker.read();
    return { ...fields.read(), ...(cards.length && { cards }) };
  };
  return { elements: [picker, fields.elements], read };
}

/** The cards on the felt; two that were drawn at once may be the next ones. */
function cardsFor(fact, { desk, view }) {
  if (fact !== "simultaneous-draw" || view.round?.phase !== "closed") return desk.cards;
  const next = [desk.cards.length, desk.cards.length + 1];
  return [...desk.cards, ...next.map((at) => ({ at, area: "next", face: null }))];
}

/** `currentState()` is the state of the desk. */
export class ReportForm {
  element = html("div.col");
  #currentState;
  #chosen = null;
  #drawnState = "";

  constructor(currentState) {
    this.#currentState = currentState;
  }

  /** Draw the form anew only where other facts can be true; what is known of a fact by then stays as it was entered. */
  draw({ desk, view }) {
    const facts = desk.facts.map(({ fact, why_not: whyNot }) => [fact, whyNot]);
    const patrons = view.patrons.map(({ name }) => name);
    const state = JSON.stringify([facts, patrons, this.#chosen && desk.cards]);
    if (state === this.#drawnState) return;
    this.#drawnState = state;
    const isStillPossible = desk.facts.some(({ fact, why_not: whyNot }) => fact === this.#chosen?.fact && !whyNot);
    if (isStillPossible) this.#drawDetails(this.#chosen);
    else this.#choose(null);
  }

  #choose(fact) {
    this.#chosen = fact;
    if (!fact) return this.#drawFacts();
    this.#drawDetails(fact);
    return this.element.querySelector("input,select")?.focus();
  }

  #drawFacts() {
    const { facts } = this.#currentState().desk;
    const possible = facts.filter((fact) => !fact.why_not);
    const impossible = facts.filter((fact) => fact.why_not);
    const reasons = impossible.map(({ names, why_not: says, message }) =>
      html("li", html("b", inLanguage(names)), " ", html("span.quiet", sentence({ says, message }))),
    );
    fill(
      this.element,
      html("p.small.quiet", phrase("choose fact")),
      this.#factGroup(
        "book covers",
        possible.filter(({ covered }) => covered),
      ),
      this.#factGroup(
        "book silent",
        possible.filter(({ covered }) => !covered),
      ),
      impossible.length > 0 && html("details.small", html("summary", phrase("not now")), html("ul", reasons)),
    );
  }

  #factGroup(heading, facts) {
    if (!facts.length) return null;
    const choice = (fact) => button(inLanguage(fact.names), () => this.#choose(fact), { class: "choice fact" });
    return [html("h3.small.quiet", phrase(heading)), html("div.facts", facts.map(choice))];
  }

  #drawDetails(fact) {
    const { table, view } = this.#currentState();
    const { elements, read } = detailFields(fact, this.#currentState());
    const preview = html("div", { role: "status" });
    const command = () => ({ do: "report", fact: fact.fact, ...read() });
    const foresee = () =>
      attempt(preview, view.book, async () => {
        const steps = await post(`/api/tables/${table.name}/foresee`, command());
        return fill(preview, foreseenSteps(steps, view.book));
      });
    const report = async () => {
      if ((await foresee()) && (await giveCommand(table, command(), preview))) this.#choose(null);
    };
    const form = html(
      "form.col",
      { oninput: () => fill(preview), onsubmit: report },
      html("h3", inLanguage(fact.names), " ", clauseTags(fact.clauses, view.book)),
      elements,
      preview,
      html(
        "div.row",
        html("button.button.primary", phrase("report it")),
        button(phrase("what the book says"), foresee),
        button(phrase("cancel"), () => this.#choose(null)),
      ),
    );
    drawAnew(this.element, form);
  }
}
