// The shuffle of a virtual shoe, over the two hands until its first card is drawn, with what binds the house to it.

import { cardBack } from "../base/cards.js";
import { countTo, fill, html, setText, smallButton } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";

learn({
  shuffling: ["The next shoe is being shuffled.", "正在洗下一靴牌。"],
  "shoe shuffled": ["Shoe {n} is shuffled.", "第 {n} 靴已洗妥。"],
  "bound by": ["The house is bound to its cards by", "場方承諾碼："],
  "copy commitment": ["Copy", "複製"],
  copied: ["Copied", "已複製"],
});

const SHOWN_DIGITS = 12;
const PACKETS = 8;

export class Shuffle {
  #place;
  #element = null;
  #drawn = null;

  /** `place` is what it lies over. */
  constructor(place) {
    this.#place = place;
  }

  /** Follow the shoe of a view; `isDue` says whether the shuffle is to be seen. */
  draw({ shoe, words }, isDue) {
    if (!isDue) {
      this.#element?.remove();
      this.#element = this.#drawn = null;
      return;
    }
    const { number } = shoe;
    const commitment = shoe.commitment || words?.commitment;
    const mark = `${number}/${commitment}`;
    if (mark === this.#drawn) return; // a button keeps its focus
    this.#drawn = mark;
    this.#element ??= this.#lay();
    this.#element.classList.toggle("under-way", !number);
    fill(
      this.#element.lastChild,
      html("p", number ? phrase("shoe shuffled", number) : phrase("shuffling")),
      commitment && boundBy(commitment),
    );
  }

  #lay() {
    const packets = countTo(PACKETS).map((number) => html("i", { vars: { "--at": number } }, cardBack()));
    const element = html(
      "div.shuffle",
      html("div.packets", { "aria-hidden": "true" }, packets),
      html("div.col", { role: "status" }),
    );
    this.#place.append(element);
    return element;
  }
}

/** The beginning of a commitment; the whole of it can be copied. */
function boundBy(commitment) {
  const code = html("code", `${commitment.slice(0, SHOWN_DIGITS)}…`);
  const copy = smallButton(phrase("copy commitment"), async () => {
    try {
      await navigator.clipboard.writeText(commitment);
      setText(copy, phrase("copied"));
    } catch {
      setText(code, commitment); // where a page may not copy, people can
      getSelection().selectAllChildren(code);
    }
  });
  return html("p.row.small", phrase("bound by"), " ", code, copy);
}
