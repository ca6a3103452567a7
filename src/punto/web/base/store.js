// One table as the browser knows it: the house's snapshot, its stream of events, and our commands under way.
// On every batch of events the snapshot is fetched anew, so what is drawn is what the house says, never a guess.

import { Away, Refusal, get, newKey } from "./api.js";
import { t } from "./words.js";

const RECENT = 400;
const ANSWER = 4000; // how long an answer may take before the socket is thought dead
const PATIENCE = 20000;

/** A table that is followed. Listeners: "change" (a new snapshot), "event" (each entry, once, in order), "link", "sent". */
export class TableStore extends EventTarget {
  constructor(name) {
    super();
    this.name = name;
    this.snapshot = null; // {sequence, now, closes_at, you, room, view}
    this.sent = new Map(); // key -> {key, command, state: "pending" | "accepted" | "refused", refusal}
    this.linked = false;
    this.closed = false;
    this.offset = 0; // the house's clock less ours, in ms
    this._seen = 0;
    this._fetching = null;
    this._again = false;
    this._tries = 0;
    this._recent = []; // the last entries heard
    this._answers = new Map(); // by key: who waits for an answer on the socket
  }

  get view() {
    return this.snapshot?.view ?? null;
  }

  /** The house's clock, in ms. */
  now() {
    return Date.now() + this.offset;
  }

  /** Fetch the snapshot and follow from there; rejects if there is no such table. */
  async open() {
    await this.refresh();
    this._seen = this.snapshot.sequence;
    this._connect();
    this._wake = () => {
      if (!document.hidden && !this.linked) this._connect();
    };
    document.addEventListener("visibilitychange", this._wake);
    this._gone = () => this._drop();
    addEventListener("online", this._wake);
    addEventListener("offline", this._gone);
    return this;
  }

  close() {
    this.closed = true;
    clearTimeout(this._timer);
    document.removeEventListener("visibilitychange", this._wake);
    removeEventListener("online", this._wake);
    removeEventListener("offline", this._gone);
    this._socket?.close();
  }

  on(kind, listener) {
    this.addEventListener(kind, listener);
    return () => this.removeEventListener(kind, listener);
  }

  /** The newest snapshot; calls that come while one is on its way share the one after it. */
  refresh() {
    if (this._fetching) {
      this._again = true;
      return this._fetching;
    }
    this._fetching = this._fetch().finally(() => {
      this._fetching = null;
    });
    return this._fetching;
  }

  async _fetch() {
    do {
      this._again = false;
      const sent = Date.now();
      const found = await get(`/api/tables/${this.name}`);
      const back = Date.now();
      if (found.now) this.offset = found.now - (sent + back) / 2;
      if (this.snapshot && found.sequence < this.snapshot.sequence) continue;
      this.snapshot = found;
    } while (this._again || this.snapshot.sequence < this._seen);
    this._tell("change", this.snapshot);
  }

  _tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  _connect() {
    clearTimeout(this._timer);
    if (this.closed || (this._socket && this._socket.readyState <= 1)) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this._socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.name}/stream?after=${this._seen}`));
    socket.onopen = () => {
      this._tries = 0;
      this._link(true);
      this.refresh().catch(() => {});
    };
    socket.onmessage = (message) => this._hear(JSON.parse(message.data));
    socket.onclose = () => {
      for (const waits of [...this._answers.values()]) waits(null);
      if (this.closed || socket !== this._socket) return;
      this._link(false);
      this._timer = setTimeout(() => this._connect(), Math.min(250 * 2 ** this._tries++, 5000));
    };
  }

  /** A socket that does not answer is let go; another is opened. */
  _drop() {
    const socket = this._socket;
    if (!socket || this.closed) return;
    this._socket = null;
    socket.onclose = socket.onmessage = null;
    socket.close();
    for (const waits of [...this._answers.values()]) waits(null);
    this._link(false);
    this._timer = setTimeout(() => this._connect(), 300);
  }

  _link(linked) {
    if (this.linked === linked) return;
    this.linked = linked;
    this._tell("link", linked);
  }

  _hear(entry) {
    if ("key" in entry) return void this._answers.get(entry.key)?.(entry);
    if (typeof entry.sequence !== "number" || entry.sequence <= this._seen) return;
    this._seen = entry.sequence;
    this._recent.push(entry);
    if (this._recent.length > RECENT) this._recent.shift();
    this._tell("event", entry);
    if (this._soon) return;
    this._soon = true;
    queueMicrotask(() => {
      this._soon = false;
      this.refresh().catch(() => {});
    });
  }

  /** Give a command. Its state is in `sent` until the snapshot holds what it did; resolves with the house's answer. */
  async do(given, about = {}) {
    const key = newKey();
    const one = { key, command: given, state: "pending", refusal: null, ...about };
    this.sent.set(key, one);
    this._tell("sent", one);
    try {
      const answer = await this._give(given, key);
      one.state = "accepted";
      one.first = answer.first;
      await this._until(answer.last).catch(() => {});
      answer.events ??= this._recent.filter((each) => each.sequence >= answer.first && each.sequence <= answer.last);
      return answer;
    } catch (error) {
      one.state = "refused";
      one.refusal = error instanceof Refusal || error instanceof Away ? error : new Refusal(String(error.message ?? error));
      throw one.refusal;
    } finally {
      this.sent.delete(key);
      this._tell("sent", one);
    }
  }

  /** Give a command, again under the same key if the house is away meanwhile: it is carried out once. */
  async _give(given, key) {
    for (const until = Date.now() + PATIENCE; Date.now() < until && !this.closed; ) {
      const answer = this.linked ? await this._speak(given, key) : null;
      if (answer) return answer;
      await new Promise((done) => setTimeout(done, 200));
    }
    throw new Away(t("away"));
  }

  /** Say it on the socket; null where no answer came. */
  async _speak(given, key) {
    const socket = this._socket;
    if (socket?.readyState !== WebSocket.OPEN) return null;
    const answer = await new Promise((done) => {
      const late = setTimeout(() => {
        done(null);
        this._drop();
      }, ANSWER);
      this._answers.set(key, (said) => {
        clearTimeout(late);
        done(said);
      });
      socket.send(JSON.stringify({ key, command: given }));
    });
    this._answers.delete(key);
    if (answer && "refused" in answer) {
      if (["NotDurable", "JournalError", "TooMany"].includes(answer.kind)) return null;
      throw new Refusal(answer.refused, answer.clauses);
    }
    return answer;
  }

  async _until(sequence) {
    for (let tries = 0; this.snapshot.sequence < sequence && tries < 3; tries++) await this.refresh();
  }
}

/** Open a table's store. */
export const follow = (name) => new TableStore(name).open();
