// The dealer's console: what to do next, the cards, the people, and what went wrong.

import { get } from "./base/api.js";
import { fill, html, isFocusElsewhere, isTyping } from "./base/dom.js";
import { limitTexts, phaseText, titleOf } from "./base/labels.js";
import { phrase } from "./base/language.js";
import { showConnection } from "./base/notes.js";
import { timerRing } from "./base/timer.js";
import { ActingForm } from "./dealer/acting.js";
import { shoeAndCalls } from "./dealer/calls.js";
import { CardEntry } from "./dealer/card-entry.js";
import { closingSteps } from "./dealer/closing.js";
import { Correction, mayCorrect } from "./dealer/correction.js";
import { dealtHands, pastHands } from "./dealer/felt.js";
import { insuranceOffer } from "./dealer/insurance.js";
import { nextSteps } from "./dealer/next.js";
import { moneyRequests } from "./dealer/requests.js";
import { Serving } from "./dealer/serving.js";
import { settlementList, tickBox } from "./dealer/settlement.js";
import { openDesk } from "./staff/desk.js";
import { openQuestions } from "./staff/questions.js";
import { ReportForm } from "./staff/report.js";
import { foldedPanel, keepFocus, keyHint, openPage, panel, progressText, redrawnPart } from "./staff/sections.js";
import "./staff/words.js";

/** With Shift: where each key leads, what has to be unfolded there, and what is gone to. */
const WAYS = {
  I: { to: ".part-insurance", first: "input, button" },
  C: { to: ".part-felt", unfold: "details", first: ".d-spot button" },
  E: { to: ".part-closing", first: "[data-first]:not(:disabled), summary" },
  R: { to: ".part-report", first: "button, input, select, summary" },
};
const CARD_KEYS = /^[2-9tjqka1]$/i; // keys that begin a card

export async function show(root, { params: { name }, me }) {
  document.title = [name, phrase("dealer"), "Punto"].filter(Boolean).join(" · ");
  if (!name) return chooseTable(root, me);
  return openPage(new DealerConsole(name), root);
}

/** The tables at which somebody holds a post. */
async function chooseTable(root, me) {
  const tables = await get("/api/tables");
  const own = tables.filter((table) => me.posts[table.name] || me.posts["*"]);
  const item = (table) => {
    const facts = [titleOf(table.book, table.title, table.titles), table.layout, table.patrons, phaseText(table)].join(
      " · ",
    );
    const link = html(
      "a.panel",
      { href: `/dealer/${table.name}` },
      html("b", table.name),
      html("span.small.quiet", facts),
    );
    return html("li", link);
  };
  fill(root, html("div.console.choose", html("h1", phrase("choose table")), html("ul.tables", own.map(item))));
}

class DealerConsole {
  #name;
  #table = null;
  #state = null;
  #stops = [];
  #asked = null;

