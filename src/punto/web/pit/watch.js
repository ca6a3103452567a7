// A table that the pit watches: its desk, its alerts until somebody has seen them, and the edges of its bets.

import { storage } from "../base/storage.js";
import { openDesk } from "../staff/desk.js";

const ALERTING = ["reported", "round-ended", "dispute-raised", "original-returned"];
const OLDEST_ALERT = 400; // entries before the first look at a table that may still alert
const FURTHEST_BACK = 2000; // entries that are read at most
const SINGLE_KEPT = 300;

/** Whether the pit has to see an event. */
function isAlert(event) {
  if (ALERTING.includes(event.event)) return true;
  if (event.event === "asked") return event.question.to !== "patrons";
  return event.event === "dispute-moved" && event.step === "complaint";
}

/** Which entries of a table have been seen: all up to a number, and single ones after it. */
class Acknowledged {
  #key;
  #kept;

  constructor(table) {
    this.#key = `acknowledged ${table}`;
    this.#kept = { upTo: 0, single: [], ...storage.get(this.#key) };
  }

  has(sequence) {
    return sequence <= this.#kept.upTo || this.#kept.single.includes(sequence);
  }

  /** After which entry to look for alerts, in a journal that ends with `last`. */
  startFrom(last) {
    if (!this.#kept.upTo) this.#keep({ upTo: Math.max(0, last - OLDEST_ALERT) });
    return Math.max(this.#kept.upTo, last - FURTHEST_BACK);
  }

  add(sequence) {
    this.#keep({ single: [...this.#kept.single.slice(-SINGLE_KEPT), sequence] });
  }

  #keep(changes) {
    this.#kept = { ...this.#kept, ...changes };
    storage.set(this.#key, this.#kept);
  }
}

export class WatchedTable {
  state = null; // of the desk
  alerts = []; // entries that nobody has acknowledged
  edges = null; // the odds of every bet in the next round
  #acknowledged;
  #changed;
  #edgesState = ""; // for which the edges were asked for

  constructor(name, changed) {
    this.name = name;
    this.#acknowledged = new Acknowledged(name);
    this.#changed = () => changed(this);
  }

  /** Watch a table; `changed(watched)` is called with every change. */
  static async open(name, changed) {
    const watched = new WatchedTable(name, changed);
    const table = await openDesk(name, (state) => watched.#stateChanged(state));
    table.on("entry", ({ detail }) => watched.#take(detail));
    try {
      await watched.#readAlerts(table);
    } catch (error) {
      table.close();
      throw error;
    }
    watched.#changed();
    return watched;
  }

  acknowledge(sequence) {
    this.#acknowledged.add(sequence);
    this.alerts = this.alerts.filter((entry) => entry.sequence !== sequence);
    this.#changed();
  }

  close() {
    this.state.table.close();
  }

  #stateChanged(state) {
    this.state = state;
    this.#changed();
    void this.#readEdges();
  }

  #take(entry) {
    if (isAlert(entry.event) && !this.#acknowledged.has(entry.sequence)) this.alerts.push(entry);
  }

  /** Alerts from before the page was opened. */
  async #readAlerts(table) {
    const last = table.snapshot.sequence;
    let after = this.#acknowledged.startFrom(last);
    while (after < last) {
      const { entries } = await table.get(`events?after=${after}`);
      for (const entry of entries.filter(({ sequence }) => sequence <= last)) this.#take(entry);
      after = entries.at(-1)?.sequence ?? last;
    }
  }

  /** Edges change with the cards that were seen; while cards are being dealt, those from before are kept. */
  async #readEdges() {
    const { results, cards_left: left, round } = this.state.view;
    const state = `${results.length} ${left} ${round?.phase === "settled"}`;
    if (state === this.#edgesState || (round?.phase === "closed" && this.edges)) return;
    this.#edgesState = state;
    this.edges = await this.state.table.get("odds").catch(() => this.edges);
    this.#changed();
  }
}
