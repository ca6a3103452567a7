// One table as the browser knows it: the house's snapshot, its stream of events, and our commands under way.
// With every event the snapshot is fetched anew: what is drawn is what the house says, never a guess.

import { Away, get, newKey, Refusal, shared } from "./api.js";
import { t } from "./words.js";

const RECENT = 400;
const ANSWER = 4000; // how long an answer may take before the socket is thought dead
const PATIENCE = 20000;
const AGAIN = ["NotDurable", "JournalError", "TooMany"]; // refused for now: to be sent again

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Follow a table. It tells of "change" (a new snapshot), "event" (each entry, once, in order), "link" and "sent". */
export async function follow(name) {
  const ears = new EventTarget(), closing = new AbortController(), { signal } = closing;
  const answers = new Map();
  let seen = 0, tries = 0, recent = [], offset = 0, socket = null, timer = 0, soon = false;
  const tell = (kind, detail) => ears.dispatchEvent(new CustomEvent(kind, { detail }));

  const refresh = shared(async () => {
    do {
      const sent = Date.now(), found = await get(`/api/tables/${name}`);
      if (found.now) offset = found.now - (sent + Date.now()) / 2;
      if (!table.snapshot || found.sequence >= table.snapshot.sequence) table.snapshot = found;
    } while (table.snapshot.sequence < seen);
    tell("change");
  });
  const refreshed = () => refresh().catch(() => {});

  const link = (linked) => {
    if (table.linked === linked) return;
    table.linked = linked;
    tell("link");
  };
  const hear = (entry) => {
    if ("key" in entry) return void answers.get(entry.key)?.(entry);
    if (typeof entry.sequence !== "number" || entry.sequence <= seen) return;
    seen = entry.sequence;
    recent = [...recent.slice(1 - RECENT), entry];
    tell("event", entry);
    if (soon) return;
    soon = true;
    queueMicrotask(() => {
      soon = false;
      void refreshed();
    });
  };
  const connect = () => {
    clearTimeout(timer);
    if (signal.aborted || socket?.readyState <= WebSocket.OPEN) return;
    const opened = (socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/tables/${name}/stream?after=${seen}`));
    opened.onopen = () => {
      tries = 0;
      link(true);
      void refreshed();
    };
    opened.onmessage = (message) => hear(JSON.parse(message.data));
    opened.onclose = () => opened === socket && lost(Math.min(250 * 2 ** tries++, 5000));
  };
  /** Nobody gets an answer, and another socket is opened soon. */
  const lost = (wait) => {
    for (const answered of [...answers.values()]) answered(null);
    if (signal.aborted) return;
    link(false);
    timer = setTimeout(connect, wait);
  };
  const drop = () => {
    if (!socket || signal.aborted) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
    socket = null;
    lost(300);
  };

  const speak = async (command, key) => {
    if (!table.linked || socket?.readyState !== WebSocket.OPEN) return null;
    const answered = new Promise((done) => answers.set(key, done)), late = setTimeout(drop, ANSWER);
    socket.send(JSON.stringify({ key, command }));
    const answer = await answered;
    clearTimeout(late);
    answers.delete(key);
    if (!answer || !("refused" in answer)) return answer;
    if (AGAIN.includes(answer.kind)) return null;
    throw new Refusal(answer.refused, answer.clauses);
  };
  /** Given again under the same key if the house is away meanwhile, a command is carried out once. */
  const give = async (command, key) => {
    for (const until = Date.now() + PATIENCE; Date.now() < until && !signal.aborted; await pause(200)) {
      const answer = await speak(command, key);
      if (answer) return answer;
    }
    throw new Away(t("away"));
  };

  const table = {
    name,
    snapshot: null, // {sequence, now, closes_at, you, room, view}
    sent: new Map(), // by key: what is said about a command under way, and the first event that it made
    linked: false,
    get view() {
      return table.snapshot.view;
    },
    get closed() {
      return signal.aborted;
    },
    now: () => Date.now() + offset, // the house's clock, in ms
    on(kind, listener) {
      ears.addEventListener(kind, listener);
      return () => ears.removeEventListener(kind, listener);
    },
    /** What is said `about` a command is in `sent` until the snapshot holds what it did. */
    async do(command, about) {
      const key = newKey(), one = { ...about };
      table.sent.set(key, one);
      tell("sent");
      try {
        const answer = await give(command, key);
        one.first = answer.first;
        for (let times = 0; table.snapshot.sequence < answer.last && times < 3; times++) await refreshed();
        answer.events ??= recent.filter((each) => each.sequence >= answer.first && each.sequence <= answer.last);
        return answer;
      } finally {
        table.sent.delete(key);
        tell("sent");
      }
    },
    close() {
      closing.abort();
      clearTimeout(timer);
      if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // to break off would be an error
      else socket?.close();
    },
  };
  await refresh();
  seen = table.snapshot.sequence;
  connect();
  const wake = () => document.hidden || table.linked || connect();
  document.addEventListener("visibilitychange", wake, { signal });
  addEventListener("online", wake, { signal });
  addEventListener("offline", drop, { signal });
  return table;
}
