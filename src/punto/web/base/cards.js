// Card faces and backs, drawn here: a large index, plain pips, court cards as a bold letter with its suit mark.

import { s } from "./dom.js";
import { t } from "./words.js";

const RED = "#b3191f";
const BLACK = "#15181c";
// Suit marks in a box of 100 by 100.
const MARKS = {
  h: "M50 91C20 64 8 49 8 32 8 18 19 9 30 9c9 0 16 5 20 13 4-8 11-13 20-13 11 0 22 9 22 23 0 17-12 32-42 59z",
  d: "M50 5 85 50 50 95 15 50z",
  c: "M50 7a20 20 0 0 1 15 33 20 20 0 1 1-9 30c1 10 4 17 10 23H34c6-6 9-13 10-23a20 20 0 1 1-9-30A20 20 0 0 1 50 7z",
  s: "M50 6c28 25 41 39 41 54 0 12-9 20-19 20-8 0-14-4-17-10 1 9 4 16 10 23H35c6-7 9-14 10-23-3 6-9 10-17 10-10 0-19-8-19-20C9 45 22 31 50 6z",
};
const SUITS = { h: "hearts", d: "diamonds", c: "clubs", s: "spades" };
const NAMES = { A: "ace", J: "jack", Q: "queen", K: "king" };
// Where pips lie, in per cent of the face; those below the middle stand on their heads.
const L = 33, M = 50, R = 67;
const PIPS = {
  A: [[M, 50]],
  2: [[M, 22], [M, 78]],
  3: [[M, 22], [M, 50], [M, 78]],
  4: [[L, 22], [R, 22], [L, 78], [R, 78]],
  5: [[L, 22], [R, 22], [M, 50], [L, 78], [R, 78]],
  6: [[L, 22], [R, 22], [L, 50], [R, 50], [L, 78], [R, 78]],
  7: [[L, 22], [R, 22], [M, 36], [L, 50], [R, 50], [L, 78], [R, 78]],
  8: [[L, 22], [R, 22], [M, 36], [L, 50], [R, 50], [M, 64], [L, 78], [R, 78]],
  9: [[L, 20], [R, 20], [L, 40], [R, 40], [M, 50], [L, 60], [R, 60], [L, 80], [R, 80]],
  T: [[L, 20], [R, 20], [M, 30], [L, 40], [R, 40], [L, 60], [R, 60], [M, 70], [L, 80], [R, 80]],
};
const W = 250, H = 350;

const mark = (suit, x, y, size, turned = false) =>
  s("path", { d: MARKS[suit], transform: `translate(${x} ${y}) ${turned ? "rotate(180) " : ""}scale(${size / 100}) translate(-50 -50)` });

/** "6h" as a person says it: "6 of hearts". */
export function cardName(code) {
  if (!code) return t("face down");
  const rank = code[0] === "T" ? "10" : NAMES[code[0]] ? t(NAMES[code[0]]) : code[0];
  return code[1] ? t("of", { rank, suit: t(SUITS[code[1]]) }) : rank;
}

const frame = (name, ...children) =>
  s("svg", { class: "card-art", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": name }, ...children);

const paper = () => s("rect", { x: 1, y: 1, width: W - 2, height: H - 2, rx: 16, fill: "#fdfaf1", stroke: "#b9b09a", "stroke-width": 2 });

/** The face of a card; without its index (for the squeeze) where `index` is false. */
export function cardFace(code, { index = true } = {}) {
  const rank = code[0], suit = code[1] ?? "s";
  const colour = suit === "h" || suit === "d" ? RED : BLACK;
  const corner = (turned) =>
    s("g", { transform: turned ? `rotate(180 ${W / 2} ${H / 2})` : null },
      s("text", { x: 33, y: 62, "text-anchor": "middle", "font-size": rank === "T" ? 54 : 62, "font-weight": 700, "font-family": "Georgia, 'Times New Roman', serif", "letter-spacing": rank === "T" ? -6 : 0 }, rank === "T" ? "10" : rank),
      mark(suit, 33, 92, 40));
  const pips = PIPS[rank];
  const middle = pips
    ? pips.map(([x, y]) => mark(suit, (x * W) / 100, (y * H) / 100, rank === "A" ? 118 : 50, y > 50))
    : [
        s("rect", { x: 62, y: 42, width: W - 124, height: H - 84, rx: 8, fill: "none", stroke: colour, "stroke-width": 2.5 }),
        s("rect", { x: 68, y: 48, width: W - 136, height: H - 96, rx: 5, fill: colour, opacity: 0.07 }),
        s("text", { x: W / 2, y: 202, "text-anchor": "middle", "font-size": 150, "font-weight": 700, "font-family": "Georgia, 'Times New Roman', serif" }, rank),
        mark(suit, W / 2, 252, 62),
      ];
  return frame(cardName(code), paper(), s("g", { fill: colour, "aria-hidden": "true" }, ...middle, ...(index ? [corner(false), corner(true)] : [])));
}

let weave = 0;
/** The woven back. */
export function cardBack() {
  const id = `weave${++weave}`;
  return frame(cardName(null),
    s("defs", {}, s("pattern", { id, width: 20, height: 20, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { width: 20, height: 20, fill: "#7d1f2b" }),
      s("rect", { x: 0, y: 3, width: 20, height: 4, fill: "#d9c48f" }),
      s("rect", { x: 3, y: 0, width: 4, height: 20, fill: "#d9c48f" }),
      s("rect", { x: 3, y: 3, width: 4, height: 4, fill: "#7d1f2b" }),
      s("rect", { x: 13, y: 13, width: 3, height: 3, fill: "#a8505a" }))),
    paper(),
    s("rect", { x: 14, y: 14, width: W - 28, height: H - 28, rx: 9, fill: `url(#${id})` }),
    s("rect", { x: 14, y: 14, width: W - 28, height: H - 28, rx: 9, fill: "none", stroke: "#5c131d", "stroke-width": 3 }));
}

/** A small card in a line of text: rank and suit on a chip of ivory. */
export function cardInline(code) {
  const red = code && (code[1] === "h" || code[1] === "d");
  const span = document.createElement("span");
  span.className = `card-inline${red ? " red" : ""}`;
  span.setAttribute("role", "img");
  span.setAttribute("aria-label", cardName(code));
  span.append(code ? (code[0] === "T" ? "10" : code[0]) : "?");
  if (code?.[1]) span.append(s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("path", { d: MARKS[code[1]] })));
  return span;
}
