// The two hands: cards travel from the shoe, and turn when their faces are known.

import { cardBack, cardFace, cardName } from "../base/cards.js";
import { animate, distance, fill, html, setText } from "../base/dom.js";
import { inChinese, inEnglish, learn, phrase } from "../base/language.js";
import { announce } from "../base/notes.js";

learn({
  points: ["{n} {n:point|points}", "{n} 點"],
  "hand heard": ["{hand}: {cards}; {points} {points:point|points}", "{hand}：{cards}；{points} 點"],
  "printed card": ["printed on the table: {card}", "檯面印有：{card}"],
  "you hold": ["you hold these cards", "由你看牌"],
});

const DEALING = 280; // ms from the shoe to its place
const TURNING = 220; // ms to turn a card
const NO_CARDS = { cards: [], points: 0, squeezer: null };

/** A card on the felt; a third card lies sideways. */
class DealtCard {
  #art = html("div.card", cardBack());
  #turned;
  #face = null;
  #work = Promise.resolve();

  constructor(isThird) {
    this.#turned = isThird ? "rotate(90deg) " : "";
    this.element = html("div.slot", { class: isThird && "third" }, this.#art);
  }

  /** Resolves when the card does not move any more. */
  get ready() {
    return this.#work;
  }

  dealFrom(shoe) {
    const [x, y] = distance(this.element, shoe);
    const start = { transform: `translate(${x}px, ${y}px) rotate(24deg) scale(.7)`, opacity: 0.4 };
    this.#work = animate(this.element, [start, { transform: "none", opacity: 1 }], { duration: DEALING });
  }

  open(face, quick) {
    if (this.#face === face) return this.#work;
    this.#face = face;
    this.#work = this.#work.then(() => this.#turn(face, quick));
    return this.#work;
  }

  async #turn(face, quick) {
    const wide = { transform: `${this.#turned}scaleX(1)` };
    const thin = { transform: `${this.#turned}scaleX(0)` };
    const half = { duration: TURNING / 2 };
    if (!quick) await animate(this.#art, [wide, thin], { ...half, easing: "ease-in" });
    fill(this.#art, cardFace(face));
    if (!quick) await animate(this.#art, [thin, wide], { ...half, easing: "ease-out" });
  }
}

/** Player's or Banker's hand. */
class Hand {
  #name;
  #shoe;
  #round = null;
  #dealt = [];
  #cards = html("div.cards");
  #points = html("output.points", { "aria-live": "off" });
  #heard = 0; // cards that were told to the ear
  #places = [html("i"), html("i"), html("i.third")];
  #ear = html("span.unseen"); // what is printed, for those who do not see it
  #printed = null; // {at, card} where a card of this hand is printed on the layout
  #holder = html("span.holder.tiny");

  constructor(name, shoe) {
    this.#name = name;
    this.#shoe = shoe;
    const printed = html("div.cards.printed", { "aria-hidden": "true" }, this.#places);
    const title = html("span.hand-name", html("b", inChinese(name)), " ", inEnglish(name));
    this.element = html(
      `section.hand.${name}`,
      { label: phrase(name) },
      html("header", title, this.#points, this.#holder),
      this.#ear,
      html("div.lay", printed, this.#cards),
    );
  }

  /** Show the card of this hand that is printed on the layout: it lies there before anything is dealt. */
  print(printed) {
    if (printed?.card === this.#printed?.card) return;
    this.#printed = printed;
    fill(this.#places[printed.at], html("div.card", cardFace(printed.card)));
    setText(this.#ear, phrase("printed card", { card: cardName(printed.card) }));
  }

  get ready() {
    return Promise.all(this.#dealt.map((card) => card.ready));
  }

  draw(hand, round, patron, quick) {
    if (round !== this.#round || hand.cards.length < this.#dealt.length) this.#collect(round);
    hand.cards.forEach((face, index) => {
      const isStill = quick || index === this.#printed?.at; // a printed card neither flies nor turns
      const card = this.#dealt[index] ?? this.#deal(index, isStill);
      if (face) card.open(face, isStill).then(() => this.#showPoints(hand));
    });
    if (!hand.cards.length) this.#showPoints(hand);
    void this.#tell(hand, round, quick);
    setText(this.#holder, holderText(hand.squeezer, patron));
  }

  #collect(round) {
    this.#cards.replaceChildren();
    this.#dealt = [];
    this.#heard = 0;
    this.#round = round;
  }

  /** Say the cards that were opened, once none of the hand is closed or moves. */
  async #tell({ cards, points }, round, quick) {
    if (cards.length === this.#heard || cards.includes(null)) return;
    const opened = cards.slice(this.#heard);
    this.#heard = cards.length;
    if (quick) return;
    await this.ready;
    if (round !== this.#round) return;
    announce(phrase("hand heard", { hand: phrase(this.#name), cards: opened.map(cardName).join(", "), points }));
  }

  #deal(index, quick) {
    const card = new DealtCard(index === 2);
    this.#dealt.push(card);
    this.#cards.append(card.element);
    if (!quick) card.dealFrom(this.#shoe);
    return card;
  }

  #showPoints({ cards, points }) {
    const isOpen = cards.some(Boolean);
    setText(this.#points, isOpen ? String(points) : "");
    this.#points.setAttribute("aria-label", isOpen ? phrase("points", points) : "");
  }
}

function holderText(squeezer, patron) {
  if (!squeezer) return "";
  return squeezer === patron ? phrase("you hold") : phrase("holds", squeezer);
}

export class Hands {
  #hands;

  /** `shoe` is the element that cards come from. */
  constructor(shoe) {
    this.#hands = { player: new Hand("player", shoe), banker: new Hand("banker", shoe) };
    const elements = Object.values(this.#hands).map(({ element }) => element);
    this.element = html("div.hands", elements);
  }

  /** Resolves when no card moves any more. */
  get ready() {
    return Promise.all(Object.values(this.#hands).map(({ ready }) => ready));
  }

  /** Draw the hands of a round; without motion where `quick`. */
  draw({ round, printed }, patron, quick) {
    if (printed) this.#hands[printed.hand].print(printed);
    for (const [name, hand] of Object.entries(this.#hands)) {
      hand.draw(round?.[name] ?? NO_CARDS, round?.number, patron, quick);
    }
  }

  /** Let the hand glow that has won; none where there is no winner. */
  glow(winner) {
    for (const [name, { element }] of Object.entries(this.#hands)) element.classList.toggle("wins", name === winner);
  }
}
