// The patron's table: where everything is put together. Without a patron, the table is watched.

import { arrived, askCage, getBets } from "./base/api.js";
import { nameOfBet } from "./base/bet-names.js";
import { denominations } from "./base/chips.js";
import { button, fill, html, loadStyle, setText, whileWaiting } from "./base/dom.js";
import { emblemOf, feltOf } from "./base/felts.js";
import { limitTexts, outcomeText, gameOf } from "./base/labels.js";
import { learn, nameWithin, noted, phrase, sentence } from "./base/language.js";
import { endsShoe, followTable } from "./base/live-table.js";
import { money } from "./base/money.js";
import { announce, clearRefusal, showConnection, showRefusal } from "./base/notes.js";
import { timerRing } from "./base/timer.js";
import { Betting } from "./base/betting.js";
import { Dock } from "./patron/dock.js";
import { Felt, hasManyBets } from "./patron/felt.js";
import { Hands } from "./patron/hands.js";
import { drawSeats, Seating } from "./patron/seating.js";

learn({
  room: ["Room", "尚可"],
  "place bets": ["Place your bets", "請下注"],
  "last bets": ["Last hand of the shoe: place your bets", "最後一局，請下注"],
  "no more bets": ["No more bets", "停止下注"],
  "wait round": ["Waiting for the next round", "等待下一局"],
  "free hand": ["Free hand: no bets are taken", "飛牌，不接受下注"],
  "changing shoe": ["The shoe is being changed", "更換牌靴"],
  boxes: ["Boxes", "座位"],
});

const RETRY = 1000; // ms until what could not be loaded is tried again
const NOTE_DURATION = 7000; // ms that a refusal lies on the felt
const CARDS_OF_A_DECK = 52;
const EDGE = 8; // pixels between a note and the edge of the screen
const ON_ITS_SIDE = matchMedia("(min-width: 35rem) and (max-height: 30rem)"); // a phone

export async function show(root, { params, me, go }) {
  const asked = getBets(params.name); // at once: the socket takes as long
  asked.catch(() => {}); // what went wrong is told where it is awaited
  const table = await followTable(params.name);
  try {
    const [menu] = await Promise.all([asked, loadSideways()]);
    const { arrange } = hasManyBets(menu) ? await arrived(import("./patron/side-bets.js"), "side-bets.css") : {};
    const page = new PatronTable({ table, menu, arrange, me, go });
    page.open(root);
    return () => page.close();
  } catch (error) {
    table.close();
    throw error;
  }
}

/** What only a phone on its side needs. */
function loadSideways() {
  return ON_ITS_SIDE.matches && loadStyle("sideways.css", ON_ITS_SIDE.media).catch(() => {}); // it is large without
}

class PatronTable {
  #table;
  #menu;
  #patron;
  #remind; // minutes between two reminders that the patron has asked for
  #go;
  #chips;
  #seating = null;
  #betting = null;
  #asked = null; // what waits for the patron, which is loaded when something does
  #askedPlace = null;
  #dock = null;
  #auto = null; // bets the same again, which is loaded when it is first switched on
  #hands;
  #felt;

  #shoe = html("div.shoe", { role: "img" }, html("i"), html("span.tiny"));
  #call = html("p.call"); // which is said to the ear in its turn
  #called = "";
  #ring = timerRing();
  #seats = html("ol.seats", { label: phrase("boxes") });
  #limits = button("", () => this.#explainLimits(), { class: "posted small bare" });
  #aside = html("aside.beside");
  #beside = null; // what fills it, which is loaded when the felt is drawn

  #revealedRound = null; // the round whose result may be shown, since its cards are turned
  #awaitedRound = null; // the round whose cards are still turning
  #paidRound = null; // the round whose winnings have flown to the purse
  #stops = [];

