// One table as the browser knows it: what the house pushes to this screen, and our commands under way. What is drawn is
// what the house says, never a guess.

import { get, newKey, Refusal, refusalOf, Unreachable } from "./api.js";
import { knowPeople } from "./dom.js";
import { phrase, sentence } from "./language.js";
import { useDigits } from "./money.js";
import { Socket } from "./socket.js";

const KEPT_ENTRIES = 400;
const ANSWER = 4000; // ms that an answer may take before the socket is thought dead
const PATIENCE = 20000; // ms for which a command is sent again
const RESEND = 200; // ms between two tries
const QUIET = 5000; // ms that a round may be silent before the house is asked whether it is there
const LATE = 2000; // the same, once bets should have closed
const OVERTAKE = 1000; // ms for the socket to bring what an answer has told
const OF_A_ROUND = [
  "place",
  "lower",
  "withdraw",
  "find",
  "insure",
  "open-bets",
  "close-bets",
  "draw",
  "expose",
  "offer-insurance",
  "announce",
  "settle",
]; // what is meant for the round on the felt, however late it arrives
const FOR_NOW = ["NotDurable", "JournalError", "TooMany"]; // refused for the moment: to be sent again

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Follow a table; `desk` brings that of its staff, too. Refused where the house turns the socket away. */
export async function followTable(name, { desk = false } = {}) {
  const table = new LiveTable(name, desk);
  try {
    await table.opened;
  } catch (error) {
    table.close();
    throw error;
  }
  return table;
}

/**
 * It tells of "change" (a new snapshot), "entry" (each entry of the journal, once, in order), "connection" (the socket
 * was lost or is back) and "sent" (a command goes out, or is done).
 */
class LiveTable {
  /** {sequence, view, opened_at, closes_at, asks_until, you, room, title, positions, decks, shown, money} */
  snapshot = null;
  desk = null;
  sent = new Map(); // by key: what is said about a command under way, and the first entry that it made

  #public = null;
  #own = [];
  #entries = [];
  #answers = new Map();
  #listeners = new EventTarget();
  #clockOffset = -Infinity;
  #lastHeard = Date.now();
  #resolveOpened;
  #watching = 0;
  #socket;

