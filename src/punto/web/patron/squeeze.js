// The squeeze: a corner is dragged, the card bends along a fold, and the pips show before the index.

import { cardBack, cardFace } from "../base/cards.js";
import { commandButton } from "../base/commands.js";
import { fill, html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";

learn({
  squeeze: ["Squeeze: drag a corner", "看牌：拖動牌角"],
  "open card": ["Open", "開牌"],
});

const FAR = 2000; // pixels: more than a card is long
const SHORTEST_FOLD = 4; // pixels
const OPENED = 0.82; // of the diagonal: so far dragged, the card is open

/** One side of a fold as a polygon. The fold runs through `middle`, across the `normal`; `sign` says which side. */
function halfPlane([x, y], [right, down], sign) {
  const corners = [
    [-1, 0],
    [1, 0],
    [1, sign],
    [-1, sign],
  ];
  const point = ([along, off]) => {
    const left = x + FAR * (off * right - along * down);
    const top = y + FAR * (off * down + along * right);
    return `${left}px ${top}px`;
  };
  return `polygon(${corners.map(point)})`;
}

/** Reflection in the fold: x' = x - 2((x - m)·n)n. */
function reflection([x, y], [nx, ny]) {
  const shift = 2 * (x * nx + y * ny);
  const parts = [1 - 2 * nx * nx, -2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny, shift * nx, shift * ny];
  return `matrix(${parts.join(", ")})`;
}

/** A card under the finger; `onopen()` is called once, when it is turned far enough. */
class SqueezedCard {
  #face;
  #onopen;
  #back = html("div.sq-back", cardBack());
  #flap;
  #corner = null; // where the fold comes from
  #start = null; // where the finger went down
  #isOpen = false;

  constructor(face, onopen) {
    this.#face = face;
    this.#onopen = onopen;
    this.#flap = html("div.sq-flap", html("div.sq-mirror", cardFace(face, { index: false })));
    this.element = html("div.sq-card", this.#back, this.#flap);
    this.element.onpointerdown = (event) => this.#begin(event);
    this.element.onpointermove = (event) => this.#drag(event);
    this.element.onpointerup = () => this.#end();
    this.element.onpointercancel = () => this.#end();
    this.#flatten();
  }

  #pointOf(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  }

  #begin(event) {
    if (this.#isOpen) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    this.element.setPointerCapture(event.pointerId);
    this.#start = this.#pointOf(event);
    const [x, y] = this.#start;
    this.#corner = [x < width / 2 ? 0 : width, y < height / 2 ? 0 : height];
  }

  #drag(event) {
    if (!this.#start || this.#isOpen) return;
    const [x, y] = this.#pointOf(event);
    this.#fold([x - this.#start[0], y - this.#start[1]]);
  }

  #end() {
    this.#start = null;
    if (!this.#isOpen) this.#flatten();
  }

  #flatten() {
    this.#back.style.clipPath = "";
    this.#flap.style.visibility = "hidden";
  }

  /** Fold the card so that its corner lies as far off as it was dragged. */
  #fold([right, down]) {
    const length = Math.hypot(right, down);
    if (length < SHORTEST_FOLD) {
      this.#flatten();
      return;
    }
    const normal = [right / length, down / length];
    const middle = [this.#corner[0] + right / 2, this.#corner[1] + down / 2];
    this.#back.style.clipPath = halfPlane(middle, normal, 1);
    this.#flap.style.clipPath = halfPlane(middle, normal, -1);
    this.#flap.style.transform = reflection(middle, normal);
    this.#flap.style.visibility = "visible";
    if (length > OPENED * Math.hypot(this.element.clientWidth, this.element.clientHeight)) this.#open();
  }

  #open() {
    this.#isOpen = true;
    this.#flatten();
    fill(this.#back, cardFace(this.#face));
    this.#onopen();
  }
}

/** The cards that one holds, {place on the felt: face}, each to be squeezed or simply opened. */
export function squeezeCards(held, table, timeLeft) {
  const card = ([at, face]) => {
    const open = commandButton(table, phrase("open card"), { do: "expose", faces: [], at: Number(at) });
    const squeezed = new SqueezedCard(face, () => open.click());
    return html("div.sq", squeezed.element, open);
  };
  return html(
    "section.question.squeeze",
    { label: phrase("squeeze") },
    html("header", html("p.lead", phrase("squeeze"))),
    html("div.row.sq-row", Object.entries(held).map(card)),
    timeLeft,
  );
}
