// The service: what it says and what it refuses.

export class Refusal extends Error {
	constructor(message, clauses = []) {
		super(message);
		this.clauses = clauses;
	}
}

export class Away extends Error {}

export const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function call(path, options) {
	let answer, said = null;
	try {
		answer = await fetch(path, { cache: "no-store", ...options });
	} catch {
		throw new Away("The house cannot be reached.");
	}
	if (answer.status === 204) return null;
	try {
		said = await answer.json();
	} catch {
		if (answer.ok) throw new Away("The answer was cut short.");
	}
	if (!answer.ok) throw new Refusal(said?.refused ?? "Something went wrong; nothing was changed.", said?.clauses);
	return said;
}

/** `within` so many ms, or the house is away. */
export const get = (path, within) => call(path, within && { signal: AbortSignal.timeout(within) });
export const post = (path, body, headers) =>
	call(path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });

/** Calls of `work` that come while one is under way share one more after it. */
export function shared(work) {
	let running = null, again = false;
	const run = async () => {
		do {
			again = false;
			await work();
		} while (again);
	};
	return () => {
		again = Boolean(running);
		running ??= run().finally(() => { running = null; });
		return running;
	};
}

/** What does not change while a page is open is asked for once. */
const kept = new Map();
function once(path) {
	if (!kept.has(path)) {
		kept.set(path, get(path).catch((error) => {
			kept.delete(path);
			throw error;
		}));
	}
	return kept.get(path);
}
export const book = (id) => once(`/api/books/${id}`);
export const bookAt = (table) => get(`/api/tables/${table}/book`); // the table's own edition
export const books = async () => Promise.all((await once("/api/books")).map(book));
export const betsAt = (table) => get(`/api/tables/${table}/bets`);

/** Who is logged in: {name, kind, posts}, or null. */
export const me = () => once("/api/who");

async function enter(path, body) {
	await post(path, body);
	kept.delete("/api/who");
}
export const logIn = (name, password) => enter("/api/login", { name, password });
export const beGuest = () => enter("/api/guest");
export const useLink = (token) => enter("/api/link", { token });
export const logOut = () => enter("/api/logout");