  constructor(name, withDesk) {
    this.name = name;
    /** Resolves when the first snapshot is there. */
    this.opened = new Promise((resolve, reject) => {
      this.#resolveOpened = resolve;
      this.#socket = new Socket(() => this.#address(withDesk), {
        onmessage: (data) => this.#hear(JSON.parse(data)),
        onconnection: (connected) => this.#connectionChanged(connected),
        onclose: (code, reason) =>
          reject(code < 4000 ? new Unreachable(reason) : new Refusal(closedText(code, reason))),
      });
    });
    this.#socket.open();
    this.#watching = setInterval(() => this.#checkForSilence(), 1000);
  }

  get view() {
    return this.snapshot.view;
  }

  /** The round on the felt, or the last that was; 0 before the first. */
  get roundNumber() {
    return this.view.round?.number ?? 0;
  }

  get connected() {
    return this.#socket.connected;
  }

  /** The house's clock, in milliseconds. */
  now() {
    return Date.now() + this.#clockOffset;
  }

  /** What an address of this table answers. */
  get(path) {
    return get(`/api/tables/${this.name}/${path}`);
  }

  /** Listen; returns how to stop. */
  on(kind, listener) {
    this.#listeners.addEventListener(kind, listener);
    return () => this.#listeners.removeEventListener(kind, listener);
  }

  /**
   * Give a command. What is said `about` it is in `sent` until the snapshot holds what it did. What is of a round is
   * for the `round` that was on the felt when it was tapped: if it arrives in another, the house refuses it.
   */
  async give(command, about, round = this.roundNumber) {
    const key = newKey();
    const meant = OF_A_ROUND.includes(command.do) && { round };
    const stage = command.do === "insure" && this.view.round?.offer?.stage;
    const message = JSON.stringify({ key, command, ...meant, ...(stage && { stage }) });
    const underWay = { ...about };
    this.sent.set(key, underWay);
    this.#tell("sent");
    try {
      const answer = await this.#sendUntilAnswered(message, key);
      underWay.first = answer.first;
      await this.#reached(answer.last);
      const entries = this.#entries.filter(({ sequence }) => sequence >= answer.first && sequence <= answer.last);
      return { ...answer, entries };
    } finally {
      this.sent.delete(key);
      this.#tell("sent");
    }
  }

  /**
   * What the entries of this round tell and the snapshot does not: the offer of insurance, a patron's cover, and how a
   * void round ended.
   */
  roundStory(patron) {
    const story = { offer: null, covers: [], ended: null };
    const start = this.#entries.findLastIndex(({ event }) => event.event === "bets-opened");
    for (const { event } of this.#entries.slice(Math.max(0, start))) {
      const isOwn = event.patron === patron;
      if (event.event === "insurance-offered") story.offer = event;
      else if (event.event === "round-ended")
        story.ended = { returned: {}, ...event }; // what is empty is not sent
      else if (event.event === "cover-struck" && isOwn && story.offer) story.covers.push({ ...story.offer, ...event });
      else if (event.event === "cover-returned" && isOwn) story.covers = story.covers.filter(differsFrom(event));
    }
    return story;
  }

  close() {
    clearInterval(this.#watching);
    this.#socket.close();
    useDigits();
  }

  #address(withDesk) {
    const query = new URLSearchParams();
    if (this.snapshot) query.set("after", this.snapshot.sequence);
    if (withDesk) query.set("desk", "true");
    return `${location.origin.replace("http", "ws")}/api/tables/${this.name}/screen?${query}`;
  }

  #tell(kind, detail) {
    this.#listeners.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  #connectionChanged(connected) {
    if (connected)
      this.#clockOffset = -Infinity; // the message that is about to be heard sets it anew
    else for (const resolve of this.#answers.values()) resolve(null);
    this.#tell("connection");
  }

  #hear(message) {
    this.#lastHeard = Date.now();
    if ("key" in message) this.#answers.get(message.key)?.(message);
    else if ("patch" in message && message.after !== this.#public?.sequence) this.#socket.drop();
    else this.#show(message);
  }

  /** A message takes its time, so the house's clock is at least as late as any message has said. */
  #setClock(now) {
    this.#clockOffset = Math.max(this.#clockOffset, now - Date.now());
  }

  #show({ now, whole, patch, own, desk, entries = [] }) {
    const isFirst = !this.snapshot;
    this.#setClock(now);
    if (whole) {
      this.#public = whole;
      this.#own = own ?? [];
      this.desk = desk ?? null;
    } else if (patch) {
      this.#public = patched(this.#public, patch);
      this.#own = own ?? this.#own;
      if (desk) this.desk = patched(this.desk, desk);
    }
    if (this.#public) {
      this.snapshot = patched(this.#public, this.#own);
      knowPeople(this.snapshot.shown);
      useDigits(this.view.digits);
    }
    this.#entries = [...this.#entries, ...entries].slice(-KEPT_ENTRIES);
    if (isFirst) {
      if (this.snapshot) this.#resolveOpened(); // what was told of the round so far is no news
      return;
    }
    for (const entry of entries) this.#tell("entry", entry);
    this.#tell("change");
  }

  /** Resolves when the snapshot rests on an entry, or when that takes too long. */
  #reached(sequence) {
    if (this.snapshot.sequence >= sequence) return Promise.resolve();
    return new Promise((done) => {
      const finish = () => {
        clearTimeout(timer);
        stopListening();
        done();
      };
      const timer = setTimeout(finish, PATIENCE);
      const stopListening = this.on("change", () => this.snapshot.sequence >= sequence && finish());
    });
  }

  /** A command that is sent again under the same key while the house is away is carried out once. */
  async #sendUntilAnswered(message, key) {
    const end = Date.now() + PATIENCE;
    while (Date.now() < end && !this.#socket.closed) {
      const answer = await this.#send(message, key);
      if (answer) return answer;
      await pause(RESEND);
    }
    throw new Unreachable(phrase("away"));
  }

  /** The answer to a command, or null where none came. */
  async #send(message, key) {
    const answered = new Promise((resolve) => this.#answers.set(key, resolve));
    if (!this.#socket.send(message)) return null;
    const tooLate = setTimeout(() => this.#socket.drop(), ANSWER);
    const answer = await answered;
    clearTimeout(tooLate);
    this.#answers.delete(key);
    if (!answer || !("refused" in answer)) return answer;
    if (FOR_NOW.includes(answer.kind)) return null;
    throw await refusalOf(answer);
  }

  /** A round in which nothing is heard: does the house answer, and has the socket brought all that it knows? */
  async #checkForSilence() {
    if (!this.connected || !["betting", "closed"].includes(this.snapshot?.view.round?.phase)) return;
    const closes = this.snapshot.closes_at;
    const isLate = closes && this.now() > closes + LATE;
    if (Date.now() - this.#lastHeard < (isLate ? LATE : QUIET)) return;
    this.#lastHeard = Infinity; // nobody asks twice
    let known = null;
    try {
      known = await get(`/api/tables/${this.name}`, ANSWER);
    } catch (error) {
      if (error instanceof Unreachable && this.#lastHeard === Infinity) this.#socket.drop();
    }
    this.#lastHeard = Date.now();
    if (!known || known.sequence <= this.snapshot.sequence) return;
    await pause(OVERTAKE);
    if (known.sequence > this.snapshot.sequence) this.#socket.drop();
  }
}

/** Whether an entry of the journal is the end of a shoe. */
export function endsShoe({ event }) {
  return event.event === "shoe-ended";
}

/** Why a socket was closed: its reason is English without a message. */
function closedText(code, says) {
  return sentence({ says, message: { id: `page/closed-${code}` } });
}

function differsFrom(event) {
  return ({ bet, box, stage }) => bet !== event.bet || box !== event.box || stage !== event.stage;
}

/**
 * A document after some operations of JSON Patch (RFC 6902), each on what the one before left: add, remove, replace.
 * The document itself is never changed, so what was drawn from it stays what it was.
 */
export function patched(document, operations) {
  return operations.reduce((current, operation) => changed(current, placesOf(operation.path), operation), document);
}

/** The parts of a JSON Pointer (RFC 6901): "/most/ann~13" → ["most", "ann/3"]. */
function placesOf(path) {
  return path
    .split("/")
    .slice(1)
    .map((place) => place.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function changed(value, [place, ...rest], operation) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length) copy[place] = changed(copy[place], rest, operation);
  else if (operation.op === "remove") removeFrom(copy, place);
  else if (operation.op === "add" && Array.isArray(copy)) copy.splice(Number(place), 0, operation.value);
  else copy[place] = operation.value;
  return copy;
}

function removeFrom(copy, place) {
  if (Array.isArray(copy)) copy.splice(Number(place), 1);
  else delete copy[place];
}
