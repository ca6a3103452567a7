// Chips and amounts that fly over the felt.

import { chipArt } from "../base/chips.js";
import { animate, distance, html, isMotionReduced } from "../base/dom.js";
import { money } from "../base/money.js";

/** Let a thing fly from one element to another; `framesTo(transform)` says how it looks on the way. */
function fly(thing, from, to, framesTo, options) {
  if (isMotionReduced()) return;
  document.body.append(thing);
  const [x, y] = distance(thing, from);
  const [right, down] = distance(from, to);
  thing.style.translate = `${x}px ${y}px`;
  const frames = framesTo(`translate(${right}px, ${down}px)`);
  animate(thing, frames, options).then(() => thing.remove());
}

/** A refused chip slides back from its field to the rack. */
export function slideBack(amount, kind, field, rack) {
  const chip = html("div.flying.chip-size", chipArt(amount, kind));
  fly(chip, field, rack, (there) => [{}, { transform: there, opacity: 0.2 }], { duration: 420 });
}

/** A chip that the house has accepted comes from the rack to its field. */
export function flyOut(amount, kind, rack, field) {
  const chip = html("div.flying.chip-size", chipArt(amount, kind));
  fly(chip, rack, field, (there) => [{}, { transform: there, opacity: 0.2 }], { duration: 300 });
}

/** A wager that has lost is swept off its field to the house. */
export function sweep(amount, kind, field, house) {
  const chip = html("div.flying.chip-size.swept", chipArt(amount, kind));
  fly(chip, field, house, (there) => [{}, { transform: there, opacity: 0 }], { duration: 450, easing: "ease-in" });
}

/** A wager that has won is paid beside its stake, from the house's side. */
export function pay(amount, kind, house, field) {
  const chip = html("div.flying.chip-size.paid", chipArt(amount, kind));
  fly(chip, house, field, (there) => [{}, { transform: there, opacity: 0.6 }], { duration: 450 });
}

/** The amount that a wager has won rises from its field and flies to the purse. */
export function flyHome(amount, field, purse) {
  const figure = html("div.flying.won.money", money(amount, "sign"));
  const risen = { transform: "translateY(-40%) scale(1.15)", opacity: 1 };
  const frames = (there) => [
    { transform: "scale(.6)", opacity: 0 },
    { ...risen, offset: 0.3 },
    { ...risen, offset: 0.55 },
    { transform: `${there} scale(.7)`, opacity: 0.2 },
  ];
  fly(figure, field, purse, frames, { duration: 1500, easing: "ease-in-out" });
}
