// The squeeze: a corner is dragged, the card bends along a fold, and the pips show before the index. The fold stays
// where it was let go. In full screen the cards are as large as the screen lets them be.

import { cardBack, cardFace } from "../base/cards.js";
import { commandButton } from "../base/commands.js";
import { fill, html, setText, smallButton, syncChildren } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { announce } from "../base/notes.js";

learn({
  squeeze: ["Squeeze: drag a corner, or bend the card with the arrow keys", "看牌：拖動牌角，或用方向鍵彎牌"],
  "bend card": ["Bend card {n}", "彎第 {n} 張牌"],
  bent: ["{n}% bent", "已彎 {n}%"],
  "open card": ["Open", "開牌"],
  "open card n": ["Open card {n}", "開第 {n} 張牌"],
  "squeeze full": ["Full screen", "全螢幕"],
  "back to table": ["Back to the table", "返回賭檯"],
  "time up": ["Your time was up: the dealer opens the cards.", "時間已到：由荷官開牌。"],
});

const FAR = 4000; // pixels: more than a card is long
const SHORTEST_FOLD = 0.015; // of the diagonal
const OPENED = 0.82; // of the diagonal: so far dragged, the card is open
const CORNERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
];
const KEYED_FOLD = { corner: [1, 1], by: [-1, -1] }; // which way the keys bend a card that lies flat
const KEYS = {
  ArrowUp: 0.03,
  ArrowRight: 0.03,
  ArrowDown: -0.03,
  ArrowLeft: -0.03,
  PageUp: 0.15,
  PageDown: -0.15,
  Home: -1,
  End: 1,
}; // by how much of the diagonal they bend it further
const CLOCKS_DIFFER = 1000; // ms between the house's clock and what a page takes for it, at most
const LINGER = 1200; // ms that the last card is seen open in full screen

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

/** A corner is only bent inwards. */
function inwards([x, y], [right, down]) {
  return [x ? Math.min(0, right) : Math.max(0, right), y ? Math.min(0, down) : Math.max(0, down)];
}

/** A card under the finger; `onopen()` is called once, when it is turned far enough. */
class SqueezedCard {
  #face;
  #onopen;
  #back = html("div.sq-back", cardBack());
  #flap;
  #fold = null; // which corner is lifted, and how far `by`, in parts of the card's width and height
  #grip = null; // where the finger went down, and how far the corner was lifted then
  isOpen = false;

  constructor(face, number, onopen) {
    this.#face = face;
    this.#onopen = onopen;
    const mirror = html("div.sq-mirror", cardFace(face, { index: false }));
    this.#flap = html("div.sq-flap", { "aria-hidden": "true" }, mirror);
    this.element = html(
      "div.sq-card",
      { role: "slider", tabindex: 0, label: phrase("bend card", number), "aria-valuemin": 0, "aria-valuemax": 100 },
      this.#back,
      this.#flap,
    );
    this.element.onpointerdown = (event) => this.#begin(event);
    this.element.onpointermove = (event) => this.#drag(event);
    this.element.onpointerup = () => (this.#grip = null);
    this.element.onpointercancel = () => (this.#grip = null);
    this.element.onkeydown = (event) => this.#press(event);
    new ResizeObserver(() => this.#draw()).observe(this.element); // a fold keeps its part of the card
    this.#draw();
  }

  /** Turn the card over; nothing can be bent any more. */
  open() {
    this.isOpen = true;
    this.#fold = null;
    this.#draw();
    fill(this.#back, cardFace(this.#face));
    this.element.classList.add("open");
    this.element.tabIndex = -1; // whoever is here is not thrown out
  }

  /** A point of the screen in parts of the card. */
  #pointOf({ clientX, clientY }) {
    const { x, y, width, height } = this.element.getBoundingClientRect();
    return [(clientX - x) / width, (clientY - y) / height];
  }

  /** Grip the nearest corner: the lifted one lies where it was let go. */
  #begin(event) {
    if (this.isOpen) return;
    this.element.setPointerCapture(event.pointerId);
    const [x, y] = this.#pointOf(event);
    const lifted = (corner) => (String(corner) === String(this.#fold?.corner) ? this.#fold.by : [0, 0]);
    const away = (corner) => Math.hypot(corner[0] + lifted(corner)[0] - x, corner[1] + lifted(corner)[1] - y);
    const nearest = CORNERS.reduce((one, other) => (away(other) < away(one) ? other : one));
    this.#grip = { start: [x, y], corner: nearest, from: lifted(nearest) };
  }

  #drag(event) {
    if (!this.#grip || this.isOpen) return;
    const { start, corner, from } = this.#grip;
    const [x, y] = this.#pointOf(event);
    this.#bend(corner, [from[0] + x - start[0], from[1] + y - start[1]]);
  }

  #press(event) {
    const step = KEYS[event.key];
    if (!step || this.isOpen) return;
    event.preventDefault();
    const { corner, by } = this.#fold ?? KEYED_FOLD;
    const now = this.#fold ? this.#length(by) : 0;
    const next = Math.max(0, now + step) / this.#length(by);
    this.#bend(
      corner,
      by.map((part) => part * next),
    );
  }

  /** How far a corner is lifted, in parts of the diagonal. */
  #length([right, down]) {
    const { clientWidth: width, clientHeight: height } = this.element;
    return width ? Math.hypot(right * width, down * height) / Math.hypot(width, height) : 0;
  }

  #bend(corner, by) {
    const inside = inwards(corner, by);
    const length = this.#length(inside);
    this.#fold = length < SHORTEST_FOLD ? null : { corner, by: inside };
    this.#draw();
    if (length <= OPENED) return;
    this.open();
    this.#onopen();
  }

