// Serving patrons: tap a box, then chips and bets; or sit somebody down there.

import { Betting } from "../base/betting.js";
import { betName } from "../base/bet-names.js";
import { chipArt, denominations } from "../base/chips.js";
import { commandButton } from "../base/commands.js";
import { button, countTo, fill, html, labelled, named, smallButton } from "../base/dom.js";
import { commandForm, fieldForm, namedFields, optionsOf, selectField } from "../base/forms.js";
import { noted, phrase, sentence } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { announce, attempt } from "../base/notes.js";
import { storage } from "../base/storage.js";
import { redrawnPart } from "../staff/sections.js";
import { betKeys, CHIP_KEYS, LAST_ROUND_KEY, UNDO_KEY } from "./bet-keys.js";
import { boxTiles, byBox, placesOf, wagersOf } from "./boxes.js";
import { rememberWagers, wagersBefore } from "./last-round.js";
import { servedPatron } from "./patrons.js";

const USUAL_CHIP = 1; // the second of five
const keyHint = (key) => key && html("kbd", { "aria-hidden": "true" }, key);

/** `currentState()` is the state of the desk. */
export class Serving {
  #currentState;
  #chosen = null; // a place of the table, {box} or {patron}; at first that of the first patron
  #kind = USUAL_CHIP;
  #betting = new Map(); // by patron
  #said = html("div.col"); // what was refused stays until bets are closed
  #saidIn = ""; // the round and phase it was said in
  #takesKeys = html("input", {
    type: "checkbox",
    checked: storage.get("keys lay chips") ?? true,
    onchange: (event) => storage.set("keys lay chips", event.target.checked),
  });
  #forWhom = html("h2.row");
  #tiles = html("div.col");
  #who = html("div.col");
  #chips = html("div.chip-rack", { role: "radiogroup", label: phrase("chip rack") });
  #fields = html("div.bet-fields", { role: "group", label: phrase("bet") });
  #acts = html("div.row");
  #more = html("div.col");
  #panel;
  #parts;

  constructor(currentState) {
    this.#currentState = currentState;
    this.#parts = [
      redrawnPart(this.#tiles, (state) => this.#tileParts(state)),
      redrawnPart(this.#who, (state) => this.#whoParts(state)),
      redrawnPart(this.#forWhom, (state) => this.#titleParts(state)),
      redrawnPart(this.#chips, (state) => this.#chipParts(state)),
      redrawnPart(this.#fields, (state) => this.#fieldParts(state)),
      redrawnPart(this.#acts, (state) => this.#actParts(state)),
      redrawnPart(this.#more, (state) => this.#moreParts(state)),
    ];
    this.#panel = html("section.col.served", this.#who, this.#more);
    this.element = html("div.col", this.#tiles, this.#panel);
    const keys = html("label.tick.small.keys", this.#takesKeys, phrase("keys lay chips"));
    this.bets = html("section.panel.part-bets", this.#forWhom, this.#chips, this.#fields, this.#acts, this.#said, keys);
  }

  /** The place that is being served: {box}, or {patron} of somebody who stands. */
  get #served() {
    const [first] = byBox(this.#currentState().view.patrons);
    return this.#chosen ?? (first && !first.box ? { patron: first.name } : { box: first?.box ?? 1 });
  }

  /** The patron who is being served; null at a free box. */
  get patron() {
    const { box, patron } = this.#served;
    const isServed = (each) => (box ? each.box === box : each.name === patron);
    return this.#currentState().view.patrons.find(isServed) ?? null;
  }

  draw(state) {
    rememberWagers(state);
    const { round } = state.view;
    const now = `${round?.number} ${round?.phase}`;
    if (now !== this.#saidIn) fill(this.#said);
    this.#saidIn = now;
    for (const betting of this.#betting.values()) betting.follow();
    for (const drawPart of this.#parts) drawPart(state);
    this.bets.hidden = round?.phase !== "betting";
    for (const element of [this.#chips, this.#fields]) element.hidden = !this.patron || Boolean(state.desk.may.place);
  }

  /** Serve a patron, and go to what lies on the felt for them. */
  serveNamed(name) {
    const patron = this.#currentState().view.patrons.find((each) => each.name === name);
    if (!patron) return;
    this.#serve({ box: patron.box, patron });
    this.#panel.scrollIntoView({ block: "center" });
    this.#who.querySelector("button")?.focus();
  }

  /** Go to the one who is served: to sit down, buy in or cash out. */
  focus() {
    this.#panel.querySelector("input")?.focus();
  }

  /** Keys, where nothing is being typed: a digit chooses a box, letters chips and bets. True where it was for us. */
  press({ key, shiftKey }) {
    const state = this.#currentState();
    if (/^[0-9]$/.test(key)) return this.#serveBox(Number(key) || 10);
    if (state.view.round?.phase !== "betting" || !this.#takesKeys.checked) return false;
    const letter = key.toLowerCase();
    const chip = CHIP_KEYS.indexOf(letter);
    const bet = Array.from(betKeys(Object.keys(state.bets))).find(([, own]) => own === letter)?.[0];
    if (chip >= 0) this.#chooseChip(chip);
    else if (letter === UNDO_KEY) void this.#undo();
    else if (letter === LAST_ROUND_KEY) void (shiftKey ? this.#repeatAll() : this.#repeat());
    else if (bet) void this.#lay(bet);
    else return false;
    return true;
  }

  #serveBox(box) {
    if (box > this.#currentState().desk.positions) return false;
    this.#serve({ box, patron: null });
    return true;
  }

  #serve({ box, patron }) {
    this.#chosen = box ? { box } : { patron: patron.name };
    this.draw(this.#currentState());
    announce([box && phrase("box", box), this.patron?.name ?? phrase("free box")].filter(Boolean).join(" · "));
  }

  #bettingOf(patron) {
    const known = this.#betting.get(patron);
    if (known) return known;
    const betting = new Betting(this.#currentState().table, patron);
    betting.follow();
    this.#betting.set(patron, betting);
    return betting;
  }

  // What is drawn

  #tileParts(state) {
    const isServed = ({ box, patron }) => (box ? box === this.#served.box : patron.name === this.#served.patron);
    return boxTiles(state, { serve: (place) => this.#serve(place), isServed });
  }

  #whoParts(state) {
    return this.patron ? servedPatron(this.patron, state) : sittingForm(this.#served.box, state);
  }

  #titleParts({ desk }) {
    const { patron } = this;
    const { box } = this.#served;
    return [
      html("span", phrase("bets of", patron?.name ?? phrase("free box"))),
      box && html("span.small.quiet", phrase("box", box)),
      desk.may.place && html("span.small.waits", sentence(desk.may.place)),
    ];
  }

  #chipParts({ view }) {
    return denominations(view).map((amount, kind) => {
      const isChosen = kind === this.#kind;
      const properties = {
        class: "chip-choice",
        role: "radio",
        "aria-checked": String(isChosen),
        label: phrase("chip of", money(amount)),
      };
      return button([chipArt(amount, kind), keyHint(CHIP_KEYS[kind])], () => this.#chooseChip(kind), properties);
    });
  }

  #fieldParts(state) {
    const { patron } = this;
    if (!patron) return null;
    const keys = betKeys(Object.keys(state.bets));
    const standsAt = !patron.box && this.#boxList(state, patron.name);
    const laid = (bet) =>
      sumOf(
        wagersOf(state, patron.name).filter((wager) => wager.bet === bet),
        "stake",
      );
    const field = (bet) => {
      const name = betName(state.bets, bet);
      const amount = laid(bet) ? html("span.money", money(laid(bet))) : null;
      const parts = [html("span.mark", { "data-bet": bet }, name), amount, keyHint(keys.get(bet))];
      return button(parts, () => this.#lay(bet), { class: "bet-field", "data-bet": bet });
    };
    return [standsAt, Object.keys(state.bets).map(field)];
  }

  /** Where somebody bets who stands. */
  #boxList({ desk }, patron) {
    const betting = this.#bettingOf(patron);
    betting.box ??= 1;
    const list = selectField(optionsOf(countTo(desk.positions), String), {
      onchange: () => (betting.box = list.read()),
    });
    list.value = betting.box;
    return labelled(phrase("box-number"), list);
  }

  #actParts(state) {
    const { round } = state.view;
    if (round?.phase !== "betting" || state.desk.may.place) return null;
    const before = wagersBefore(state);
    const { patron } = this;
    const own = patron && before.some((wager) => wager.patron === patron.name);
    const undoable = patron && this.#bettingOf(patron.name).possible().undo;
    const isAll = this.#toRepeat(state).length > 0;
    const act = (key, hint, run, disabled) => smallButton([phrase(key), keyHint(hint)], run, { disabled });
    return [
      patron && act("undo last", UNDO_KEY, () => this.#undo(), !undoable),
      own && act("as last round", LAST_ROUND_KEY, () => this.#repeat(), wagersOf(state, patron.name).length > 0),
      before.length > 0 && act("all as last round", LAST_ROUND_KEY.toUpperCase(), () => this.#repeatAll(), !isAll),
    ];
  }

  #moreParts(state) {
    const { patron } = this;
    if (!patron) return null;
    const fixed = { patron: patron.name };
    return html(
      "div.row.money-row",
      { "data-item": patron.name },
      commandForm(state, "buy-in", ["amount"], { fixed }),
      patron.balance > 0 && commandButton(state.table, phrase("cash out all of it"), { do: "cash-out", ...fixed }),
    );
  }

  // What is done

  #chooseChip(kind) {
    this.#kind = kind;
    this.draw(this.#currentState());
  }

  /** Do something that the house may refuse; what it refuses is told under the fields, with whom it is `about`. */
  async #attempt(about, work) {
    const { view } = this.#currentState();
    const place = html("div.panel.plain");
    this.#said.append(place);
    const done = await attempt(place, view.book, () =>
      work().catch((refusal) => {
        throw Object.assign(refusal, { message: noted(about, refusal.message) });
      }),
    );
    if (done) place.remove();
    this.draw(this.#currentState());
    return done;
  }

  async #lay(bet) {
    const state = this.#currentState();
    const { patron } = this;
    if (!patron) return;
    const stake = denominations(state.view)[this.#kind];
    const about = named(`${patron.name} · ${betName(state.bets, bet)} ${money(stake)}`);
    if (await this.#attempt(about, () => this.#bettingOf(patron.name).place(bet, stake))) announce(about);
  }

  async #undo() {
    const name = this.patron?.name;
    const betting = name && this.#bettingOf(name);
    if (betting?.possible().undo) await this.#attempt(named(name), () => betting.undo());
  }

  /** What each patron laid in the round before who has laid nothing yet, [[patron, wagers], …]. */
  #toRepeat(state) {
    const before = wagersBefore(state);
    const names = placesOf(state).map(({ patron }) => patron && !patron.away && patron.name);
    const idle = names.filter((name) => name && !wagersOf(state, name).length);
    const lists = idle.map((name) => [name, before.filter(({ patron }) => patron === name)]);
    return lists.filter(([, wagers]) => wagers.length);
  }

  async #repeat() {
    const own = this.#toRepeat(this.#currentState()).find(([name]) => name === this.patron?.name);
    if (own) await this.#attempt(named(own[0]), () => this.#bettingOf(own[0]).placeAll(own[1]));
  }

  /** One after the other: who cannot bet the same again does not hold up the others. */
  async #repeatAll() {
    for (const [name, wagers] of this.#toRepeat(this.#currentState())) {
      await this.#attempt(named(name), () => this.#bettingOf(name).placeAll(wagers));
    }
  }
}

/** Sitting somebody down at a free box, with chips at once where an amount is given. */
function sittingForm(box, state) {
  const { table, view } = state;
  const standing = view.patrons.filter((patron) => !patron.box).map(({ name }) => name);
  const specs = [standing.length > 0 && ["patron?", optionsOf(standing, String)], standing.length ? "name?" : "name"];
  const accepted = ["accepts-notice?", [[true, phrase("yes")]]];
  const fields = namedFields([...specs, "amount?", accepted], state);
  const sit = async ({ name, patron = name, amount, ...more }) => {
    await table.give({ do: "sit", patron, box, ...more });
    if (amount) await table.give({ do: "buy-in", patron, amount });
  };
  const form = fieldForm(fields, phrase("sit"), () => table.view.book, sit);
  form.dataset.item = box;
  return [html("h3", phrase("box", box), " · ", phrase("free box")), form];
}
