// The two hands as they lie, and where a face that is entered now would go.

import { cardBack, cardFace } from "../base/cards.js";
import { button, html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { layHand } from "../staff/hands.js";

/** `target` is the place that a face is entered for; `pick(at)` chooses another. */
export function dealtHands({ view, desk }, target, pick) {
  const cardsIn = (area) => desk.cards.filter((card) => card.area === area);
  const closedCard = (at) => {
    const properties = { class: "d-down", "aria-pressed": String(at === target), label: phrase("open this", at + 1) };
    return button(cardBack(), () => pick(at), properties);
  };
  const spot = ({ at, face }) => ({
    art: [face ? cardFace(face) : closedCard(at), html("span.at", at + 1)],
    mark: at === target && "target",
  });
  const hand = (area) => {
    const cards = cardsIn(area);
    const seen = view.round?.[area];
    const spots = cards.map(spot);
    if (desk.due === area) spots.push({ art: html("span", phrase("next card")), mark: "due" });
    return layHand(area, spots, {
      total: seen && cards.some(({ face }) => face) ? seen.points : null,
      below: seen?.squeezer && html("p.small.waits", phrase("holds", seen.squeezer)),
    });
  };
  return html("div.d-lay", hand("player"), hand("banker"), cardsIn("aside").length > 0 && hand("aside"));
}

/**
 * Where a face that is entered goes now: a closed card {at, area}, the card that is due {draw: true, area}, or null.
 * `picked` is the place that the dealer has chosen.
 */
export function entryTarget({ view, desk }, picked) {
  const isBlocked =
    view.questions.some(({ blocks }) => blocks) || desk.questions.some(({ question }) => question.blocks);
  if (isBlocked || view.round?.phase !== "closed" || desk.shoe_kind === "virtual") return null;
  const closed = desk.cards.filter(({ face }) => !face);
  const chosen = closed.find(({ at }) => at === picked);
  if (chosen) return chosen;
  if (isDrawnByHand(view, desk, closed)) return { draw: true, area: desk.due };
  const mayOpen = view.next.some((step) => step.do === "expose") || !desk.face_down;
  return (mayOpen && closed[0]) || null;
}

/** Whether the next card is drawn by typing it: by a dealer with a shoe of cards, none of which waits to be opened. */
function isDrawnByHand(view, desk, closed) {
  const isDue = view.next[0]?.do === "draw" && desk.shoe_kind === "hand";
  return isDue && (!desk.face_down || !closed.length) && !desk.shoe?.controller;
}
