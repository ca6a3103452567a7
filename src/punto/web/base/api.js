// The service: what it says, what it refuses, and commands that arrive once.

/** What the service or the rules refuse: a sentence, its clauses, and the kind of refusal. */
export class Refusal extends Error {
  constructor(message, clauses = [], status = 0) {
    super(message);
    this.clauses = clauses;
    this.status = status;
  }
}

/** The service cannot be reached. */
export class Away extends Error {}

const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A key under which a command is carried out once, however often it is sent. */
export const newKey = random;

async function call(method, path, body, headers = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    throw new Away("The house cannot be reached.");
  }
  if (answer.status === 204) return null;
  let said = null;
  try {
    said = await answer.json();
  } catch {
    if (answer.ok) throw new Away("The answer was cut short.");
  }
  if (!answer.ok) throw new Refusal(said?.refused ?? "Something went wrong; nothing was changed.", said?.clauses ?? [], answer.status);
  return said;
}

export const get = (path) => call("GET", path);
export const post = (path, body, headers) => call("POST", path, body, headers);

/** Give a command to a table. Sent again under the same key until the house answers, at most `patience` ms. */
export async function command(table, given, { key = newKey(), patience = 20000 } = {}) {
  const until = Date.now() + patience;
  for (let wait = 250; ; wait = Math.min(wait * 2, 3000)) {
    try {
      return await post(`/api/tables/${table}/commands`, given, { "Idempotency-Key": key });
    } catch (error) {
      const again = error instanceof Away || error.status === 503 || error.status === 429;
      if (!again || Date.now() + wait > until) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

// Who one is: asked once, kept until somebody logs in or out.
let asked = null;

/** Who is logged in: {name, kind, posts}, or null. */
export function me() {
  asked ??= get("/api/who").catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

export async function logIn(name, password) {
  await post("/api/login", { name, password });
  asked = null;
  return me();
}

export async function useLink(token) {
  await post("/api/link", { token });
  asked = null;
  return me();
}

export async function logOut() {
  await post("/api/logout");
  asked = null;
}

/** What a book says about itself and the bets of a layout; kept, since books do not change while a page is open. */
const kept = new Map();
export function once(path) {
  if (!kept.has(path)) {
    kept.set(path, get(path).catch((error) => {
      kept.delete(path);
      throw error;
    }));
  }
  return kept.get(path);
}
export const book = (id) => once(`/api/books/${id}`);
export const bets = (id, layout) => once(`/api/books/${id}/bets${layout ? `?layout=${encodeURIComponent(layout)}` : ""}`);
