// The felt as a picture with the number of every card, to choose some of them, or the order in which they count.

import { cardBack, cardFace, cardName } from "../base/cards.js";
import { html, smallButton } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { layHand } from "./hands.js";

const AREAS = ["player", "banker", "aside"];

/**
 * `cards` are {at, area, face}; those in `among` can be chosen, all where it is left out. Cards to come are in the area
 * "next". With `inOrder` the order counts in which they are tapped, and stands on them. `name` is that of the field.
 */
export function cardPicker(cards, { name, legend, among = cards.map(({ at }) => at), inOrder = false }) {
  let chosen = [];
  const buttons = new Map(); // by place
  const update = (places) => {
    chosen = places;
    for (const [at, { button, order }] of buttons) {
      const place = chosen.indexOf(at);
      button.setAttribute("aria-pressed", String(place >= 0));
      order.textContent = inOrder && place >= 0 ? `${place + 1}.` : "";
    }
  };
  const toggle = (at) => update(chosen.includes(at) ? chosen.filter((each) => each !== at) : [...chosen, at]);
  const spot = (card) => {
    const { at, face } = card;
    const art = [face ? cardFace(face) : cardBack(), html("span.at", at + 1)];
    if (!among.includes(at)) return { art };
    const order = html("b.card-order");
    const label = phrase("card n", { n: at + 1, card: cardName(face) });
    const properties = { type: "button", label, "aria-pressed": "false", onclick: () => toggle(at) };
    const button = html("button.d-down.card-pick", properties, art, order);
    buttons.set(at, { button, order });
    return { art: button };
  };
  const cardsIn = (area) => cards.filter((card) => card.area === area);
  const hand = (area) => layHand(area, cardsIn(area).map(spot));
  const shown = AREAS.filter((area) => area !== "aside" || cardsIn(area).length);
  const coming = cardsIn("next").map(spot);
  const element = html(
    "fieldset.col.card-picker",
    { name },
    html("legend.small", legend),
    html("div.d-lay", shown.map(hand), coming.length > 0 && layHand("next", coming)),
    inOrder && smallButton(phrase("clear"), () => update([])),
  );
  element.read = () => (inOrder ? chosen : [...chosen].sort((one, other) => one - other));
  element.take = (places) => update(places.filter((at) => buttons.has(at)));
  return element;
}
