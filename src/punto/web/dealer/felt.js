// The two hands as they lie, and where a face that is entered now would go.

import { cardBack, cardFace, cardName } from "../base/cards.js";
import { button, html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { layHand } from "../staff/hands.js";

/**
 * The hands of a state. `target` is the place that a face is entered for; `pick(at)` chooses another. `correct(card)`
 * puts a card right that lies open; null where that cannot be.
 */
export function dealtHands({ view, desk }, { target, pick, correct }) {
  const seen = (area) => view.round?.[area];
  return layCards(desk.cards, {
    target,
    pick,
    correct,
    due: desk.due,
    total: (area, cards) => (seen(area) && cards.some(({ face }) => face) ? seen(area).points : null),
    below: (area) => seen(area)?.squeezer && html("p.small.waits", phrase("holds", seen(area).squeezer)),
  });
}

/** The cards of the round before, where it can still be put right though bets are open again; null where it cannot. */
export function pastHands({ desk }, correct) {
  if (desk.shoe_kind === "virtual" || !desk.past_cards.length) return null;
  const isPast = true;
  return html(
    "details",
    html("summary.small", phrase("last round's cards")),
    layCards(desk.past_cards, { correct: (card) => correct({ ...card, isPast }) }),
  );
}

function layCards(cards, { target = null, pick, correct, due, total = () => null, below = () => null }) {
  const cardsIn = (area) => cards.filter((card) => card.area === area);
  const closedCard = (at) => {
    const properties = { class: "d-down", "aria-pressed": String(at === target), label: phrase("open this", at + 1) };
    return button(cardBack(), () => pick(at), properties);
  };
  const openCard = (card) => {
    if (!correct) return cardFace(card.face);
    const label = phrase("correct this", { n: card.at + 1, card: cardName(card.face) });
    return button(cardFace(card.face), () => correct(card), { class: "d-down", label });
  };
  const spot = (card) => ({
    art: [card.face ? openCard(card) : closedCard(card.at), html("span.at", card.at + 1)],
    mark: card.at === target && "target",
  });
  const hand = (area) => {
    const spots = cardsIn(area).map(spot);
    if (due === area) spots.push({ art: html("span", phrase("next card")), mark: "due" });
    return layHand(area, spots, { total: total(area, cardsIn(area)), below: below(area) });
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
