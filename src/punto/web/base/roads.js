// The scoreboard: the five roads as SVG, counters and ask marks. The house says what the marks are; this lays them on
// the grid.

import { html, svg } from "./dom.js";
import { outcomeDot } from "./labels.js";
import { learn, noted, phrase } from "./language.js";

learn({
  bead: ["Bead plate", "珠盤路"],
  big: ["Big road", "大路"],
  big_eye: ["Big eye boy", "大眼仔"],
  small: ["Small road", "小路"],
  cockroach: ["Cockroach pig", "曱甴路"],
  "roads legend": [
    "In the three derived roads, red is regular and blue irregular; they name no hand.",
    "三條下路：紅為齊整，藍為不齊，並非庄閒。",
  ],
  "player pairs": ["Player pairs", "閒對"],
  "banker pairs": ["Banker pairs", "庄對"],
  naturals: ["Naturals", "例牌"],
  rounds: ["Rounds", "局數"],
  "if banker": ["Ask Banker", "庄問路"],
  "if player": ["Ask Player", "閒問路"],
});

const ROWS = 6;
const CELL = 20;
const COLOURS = { banker: "#c8262c", player: "#1f5fbf", tie: "#1e8e4e", R: "#c8262c", B: "#1f5fbf" };
const TIE_FIGURES = "#0d5c30";
const PANEL = "#f6f1e4";
const DERIVED = ["big_eye", "small", "cockroach"];
const OUTCOMES = ["banker", "player", "tie"];

/** Where marks lie, as [column, row] from 1: alike marks run down, and turn right where they cannot. */
function layColumns(marks, alike) {
  const taken = new Set();
  const isTaken = (column, row) => taken.has(`${column}/${row}`);
  let start = 0;
  let column = 0;
  let row = 0;
  let runsRight = false;
  return marks.map((mark, index) => {
    if (index === 0 || !alike(marks[index - 1], mark)) {
      start += 1;
      while (isTaken(start, 1)) start += 1;
      [column, row, runsRight] = [start, 1, false];
    }
    const place = [column, row];
    taken.add(place.join("/"));
    runsRight ||= row === ROWS || isTaken(column, row + 1);
    if (runsRight) column += 1;
    else row += 1;
    return place;
  });
}

/** A big road from letters alone ("BBPTP"), for the tiles of the lobby. */
export function bigRoadFrom(letters) {
  const marks = [];
  let leadingTies = 0;
  for (const letter of letters) {
    if (letter !== "T") marks.push({ winner: letter === "B" ? "banker" : "player", ties: 0 });
    else if (marks.length) marks.at(-1).ties += 1;
    else leadingTies += 1;
  }
  const places = layColumns(marks, (one, other) => one.winner === other.winner);
  const laid = marks.map((mark, index) => ({ ...mark, column: places[index][0], row: places[index][1] }));
  return { leading_ties: leadingTies, marks: laid };
}

/** Dots at the edge of a mark for pairs: Banker's above left, Player's below right. */
function pairDots(mark) {
  const places = { banker: -6.3, player: 6.3 };
  return Object.entries(places).map(([hand, at]) => {
    if (!mark[`${hand}_pair`]) return null;
    return svg("circle", { cx: at, cy: at, r: 2.6, fill: COLOURS[hand], stroke: "#fff", "stroke-width": 0.9 });
  });
}

/**
 * How a mark of each road is drawn around its middle. In the derived roads red (regular) and blue (irregular) differ
 * in form, too: blue marks have a gap or a pale middle.
 */
const MARKS = {
  bead: (mark) => [
    svg("circle", { r: 8.6, fill: COLOURS[mark.winner] }),
    svg("text", { y: 4, "font-size": 11, fill: "#fff" }, phrase(`mark ${mark.winner}`)),
    pairDots(mark),
  ],

  big: (mark) => [
    svg("circle", { r: 7.2, fill: "none", stroke: COLOURS[mark.winner], "stroke-width": 2.6 }),
    mark.winner === "banker" && svg("circle", { r: 1.4, fill: COLOURS.banker }),
    mark.ties > 0 && svg("path", { d: "M-8 8 8-8", stroke: COLOURS.tie, "stroke-width": 2.4 }),
    mark.ties > 1 && tieCount(mark.ties),
    pairDots(mark),
  ],

  big_eye: (mark) => {
    const ring = { r: 6.6, fill: "none", stroke: COLOURS[mark] };
    if (mark === "R") return svg("circle", { ...ring, "stroke-width": 3 });
    return svg("circle", { ...ring, "stroke-width": 2.4, "stroke-dasharray": "15 5.7" });
  },

  small: (mark) => [
    svg("circle", { r: 6.8, fill: COLOURS[mark] }),
    mark === "B" && svg("circle", { r: 2.2, fill: PANEL }),
  ],

  cockroach: (mark) => {
    const d = mark === "R" ? "M-6 6 6-6" : "M-6 6-1.4 1.4M1.4-1.4 6-6";
    return svg("path", { d, stroke: COLOURS[mark], "stroke-width": 3.6, "stroke-linecap": "round" });
  },
};

