// What to do next, always: one large button.

import { giveCommand } from "../base/commands.js";
import { clauseTags } from "../base/clauses.js";
import { button, html, smallButton } from "../base/dom.js";
import { nameWithin, phrase, sentence } from "../base/language.js";
import { patronsToTick } from "./settlement.js";

/** What the house does by itself where the shoe is virtual. */
const DONE_BY_VIRTUAL_SHOE = [
  "load-shoe",
  "burn",
  "end-shoe",
  "open-bets",
  "close-bets",
  "draw",
  "expose",
  "announce",
  "settle",
  "offer-insurance",
  "call-words",
  "invite-words",
];

/** Steps that take no more than a click, or lead to where the rest is entered; any other is only read. */
const PRESSED = [...DONE_BY_VIRTUAL_SHOE, "set-method", "give-back-shoe"];

/** Steps that lead to the wagers of the patrons they are for. */
const TO_WAGERS = ["lower", "withdraw"];

/** Steps whose buttons say something else than their names. */
const STEP_PHRASES = {
  expose: "open cards",
  settle: "pay and collect",
  answer: "answering",
  lower: "to wagers",
  withdraw: "to wagers",
};

function isDoneByShoe({ shoe_kind: shoe, face_down: isFaceDown }, step) {
  if (shoe === "virtual") return DONE_BY_VIRTUAL_SHOE.includes(step);
  return shoe === "read" && (step === "draw" || (step === "expose" && !isFaceDown));
}

function stepText(step, { due }) {
  return phrase(STEP_PHRASES[step.do] ?? step.do, { hand: due ? phrase(due) : "" });
}

/**
 * What comes next. Some steps take more than a click, and lead `toEntry`, of a hand or of any, `toQuestions`, or
 * `toPatron`; those of disputes are for the pit.
 */
export function nextSteps(state, { toEntry, toQuestions, toPatron }) {
  const { table, view, desk } = state;
  const [first, ...rest] = view.next;
  const others = rest.filter((step) => step.do !== "insure" || !view.round?.offer); // the offer says whom it is for
  if (!first) return html("p", phrase("nothing next"));

  function take(step, beside) {
    if (step.do === "answer") return toQuestions();
    if (TO_WAGERS.includes(step.do)) return toPatron(step.by.split(" ")[0]);
    if (step.do === "expose" || step.do === "set-method") return toEntry(step.message?.args?.hand);
    const command = step.do === "announce" ? { do: "announce", what: "result" } : { do: step.do };
    return giveCommand(table, command, beside);
  }
  function otherStep(step) {
    if (!step.possible || !PRESSED.includes(step.do)) return html("p.small", sentence(step));
    const press = (event) => take(step, event.target.parentElement);
    const text = step.do === first.do ? sentence(step) : stepText(step, desk); // "Open the Banker cards."
    return smallButton(text, press, { disabled: isDoneByShoe(desk, step.do) });
  }
  function firstStep() {
    if (first.do === "set-method") return methodButtons(table, desk.methods);
    const hasButton = ["answer", ...TO_WAGERS, ...PRESSED].includes(first.do);
    return hasButton && firstButton(first, state, take);
  }

  return [
    html("h2.unseen", phrase("what next")),
    html("p", sentence(first), " ", clauseTags(first.basis?.clauses, view.book)),
    firstStep(),
    hints(first, state),
    others.length > 0 && html("div.row", others.map(otherStep)),
  ];
}

function methodButtons(table, methods) {
  const choose = (method) => (event) => giveCommand(table, { do: "set-method", method }, event.target.parentElement);
  const methodButton = (method) => button(`${phrase("method")} ${method}`, choose(method), { class: "button primary" });
  return html("div.row", methods.map(methodButton));
}

function firstButton(step, state, take) {
  const { desk } = state;
  const waitsForOthers = step.do === "answer" && !desk.questions.some(({ mine }) => mine);
  const disabled = patronsToTickBefore(step, state) > 0 || isDoneByShoe(desk, step.do) || waitsForOthers;
  let isBusy = false; // a button that is disabled loses the focus
  const press = async () => {
    if (isBusy) return;
    isBusy = true;
    await take(step, made.parentElement);
    isBusy = false;
  };
  const made = button(stepText(step, desk), press, {
    class: "button primary next-button",
    "data-first": "",
    disabled,
  });
  return made;
}

/** Bets are not opened before everybody's payment is ticked. */
function patronsToTickBefore(step, state) {
  return step.do === "open-bets" ? patronsToTick(state) : 0;
}

/** Why the large button waits, and for whom. */
function hints(step, state) {
  const { desk } = state;
  const toTick = patronsToTickBefore(step, state);
  const isAnswer = step.do === "answer";
  const isPatron = step.by && !desk.ranks.flat().includes(step.by);
  const who = isPatron ? step.by : step.by && nameWithin(step.by);
  return [
    toTick > 0 && html("p.small.waits", phrase("tick first", toTick)),
    isDoneByShoe(desk, step.do) && html("p.small.quiet", phrase("the shoe does it")),
    isAnswer && who && html("p.small.quiet", phrase("waits for", who)),
    !isAnswer && isPatron && html("p.small.quiet", phrase("patron does it", step.by)),
  ];
}
