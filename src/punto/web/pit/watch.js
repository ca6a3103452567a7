// A table that the pit watches: its desk, its alerts until somebody has seen them, and the edges of its bets.

import { storage } from "../base/storage.js";
import { openDesk } from "../staff/desk.js";
import { knowFacts, knowPolicies } from "./entries.js";

const ALERTING = ["reported", "round-ended", "dispute-raised", "original-returned"];
const OLDEST_ALERT = 400; // entries before the first look at a table that may still alert
const FURTHEST_BACK = 2000; // entries that are read at most
const SINGLE_KEPT = 300;
const PAGE = 500; // entries that are read at once

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

/** The entries of a table after a number, up to another. */
async function entriesBetween(table, after, last) {
  const found = [];
  while (after < last) {
    const { entries } = await table.get(`events?after=${after}`);
    found.push(...entries.filter(({ sequence }) => sequence <= last));
    after = entries.at(-1)?.sequence ?? last;
  }
  return found;
}

export class WatchedTable {
  state = null; // of the desk
  alerts = []; // entries that nobody has acknowledged
  edges = null; // the odds of every bet in the next round
  #acknowledged;
  #changed;
  #due = new Map(); // by when each dispute was promised to be resolved, by its number
  #asked = new Map(); // when each question was asked, by its number
  #edgesState = ""; // for which the edges were asked for
  #isInSight;

  constructor(name, changed, isInSight) {
    this.name = name;
    this.#isInSight = isInSight;
    this.#acknowledged = new Acknowledged(name);
    this.#changed = () => changed(this);
  }

  /** Watch a table; `changed(watched)` is called with every change. One out of sight has no edges worked out. */
  static async open(name, changed, isInSight = true) {
    const watched = new WatchedTable(name, changed, isInSight);
    const table = await openDesk(name, (state) => watched.#stateChanged(state));
    table.on("entry", ({ detail }) => watched.#take(detail));
    try {
      await watched.#readAlerts(table);
      await watched.#readPromises(table);
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

  set isInSight(is) {
    this.#isInSight = is;
    void this.#readEdges();
  }

  #stateChanged(state) {
    this.state = state;
    knowFacts(state.desk.facts);
    knowPolicies(state.desk.policies);
    this.#changed();
    void this.#readEdges();
  }

  /** Seconds since a question was asked; null while nobody knows. `today` is the report of the table. */
  ageOf(question, today) {
    const asked = this.#asked.get(question) ?? today?.asked[question];
    return asked ? (Date.now() - Date.parse(asked)) / 1000 : null;
  }

  /** By when a dispute was promised to be resolved, as it was said last; undefined where nothing was said. */
  dueOf(dispute) {
    return this.#due.get(dispute);
  }

  #noteDue({ event }) {
    const isPromise = event.event === "dispute-moved" && event.step === "time-frame";
    if (isPromise) this.#due.set(event.dispute, event.says);
    return isPromise;
  }

  /** Promises from before the page was opened, however long ago: the newest of each dispute. */
  async #readPromises(table) {
    const promised = table.desk.disputes.flatMap(({ done }, number) => (done.includes("time-frame") ? [number] : []));
    for (let last = table.snapshot.sequence; last > 0; last -= PAGE) {
      if (promised.every((number) => this.#due.has(number))) return;
      const known = new Map(this.#due);
      for (const entry of await entriesBetween(table, Math.max(0, last - PAGE), last)) this.#noteDue(entry);
      for (const [number, due] of known) this.#due.set(number, due);
    }
  }

  #take(entry) {
    if (this.#noteDue(entry) && this.state) this.#changed();
    if (entry.event.event === "asked") this.#asked.set(entry.event.question.id, entry.at);
    if (isAlert(entry.event) && !this.#acknowledged.has(entry.sequence)) this.alerts.push(entry);
  }

  /** Alerts from before the page was opened. */
  async #readAlerts(table) {
    const last = table.snapshot.sequence;
    for (const entry of await entriesBetween(table, this.#acknowledged.startFrom(last), last)) this.#take(entry);
  }

  /** Edges change with the cards that were seen; while cards are being dealt, those from before are kept. */
  async #readEdges() {
    if (!this.#isInSight) return;
    const { results, cards_left: left, round } = this.state.view;
    const state = `${results.length} ${left} ${round?.phase === "settled"}`;
    if (state === this.#edgesState || (round?.phase === "closed" && this.edges)) return;
    this.#edgesState = state;
    this.edges = await this.state.table.get("odds").catch(() => this.edges);
    this.#changed();
  }
}
