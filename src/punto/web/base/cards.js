// Card faces and backs: a large index, plain pips, court cards as a bold letter with its suit mark.

import { h, s } from "./dom.js";
import { t } from "./words.js";

const MARKS = {
	h: "M50 91C20 64 8 49 8 32 8 18 19 9 30 9c9 0 16 5 20 13 4-8 11-13 20-13 11 0 22 9 22 23 0 17-12 32-42 59z",
	d: "M50 5 85 50 50 95 15 50z",
	c: "M50 7a20 20 0 0 1 15 33 20 20 0 1 1-9 30c1 10 4 17 10 23H34c6-6 9-13 10-23a20 20 0 1 1-9-30A20 20 0 0 1 50 7z",
	s: "M50 6c28 25 41 39 41 54 0 12-9 20-19 20-8 0-14-4-17-10 1 9 4 16 10 23H35c6-7 9-14 10-23-3 6-9 10-17 10-10 0-19-8-19-20C9 45 22 31 50 6z",
};
const SUITS = { h: "hearts", d: "diamonds", c: "clubs", s: "spades" };
const NAMES = { A: "ace", J: "jack", Q: "queen", K: "king" };
// How high pips lie, in per cent of the face: at both sides, and in the middle.
const PIPS = {
	A: [[], [50]],
	2: [[], [22, 78]],
	3: [[], [22, 50, 78]],
	4: [[22, 78], []],
	5: [[22, 78], [50]],
	6: [[22, 50, 78], []],
	7: [[22, 50, 78], [36]],
	8: [[22, 50, 78], [36, 64]],
	9: [[20, 40, 60, 80], [50]],
	T: [[20, 40, 60, 80], [30, 70]],
};
const W = 250, H = 350;

const mark = (suit, x, y, size, turned = false) =>
	s("path", { d: MARKS[suit], transform: `translate(${x} ${y}) ${turned ? "rotate(180) " : ""}scale(${size / 100}) translate(-50 -50)` });

const isRed = (code) => code[1] === "h" || code[1] === "d";
const shown = (code) => (code[0] === "T" ? "10" : code[0]);

/** "6h" as a person says it: "6 of hearts". */
export function cardName(code) {
	if (!code) return t("face down");
	const rank = NAMES[code[0]] ? t(NAMES[code[0]]) : shown(code);
	return code[1] ? t("of", { rank, suit: t(SUITS[code[1]]) }) : rank;
}

const frame = (name, ...children) =>
	s("svg.card-art", { viewBox: `0 0 ${W} ${H}`, role: "img", label: name }, ...children);

const paper = () => s("rect", { x: 1, y: 1, width: W - 2, height: H - 2, rx: 16, fill: "#fdfaf1", stroke: "#b9b09a", "stroke-width": 2 });

/** Without its index for the squeeze. */
export function cardFace(code, { index = true } = {}) {
	const rank = code[0], suit = code[1] ?? "s", ten = rank === "T";
	const colour = isRed(code) ? "#b3191f" : "#15181c";
	const corner = (turned) =>
		s("g", { transform: turned && `rotate(180 ${W / 2} ${H / 2})` },
			s("text", { x: 33, y: 62, "font-size": ten ? 54 : 62, "letter-spacing": ten ? -6 : 0 }, shown(code)), mark(suit, 33, 92, 40));
	const pip = (x) => (y) => mark(suit, (x * W) / 100, (y * H) / 100, rank === "A" ? 118 : 50, y > 50);
	const court = () => [
		s("rect", { x: 62, y: 42, width: W - 124, height: H - 84, rx: 8, fill: "none", stroke: colour, "stroke-width": 2.5 }),
		s("rect", { x: 68, y: 48, width: W - 136, height: H - 96, rx: 5, fill: colour, opacity: 0.07 }),
		s("text", { x: W / 2, y: 202, "font-size": 150 }, rank), mark(suit, W / 2, 252, 62)];
	const [sides, middle] = PIPS[rank] ?? [];
	return frame(cardName(code), paper(), s("g", { fill: colour, "aria-hidden": "true" },
		sides ? [sides.map(pip(33)), sides.map(pip(67)), middle.map(pip(50))] : court(), index && [corner(false), corner(true)]));
}

export const cardBack = () => h("div.card-art.back", { role: "img", label: cardName(null) });

export const cardInline = (code) =>
	h("span.card-inline", { class: code && isRed(code) && "red", role: "img", label: cardName(code) }, code ? shown(code) : "?",
		code?.[1] && s("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, s("path", { d: MARKS[code[1]] })));
