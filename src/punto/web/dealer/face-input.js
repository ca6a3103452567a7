// Typing faces: a field that takes a card by two keys, rank and suit, and a pad of both for a finger.

import { button, fill, html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { showRefusal } from "../base/notes.js";
import { RANKS, rankText, SUIT_NAMES, SUITS } from "../staff/cards.js";

const CARD = /^[\s,]*(10|[2-9tjqka])([cdhs])/i;
const BEGINNING = /^[\s,]*(1|10|[2-9tjqka])?$/i; // of a card that is being typed
const isTouched = () => matchMedia("(pointer: coarse)").matches; // there a focus would bring the keyboard up

/** "6h 10s x" → {faces: ["6h", "Ts"], rest: " x"}: the cards that a text begins with, and what is left of it. */
function cardsAtStart(text) {
  const faces = [];
  let rest = text;
  for (let found = CARD.exec(rest); found; found = CARD.exec(rest)) {
    const [all, rank, suit] = found;
    faces.push((rank === "10" ? "T" : rank.toUpperCase()) + suit.toLowerCase());
    rest = rest.slice(all.length);
  }
  return { faces, rest };
}

/**
 * `take(face)` is called with one face after the other; what it throws is told beside the field. `rest()` is called
 * when all were taken, and `leave()` when Enter is pressed where nothing was typed.
 */
export class FaceInput {
  #take;
  #rest;
  #leave;
  #book;
  #rank = null; // the rank that was tapped, for a suit to follow
  #waiting = []; // faces that were typed and not yet taken
  #isBusy = false;
  #said = html("div.col.card-wrong");
  #field;
  #pad;

  /** `book()` is the book of the table, for the clauses of a refusal; `beside` stands after the field. */
  constructor({ name, label, take, book, rest = null, leave = () => {}, beside = null, below = null }) {
    this.#take = take;
    this.#rest = rest ?? (() => this.focus());
    this.#leave = leave;
    this.#book = book;
    this.#field = html("input.field.card-field", {
      name,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: 40,
      label,
      placeholder: "6h",
      oninput: () => this.#read(),
    });
    this.#pad = this.#makePad(label);
    this.element = html(
      "form.col.entry",
      { onsubmit: () => this.#submit() },
      html("div.row", this.#field, html("button.button", phrase("enter")), beside),
      this.#said,
      below,
      this.#pad,
      html("p.tiny.quiet", phrase("card hint")),
    );
  }

  get isEmpty() {
    return !this.#field.value && !this.#waiting.length;
  }

  focus() {
    this.#field.focus();
  }

  clear() {
    this.#waiting = [];
    this.#field.value = "";
    this.#chooseRank(null);
    this.#tell(null);
  }

  #makePad(label) {
    const rankKey = (rank) => {
      const properties = { class: "key", "data-rank": rank, "aria-pressed": "false" };
      return button(rankText(rank), () => this.#chooseRank(rank), properties);
    };
    const suitKey = ([suit, sign]) => {
      const properties = { class: `key suit ${suit}`, label: phrase(SUIT_NAMES[suit]) };
      return button(sign, () => this.#chooseSuit(suit), properties);
    };
    return html(
      "div.col.pad",
      { role: "group", label },
      html("div.ranks", RANKS.map(rankKey)),
      html("div.suits", Object.entries(SUITS).map(suitKey)),
    );
  }

  #chooseRank(rank) {
    this.#rank = rank;
    for (const key of this.#pad.querySelectorAll("[data-rank]")) {
      key.setAttribute("aria-pressed", key.dataset.rank === rank);
    }
  }

  #chooseSuit(suit) {
    if (!this.#rank) {
      this.#tell({ message: phrase("rank first") });
      return;
    }
    this.#waiting.push(this.#rank + suit);
    this.#chooseRank(null);
    void this.#takeAll();
  }

  /** What is wrong stands beside the field; null where nothing is. */
  #tell(refusal) {
    fill(this.#said);
    this.#field.setAttribute("aria-invalid", String(Boolean(refusal)));
    if (refusal) this.#said.append(showRefusal(this.#said, refusal, this.#book()));
  }

  /** A card is taken as soon as its second key is pressed; what can be no card is told at once. */
  #read() {
    const { faces, rest } = cardsAtStart(this.#field.value);
    this.#field.value = rest.trimStart();
    this.#tell(BEGINNING.test(rest) ? null : { message: phrase("not a card", rest.trim()) });
    this.#waiting.push(...faces);
    void this.#takeAll();
  }

  #submit() {
    if (this.isEmpty) return this.#leave();
    this.#read();
    const typed = this.#field.value.trim();
    if (typed) this.#tell({ message: phrase("not a card", typed) });
  }

  /** One face after the other; the one that was refused comes back into the field, and those after it. */
  async #takeAll() {
    if (this.#isBusy || !this.#waiting.length) return;
    this.#isBusy = true;
    try {
      for (; this.#waiting.length; this.#waiting.shift()) await this.#take(this.#waiting[0]);
    } catch (refusal) {
      this.#field.value = [...this.#waiting, this.#field.value].join(" ").trim();
      this.#waiting = [];
      this.#tell(refusal);
      if (!isTouched()) this.#field.select();
    }
    this.#isBusy = false;
    const isLeft = document.activeElement !== document.body && !this.element.contains(document.activeElement);
    if (!isTouched() && !isLeft && !this.element.hidden) this.#rest();
  }
}