  #draw() {
    const bent = this.#fold ? Math.round((100 * this.#length(this.#fold.by)) / OPENED) : 0;
    const shown = this.isOpen ? 100 : Math.min(100, bent);
    this.element.setAttribute("aria-valuenow", shown);
    this.element.setAttribute("aria-valuetext", phrase("bent", shown));
    this.#flap.style.visibility = this.#fold ? "visible" : "hidden";
    if (this.#fold) this.#drawFold(this.#fold);
    else this.#back.style.clipPath = "";
  }

  /** Fold the card so that its corner lies as far off as it was lifted. */
  #drawFold({ corner, by }) {
    const { clientWidth: width, clientHeight: height } = this.element;
    const [right, down] = [by[0] * width, by[1] * height];
    const length = Math.hypot(right, down);
    if (!length) return;
    const normal = [right / length, down / length];
    const middle = [corner[0] * width + right / 2, corner[1] * height + down / 2];
    this.#back.style.clipPath = halfPlane(middle, normal, 1);
    this.#flap.style.clipPath = halfPlane(middle, normal, -1);
    this.#flap.style.transform = reflection(middle, normal);
  }
}

let wantsFullScreen = false; // until somebody goes back to the table

/** The cards that one holds, each to be squeezed or simply opened, at the lower edge or over the whole screen. */
export class Squeeze {
  #table;
  #done;
  #timeLeft;
  #cards = new Map(); // by place on the felt
  #screen = html("div.sq-screen");
  #row = html("div.sq-row");
  #clock = html("div.sq-clock");
  #told = html("p.lead", phrase("squeeze"));
  #full = smallButton("", () => this.#switchFullScreen(), { class: "button small sq-full" });
  #until = null; // the end of the time for what is held, by the house's clock
  #closing = 0;
  isOver = false;

