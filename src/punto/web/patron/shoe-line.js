// Which shoe is in use and what the house has committed to, noted by this browser; and the last one, to be checked.

import { arrived } from "../base/api.js";
import { button, fill, html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { attempt } from "../base/notes.js";
import { noteShoe } from "../base/shoe-notes.js";

learn({
  "shoe committed": ["Shoe {number}: {start}…", "第 {number} 靴：{start}…"],
  "committed whole": [
    "The house is bound to its cards by {n}. This browser has noted it.",
    "場方以此承諾碼固定牌序，此瀏覽器已記下：{n}",
  ],
  "check this shoe": ["Check this shoe", "查驗此靴"],
  "check shoe": ["Check shoe {n}", "查驗第 {n} 靴"],
});

const SHOWN_DIGITS = 12;

export class ShoeLine {
  element = html("div.row.small.quiet.shoe-line");
  found = html("div.shoe-found", { role: "status" }); // by the check of the last shoe
  #table;
  #drawn = null;

  constructor(table) {
    this.#table = table;
  }

  draw() {
    const { shoe, words } = this.#table.view;
    this.element.hidden = !shoe;
    if (!shoe) return;
    const { number, commitment, over, fresh } = shoe;
    noteShoe(this.#table.name, number, commitment, fresh);
    if (words?.commitment) noteShoe(this.#table.name, over + 1, words.commitment, true);
    const mark = `${number}/${commitment}/${over}`;
    if (mark === this.#drawn) return; // a button keeps its focus
    this.#drawn = mark;
    fill(this.element, number > 0 && this.#inUse(number, commitment), over > 0 && this.#toCheck(number, over));
  }

  #inUse(number, commitment) {
    const start = commitment.slice(0, SHOWN_DIGITS);
    const summary = html("summary", phrase("shoe committed", { number, start }));
    return html("details", summary, phrase("committed whole", commitment));
  }

  /** Between two shoes it is the one that was just played. */
  #toCheck(number, over) {
    const text = number ? phrase("check shoe", over) : phrase("check this shoe");
    return button(text, () => this.#check(), { class: "bare small" });
  }

  #check() {
    return attempt(this.found, null, async () => {
      const { fillShoeCheck } = await arrived(import("./shoe-check.js"));
      await fillShoeCheck(this.found, this.#table);
    });
  }
}
