// A card that was misread: tap it, say its true face, see what the book makes of that, and put it right.

import { post } from "../base/api.js";
import { cardInline } from "../base/cards.js";
import { button, fill, html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { announce, attempt } from "../base/notes.js";
import { foreseenSteps } from "../staff/foreseen.js";
import { FaceInput } from "./face-input.js";

const FACT = "wrong-call"; // what a misread card is reported as

/** Whether faces can be put right now; those of a virtual shoe are never misread. */
export function mayCorrect({ desk }) {
  return desk.shoe_kind !== "virtual" && desk.facts.some(({ fact, why_not: whyNot }) => fact === FACT && !whyNot);
}

/** `currentState()` is the state of the desk; `changed()` is called when another card, or none, is being put right. */
export class Correction {
  element = html("section.col.correction", { label: phrase("correct"), hidden: true });
  #currentState;
  #changed;
  #card = null; // {at, area, face, isPast}
  #round = null; // the number of the round in which something was put right last
  #heading = html("h3", { tabindex: -1 });
  #preview = html("div.col", { role: "status" });
  #buttons = html("div.row");
  #input;

  constructor(currentState, changed) {
    this.#currentState = currentState;
    this.#changed = changed;
    this.#input = new FaceInput({
      name: "true-face",
      label: phrase("true face"),
      take: (face) => this.#foresee(face),
      book: () => currentState().view.book,
    });
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  get isShown() {
    return this.#card !== null;
  }

  /** Whether keys are for the true face. */
  get takesKeys() {
    return this.isShown;
  }

  /** The place of the card that is being put right; null where none is. */
  get target() {
    return this.#card && !this.#card.isPast ? this.#card.at : null;
  }

  focus() {
    this.#input.focus();
  }

  /** Begin to put a card right. */
  pick(card) {
    this.#card = card;
    this.#input.clear();
    fill(
      this.#heading,
      phrase("correct card", { n: card.at + 1, hand: phrase(card.area) }),
      " ",
      cardInline(card.face),
    );
    fill(this.#preview);
    fill(
      this.#buttons,
      button(phrase("cancel"), () => this.close()),
    );
    fill(this.element, this.#heading, this.#input.element, this.#preview, this.#buttons);
    this.element.hidden = false;
    this.#changed();
    this.#input.focus();
  }

  close() {
    this.#card = null;
    this.#round = null;
    this.element.hidden = true;
    fill(this.element);
    this.#changed();
  }

  /** Nothing is put right any more where the card is gone, or the table takes no such report. */
  draw(state) {
    const { desk, view } = state;
    if (!this.#card) {
      if (this.#round !== null && this.#round !== view.round?.number) this.close();
      return;
    }
    const cards = this.#card.isPast ? desk.past_cards : desk.cards;
    const isThere = cards.some(({ at, face }) => at === this.#card.at && face === this.#card.face);
    if (!isThere || !(this.#card.isPast || mayCorrect(state))) this.close();
  }

  #report(face) {
    const { at, isPast } = this.#card;
    return { do: "report", fact: FACT, cards: [at], faces: [face], ...(isPast && { earlier: true }) };
  }

  async #foresee(face) {
    const { table, view } = this.#currentState();
    if (face === this.#card.face) throw new Error(phrase("read so already"));
    const report = this.#report(face);
    const found = await post(`/api/tables/${table.name}/foresee`, report);
    const confirm = button(phrase("correct"), () => this.#give(report, face, found), { class: "button primary" });
    fill(this.#preview, html("p", cardInline(this.#card.face), " → ", cardInline(face)));
    this.#preview.append(foreseenSteps(found, view.book));
    this.#buttons.querySelector(".primary")?.remove();
    this.#buttons.prepend(confirm);
    confirm.focus();
  }

  async #give(report, face, found) {
    const { table, view } = this.#currentState();
    const { at } = this.#card;
    const given = await attempt(this.#preview, view.book, () => {
      this.#round = view.round?.number;
      this.#card = null; // it is another card from now on
      return table.give(report);
    });
    if (!given) return;
    const says = phrase("corrected", at + 1);
    fill(this.#heading, says, " ", cardInline(face));
    const close = button(phrase("close"), () => this.close());
    fill(this.element, this.#heading, foreseenSteps(found, view.book), html("div.row", close));
    this.#changed();
    this.#heading.focus();
    announce(says);
  }
}
