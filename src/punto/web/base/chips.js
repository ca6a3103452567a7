// Chips: five denominations with edge spots. Which ones a table has follows from its limits.

import { svg } from "./dom.js";
import { shortMoney } from "./money.js";

/** Body, edge spots and figures of the five chips. */
const PAINT = [
  { body: "#efe9da", spots: "#1f5fbf", figures: "#15181c" },
  { body: "#b3191f", spots: "#f6f1e4", figures: "#ffffff" },
  { body: "#1b7a43", spots: "#f6f1e4", figures: "#ffffff" },
  { body: "#1d1f24", spots: "#d9c48f", figures: "#f0dfb4" },
  { body: "#5b2d82", spots: "#f1c8e9", figures: "#ffffff" },
];
const STEPS = [1, 5, 10, 50, 100];
const HIGHEST_STACK = 9; // chips of a stack that are drawn at most
const CHIP_THICKNESS = 6;

/** An amount up to the next that can be laid on any bet of a table. */
export function upToStep(amount, { step }) {
  return Math.ceil(amount / step) * step;
}

/** The amounts of a table's five chips, the least first: any of them can be laid on any bet. */
export function denominations(view) {
  const least = upToStep(view.limits.minimum ?? view.limits.unit, view);
  return STEPS.map((times) => least * times);
}

function edgeSpots(radius, width, colour) {
  const circumference = 2 * Math.PI * radius;
  return svg("circle", {
    r: radius,
    fill: "none",
    stroke: colour,
    "stroke-width": width,
    "stroke-dasharray": `${circumference / 16} ${circumference / 16}`,
    "stroke-dashoffset": circumference / 32,
  });
}

/** A chip seen from above; `kind` is its place among the denominations. */
export function chipArt(amount, kind) {
  const { body, spots, figures } = PAINT[kind % PAINT.length];
  const text = shortMoney(amount);
  return svg(
    "svg.chip-art",
    { viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    svg("circle", { r: 48, fill: body, stroke: "#000", "stroke-opacity": 0.35, "stroke-width": 1.5 }),
    edgeSpots(41.5, 12, spots),
    svg("circle", { r: 34, fill: body, stroke: spots, "stroke-width": 1.5 }),
    svg("circle", { r: 29, fill: "none", stroke: spots, "stroke-width": 0.8, "stroke-dasharray": "2 2.5" }),
    svg("text", { y: 9, "font-size": text.length > 3 ? 20 : 26, fill: figures }, text),
  );
}

/** The kinds of chips that make an amount, the largest first; what is less than the smallest chip is one more. */
function chipsOf(amount, chips) {
  const kinds = [];
  let rest = amount;
  for (let kind = chips.length - 1; kind >= 0; kind--) {
    while (rest >= chips[kind] && kinds.length < HIGHEST_STACK) {
      kinds.push(kind);
      rest -= chips[kind];
    }
  }
  if (rest && kinds.length < HIGHEST_STACK) kinds.push(0);
  return kinds;
}

/** A chip of a stack, seen from a little above. */
function chipInStack(kind, x, y) {
  const { body, spots } = PAINT[kind];
  const oval = { rx: 25, ry: 11 };
  return svg(
    "g",
    { transform: `translate(${x} ${y})` },
    svg("ellipse", { ...oval, cy: 5, fill: body, stroke: "#000", "stroke-opacity": 0.45, "stroke-width": 0.8 }),
    svg("path", { d: "M-12 14.5v-5M12 14.5v-5M0 16v-5M-21 10v-4M21 10v-4", stroke: spots, "stroke-width": 4 }),
    svg("ellipse", { ...oval, fill: body, stroke: spots, "stroke-width": 1.2 }),
    svg("ellipse", { rx: 17, ry: 7, fill: "none", stroke: spots, "stroke-width": 1 }),
  );
}

/** A stack of chips, the largest below; it leans a little, and each chip lies a little off the one below. */
export function stackArt(amount, chips) {
  const kinds = chipsOf(amount, chips);
  const height = 14 + kinds.length * CHIP_THICKNESS + 18;
  const drawn = kinds.map((kind, index) => {
    const off = ((index * 7919) % 5) - 2; // no order that the eye could find
    return chipInStack(kind, 30 + off + index * 0.5, height - 15 - index * CHIP_THICKNESS);
  });
  const viewBox = `0 0 66 ${height + 4}`;
  return svg("svg.stack-art", { viewBox, "aria-hidden": "true" }, drawn);
}
