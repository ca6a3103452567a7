// The five roads as SVG. The house says what the marks are; this only lays them on the grid.

import { s } from "./dom.js";
import { t } from "./words.js";

const ROWS = 6;
const COLOUR = { banker: "#c8262c", player: "#1f5fbf", tie: "#1e8e4e", R: "#c8262c", B: "#1f5fbf" };
const CELL = 20;

/** Where the marks of a road lie: columns run down, and turn right where they cannot. */
export function places(marks, same) {
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

/** A big road from letters alone (B, P and T), for the tiles of a lobby. */
export function bigFrom(letters) {
  const marks = [];
  let leading = 0;
  for (const letter of letters) {
    if (letter === "T") {
      if (marks.length) marks.at(-1).ties += 1;
      else leading += 1;
    } else marks.push({ winner: letter === "B" ? "banker" : "player", ties: 0, player_pair: false, banker_pair: false, natural: false });
  }
  places(marks, (one, other) => one.winner === other.winner).forEach(([column, row], at) => Object.assign(marks[at], { column, row }));
  return { leading_ties: leading, marks };
}

const at = (n) => (n - 0.5) * CELL;

function beads(road) {
  return road.map((each) => ({
    column: each.column,
    row: each.row,
    art: () => [
      s("circle", { r: 8.6, fill: COLOUR[each.winner] }),
      s("text", { y: 4, "text-anchor": "middle", "font-size": 11, "font-weight": 700, fill: "#fff" }, t(`mark ${each.winner}`)),
      each.banker_pair && s("circle", { cx: -6.3, cy: -6.3, r: 2.6, fill: "#c8262c", stroke: "#fff", "stroke-width": 0.9 }),
      each.player_pair && s("circle", { cx: 6.3, cy: 6.3, r: 2.6, fill: "#1f5fbf", stroke: "#fff", "stroke-width": 0.9 }),
    ],
  }));
}

function rings(road) {
  return road.marks.map((each) => ({
    column: each.column,
    row: each.row,
    art: () => [
      s("circle", { r: 7.2, fill: "none", stroke: COLOUR[each.winner], "stroke-width": 2.6 }),
      each.winner === "banker" && s("circle", { r: 1.4, fill: COLOUR.banker }),
      each.ties > 0 && s("path", { d: "M-8 8 8-8", stroke: COLOUR.tie, "stroke-width": 2.4 }),
      each.ties > 1 && s("text", { y: 3.6, "text-anchor": "middle", "font-size": 10, "font-weight": 700, fill: "#0d5c30", stroke: "#f6f1e4", "stroke-width": 2.4, "paint-order": "stroke" }, String(each.ties)),
      each.banker_pair && s("circle", { cx: -6.3, cy: -6.3, r: 2.4, fill: COLOUR.banker }),
      each.player_pair && s("circle", { cx: 6.3, cy: 6.3, r: 2.4, fill: COLOUR.player }),
    ],
  }));
}

// Red (regular) and blue (irregular) differ in form, too: blue marks carry a notch that is open or pale.
const FORMS = {
  big_eye: (mark) => [s("circle", { r: 6.6, fill: "none", stroke: COLOUR[mark], "stroke-width": mark === "R" ? 3 : 2.4, "stroke-dasharray": mark === "R" ? null : "15 5.7" })],
  small: (mark) => [s("circle", { r: 6.8, fill: COLOUR[mark] }), mark === "B" && s("circle", { r: 2.2, fill: "#f6f1e4" })],
  cockroach: (mark) => [s("path", { d: mark === "R" ? "M-6 6 6-6" : "M-6 6-1.4 1.4M1.4-1.4 6-6", stroke: COLOUR[mark], "stroke-width": 3.6, "stroke-linecap": "round" })],
};

function derived(letters, kind) {
  const marks = [...letters];
  return places(marks, (one, other) => one === other).map(([column, row], index) => ({ column, row, art: () => FORMS[kind](marks[index]) }));
}

function told(kind, roads) {
  const count = roads.count;
  if (kind === "bead" || kind === "big") return `${t(kind)}: ${t("banker")} ${count?.banker ?? ""}, ${t("player")} ${count?.player ?? ""}, ${t("tie")} ${count?.tie ?? ""}`;
  return `${t(kind)}: ${[...roads[kind]].slice(-6).join(" ")}`;
}

/**
 * A road as SVG: `kind` is bead, big, big_eye, small or cockroach, `roads` what /api/tables/NAME/roads says.
 * It shows `columns` columns, the newest always among them.
 */
export function road(kind, roads, columns) {
  const marks = kind === "bead" ? beads(roads.bead) : kind === "big" ? rings(roads.big) : derived(roads[kind], kind);
  const last = marks.reduce((most, each) => Math.max(most, each.column), 0);
  const from = Math.max(0, last + 1 - columns);
  const wide = columns * CELL, high = ROWS * CELL;
  let lines = "";
  for (let x = 0; x <= columns; x++) lines += `M${x * CELL} 0V${high}`;
  for (let y = 0; y <= ROWS; y++) lines += `M0 ${y * CELL}H${wide}`;
  const newest = marks.at(-1);
  return s("svg", { class: `road road-${kind}`, viewBox: `-.5 -.5 ${wide + 1} ${high + 1}`, role: "img", "aria-label": told(kind, roads) },
    s("path", { d: lines, class: "road-grid" }),
    s("g", { "aria-hidden": "true" },
      ...marks.filter((each) => each.column > from).map((each) =>
        s("g", { transform: `translate(${at(each.column - from)} ${at(each.row)})`, class: each === newest ? "newest" : null }, ...each.art())),
      kind === "big" && roads.big.leading_ties > 0 && from === 0 && s("text", { x: 10, y: 14, "text-anchor": "middle", "font-size": 9, "font-weight": 700, fill: "#0d5c30" }, String(roads.big.leading_ties))));
}

/** One mark of a derived road alone, for the ask marks: "R", "B" or null. */
export const askMark = (kind, mark) =>
  s("svg", { class: "ask-mark", viewBox: "-10 -10 20 20", role: "img", "aria-label": `${t(kind)} ${mark ?? "–"}` },
    ...(mark ? FORMS[kind](mark) : [s("path", { d: "M-4 0H4", stroke: "#6b6657", "stroke-width": 2 })]));
