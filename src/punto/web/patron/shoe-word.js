// The patron's word for the next shoe: random bytes of this browser, which the house shuffles into the seed. First
// their hash is given, then, when all hashes are in, they themselves; so nobody chooses the cards (docs/shoe.md).

import { fill, html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { canHash, hashOfWord, hex } from "../base/shoe-hashes.js";
import { noteWord, wordNoted } from "../base/shoe-notes.js";
import { storage } from "../base/storage.js";

learn({
  "add word": ["Shuffle a random word of this browser into each shoe", "讓此瀏覽器的隨機字參與每靴洗牌"],
  "word in shoe": ["Your word is in this shoe.", "你的隨機字已在此靴中。"],
  "word not in shoe": ["Your word is not in this shoe.", "你的隨機字不在此靴中。"],
  "word left out": ["Your word did not come in time: it is left out.", "你的隨機字未及時送達，不計入。"],
  "no word here": ["This browser can give a word over a secure connection only.", "此瀏覽器僅能經安全連線提供隨機字。"],
});

const SETTING = "shoe words";
const WORD_BYTES = 32;

export class ShoeWord {
  #table;
  #patron;
  #state = html("p.small.quiet", { role: "status" });
  #box = html("input", { type: "checkbox", checked: storage.get(SETTING) === true, onchange: () => this.#turn() });
  #busy = false;

  constructor(table, patron) {
    this.#table = table;
    this.#patron = patron;
    this.element = html("div.col", html("label.row", this.#box, phrase("add word")), this.#state);
    this.#box.disabled = !canHash();
  }

  /** Do what is due, and say how it stands. */
  draw() {
    const words = this.#table.view.words;
    fill(this.#state, this.#said(words));
    if (words?.commitment && this.#box.checked && !this.#box.disabled) void this.#give(words);
  }

  #turn() {
    storage.set(SETTING, this.#box.checked);
    this.draw();
  }

  #said(words) {
    if (this.#box.disabled) return phrase("no word here");
    if (!this.#box.checked || !words) return "";
    if (words.left_out.includes(this.#patron)) return phrase("word left out");
    if (!words.shoe) return "";
    return phrase(words.shoe.includes(this.#patron) ? "word in shoe" : "word not in shoe");
  }

  async #give(words) {
    const command = this.#busy ? null : await this.#due(words);
    if (!command || this.#busy) return;
    this.#busy = true;
    try {
      await this.#table.give({ patron: this.#patron, ...command });
    } catch {
      // too late for this shoe: whether the word is in it is said when it is loaded
    } finally {
      this.#busy = false;
    }
  }

  /** The command that is due, or null. The word is kept, so that a page that is loaded again can reveal it. */
  async #due({ commitment, called, committed, revealed, left_out: leftOut }) {
    const patron = this.#patron;
    if (called) {
      const word = wordNoted(this.#table.name, commitment);
      const isAwaited = committed.includes(patron) && !revealed.includes(patron);
      return isAwaited && word ? { do: "reveal-word", word } : null;
    }
    const isSeated = this.#table.view.patrons.some(({ name, box }) => name === patron && box !== null);
    if (!isSeated || committed.includes(patron) || leftOut.includes(patron)) return null;
    const word = crypto.getRandomValues(new Uint8Array(WORD_BYTES));
    noteWord(this.#table.name, commitment, hex(word));
    return { do: "commit-word", digest: await hashOfWord(word, commitment, patron) };
  }
}
