// Entering faces: a field for `6h`, and a pad of ranks and suits for a finger. It is kept while the table changes.

import { cardName } from "../base/cards.js";
import { commandButton } from "../base/commands.js";
import { button, fill, html } from "../base/dom.js";
import { readCards } from "../base/forms.js";
import { phrase } from "../base/language.js";
import { announce, attempt, showRefusal } from "../base/notes.js";
import { RANKS, rankText, SUIT_NAMES, SUITS } from "../staff/cards.js";
import { entryTarget } from "./felt.js";

/** `currentState()` is the state of the desk. */
export class CardEntry {
  #currentState;
  #picked = null; // the place that the dealer has chosen
  #rank = null; // the rank that was tapped, for a suit to follow
  #isBusy = false;

  #field = html("input.field.card-field", {
    name: "card",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 40,
    label: phrase("cards"),
    placeholder: "6h",
  });
  #goesTo = html("p.small.goes", { role: "status" });
  #readByShoe = html("span");
  #pad;

  constructor(currentState) {
    this.#currentState = currentState;
    this.#pad = this.#makePad();
    this.element = html(
      "form.col.entry",
      { onsubmit: () => this.#field.value.trim() && this.#enter(this.#field.value) },
      html("div.row", this.#field, html("button.button", phrase("enter")), this.#readByShoe),
      this.#goesTo,
      this.#pad,
      html("p.tiny.quiet", phrase("card hint")),
    );
  }

  get isShown() {
    return !this.element.hidden;
  }

  /** The place that a face is entered for; null where that is a card still to be drawn, or none. */
  get target() {
    return entryTarget(this.#currentState(), this.#picked)?.at ?? null;
  }

  pick(at) {
    this.#picked = at;
  }

  focus() {
    this.#field.focus();
  }

  draw(state) {
    const { desk, view, table } = state;
    const target = entryTarget(state, this.#picked);
    const isComplete = desk.cards.length > 3 && !desk.due && desk.cards.every(({ face }) => face);
    this.element.hidden = desk.shoe_kind === "virtual" || view.round?.phase !== "closed" || isComplete;
    this.element.classList.toggle("waiting", !target);
    this.#goesTo.textContent = targetText(target);
    const isRead = desk.shoe_kind === "read" && target && !target.draw;
    const command = { do: "expose", faces: [], at: target?.at };
    fill(this.#readByShoe, isRead && commandButton(table, phrase("open with shoe"), command));
  }

  #makePad() {
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
      { role: "group", label: phrase("cards") },
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
      showRefusal(this.element, { message: phrase("card hint") });
      return;
    }
    void this.#enter(this.#rank + suit);
    this.#chooseRank(null);
  }

  /** Enter the faces of a text one after the other; what could not be entered stays in the field. */
  async #enter(text) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    await attempt(this.element, this.#currentState().view.book, async () => {
      for (const face of readCards(text)) {
        await this.#open(face);
        announce(cardName(face));
        const [, ...rest] = this.#field.value.trim().split(/[\s,]+/);
        this.#field.value = rest.join(" ");
      }
    });
    this.#isBusy = false;
    const isTouched = matchMedia("(pointer: coarse)").matches; // there a focus would bring the keyboard up
    if (!isTouched) this.#field.focus();
  }

  async #open(face) {
    const { table } = this.#currentState();
    const target = entryTarget(this.#currentState(), this.#picked);
    if (!target) throw new Error(phrase("no card expected"));
    this.#picked = null;
    const at = target.draw ? await this.#drawCard(table) : target.at;
    if (at !== undefined) await table.give({ do: "expose", faces: [face], at });
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
