// Card faces and backs: a large index, plain pips, court cards as a bold letter with its suit mark.

import { html, svg } from "./dom.js";
import { phrase } from "./language.js";

const WIDTH = 250;
const HEIGHT = 350;
const RED = "#b3191f";
const BLACK = "#15181c";
const PAPER = "#fdfaf1";
const PAPER_EDGE = "#b9b09a";

/** The outlines of the suit marks, each in a square of 100. */
const SUIT_MARKS = {
  h: "M50 91C20 64 8 49 8 32 8 18 19 9 30 9c9 0 16 5 20 13 4-8 11-13 20-13 11 0 22 9 22 23 0 17-12 32-42 59z",
  d: "M50 5 85 50 50 95 15 50z",
  c: "M50 7a20 20 0 0 1 15 33 20 20 0 1 1-9 30c1 10 4 17 10 23H34c6-6 9-13 10-23a20 20 0 1 1-9-30A20 20 0 0 1 50 7z",
  s:
    "M50 6c28 25 41 39 41 54 0 12-9 20-19 20-8 0-14-4-17-10 1 9 4 16 10 23H35c6-7 9-14 10-23-3 6-9 10-17 10-10 0-19-8" +
    "-19-20C9 45 22 31 50 6z",
};
const SUIT_NAMES = { h: "hearts", d: "diamonds", c: "clubs", s: "spades" };
const SUIT_SIGNS = { h: "♥", d: "♦", c: "♣", s: "♠" };
const RANK_NAMES = { A: "ace", J: "jack", Q: "queen", K: "king" };

/** How high pips lie, in per cent of the face: at both sides, and in the middle. */
const PIPS = {
  A: { sides: [], middle: [50] },
  2: { sides: [], middle: [22, 78] },
  3: { sides: [], middle: [22, 50, 78] },
  4: { sides: [22, 78], middle: [] },
  5: { sides: [22, 78], middle: [50] },
  6: { sides: [22, 50, 78], middle: [] },
  7: { sides: [22, 50, 78], middle: [36] },
  8: { sides: [22, 50, 78], middle: [36, 64] },
  9: { sides: [20, 40, 60, 80], middle: [50] },
  T: { sides: [20, 40, 60, 80], middle: [30, 70] },
};

/** A code is rank and suit, "6h" or "Td"; of some cards only the rank is known. */
function isRed(code) {
  return code[1] === "h" || code[1] === "d";
}

function rankText(code) {
  return code[0] === "T" ? "10" : code[0];
}

/** "6h" as a person says it: "6 of hearts". */
export function cardName(code) {
  if (!code) return phrase("face down");
  const rank = RANK_NAMES[code[0]] ? phrase(RANK_NAMES[code[0]]) : rankText(code);
  return code[1] ? phrase("of", { rank, suit: phrase(SUIT_NAMES[code[1]]) }) : rank;
}

/** "Th" in a line of text: "10♥". */
export function cardText(code) {
  return `${rankText(code)}${SUIT_SIGNS[code[1]] ?? ""}`;
}

function suitMark(suit, x, y, size, turned = false) {
  const turn = turned ? "rotate(180) " : "";
  const transform = `translate(${x} ${y}) ${turn}scale(${size / 100}) translate(-50 -50)`;
  return svg("path", { d: SUIT_MARKS[suit], transform });
}

function corner(code, suit, turned) {
  const isTen = code[0] === "T";
  const index = { x: 33, y: 62, "font-size": isTen ? 54 : 62, "letter-spacing": isTen ? -6 : 0 };
  return svg(
    "g",
    { transform: turned && `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})` },
    svg("text", index, rankText(code)),
    suitMark(suit, 33, 92, 40),
  );
}

function pips(rank, suit) {
  const size = rank === "A" ? 118 : 50;
  const pip = (x, y) => suitMark(suit, (x * WIDTH) / 100, (y * HEIGHT) / 100, size, y > 50);
  const { sides, middle } = PIPS[rank];
  return [sides.map((y) => pip(33, y)), sides.map((y) => pip(67, y)), middle.map((y) => pip(50, y))];
}

function court(rank, suit, colour) {
  const frame = { x: 62, y: 42, width: WIDTH - 124, height: HEIGHT - 84, rx: 8, fill: "none" };
  const ground = { x: 68, y: 48, width: WIDTH - 136, height: HEIGHT - 96, rx: 5, fill: colour, opacity: 0.07 };
  return [
    svg("rect", { ...frame, stroke: colour, "stroke-width": 2.5 }),
    svg("rect", ground),
    svg("text", { x: WIDTH / 2, y: 202, "font-size": 150 }, rank),
    suitMark(suit, WIDTH / 2, 252, 62),
  ];
}

/** A card face up; the squeeze shows it without its index. */
export function cardFace(code, { index = true } = {}) {
  const [rank, suit = "s"] = code;
  const colour = isRed(code) ? RED : BLACK;
  const paper = { x: 1, y: 1, width: WIDTH - 2, height: HEIGHT - 2, rx: 16, fill: PAPER, stroke: PAPER_EDGE };
  return svg(
    "svg.card-art",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", label: cardName(code) },
    svg("rect", { ...paper, "stroke-width": 2 }),
    svg(
      "g",
      { fill: colour, "aria-hidden": "true" },
      rank in PIPS ? pips(rank, suit) : court(rank, suit, colour),
      index && [corner(code, suit, false), corner(code, suit, true)],
    ),
  );
}

export function cardBack() {
  return html("div.card-art.back", { role: "img", label: cardName(null) });
}

/** A card as a small sign inside a line of text. */
export function cardInline(code) {
  const suit = code?.[1];
  const mark =
    suit && svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("path", { d: SUIT_MARKS[suit] }));
  const properties = { class: code && isRed(code) && "red", role: "img", label: cardName(code) };
  return html("span.card-inline", properties, code ? rankText(code) : "?", mark);
}