function tieCount(ties) {
  const outline = { stroke: PANEL, "stroke-width": 2.4, "paint-order": "stroke" };
  return svg("text", { y: 3.6, "font-size": 10, fill: TIE_FIGURES, ...outline }, ties);
}

/** The marks of a road with their places: [[mark, column, row], …]. */
function laidMarks(kind, roads) {
  const marks = kind === "big" ? roads.big.marks : Array.from(roads[kind]);
  if (marks[0]?.column) return marks.map((mark) => [mark, mark.column, mark.row]);
  const places = layColumns(marks, (one, other) => one === other);
  return marks.map((mark, index) => [mark, ...places[index]]);
}

/** A road for the ear: how often each hand has won, or the last marks of a derived road. */
function roadText(kind, roads) {
  const isDerived = DERIVED.includes(kind);
  const counts = OUTCOMES.map((outcome) => `${phrase(outcome)} ${roads.count[outcome]}`);
  return noted(phrase(kind), isDerived ? Array.from(roads[kind]).slice(-6).join(" ") : counts.join(", "));
}

function grid(columns) {
  const width = columns * CELL;
  const height = ROWS * CELL;
  const lines = [];
  for (let column = 0; column <= columns; column++) lines.push(`M${column * CELL} 0V${height}`);
  for (let row = 0; row <= ROWS; row++) lines.push(`M0 ${row * CELL}H${width}`);
  return svg("path.road-grid", { d: lines.join("") });
}

/** So many columns of a road, the newest always among them. */
export function roadArt(kind, roads, columns) {
  const marks = laidMarks(kind, roads);
  const lastColumn = Math.max(0, ...marks.map(([, column]) => column));
  const hidden = Math.max(0, lastColumn + 1 - columns);
  const middle = (place) => (place - 0.5) * CELL;
  const drawMark = ([mark, column, row], index) => {
    if (column <= hidden) return null;
    const transform = `translate(${middle(column - hidden)} ${middle(row)})`;
    return svg("g", { transform, class: index === marks.length - 1 && "newest" }, MARKS[kind](mark));
  };
  const leadingTies = kind === "big" && hidden === 0 ? roads.big.leading_ties : 0;
  return svg(
    `svg.road.road-${kind}`,
    {
      viewBox: `-.5 -.5 ${columns * CELL + 1} ${ROWS * CELL + 1}`,
      role: "img",
      label: roadText(kind, roads),
    },
    grid(columns),
    svg(
      "g",
      { "aria-hidden": "true" },
      marks.map(drawMark),
      leadingTies > 0 && svg("text", { x: 10, y: 14, "font-size": 9, fill: TIE_FIGURES }, leadingTies),
    ),
  );
}

function count(key, number, mark) {
  return html("div.count", mark, html("span.count-words", phrase(key)), html("b", String(number)));
}

function outcomeCounts(counts) {
  return OUTCOMES.map((kind) => count(kind, counts[kind], outcomeDot(kind)));
}

/** How often everything has happened this shoe. */
export function counters({ count: counts }) {
  return html(
    "div.counters",
    outcomeCounts(counts),
    count("banker pairs", counts.banker_pairs),
    count("player pairs", counts.player_pairs),
    count("naturals", counts.naturals),
    count("rounds", counts.banker + counts.player + counts.tie),
  );
}

/** The mark that a derived road would get if a hand won next; a dash where it would get none. */
function askMark(kind, mark) {
  const drawn = mark ? MARKS[kind](mark) : svg("path", { d: "M-4 0H4", stroke: "#6b6657", "stroke-width": 2 });
  const label = `${phrase(kind)} ${mark ?? "–"}`;
  return svg("svg.ask-mark", { viewBox: "-10 -10 20 20", role: "img", label }, drawn);
}

/** What the derived roads would show if Banker, or Player, won next. */
export function askMarks(roads) {
  const ask = (hand) =>
    html(
      "div.ask",
      html("span.ask-words", outcomeDot(hand), html("span.ask-text", phrase(`if ${hand}`))),
      DERIVED.map((kind) => askMark(kind, roads.ask[hand][kind])),
    );
  return html("div.asks", ["banker", "player"].map(ask));
}

/** The scoreboard beside a patron's table. */
export function smallScoreboard(roads) {
  const panel = (kind, columns) => html("div.road-panel", roadArt(kind, roads, columns));
  return html(
    "section.small-board",
    { label: phrase("board") },
    panel("big", 26),
    html(
      "div.small-derived",
      DERIVED.map((kind) => panel(kind, 14)),
    ),
    html("div.row.small-counts", outcomeCounts(roads.count), askMarks(roads)),
  );
}
