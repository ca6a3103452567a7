// The service over HTTP: what it answers, what it refuses, and what a page asks for only once.

import { meetBets } from "./bet-names.js";
import { loadStyle } from "./dom.js";
import { language, learn, phrase, told } from "./language.js";

learn({
  "went wrong": ["Something went wrong; nothing was changed.", "出錯了；未作任何更改。"],
});

/** What the rules or the service refuse: a sentence, the clauses it rests on, and what a log-in needs besides. */
export class Refusal extends Error {
  constructor(message, clauses = [], needs = "") {
    super(message);
    this.clauses = clauses;
    this.needs = needs;
  }
}

/** The service cannot be reached, or its answer was lost on the way. */
export class Unreachable extends Error {}

/**
 * A module of the pages that is being loaded, once its style sheets are there, too; `Unreachable` where the house is
 * away. No module waits for its own sheet: where two ask for one that waits, WebKit gives it to the second before it
 * has run.
 */
export async function arrived(loading, ...sheets) {
  try {
    const [module] = await Promise.all([loading, ...sheets.map((file) => loadStyle(file))]);
    return module;
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable(phrase("away")) : error; // browsers have words of their own
  }
}

/** A new idempotency key: the same command under the same key is carried out once. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What an answer refuses, in the language of the page. */
export async function refusalOf(body) {
  const says = body?.refused ?? phrase("went wrong");
  const refusal = new Refusal(await told({ says, message: body?.message }), body?.clauses, body?.needs);
  return Object.assign(refusal, { english: says, id: body?.message?.id });
}

export async function request(path, options) {
  let response;
  try {
    const headers = { "Accept-Language": language(), ...options.headers };
    response = await fetch(path, { cache: "no-store", ...options, headers });
  } catch {
    throw new Unreachable(phrase("away"));
  }
  if (response.status === 204) return null;
  let body = null;
  try {
    body = await response.json();
  } catch {
    if (response.ok) throw new Unreachable(phrase("away"));
  }
  if (!response.ok) throw await refusalOf(body);
  return body;
}

/** What an address answers; with `timeout` in milliseconds, a service that takes longer is unreachable. */
export function get(path, timeout) {
  return request(path, timeout ? { signal: AbortSignal.timeout(timeout) } : {});
}

export function post(path, body, headers) {
  return request(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Answers that do not change while a page is open, by their address. */
const answers = new Map();
addEventListener("language", () => answers.clear());

/** The same, asked for once while the page is open. */
export function getOnce(path) {
  if (!answers.has(path)) {
    const answer = get(path).catch((error) => {
      answers.delete(path); // so that it is asked for again
      throw error;
    });
    answers.set(path, answer);
  }
  return answers.get(path);
}

/** The bets on a table's felt by their ids, with their pay rows, by the very book that the table goes by. */
export function getBets(table) {
  return get(`/api/tables/${table}/bets`).then(meetBets);
}

/** Ask the cage for chips or money, which a cashier or the staff see to. */
export function askCage(table, wish) {
  return post(`/api/tables/${table}/requests`, wish);
}

/** Who is logged in: {name, kind, posts, person, shown}, or null. */
export function getMe() {
  return getOnce("/api/who");
}

/** An answer is asked for again: what it told has changed. */
export function forget(path) {
  answers.delete(path);
}
