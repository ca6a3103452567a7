// The two hands on the felt: cards come from the shoe, turn over, and are cleared away.

import { cardBack, cardFace, cardName } from "../base/cards.js";
import { h, move, put, text } from "../base/dom.js";
import { inChinese, inEnglish, learn, t } from "../base/words.js";

learn({
  points: ["{n} points", "{n} 點"],
  "you hold": ["you hold these cards", "由你看牌"],
  holds: ["{who} holds these cards", "由 {who} 看牌"],
});

const DEAL = 280;
const TURN = 220;

/** A card on the felt: closed until `open(face)`. */
function card(third) {
  const art = h("div", { class: "card" }, cardBack());
  const slot = h("div", { class: `slot${third ? " third" : ""}` }, art);
  let work = Promise.resolve(), face = null;
  slot.from = (shoe) => {
    const start = shoe.getBoundingClientRect(), end = slot.getBoundingClientRect();
    const x = start.x + start.width / 2 - end.x - end.width / 2, y = start.y + start.height / 2 - end.y - end.height / 2;
    work = move(slot, [{ transform: `translate(${x}px, ${y}px) rotate(24deg) scale(.7)`, opacity: 0.4 }, { transform: "none", opacity: 1 }], { duration: DEAL });
  };
  slot.open = (code, quick) => {
    if (face === code) return work;
    face = code;
    const swap = () => put(art, cardFace(code));
    work = work.then(async () => {
      if (quick) return swap();
      const lying = third ? "rotate(90deg) " : "";
      await move(art, [{ transform: `${lying}scaleX(1)` }, { transform: `${lying}scaleX(0)` }], { duration: TURN / 2, easing: "ease-in" });
      swap();
      await move(art, [{ transform: `${lying}scaleX(0)` }, { transform: `${lying}scaleX(1)` }], { duration: TURN / 2, easing: "ease-out" });
    });
    return work;
  };
  slot.ready = () => work;
  return slot;
}

function oneHand(name, shoe) {
  const cards = h("div", { class: "cards" });
  const printed = h("div", { class: "cards printed", "aria-hidden": "true" }, h("i"), h("i"), h("i", { class: "third" }));
  const points = h("output", { class: "points" });
  const holder = h("span", { class: "holder tiny" });
  const hand = h("section", { class: `hand ${name}`, "aria-label": t(name) },
    h("header", {}, h("span", { class: "hand-name" }, h("b", { lang: "zh-Hant" }, inChinese(name)), " ", inEnglish(name)), points, holder), h("div", { class: "lay" }, printed, cards));
  let round = null;
  hand.draw = (seen, number, you, quick) => {
    if (round !== number || seen.cards.length < cards.children.length) {
      cards.replaceChildren();
      round = number;
    }
    seen.cards.forEach((face, at) => {
      let slot = cards.children[at];
      if (!slot) {
        slot = card(at === 2);
        cards.append(slot);
        if (!quick) slot.from(shoe);
      }
      if (face) slot.open(face, quick).then(() => hand.tell(seen));
      slot.setAttribute("aria-label", cardName(face));
    });
    if (!seen.cards.length) hand.tell(seen);
    text(holder, seen.squeezer ? (seen.squeezer === you ? t("you hold") : t("holds", { who: seen.squeezer })) : "");
  };
  hand.tell = (seen) => {
    const open = seen.cards.some(Boolean);
    text(points, open ? String(seen.points) : "");
    points.setAttribute("aria-label", open ? t("points", { n: seen.points }) : "");
  };
  return hand;
}

const NONE = { cards: [], points: 0, squeezer: null };

/** Both hands. `draw(round, you, quick)`: without motion where `quick`; `ready()` resolves when no card moves. */
export function hands(shoe) {
  const player = oneHand("player", shoe), banker = oneHand("banker", shoe);
  const element = h("div", { class: "hands" }, player, banker);
  element.draw = (round, you, quick) => {
    player.draw(round?.player ?? NONE, round?.number, you, quick);
    banker.draw(round?.banker ?? NONE, round?.number, you, quick);
  };
  element.ready = () => Promise.all([...element.querySelectorAll(".slot")].map((slot) => slot.ready()));
  element.glow = (winner) => {
    player.classList.toggle("wins", winner === "player");
    banker.classList.toggle("wins", winner === "banker");
  };
  return element;
}
