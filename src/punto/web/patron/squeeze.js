// The squeeze: a corner is dragged, the card bends along a fold, and the pips show before the index.

import { cardBack, cardFace } from "../base/cards.js";
import { button, h, put } from "../base/dom.js";
import { refuse } from "../base/notes.js";
import { learn, t } from "../base/words.js";

learn({
  squeeze: ["Squeeze: drag a corner", "看牌：拖動牌角"],
  "open card": ["Open", "開牌"],
});

// The part of the card (0..1 by 0..1.4) on one side of the fold, as a polygon; `keep` the side away from the corner.
function half(wide, high, middle, normal, keep) {
  const corners = [[0, 0], [wide, 0], [wide, high], [0, high]];
  const side = ([x, y]) => ((x - middle[0]) * normal[0] + (y - middle[1]) * normal[1]) * (keep ? 1 : -1);
  const found = [];
  corners.forEach((one, at) => {
    const other = corners[(at + 1) % 4], a = side(one), b = side(other);
    if (a >= 0) found.push(one);
    if (a * b < 0) {
      const part = a / (a - b);
      found.push([one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part]);
    }
  });
  return found;
}

const polygon = (points) => (points.length ? `polygon(${points.map(([x, y]) => `${x}px ${y}px`).join(",")})` : "polygon(0 0)");

/** One card to squeeze; `open()` is called once, when it is turned far enough. */
function squeezed(face, open) {
  const back = h("div", { class: "sq-back" }, cardBack());
  const under = h("div", { class: "sq-flap" }, h("div", { class: "sq-mirror" }, cardFace(face, { index: false })));
  const card = h("div", { class: "sq-card" }, back, under);
  let corner = null, start = null, opened = false;
  const flat = () => {
    back.style.clipPath = "";
    under.style.visibility = "hidden";
  };
  const fold = (to) => {
    const wide = card.clientWidth, high = card.clientHeight;
    const away = [to[0] - corner[0], to[1] - corner[1]], long = Math.hypot(...away);
    if (long < 4) return flat();
    const normal = [away[0] / long, away[1] / long];
    const middle = [(corner[0] + to[0]) / 2, (corner[1] + to[1]) / 2];
    back.style.clipPath = polygon(half(wide, high, middle, normal, true));
    under.style.visibility = "visible";
    under.style.clipPath = polygon(half(wide, high, middle, normal, false));
    // Reflection in the fold: x' = x - 2((x - m)·n)n.
    const [nx, ny] = normal, d = middle[0] * nx + middle[1] * ny;
    under.style.transform = `matrix(${1 - 2 * nx * nx}, ${-2 * nx * ny}, ${-2 * nx * ny}, ${1 - 2 * ny * ny}, ${2 * d * nx}, ${2 * d * ny})`;
    if (long > Math.hypot(wide, high) * 0.82 && !opened) {
      opened = true;
      flat();
      put(back, cardFace(face));
      open();
    }
  };
  const at = (event) => {
    const box = card.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  };
  card.addEventListener("pointerdown", (event) => {
    if (opened) return;
    card.setPointerCapture(event.pointerId);
    start = at(event);
    corner = [start[0] < card.clientWidth / 2 ? 0 : card.clientWidth, start[1] < card.clientHeight / 2 ? 0 : card.clientHeight];
  });
  card.addEventListener("pointermove", (event) => {
    if (!start || opened) return;
    const [x, y] = at(event);
    fold([corner[0] + x - start[0], corner[1] + y - start[1]]);
  });
  const let_go = () => {
    start = null;
    if (!opened) flat();
  };
  card.addEventListener("pointerup", let_go);
  card.addEventListener("pointercancel", let_go);
  flat();
  return card;
}

/** A card at the lower edge with all cards that one holds: `held` by place; `expose(at)` gives the command. */
export function squeezeCard(held, book, expose) {
  const panel = h("section", { class: "question squeeze", "data-refusals": "", "data-held": Object.keys(held).join(), "aria-label": t("squeeze") });
  const one = (at, face) => {
    const open = () => expose(Number(at)).catch((refusal) => refuse(panel, refusal, book));
    return h("div", { class: "sq" }, squeezed(face, open), button(t("open card"), open, { class: "button small" }));
  };
  put(panel, h("header", {}, h("p", { class: "lead" }, t("squeeze"))), h("div", { class: "sq-row" }, Object.entries(held).map(([at, face]) => one(at, face))));
  return panel;
}
