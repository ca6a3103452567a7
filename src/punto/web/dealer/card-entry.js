// Entering the faces of the cards that come out of the shoe. It is kept while the table changes.

import { cardName } from "../base/cards.js";
import { commandButton } from "../base/commands.js";
import { fill, html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { announce } from "../base/notes.js";
import { FaceInput } from "./face-input.js";
import { entryTarget } from "./felt.js";

/** `currentState()` is the state of the desk; `left()` is called when no face is to be typed now. */
export class CardEntry {
  #currentState;
  #left;
  #picked = null; // the place that the dealer has chosen
  #goesTo = html("p.small.goes", { role: "status" });
  #readByShoe = html("span");
  #input;

  constructor(currentState, left) {
    this.#currentState = currentState;
    this.#left = left;
    this.#input = new FaceInput({
      name: "card",
      label: phrase("card face"),
      take: (face) => this.#open(face),
      rest: () => (this.#isDone ? this.#left() : this.focus()),
      leave: () => this.#left(),
      book: () => currentState().view.book,
      beside: this.#readByShoe,
      below: this.#goesTo,
    });
    this.element = this.#input.element;
  }

  get isShown() {
    return !this.element.hidden;
  }

  /** Whether keys are for a card: one is expected, or something was typed already. */
  get takesKeys() {
    return this.isShown && !this.#isDone;
  }

  get #isDone() {
    return this.#input.isEmpty && !entryTarget(this.#currentState(), this.#picked);
  }

  /** The place that a face is entered for; null where that is a card still to be drawn, or none. */
  get target() {
    return entryTarget(this.#currentState(), this.#picked)?.at ?? null;
  }

  pick(at) {
    this.#picked = at;
  }

  focus() {
    this.#input.focus();
  }

  draw(state) {
    const { desk, view, table } = state;
    const target = entryTarget(state, this.#picked);
    const isComplete = desk.cards.length > 3 && !desk.due && desk.cards.every(({ face }) => face);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = desk.shoe_kind === "virtual" || view.round?.phase !== "closed" || isComplete;
    if (hadFocus && (this.element.hidden || this.#isDone)) this.#left();
    this.element.classList.toggle("waiting", !target);
    this.#goesTo.textContent = targetText(target);
    const isRead = desk.shoe_kind === "read" && target && !target.draw;
    const command = { do: "expose", faces: [], at: target?.at };
    fill(this.#readByShoe, isRead && commandButton(table, phrase("open with shoe"), command));
  }

  async #open(face) {
    const { table } = this.#currentState();
    const target = entryTarget(this.#currentState(), this.#picked);
    if (!target) throw new Error(phrase("no card expected"));
    this.#picked = null;
    const at = target.draw ? await this.#drawCard(table) : target.at;
    if (at !== undefined) await table.give({ do: "expose", faces: [face], at });
    announce(cardName(face));
  }

  /** Draw a card; the place where it lies. */
  async #drawCard(table) {
    const { entries } = await table.give({ do: "draw" });
    return entries.findLast(({ event }) => event.event === "card-drawn")?.event.at;
  }
}

function targetText(target) {
  if (!target) return phrase("no card expected");
  const key = target.draw ? "draws and opens" : "opens";
  return phrase(key, { n: target.at + 1, hand: phrase(target.area) });
}