  #entry = new CardEntry(
    () => this.#state,
    () => this.#goToNext(),
  );
  #correction = new Correction(
    () => this.#state,
    () => this.#draw(),
  );
  #serving = new Serving(() => this.#state);
  #acting = new ActingForm();
  #report = new ReportForm(() => this.#state);
  #ring = timerRing();
  #bar = html("div.row.grow");
  #next = html("section.panel.next", { label: phrase("what next"), tabindex: -1 });
  #questions = html("section.col.questions", { label: phrase("questions") });
  #insurance = html("section.panel.part-insurance", { label: phrase("insurance") });
  #settlement = html("section.panel.part-checklist", { label: phrase("settlement") });
  #hands = html("div");
  #readsHint = html("p.small.quiet", phrase("the shoe reads"));
  #felt = html(
    "section.panel.part-felt",
    { label: phrase("cards on the felt") },
    this.#hands,
    this.#readsHint,
    this.#correction.element,
    this.#entry.element,
  );
  #calls = html("div.col");
  #closing = html("div.col");
  #parts = [];

  constructor(name) {
    this.#name = name;
  }

  async open(root) {
    this.#parts = this.#makeParts();
    this.#table = await openDesk(this.#name, (state) => {
      this.#state = state;
      this.#draw();
    });
    this.#asked = moneyRequests(this.#table);
    const page = this.#layOut();
    fill(root, page);
    const press = (event) => this.#press(event);
    document.addEventListener("keydown", press);
    this.#stops = [
      this.#asked.stop,
      showConnection(this.#table),
      keepFocus(page, () => this.#home),
      () => document.removeEventListener("keydown", press),
    ];
    if (!isFocusElsewhere()) this.#goToNext();
  }

  close() {
    for (const stop of this.#stops) stop();
    this.#table?.close();
  }

  #draw() {
    this.#correction.draw(this.#state);
    for (const drawPart of this.#parts) drawPart(this.#state);
    this.#entry.draw(this.#state);
    this.#serving.draw(this.#state);
    this.#acting.draw(this.#state);
    this.#report.draw(this.#state);
    this.#ring.draw(this.#state.table);
    this.#readsHint.hidden = this.#state.desk.shoe_kind !== "read";
    const { cards, past_cards: past } = this.#state.desk;
    this.#felt.hidden = this.#state.view.round?.phase === "betting" && !cards.length && !past.length;
    for (const section of [this.#questions, this.#insurance, this.#settlement]) {
      section.hidden = !section.childElementCount;
    }
  }

  #makeParts() {
    const ways = {
      toEntry: (hand) => this.#goToEntry(hand),
      toQuestions: () => this.#goToQuestions(),
      toPatron: (name) => this.#serving.serveNamed(name),
    };
    return [
      redrawnPart(this.#bar, (state) => this.#barParts(state)),
      redrawnPart(this.#next, (state) => nextSteps(state, ways)),
      redrawnPart(this.#hands, (state) => this.#handParts(state)),
      redrawnPart(this.#questions, (state) => openQuestions(state)),
      redrawnPart(this.#insurance, insuranceOffer),
      redrawnPart(this.#settlement, (state) => settlementList(state, () => this.#draw())),
      redrawnPart(this.#calls, shoeAndCalls),
      redrawnPart(this.#closing, closingSteps),
    ];
  }

  #handParts(state) {
    const pick = (card) => this.#correction.pick(card);
    const correct = mayCorrect(state) ? pick : null;
    const target = this.#correction.isShown ? this.#correction.target : this.#entry.target;
    return [dealtHands(state, { target, pick: (at) => this.#pickCard(at), correct }), pastHands(state, pick)];
  }

  #barParts({ table, view }) {
    const left = view.cards_left;
    return [
      html("h1", this.#name),
      html(
        "span.quiet.small",
        `${titleOf(view.book, table.snapshot.title, table.snapshot.titles)} · ${phrase("layout")} ${view.layout}`,
      ),
      html("span.grow"),
      html("span.small", progressText(view)),
      html("span.small.money", [...limitTexts(view.limits), view.currency].join(" · ")),
      left !== null && html("span.small", phrase("cards left", left)),
    ];
  }

  #layOut() {
    const acting = html("details", html("summary", phrase("anything else")), this.#acting.element);
    return html(
      "div.console.dealer",
      html("header.row.table-bar", this.#bar, this.#ring),
      html(
        "div.col.main-column",
        this.#next,
        this.#questions,
        this.#insurance,
        this.#serving.bets,
        this.#felt,
        this.#settlement,
      ),
      html(
        "div.col.side-column",
        panel("patrons", [phrase("patrons"), keyHint("S")], this.#asked.element, this.#serving.element, acting),
        panel("shoe", phrase("shoe and calls"), this.#calls),
        foldedPanel("closing", [phrase("close the table"), keyHint("E")], this.#closing),
        foldedPanel("report", [phrase("report"), keyHint("R")], this.#report.element),
      ),
    );
  }

  /** The large button; where it cannot be pressed, what stands around it. */
  get #home() {
    return this.#next.querySelector("[data-first]:not(:disabled)") ?? this.#next;
  }

  #goToNext() {
    this.#home.focus({ preventScroll: true });
  }

  /** Go to where faces are typed, for the cards of a hand, where one is named. */
  #goToEntry(hand) {
    if (!this.#entry.isShown) return;
    const first = this.#state.desk.cards.find(({ area, face }) => area === hand && !face);
    if (first) this.#entry.pick(first.at);
    this.#draw();
    this.#entry.element.scrollIntoView({ block: "center" });
    this.#entry.focus();
  }

  #goToQuestions() {
    this.#questions.scrollIntoView({ block: "center" });
    this.#questions.querySelector("button,input")?.focus();
  }

  /** Go to a part of the page by its key; false where no part has that key, or it is not there now. */
  #goTo(event) {
    const key = event.key.toUpperCase();
    if (key === "S") this.#serving.focus();
    const way = WAYS[key];
    const part = way && document.querySelector(`.dealer ${way.to}:not([hidden])`);
    if (part) {
      for (const each of [part.closest("details"), way.unfold && part.querySelector(way.unfold)]) {
        if (each) each.open = true;
      }
      const controls = Array.from(part.querySelectorAll(way.first));
      const first = controls.find((each) => each.tagName !== "SUMMARY" && each.checkVisibility()) ?? controls[0];
      first?.focus();
    }
    if (!part && key !== "S") return false;
    event.preventDefault();
    return true;
  }

  #pickCard(at) {
    this.#entry.pick(at);
    this.#correction.close();
    this.#entry.focus();
  }

  /** From anywhere on the page: cards are typed, boxes chosen or ticked, and chips laid. */
  #press(event) {
    if (event.key === "Escape" && !event.defaultPrevented) return this.#goToNext();
    if (isTyping(event) || (event.shiftKey && this.#goTo(event))) return;
    const input = [this.#correction, this.#entry].find(({ takesKeys }) => takesKeys);
    if (input && CARD_KEYS.test(event.key)) input.focus();
    else if (!input && tickBox(this.#state, Number(event.key))) this.#draw();
    else if (!input) this.#serving.press(event);
  }
}
