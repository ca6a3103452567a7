// What waits for the patron, as cards at the lower edge: a seat, chips, questions, insurance, cards to squeeze.

import { arrived, post, Unreachable } from "../base/api.js";
import { animate, fill, html, isFocusElsewhere, setText, syncChildren } from "../base/dom.js";
import { learn, phrase, sentence } from "../base/language.js";
import { sumOf } from "../base/money.js";
import { announce, showRefusal } from "../base/notes.js";

learn({
  "seconds to answer": ["{n} {n:second|seconds} left to answer", "尚餘 {n} 秒作答"],
});

const RETRY = 1000; // ms until a card that could not be loaded is tried again
const TICK = 250; // ms, so that no second is missed
const APART = 6; // pixels between a card and the wager that it is about

/** A clock for what a table asks now; null where no clock ends it. */
function timeLeft(table) {
  const until = table.snapshot.asks_until;
  const left = until - table.now();
  if (!until || left <= 0) return null;
  const line = html("i");
  const shrinks = { duration: left, fill: "forwards", easing: "linear" };
  void animate(line, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], shrinks);
  const figure = html("span.small");
  const clock = html("div.time-left", { role: "timer" }, figure, html("div.time-line", line));
  let wasConnected = false;

  function tick() {
    const seconds = Math.max(0, Math.ceil((until - table.now()) / 1000));
    setText(figure, `${seconds} s`);
    clock.setAttribute("aria-label", phrase("seconds to answer", seconds));
    if (!seconds || (wasConnected && !clock.isConnected)) clearInterval(timer);
    wasConnected ||= clock.isConnected;
  }
  const timer = setInterval(tick, TICK);
  tick();
  return clock;
}

/** A card whose module is loaded when it is first needed, and again where the house was away. */
function cardLater(load) {
  const place = html("div.later");
  const tryToFill = async () => {
    try {
      fill(place, await load());
    } catch (error) {
      showRefusal(place, error);
      if (error instanceof Unreachable) setTimeout(() => place.isConnected && tryToFill(), RETRY);
    }
  };
  place.ready = tryToFill();
  return place;
}

export class AskedCards {
  #felt;
  #hasFocus = false;
  #table;
  #menu;
  #patron;
  #seating;
  #betting;
  #declined = new Set(); // offers of insurance, by their keys
  #held = {}; // faces of the cards that one holds, by place on the felt
  #squeeze = null; // where they are squeezed, until the last of them has been seen open
  #lookedAt = null; // the state of the held hands for which the faces were asked for
  #scrolled = 0; // pixels by which the page was scrolled to show an insured wager above its offer

  constructor({ element, felt, table, menu, patron, seating, betting }) {
    this.element = element;
    this.#followFocus();
    this.#felt = felt;
    this.#table = table;
    this.#menu = menu;
    this.#patron = patron;
    this.#seating = seating;
    this.#betting = betting;
    this.#followSize();
  }

