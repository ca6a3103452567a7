// A table's journal in words, with filters by kind, person and round.

import { clauseTags } from "../base/clauses.js";
import { fill, html, labelled, smallButton } from "../base/dom.js";
import { optionsOf, selectField } from "../base/forms.js";
import { nameOf, phrase } from "../base/language.js";
import { clockText, eventText, peopleIn } from "./entries.js";

const PAGE = 500; // entries that are read at once
const SHOWN = 150;
const REDRAW = 400; // ms after the last entry

export class JournalList {
  #table;
  #bets;
  #entries = []; // each with the number of its round as `round`
  #timer = 0;
  #people = ""; // whose names were known when it was drawn

  #list = html("ol.journal");
  #count = html("span.small.quiet");
  #kind = selectField([], { onchange: () => this.#drawList() });
  #person = selectField([], { onchange: () => this.#drawList() });
  #round = selectField([], { onchange: () => this.#drawList() });
  #earlier = smallButton(phrase("earlier entries"), () => this.#read(this.#entries[0].sequence - 1));

  /** `bets` are those of the table. */
  constructor(table, bets) {
    this.#table = table;
    this.#bets = bets;
    this.element = html(
      "div.col",
      html(
        "div.row",
        labelled(phrase("kind"), this.#kind),
        labelled(phrase("patron"), this.#person),
        labelled(phrase("of round"), this.#round),
      ),
      html("div.row", this.#count, html("span.grow"), this.#earlier),
      this.#list,
    );
    table.on("entry", ({ detail }) => this.#add(detail));
    table.on("change", () => {
      if (this.#people !== this.#peopleKnown()) this.#drawSoon();
    });
    void this.#read(table.snapshot.sequence);
  }

  /** Read a page of entries that ends with a number. */
  async #read(last) {
    const { entries } = await this.#table.get(`events?after=${Math.max(0, last - PAGE)}`);
    this.#entries = [...entries.filter(({ sequence }) => sequence <= last), ...this.#entries];
    this.#earlier.disabled = (this.#entries[0]?.sequence ?? 0) <= 1;
    this.#draw();
  }

  /** A new entry is shown soon, unless somebody is reading. */
  #add(entry) {
    if (this.#entries.at(-1)?.sequence < entry.sequence) this.#entries.push(entry);
    this.#drawSoon();
  }

  #drawSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const isRead = this.#list.querySelector("[open]") || this.#list.contains(document.activeElement);
      if (!isRead) this.#draw();
    }, REDRAW);
  }

  /** Somebody's name may be told after what they did. */
  #peopleKnown() {
    return JSON.stringify(this.#table.snapshot.shown);
  }

  #draw() {
    this.#people = this.#peopleKnown();
    this.#numberRounds();
    const kinds = this.#entries.map(({ event }) => event.event);
    const people = this.#entries.flatMap(({ event }) => peopleIn(event));
    const rounds = this.#entries.map(({ round }) => round);
    setFilter(this.#kind, kinds.sort(), nameOf);
    setFilter(this.#person, people.sort(), String);
    setFilter(this.#round, rounds.reverse(), (number) => phrase("round", number));
    this.#drawList();
  }

  #numberRounds() {
    let number = "";
    for (const entry of this.#entries) {
      if (entry.event.event === "bets-opened") number = String(entry.event.number);
      entry.round = number;
    }
  }

  #drawList() {
    const shown = this.#entries.filter((entry) => this.#isWanted(entry));
    const newest = shown.slice(-SHOWN).reverse();
    fill(
      this.#list,
      newest.map((entry) => entryRow(entry, this.#table.view.book, this.#bets)),
    );
    this.#count.textContent = phrase("entries", shown.length);
  }

  #isWanted({ event, round }) {
    const isKind = !this.#kind.value || event.event === this.#kind.value;
    const isPerson = !this.#person.value || peopleIn(event).includes(this.#person.value);
    return isKind && isPerson && (!this.#round.value || round === this.#round.value);
  }
}

/** What a filter offers: everything, or one of the values that there are. */
function setFilter(list, values, textOf) {
  const distinct = Array.from(new Set(values)).filter(Boolean);
  list.setOptions([["", phrase("everything")], ...optionsOf(distinct, textOf)]);
}

/** An entry in a line, which opens to all that it holds. */
function entryRow({ sequence, at, event, who }, book, bets) {
  const whole = html("pre.tiny");
  const open = () => (whole.textContent = JSON.stringify(event, null, 1));
  const line = html(
    "summary.row.entry-line",
    html("span.quiet.tiny", `${sequence} ${clockText(at)}`),
    html("b.small", nameOf(event.event)),
    html("span.small.grow", eventText(event, bets)),
    clauseTags(event.basis?.clauses?.slice(0, 3), book),
    html("span.tiny.quiet", who),
  );
  return html("li", html("details", { ontoggle: open }, line, whole));
}
