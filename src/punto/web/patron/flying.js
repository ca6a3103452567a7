// Things that fly over the felt: a refused chip back to the rack, what was won to the purse.

import { chipArt } from "../base/chips.js";
import { h, move, still } from "../base/dom.js";
import { money } from "../base/money.js";

/** Let a thing fly from the middle of one element to the middle of another, and vanish there. */
function fly(thing, from, to, frames, options) {
  if (still()) return;
  const start = from.getBoundingClientRect(), end = to.getBoundingClientRect();
  const x = end.x + end.width / 2 - start.x - start.width / 2, y = end.y + end.height / 2 - start.y - start.height / 2;
  document.body.append(thing);
  thing.style.left = `${start.x + start.width / 2}px`;
  thing.style.top = `${start.y + start.height / 2}px`;
  move(thing, frames(`translate(calc(-50% + ${x}px), calc(-50% + ${y}px))`), options).then(() => thing.remove());
}

/** A chip that was refused slides back. */
export const slideBack = (amount, kind, field, rack) =>
  fly(h("div", { class: "flying chip-size" }, chipArt(amount, kind)), field, rack,
    (there) => [{ transform: "translate(-50%,-50%)" }, { transform: there, opacity: 0.2 }], { duration: 420 });

/** What was won goes to the purse. */
export const flyHome = (amount, field, purse) =>
  fly(h("div", { class: "flying won money" }, money(amount, { sign: true })), field, purse,
    (there) => [
      { transform: "translate(-50%,-50%) scale(.6)", opacity: 0 },
      { transform: "translate(-50%,-90%) scale(1.15)", opacity: 1, offset: 0.3 },
      { transform: "translate(-50%,-90%) scale(1.15)", opacity: 1, offset: 0.55 },
      { transform: `${there} scale(.7)`, opacity: 0.2 }], { duration: 1500, easing: "ease-in-out" });
