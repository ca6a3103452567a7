// Where the patron sits, and sitting down.

import { button, countTo, html, smallButton, syncChildren } from "../base/dom.js";
import { learn, noted, phrase } from "../base/language.js";
import { showRefusal } from "../base/notes.js";

learn({
  "accept notice": ["I accept the notice", "接受告示"],
  you: ["you", "你"],
});

/** The boxes of a table, each with who sits there, or where one can sit down; without `seating` one only watches. */
export function drawSeats(list, table, seating, patron) {
  const present = table.view.patrons.filter(({ box, away }) => box && !away);
  const seated = new Map(present.map(({ box, name }) => [box, name]));
  syncChildren(list, countTo(table.snapshot.positions), {
    key: (box) => `${box}/${seated.get(box) ?? ""}`,
    make: (box) => (seated.has(box) ? takenSeat(box, seated.get(box), patron) : freeSeat(box, seating)),
  });
}

function takenSeat(box, name, patron) {
  const isOwn = name === patron;
  return html("li.seat", { class: isOwn && "own" }, html("b", box), html("span", isOwn ? phrase("you") : name));
}

function freeSeat(box, seating) {
  if (!seating) return html("li.seat.free", html("b", box));
  const label = noted(phrase("sit down"), phrase("box", box));
  const sit = button(html("b", box), () => seating.sit(box, seat), { class: "sit", label });
  const seat = html("li.seat.free", sit);
  return seat;
}

export class Seating {
  #table;
  #patron;
  #cards;

  /** `cards` is the element with everything that waits for the patron. */
  constructor(table, patron, cards) {
    this.#table = table;
    this.#patron = patron;
    this.#cards = cards;
  }

  /** The patron as the table knows them; null for somebody who is not at it. */
  get own() {
    return this.#table.view.patrons.find(({ name, away }) => name === this.#patron && !away) ?? null;
  }

  get boxes() {
    return countTo(this.#table.snapshot.positions);
  }

  /** The first box that nobody has, apart from those that were `tried`; undefined where all are taken. */
  freeBox(tried = []) {
    const taken = this.#table.view.patrons.map(({ box }) => box);
    return this.boxes.find((box) => !taken.includes(box) && !tried.includes(box));
  }

  /** Sit down, or stand where there is no box. A notice that has to be accepted can be accepted beside the refusal. */
  async sit(box, beside = this.#cards, accepted = false) {
    try {
      await this.#take(box, accepted);
    } catch (refusal) {
      this.#explain(refusal, box, beside);
    }
  }

  /** Sit down in the first free box; where somebody was quicker, in the next. */
  async sitAnywhere(beside = this.#cards, tried = []) {
    const box = this.freeBox(tried);
    try {
      await this.#take(box);
    } catch (refusal) {
      if (refusal.id === "box-taken") await this.sitAnywhere(beside, [...tried, box]);
      else this.#explain(refusal, box, beside);
    }
  }

  #take(box, accepted = false) {
    const how = box ? { do: "sit", box } : { do: "stand" };
    return this.#table.give({ ...how, patron: this.#patron, ...(accepted && { "accepts-notice": true }) });
  }

  #explain(refusal, box, beside) {
    const place = beside.isConnected ? beside : this.#cards; // seats are drawn anew when others sit down
    const note = showRefusal(place, refusal, this.#table.view.book);
    if (refusal.id !== "notice-of-no-insurance") return;
    note.append(smallButton(phrase("accept notice"), () => this.sit(box, beside, true)));
  }
}