  /** `timeLeft()` makes a clock of the time that is left now; `done()` is called when the last card has been seen. */
  constructor(table, timeLeft, done) {
    this.#table = table;
    this.#timeLeft = timeLeft;
    this.#done = done;
    this.element = html("dialog.question.squeeze", { open: true, label: phrase("squeeze") }, this.#screen);
    fill(this.#screen, html("header", this.#told, this.#clock, this.#full), this.#row);
    this.element.onclose = () => this.#leaveFullScreen();
    this.#nameSwitch();
  }

  /** Draw what is held now, {place on the felt: face}; what is held no more has been opened, or taken away. */
  draw(held) {
    const isNew = Object.keys(held).some((at) => this.#cards.get(at)?.isGone !== false);
    if (isNew) {
      this.#cards.clear();
      setText(this.#told, phrase("squeeze"));
      announce(phrase("squeeze"), "urgent");
      for (const [at, face] of Object.entries(held)) this.#cards.set(at, this.#makeCard(Number(at), face));
    }
    this.#turnWhatIsGone(held);
    this.#until = this.#table.snapshot.asks_until;
    fill(this.#clock, this.#timeLeft());
    this.#layOut(held);
    clearTimeout(this.#closing);
    if (isNew && wantsFullScreen) requestAnimationFrame(() => this.#enterFullScreen()); // once it is on the page
    if (!Object.keys(held).length) this.#closing = setTimeout(() => this.#end(), this.#isFull ? LINGER : 0);
  }

  /** The cards are nobody's any more. */
  #end() {
    this.isOver = true;
    if (this.#isFull) this.element.close();
    this.#done();
  }

  get #isFull() {
    return this.element.matches(":modal");
  }

  #makeCard(at, face) {
    const number = at + 1;
    const open = commandButton(
      this.#table,
      phrase("open card"),
      { do: "expose", faces: [], at },
      { label: phrase("open card n", number) },
    );
    const card = new SqueezedCard(face, number, () => open.click());
    open.addEventListener("click", () => (card.isAsked = true));
    return Object.assign(card, { isGone: false, place: html("div.sq", card.element, open), button: open });
  }

  /** A card that the patron has not opened when the time is up is opened by the dealer. */
  #turnWhatIsGone(held) {
    const isLate = this.#until && this.#table.now() > this.#until - CLOCKS_DIFFER;
    for (const [at, card] of this.#cards) {
      if (at in held || card.isGone) continue;
      card.isGone = true;
      card.button.remove();
      if (card.isAsked || !isLate) continue;
      card.open();
      if (this.#told.textContent === phrase("time up")) continue; // of another card
      setText(this.#told, phrase("time up"));
      announce(phrase("time up"));
    }
  }

  /** At the lower edge only what is held; in full screen also what has just been opened. Focus stays with the cards. */
  #layOut(held) {
    const hadFocus = this.#row.contains(document.activeElement);
    const shown = Array.from(this.#cards).filter(([at]) => at in held || this.#isFull);
    syncChildren(this.#row, shown, { key: ([at]) => at, make: ([, card]) => card.place });
    this.#row.style.setProperty("--cards", Math.max(1, shown.length));
    const next = Array.from(this.#cards.values()).find((card) => !card.isOpen && !card.isGone);
    if (hadFocus && !this.#row.contains(document.activeElement)) next?.element.focus();
  }

  // Full screen: a dialogue over the page, and where the browser lets us, over the whole display.

  #switchFullScreen() {
    if (this.#isFull) this.element.close();
    else this.#enterFullScreen();
  }

  #enterFullScreen() {
    if (this.#isFull || !this.element.isConnected) return;
    wantsFullScreen = true;
    this.element.removeAttribute("open");
    this.element.showModal();
    this.#nameSwitch();
    this.#row.querySelector("[tabindex]")?.focus();
    this.#fillDisplay().catch(() => {}); // then the page is all there is to fill
  }

  /** Its end is the end of full screen, once it is full: what is told before that is of a display left earlier. */
  async #fillDisplay() {
    await this.#screen.requestFullscreen?.();
    if (!document.fullscreenElement) return;
    if (this.#isFull) document.onfullscreenchange = () => document.fullscreenElement || this.element.close();
    else await document.exitFullscreen(); // the patron is back at the table already
  }

  #leaveFullScreen() {
    wantsFullScreen = this.isOver; // whoever goes back before the end wants the table
    document.onfullscreenchange = null;
    if (document.fullscreenElement) void document.exitFullscreen();
    this.element.setAttribute("open", "");
    this.#nameSwitch();
    for (const card of this.#cards.values()) if (card.isGone) card.place.remove();
    this.#full.focus();
  }

  #nameSwitch() {
    setText(this.#full, phrase(this.#isFull ? "back to table" : "squeeze full"));
  }
}