  draw() {
    syncChildren(this.element, Array.from(this.#cards()), {
      key: ([key]) => key,
      make: ([, make]) => make(),
    });
    if (this.#hasFocus && !isFocusElsewhere()) void this.#focusNext();
    void this.#lookAtHeldCards();
  }

  /** Whether somebody is at work here: also while a button waits, which has no focus then, and when it is gone. */
  #followFocus() {
    this.element.addEventListener("focusin", () => (this.#hasFocus = true));
    this.element.addEventListener("focusout", ({ relatedTarget: to }) => {
      if (to && !this.element.contains(to)) this.#hasFocus = false;
    });
  }

  /** The style sheet knows how high the cards are, and an insured wager stays in view, also when a phone is turned. */
  #followSize() {
    const watch = new ResizeObserver(() => {
      this.element.parentElement?.style.setProperty("--asked", `${this.element.offsetHeight}px`);
      this.#showInsuredWager();
    });
    watch.observe(this.element);
    const resized = () => {
      if (this.element.isConnected) this.#showInsuredWager();
      else removeEventListener("resize", resized);
    };
    addEventListener("resize", resized);
  }

  /** An offer at the lower edge never lies over its wager: the page is scrolled, and back when the offer is gone. */
  #showInsuredWager() {
    scrollBy(0, -this.#scrolled);
    this.#scrolled = 0;
    const offer = this.element.querySelector(".offer");
    if (!offer) return;
    const { top, bottom } = offer.getBoundingClientRect();
    const field = this.#felt.field(this.#table.view.round?.offer?.hand).getBoundingClientRect();
    const isAtLowerEdge = getComputedStyle(this.element).position === "fixed" && bottom > field.bottom;
    if (!isAtLowerEdge) return;
    const before = scrollY;
    scrollBy(0, Math.max(0, field.bottom + APART - top));
    this.#scrolled = scrollY - before;
  }

  /** Whoever answered by the keyboard goes on with what is asked next, or with the felt. */
  async #focusNext() {
    await Promise.all(Array.from(this.element.children, (card) => card.ready));
    if (isFocusElsewhere() || this.element.querySelector("button:disabled")) return;
    const next = this.element.querySelector("button:enabled, [tabindex='0'], input, select");
    (next ?? this.#felt).focus();
  }

  /** Every card that lies there now: its key, and how it is made. */
  *#cards() {
    const { open, questions, round } = this.#table.view;
    if (open) yield* this.#seatCards();
    for (const question of questions) yield [`question ${question.id}`, () => this.#questionCard(question)];
    if (round?.offer) yield* this.#insuranceCards(round);
    if (this.#hasResult(round)) yield [`${round.phase} ${round.number}`, () => this.#resultCard()];
    if (this.#squeeze || Object.keys(this.#held).length) yield ["held", () => this.#squeezeCards()];
  }

  *#seatCards() {
    const seating = this.#seating;
    const { own } = seating;
    const card = (make) => cardLater(async () => make(await arrived(import("./seat-cards.js"))));
    if (!own) {
      yield ["seat", () => card(({ seatCard }) => seatCard(seating))];
    } else if (!own.balance && !own.held) {
      yield ["chips", () => card(({ buyInCard }) => buyInCard(this.#table, this.#patron))];
    } else if (own.box === null) {
      yield ["box", () => card(({ boxCard }) => boxCard(seating, this.#betting))];
    }
  }

  *#insuranceCards({ number, offer }) {
    for (const [spot, most] of Object.entries(offer.most)) {
      const key = `offer ${number}/${offer.stage}/${spot}`;
      const box = Number(spot.split("/").at(-1));
      if (most > 0 && !this.#declined.has(key)) {
        yield [`${key}/${most}`, () => this.#insuranceCard(key, offer, box, most)];
      }
    }
  }

  #hasResult(round) {
    if (round?.result) return round.phase === "settled" && round.lines[this.#patron]?.length > 0;
    return round?.phase === "void" && this.#table.roundStory().ended?.returned[this.#patron];
  }

  #questionCard(question) {
    announce(sentence(question), "urgent");
    return cardLater(async () => {
      const { questionCard } = await arrived(import("../base/questions.js"));
      return questionCard(question, {
        book: this.#table.view.book,
        showAsked: false,
        stake: sumOf(this.#betting.laid(), "stake"),
        happened: this.#table.view.happened.find((each) => each.question === question.id),
        answer: (choice, reason) => this.#table.give({ do: "answer", question: question.id, choice, ...reason }),
      });
    });
  }

  #insuranceCard(key, offer, box, most) {
    const wagers = this.#betting.laid().filter((wager) => wager.bet === offer.hand && wager.box === box);
    const command = { do: "insure", patron: this.#patron, hand: offer.hand, box };
    return cardLater(async () => {
      const { insuranceCard } = await arrived(import("./insurance.js"));
      return insuranceCard({
        table: this.#table,
        offer,
        clauses: this.#table.roundStory().offer?.basis?.clauses,
        most,
        stake: sumOf(wagers, "stake"),
        insure: (stake) => this.#table.give({ ...command, stake }),
        decline: () => this.#decline(key, offer),
        timeLeft: timeLeft(this.#table),
      });
    });
  }

  /** The dealer need not wait for a patron who wants no cover; one who has taken some is not waited for anyway. */
  #decline(key, offer) {
    const { covers } = this.#table.roundStory(this.#patron);
    const hasCover = covers.some(({ stage }) => stage === offer.stage);
    if (!hasCover) post(`/api/tables/${this.#table.name}/pass`).catch(() => {}); // else the card comes in its time
    this.#declined.add(key);
    this.draw();
  }

  #resultCard() {
    const view = this.#table.view;
    const story = this.#table.roundStory(this.#patron);
    return cardLater(async () => {
      const { resultCard } = await arrived(import("./result.js"), "results.css");
      return resultCard(view, this.#menu, this.#patron, story);
    });
  }

  #squeezeCards() {
    const [table, clock] = [this.#table, () => timeLeft(this.#table)];
    return cardLater(async () => {
      const { Squeeze } = await arrived(import("./squeeze.js"));
      this.#squeeze = new Squeeze(table, clock, () => this.#endSqueeze());
      this.#squeeze.draw(this.#held);
      return this.#squeeze.element;
    });
  }

  #endSqueeze() {
    this.#squeeze = null;
    this.draw();
  }

  /** Ask for the faces of the cards that one holds, once for each state of the hands. */
  async #lookAtHeldCards() {
    const { round } = this.#table.view;
    const isHeld = (hand) => round[hand].squeezer === this.#patron && round[hand].cards.includes(null);
    const hands = round?.phase === "closed" ? ["player", "banker"].filter(isHeld) : [];
    const state = hands.length ? `${round.number}/${hands.map((hand) => round[hand].cards.join()).join("/")}` : null;
    if (state === this.#lookedAt) return;
    this.#lookedAt = state;
    const held = state ? await this.#table.get("held").catch(() => ({})) : {};
    if (this.#lookedAt !== state) return;
    this.#held = held;
    this.#squeeze?.draw(held);
    this.draw();
  }
}
