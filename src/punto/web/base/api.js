// The service over HTTP: what it answers, what it refuses, and what a page asks for only once.

import { language } from "./language.js";

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

/** A new idempotency key: the same command under the same key is carried out once. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Unreachable("The house cannot be reached.");
  }
  if (response.status === 204) return null;
  let body = null;
  try {
    body = await response.json();
  } catch {
    if (response.ok) throw new Unreachable("The answer was cut short.");
  }
  if (!response.ok)
    throw new Refusal(body?.refused ?? "Something went wrong; nothing was changed.", body?.clauses, body?.needs);
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

function getOnce(path) {
  if (!answers.has(path)) {
    const answer = get(path).catch((error) => {
      answers.delete(path); // so that it is asked for again
      throw error;
    });
    answers.set(path, answer);
  }
  return answers.get(path);
}

/** A rulebook: title, operator, layouts, ranks and insurance. */
export function getBook(id) {
  return getOnce(`/api/books/${id}`);
}

export async function getBooks() {
  const ids = await getOnce("/api/books");
  return Promise.all(ids.map(getBook));
}

/** How many digits the minor unit of a currency has, by its code, where it is not two. */
export function getDigits() {
  return getOnce("/api/currencies");
}

/** The bets on a table's felt by their ids, with their pay rows, by the very book that the table goes by. */
export function getBets(table) {
  return get(`/api/tables/${table}/bets?language=${language()}`);
}

/** The same for a layout of a book; the first one where none is named. */
export function getBookBets(book, layout) {
  return getOnce(`/api/books/${book}/bets?language=${language()}${layout ? `&layout=${layout}` : ""}`);
}

/** Ask the cage for chips or money, which a cashier or the staff see to. */
export function askCage(table, wish) {
  return post(`/api/tables/${table}/requests`, wish);
}

/** Who is logged in: {name, kind, posts, person, shown}, or null. */
export function getMe() {
  return getOnce("/api/who");
}

async function changeSession(path, body) {
  await post(path, body);
  answers.delete("/api/who");
}

export const logIn = (name, password, code) => changeSession("/api/login", { name, password, code });
export const enterAsGuest = () => changeSession("/api/guest");
export const useLink = (token) => changeSession("/api/link", { token });
export const logOut = () => changeSession("/api/logout");

/** End one of one's own sessions; it may be the present one. */
export async function endSession(id) {
  await request(`/api/sessions/${id}`, { method: "DELETE" });
  answers.delete("/api/who");
}
