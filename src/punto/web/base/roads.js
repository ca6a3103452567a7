// The scoreboard: the five roads as SVG, counters and ask marks. The house says what the marks are; this lays them on the grid.

import { h, s } from "./dom.js";
import { dot } from "./notes.js";
import { learn, t } from "./words.js";

learn(`
player pairs | 閒對
banker pairs | 庄對
naturals | 例牌
rounds | 局數
if banker | Ask Banker | 庄問路
if player | Ask Player | 閒問路
`);

const ROWS = 6;
const COLOUR = { banker: "#c8262c", player: "#1f5fbf", tie: "#1e8e4e", R: "#c8262c", B: "#1f5fbf" };
const CELL = 20;

/** Columns run down, and turn right where they cannot. */
function places(marks, same) {
	const taken = new Set(), found = [];
	let start = 0, column = 0, row = 0, tail = false;
	marks.forEach((mark, at) => {
		if (at === 0 || !same(marks[at - 1], mark)) {
			start += 1;
			while (taken.has(`${start}/1`)) start += 1;
			[column, row, tail] = [start, 1, false];
		}
		found.push([column, row]);
		taken.add(`${column}/${row}`);
		tail = tail || row === ROWS || taken.has(`${column}/${row + 1}`);
		if (tail) column += 1;
		else row += 1;
	});
	return found;
}

/** A big road from letters alone, for the tiles of a lobby. */
export function bigFrom(letters) {
	const marks = [];
	let leading = 0;
	for (const letter of letters) {
		if (letter === "T") {
			if (marks.length) marks.at(-1).ties += 1;
			else leading += 1;
		} else marks.push({ winner: letter === "B" ? "banker" : "player", ties: 0 });
	}
	places(marks, (one, other) => one.winner === other.winner).forEach(([column, row], at) => Object.assign(marks[at], { column, row }));
	return { leading_ties: leading, marks };
}

const pairs = (each) => [["banker", -6.3], ["player", 6.3]].map(([hand, at]) =>
	each[`${hand}_pair`] && s("circle", { cx: at, cy: at, r: 2.6, fill: COLOUR[hand], stroke: "#fff", "stroke-width": 0.9 }));

// In the derived roads red (regular) and blue (irregular) differ in form, too: blue marks have a gap or a pale middle.
const FORMS = {
	bead: (each) => [s("circle", { r: 8.6, fill: COLOUR[each.winner] }), s("text", { y: 4, "font-size": 11, fill: "#fff" }, t(`mark ${each.winner}`)), pairs(each)],
	big: (each) => [
		s("circle", { r: 7.2, fill: "none", stroke: COLOUR[each.winner], "stroke-width": 2.6 }),
		each.winner === "banker" && s("circle", { r: 1.4, fill: COLOUR.banker }),
		each.ties > 0 && s("path", { d: "M-8 8 8-8", stroke: COLOUR.tie, "stroke-width": 2.4 }),
		each.ties > 1 && s("text", { y: 3.6, "font-size": 10, fill: "#0d5c30", stroke: "#f6f1e4", "stroke-width": 2.4, "paint-order": "stroke" }, each.ties),
		pairs(each)],
	big_eye: (mark) => s("circle", { r: 6.6, fill: "none", stroke: COLOUR[mark], "stroke-width": mark === "R" ? 3 : 2.4, "stroke-dasharray": mark === "R" ? null : "15 5.7" }),
	small: (mark) => [s("circle", { r: 6.8, fill: COLOUR[mark] }), mark === "B" && s("circle", { r: 2.2, fill: "#f6f1e4" })],
	cockroach: (mark) => s("path", { d: mark === "R" ? "M-6 6 6-6" : "M-6 6-1.4 1.4M1.4-1.4 6-6", stroke: COLOUR[mark], "stroke-width": 3.6, "stroke-linecap": "round" }),
};

/** [[mark, column, row], …] */
function laid(kind, roads) {
	const marks = kind === "bead" ? roads.bead : kind === "big" ? roads.big.marks : [...roads[kind]];
	const found = marks[0]?.column ? marks.map(({ column, row }) => [column, row]) : places(marks, (one, other) => one === other);
	return marks.map((mark, at) => [mark, ...found[at]]);
}

function told(kind, roads) {
	const known = roads.count ? ["banker", "player", "tie"].map((each) => `${t(each)} ${roads.count[each]}`).join(", ") : "";
	return `${t(kind)}: ${kind === "bead" || kind === "big" ? known : [...roads[kind]].slice(-6).join(" ")}`;
}

/** So many columns of a road, the newest always among them. */
export function road(kind, roads, columns) {
	const marks = laid(kind, roads), wide = columns * CELL, high = ROWS * CELL;
	const from = Math.max(0, Math.max(0, ...marks.map(([, column]) => column)) + 1 - columns);
	const lines = [...upTo(columns).map((x) => `M${x * CELL} 0V${high}`), ...upTo(ROWS).map((y) => `M0 ${y * CELL}H${wide}`)];
	const at = (n) => (n - 0.5) * CELL;
	return s(`svg.road.road-${kind}`, { viewBox: `-.5 -.5 ${wide + 1} ${high + 1}`, role: "img", label: told(kind, roads) },
		s("path.road-grid", { d: lines.join("") }),
		s("g", { "aria-hidden": "true" },
			marks.map(([mark, column, row], index) => column > from &&
				s("g", { transform: `translate(${at(column - from)} ${at(row)})`, class: index === marks.length - 1 && "newest" }, FORMS[kind](mark))),
			kind === "big" && roads.big.leading_ties > 0 && from === 0 && s("text", { x: 10, y: 14, "font-size": 9, fill: "#0d5c30" }, roads.big.leading_ties)));
}

const upTo = (last) => Array.from({ length: last + 1 }, (_, at) => at);

const askMark = (kind, mark) =>
	s("svg.ask-mark", { viewBox: "-10 -10 20 20", role: "img", label: `${t(kind)} ${mark ?? "–"}` },
		mark ? FORMS[kind](mark) : s("path", { d: "M-4 0H4", stroke: "#6b6657", "stroke-width": 2 }));

const DERIVED = ["big_eye", "small", "cockroach"], OUTCOMES = ["banker", "player", "tie"];

const panel = (kind, roads, columns) => h("div.road-panel", road(kind, roads, columns));
const count = (words, number, mark) => h("div.count", mark, h("span.count-words", t(words)), h("b", String(number)));
const outcomes = (n) => OUTCOMES.map((kind) => count(kind, n[kind], dot(kind)));

export const counters = ({ count: n }) => h("div.counters", outcomes(n),
	count("banker pairs", n.banker_pairs), count("player pairs", n.player_pairs), count("naturals", n.naturals), count("rounds", n.banker + n.player + n.tie));

export const asks = (roads) => h("div.asks", ["banker", "player"].map((hand) =>
	h("div.ask", h("span.ask-words", dot(hand), h("span.ask-text", t(`if ${hand}`))), DERIVED.map((kind) => askMark(kind, roads.ask[hand][kind])))));

export const smallBoard = (roads) => h("section.small-board", { label: t("board") },
	panel("big", roads, 26),
	h("div.small-derived", DERIVED.map((kind) => panel(kind, roads, 14))),
	h("div.row.small-counts", outcomes(roads.count), asks(roads)));
