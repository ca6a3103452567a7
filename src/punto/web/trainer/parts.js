// What both kinds of drills show.

import { cardBack, cardFace } from "../base/cards.js";
import { html } from "../base/dom.js";
import { layHand } from "../staff/hands.js";

/** Cards by where they lie: {player: ["6h", null], banker: […], aside: […]}; null is a card face down. */
export function dealtHands(hands) {
  const hand = ([area, faces]) => {
    const spots = faces.map((face) => ({ art: face ? cardFace(face) : cardBack() }));
    return faces.length > 0 && layHand(area, spots);
  };
  return html("div.d-lay", Object.entries(hands).map(hand));
}

export function tick(right) {
  return right ? "✓" : "✗";
}
