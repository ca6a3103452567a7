// Doing something for a patron: which command, and the fields that it takes.

import { fill, html, labelled } from "../base/dom.js";
import { commandForm, optionsOf, selectField } from "../base/forms.js";
import { phrase } from "../base/language.js";

/** What can be done for a patron, and the fields of each besides the patron. `name` is that of a newcomer. */
const ACTS = {
  place: ["bet", "stake", "box?"],
  find: ["bet", "stake", "box?"],
  "buy-in": ["amount"],
  "cash-out": ["amount?"],
  "pay-owed": ["amount", "chips"],
  sit: ["name?", "box"],
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

/** Draws the form for a state; which act was chosen is remembered from one state to the next. */
export function actingForm() {
  let chosen = null;
  return (state) => {
    const { view, desk } = state;
    const form = html("div");
    const drawForm = () => {
      chosen = acts.read();
      const patron = ACTS[chosen].includes("name?") ? "patron?" : "patron";
      const specs = [patron, ...ACTS[chosen]];
      fill(form, commandForm(state, chosen, specs, { text: phrase("do"), change: withNewcomer }));
    };
    const offered = Object.keys(ACTS).filter((act) => isOffered(act, desk));
    const acts = selectField(optionsOf(offered, phrase), { onchange: drawForm });
    const usual = view.patrons.length ? "place" : "sit";
    acts.value = offered.includes(chosen) ? chosen : usual;
    queueMicrotask(drawForm); // after it was compared: to choose another act is no change of the table
    return html("div.col", labelled(phrase("act for"), acts), form);
  };
}
