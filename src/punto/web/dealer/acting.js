// Doing something for a patron: which command, and the fields that it takes.

import { fill, html, labelled } from "../base/dom.js";
import { commandForm, optionsOf, selectField } from "../base/forms.js";
import { phrase } from "../base/language.js";

/** What can be done for a patron, and the fields of each besides the patron. `name` is that of a newcomer. */
const ACTS = {
  find: ["bet", "stake", "box?", "reason?"], // a reason once a card is known
  "cash-out": ["amount?"],
  "pay-owed": ["amount", "chips"],
  stand: ["name?"],
  leave: [],
  "ask-squeeze": ["hand"],
  "grant-squeeze": ["hand"],
  "decline-squeeze": ["hand"],
  "bar-squeeze": [],
  "banker-third-first": ["how"],
  "declare-intent": [],
  "no-insurance": [],
  "take-shoe": [],
  "let-draw": [],
  "clear-strike": [],
};

/** Acts that a table only knows where its desk has something of this. */
const ONLY_WITH = {
  "declare-intent": "insurance",
  "no-insurance": "insurance",
  "banker-third-first": "insurance",
  "take-shoe": "methods",
  "let-draw": "methods",
  "clear-strike": "strikes",
};

function isOffered(act, desk) {
  const needed = ONLY_WITH[act] && desk[ONLY_WITH[act]];
  return !ONLY_WITH[act] || needed === true || needed.length > 0;
}

/** A newcomer is named instead of a patron. */
function withNewcomer({ name, ...command }) {
  return name ? { ...command, patron: name } : command;
}

/** What is rarely done for a patron. What is typed stays while the table changes, and lists follow it. */
export class ActingForm {
  #state = null;
  #form = html("div");
  #acts = selectField([], { onchange: () => this.#drawForm() });

  constructor() {
    this.element = html("div.col", labelled(phrase("act for"), this.#acts), this.#form);
  }

  draw(state) {
    const isFirst = !this.#state;
    const before = this.#acts.value;
    this.#state = state;
    const offered = Object.keys(ACTS).filter((act) => isOffered(act, state.desk));
    this.#acts.setOptions(optionsOf(offered, phrase));
    if (isFirst || this.#acts.value !== before) this.#drawForm();
    else this.#form.firstElementChild.follow(state);
  }

  #drawForm() {
    const chosen = this.#acts.read();
    const patron = ACTS[chosen].includes("name?") ? "patron?" : "patron";
    const specs = [patron, ...ACTS[chosen]];
    fill(this.#form, commandForm(this.#state, chosen, specs, { text: phrase("do"), change: withNewcomer }));
  }
}