  constructor({ table, menu, arrange, me, go }) {
    this.#table = table;
    this.#menu = menu;
    this.#go = go;
    this.#patron = me?.kind === "patron" ? me.person : null;
    this.#remind = me?.remind;
    this.#chips = denominations(table.view);
    this.#hands = new Hands(this.#shoe);
    const place = (bet, field) => this.#placeChip(bet, field);
    this.#felt = new Felt({ menu, book: table.view.book, place, arrange });
    if (this.#patron) this.#addPatronsParts();
  }

  #addPatronsParts() {
    const [table, patron] = [this.#table, this.#patron];
    this.#askedPlace = html("div.asked");
    this.#seating = new Seating(table, patron, this.#askedPlace);
    this.#betting = new Betting(table, patron);
    const act = (key, pressed) => this.#act(key, pressed);
    this.#dock = new Dock(table.name, this.#chips, act, () => this.#switchAuto());
  }

  open(root) {
    const [name, kind] = gameOf(this.#table);
    document.title = `${name} · Punto`;
    fill(root, this.#layOut(name, kind));
    this.#listen();
    this.#draw({ quick: true });
    this.#sitDownWhereAsked();
    void this.#fillAside();
  }

  close() {
    for (const stop of this.#stops) stop();
    this.#auto?.stop();
    this.#beside?.close();
    this.#table.close();
  }

  #layOut(name, kind) {
    const head = html(
      "header.felt-head",
      html("div.felt-title", html("h1", name), html("p.small", kind)),
      this.#call,
      this.#ring,
      this.#shoe,
    );
    const { book } = this.#table.view;
    const lying = [head, this.#hands.element, this.#felt.element, this.#seats, this.#limits];
    return html(
      "div.patron-table",
      { vars: feltOf(book) },
      html("section.felt", { label: name }, emblemOf(book), lying),
      this.#askedPlace,
      this.#dock?.element,
      this.#aside,
    );
  }

  #listen() {
    const table = this.#table;
    const press = (event) => this.#dock?.press(event);
    addEventListener("keydown", press);
    ON_ITS_SIDE.addEventListener("change", loadSideways);
    this.#stops = [
      showConnection(table),
      table.on("change", () => this.#draw()),
      table.on("sent", () => this.#draw()),
      table.on("entry", ({ detail }) => this.#hearEntry(detail.event, detail.who)),
      () => removeEventListener("keydown", press),
      () => ON_ITS_SIDE.removeEventListener("change", loadSideways),
    ];
  }

  async #fillAside() {
    const loaded = await import("./patron/beside.js").catch(() => null);
    if (!loaded) {
      setTimeout(() => this.#fillAside(), RETRY); // the house cannot be reached
      return;
    }
    const { Beside } = loaded;
    const [table, patron] = [this.#table, this.#patron];
    this.#beside = new Beside({
      table,
      menu: this.#menu,
      patron,
      remind: this.#remind,
      call: this.#call,
      hands: this.#hands.element,
      leave: () => this.#leaveTable(),
      stopAuto: (why) => this.#auto?.stop(why),
    });
    fill(this.#aside, this.#beside.elements);
    this.#draw();
  }

  /** A link of the lobby seats whoever follows it. */
  #sitDownWhereAsked() {
    if (!new URLSearchParams(location.search).has("sit")) return;
    history.replaceState(null, "", location.pathname);
    if (!this.#seating || this.#seating.own || !this.#table.view.open) return;
    void this.#seating.sitAnywhere();
  }

  // What the patron does

  async #placeChip(bet, field) {
    if (!this.#seating?.own) {
      showRefusal(field, { message: phrase("take seat") }, null, NOTE_DURATION);
      return;
    }
    const amount = this.#dock.chip;
    const { balance } = this.#seating.own;
    clearRefusal(field);
    if (amount > balance) {
      const module = arrived(import("./patron/short-of-chips.js"));
      const told = await module.then(({ shortOfChips }) => shortOfChips(balance)).catch((error) => error);
      this.#noteAt(field, told);
      return;
    }
    try {
      await this.#betting.place(bet, amount);
      withFlights(({ flyOut }) => flyOut(amount, this.#kindOf(amount), this.#dock.rack, field));
      this.#draw(); // now it can be undone
      announce(noted(nameOfBet(this.#menu[bet]), money(amount)));
      this.#loadForTheResult();
    } catch (refusal) {
      this.#returnChip(field, amount);
      this.#noteAt(field, refusal);
    }
  }

  /** Whoever has bet wants to know the result at once, and see it paid. */
  #loadForTheResult() {
    const modules = [arrived(import("./patron/result.js"), "results.css"), import("./patron/flights.js")];
    Promise.all(modules).catch(() => {}); // then they are loaded when they are needed
  }

  /** What is tapped is meant for the shoe in which it was tapped, also where the shoe ends while the module loads. */
  async #switchAuto() {
    const [table, betting, dock] = [this.#table, this.#betting, this.#dock];
    let hasEnded = false;
    const stopListening = table.on("entry", ({ detail }) => (hasEnded ||= endsShoe(detail)));
    const note = (told) => this.#noteAt(dock.element, told);
    const loaded = this.#auto ?? (await arrived(import("./patron/auto-rebet.js")).catch(note));
    stopListening();
    if (!loaded) return; // the house cannot be reached: nothing is bet
    this.#auto ??= new loaded.AutoRebet({ table, betting, dock, note });
    if (hasEnded) this.#auto.endWithTheShoe();
    else this.#auto.toggle();
  }

  async #act(key, pressed) {
    if (key === "undo" || key === "clear") this.#auto?.stop();
    await whileWaiting(pressed, async () => {
      try {
        await this.#betting[key]();
      } catch (refusal) {
        this.#noteAt(refusal.bet ? this.#felt.field(refusal.bet) : this.#dock.element, refusal);
      }
    });
    this.#draw();
  }

  async #leaveTable() {
    const patron = this.#patron;
    if (this.#seating.own?.balance) await this.#cashOut(patron);
    if (this.#seating.own) await this.#table.give({ do: "leave", patron });
    this.#go("/");
  }

  /** Where a cage pays, it is asked to, and the chips stay with the house until it has. */
  #cashOut(patron) {
    const { name, snapshot } = this.#table;
    return snapshot.money === "cage" ? askCage(name, { do: "cash-out" }) : this.#table.give({ do: "cash-out", patron });
  }

  /** What the house says about our wagers without being asked is shown at the field. */
  #hearEntry(event, who) {
    if (event.event === "book-changed") this.#go(location.pathname); // with other bets
    if (event.patron !== this.#patron) return;
    if (event.event === "patron-left" && who !== this.#patron) void this.#tellSeatGone(event.away);
    if (!event.bet) return;
    const field = this.#felt.field(event.bet);
    const isRefused = event.event === "money-refused";
    const isTold = event.event === "wager-advised" || (event.event === "wager-lowered" && event.says);
    if (isRefused || isTold) this.#noteAt(field, { message: sentence(event), clauses: event.basis?.clauses });
    if (isRefused) this.#returnChip(field, event.amount);
  }

  async #tellSeatGone(keepsChips) {
    const loaded = await arrived(import("./patron/seat-cards.js")).catch(() => null);
    if (loaded) showRefusal(this.#dock.element, loaded.seatGone(keepsChips), this.#table.view.book);
  }

  #returnChip(field, amount) {
    withFlights(({ slideBack }) => slideBack(amount, this.#kindOf(amount), field, this.#dock.rack));
  }

  /** The chip by which an amount is shown: its own, or the smallest. */
  #kindOf(amount) {
    return Math.max(0, this.#chips.indexOf(amount));
  }

  /** A refusal over its field, kept inside the screen. */
  #noteAt(field, refusal) {
    const note = showRefusal(field, refusal, this.#table.view.book, NOTE_DURATION);
    const keepInside = () => {
      note.style.setProperty("--shift", "0px");
      const { left, right } = note.getBoundingClientRect();
      const shift = Math.max(EDGE - left, 0) - Math.max(right - document.documentElement.clientWidth + EDGE, 0);
      note.style.setProperty("--shift", `${shift}px`);
    };
    const watch = new ResizeObserver(() => (note.isConnected ? keepInside() : watch.disconnect()));
    watch.observe(note); // it grows with its clauses
    watch.observe(document.documentElement); // and a phone may be turned
    keepInside();
  }

  // Drawing

  #draw({ quick = false } = {}) {
    const { snapshot, view } = this.#table;
    const { round } = view;
    const own = this.#seating?.own ?? null;
    this.#betting?.follow();
    this.#hands.draw(view, this.#patron, quick);
    if (!this.#isRevealed(round, quick)) return;
    this.#hands.glow(round?.phase === "settled" ? round.result?.winner : null);
    this.#felt.draw(view, {
      betting: own && this.#betting,
      chips: this.#chips,
      patron: this.#patron,
      covers: this.#table.roundStory(this.#patron).covers,
    });
    this.#ring.draw(this.#table);
    this.#drawCall(this.#callText());
    this.#drawShoe(view.cards_left ?? 0);
    drawSeats(this.#seats, this.#table, this.#seating, this.#patron);
    this.#drawLimits(snapshot.room);
    const possible = own && round?.phase === "betting" && this.#betting.possible();
    this.#dock?.draw(own, possible, quick || round?.phase !== "settled");
    this.#drawAsked();
    this.#beside?.draw();
    this.#payOut(round, quick);
  }

  #drawAsked() {
    if (this.#asked) this.#asked.draw();
    else if (this.#isAsked()) void this.#loadAsked();
  }

  /** Whether something may wait for the patron: not while they bet, and nobody asks them anything. */
  #isAsked() {
    if (!this.#seating) return false;
    const { questions, round } = this.#table.view;
    const { own } = this.#seating;
    const maySimplyBet = own?.box && (own.balance || own.held) && (!round || round.phase === "betting");
    return !maySimplyBet || questions.length > 0;
  }

  async #loadAsked() {
    const loaded = await arrived(import("./patron/asked.js"), "asked.css").catch(() => null);
    if (!loaded || this.#asked) return; // where the house cannot be reached, the next change tries again
    this.#asked = new loaded.AskedCards({
      element: this.#askedPlace,
      felt: this.#felt,
      table: this.#table,
      menu: this.#menu,
      patron: this.#patron,
      seating: this.#seating,
      betting: this.#betting,
    });
    this.#asked.draw();
  }

  /** A result is not told before the last card is turned. */
  #isRevealed(round, quick) {
    if (round?.phase !== "settled" || this.#revealedRound === round.number) return true;
    if (quick) {
      this.#revealedRound = round.number;
      return true;
    }
    if (this.#awaitedRound !== round.number) {
      this.#awaitedRound = round.number;
      this.#hands.ready.then(() => {
        this.#revealedRound = round.number;
        this.#draw();
      });
    }
    return false;
  }

  #drawCall(text) {
    if (text === this.#called) return;
    this.#called = text;
    setText(this.#call, text);
    announce(text);
  }

  /** What the dealer calls. */
  #callText() {
    const { open, next, questions, round, shoe, last_round: last } = this.#table.view;
    const blocking = next.find((step) => step.do === "answer");
    if (!open) return phrase("table closed");
    if (blocking && !questions.length) return phrase("waits for", nameWithin(blocking.by));
    if (!round && next[0]?.do === "load-shoe") return phrase(shoe?.over ? "changing shoe" : "no dealer yet");
    if (!round) return phrase("wait round");
    if (round.phase === "settled" && round.result) return outcomeText(round);
    if (round.phase === "betting" || round.late.length) {
      const bets = round.number === last ? "last bets" : "place bets";
      return phrase(round.free ? "free hand" : bets);
    }
    return phrase(round.phase === "closed" ? "no more bets" : round.phase);
  }

  #drawShoe(left) {
    this.#shoe.style.setProperty("--part", left / (this.#table.snapshot.decks * CARDS_OF_A_DECK));
    setText(this.#shoe.lastChild, String(left));
    this.#shoe.setAttribute("aria-label", noted(phrase("shoe"), phrase("cards left", left)));
  }

  #drawLimits(room) {
    const texts = limitTexts(this.#table.view.limits);
    if ("player" in room) {
      const hands = `${phrase("player")} ${money(room.player)} · ${phrase("banker")} ${money(room.banker)}`;
      texts.push(noted(phrase("room"), hands));
    }
    fill(
      this.#limits,
      texts.map((text) => html("span", text)),
    );
  }

  async #explainLimits() {
    const loaded = await arrived(import("./patron/terms.js"), "terms.css").catch((error) => {
      showRefusal(this.#limits.parentElement, error);
    });
    loaded?.toggleTerms(this.#limits, this.#table);
  }

  /** Once in a round, what was won flies to the purse, and what was lost is swept to the house. */
  #payOut(round, quick) {
    if (round?.phase !== "settled" || this.#paidRound === round.number) return;
    this.#paidRound = round.number;
    const lines = round.lines[this.#patron] ?? [];
    if (quick || !lines.length) return;
    const fieldOf = (bet) => this.#felt.field(bet in this.#menu ? bet : bet.replace("-insurance", ""));
    withFlights(({ flyHome, pay, sweep }) => {
      for (const { net, bet, stake } of lines) {
        if (net > 0) {
          pay(net, this.#kindOf(net), this.#shoe, fieldOf(bet));
          flyHome(net, fieldOf(bet), this.#dock.purse);
        } else if (net < 0) sweep(stake, this.#kindOf(stake), fieldOf(bet), this.#shoe);
      }
    });
  }
}

/** What flies over the felt is loaded with the first flight. Nothing depends on it, so it may fail. */
function withFlights(work) {
  import("./patron/flights.js").then(work, () => {});
}
