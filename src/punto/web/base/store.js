// One table as the browser knows it: the house's snapshot, its stream of events, and our commands under way.
// With every event the snapshot is fetched anew: what is drawn is what the house says, never a guess.

import { Away, get, newKey, Refusal, shared } from "./api.js";
import { t } from "./words.js";

const RECENT = 400;
const ANSWER = 4000; // how long an answer may take before the socket is thought dead
const PATIENCE = 20000;
const QUIET = 5000; // how long a round may be silent before the house is asked whether it is there
const LATE = 2000; // and how long after bets should have closed
const AGAIN = ["NotDurable", "JournalError", "TooMany"]; // refused for now: to be sent again

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Follow a table. It tells of "change" (a new snapshot), "event" (each entry, once, in order), "link" and "sent". */
export async function follow(name) {
	const ears = new EventTarget(), closing = new AbortController(), { signal } = closing;
	const answers = new Map();
	let seen = 0, tries = 0, recent = [], offset = 0, socket = null, timer = 0, soon = false, heard = Date.now();
	const tell = (kind, detail) => ears.dispatchEvent(new CustomEvent(kind, { detail }));

	const refresh = shared(async () => {
		do {
			const sent = Date.now(), found = await get(`/api/tables/${name}`, table.snapshot && ANSWER);
			heard = Date.now();
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
		heard = Date.now();
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

	/** A silent house in a round: does it answer, and has the socket told all that it knows? */
	const listen = async () => {
		const { closes_at: closes, view } = table.snapshot, quiet = Date.now() - heard, late = closes && table.now() > closes + LATE;
		if (!table.linked || !["betting", "closed"].includes(view.round?.phase) || quiet < (late ? LATE : QUIET)) return;
		heard = Infinity; // nobody asks twice
		const { sequence } = await get(`/api/tables/${name}`, ANSWER).catch((error) => error instanceof Away && heard === Infinity && drop()) ?? {};
		heard = Date.now();
		if (sequence > seen) setTimeout(() => sequence > seen && drop(), 1000);
		else if (sequence > table.snapshot.sequence) void refreshed();
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
		get: (path) => get(`/api/tables/${name}/${path}`),
		now: () => Date.now() + offset, // the house's clock, in ms
		on(kind, listener) {
			ears.addEventListener(kind, listener);
			return () => ears.removeEventListener(kind, listener);
		},
		/** Read what was told before this page was opened. */
		async recall() {
			const { entries } = await table.get(`events?after=${Math.max(0, seen - RECENT)}`).catch(() => ({ entries: [] }));
			const first = recent[0]?.sequence ?? seen + 1;
			recent = [...entries.filter(({ sequence }) => sequence < first), ...recent];
		},
		/** What the entries of this round tell and the snapshot does not: the offer of insurance, a patron's cover, how it ended. */
		tale(patron) {
			const found = { offer: null, covers: [], ended: null };
			for (const { event } of recent.slice(Math.max(0, recent.findLastIndex((each) => each.event?.event === "bets-opened")))) {
				const { event: kind, bet, box, stage } = event ?? {}, mine = event?.patron === patron;
				if (kind === "insurance-offered") found.offer = event;
				else if (kind === "round-ended") found.ended = event;
				else if (kind === "cover-struck" && mine && found.offer) found.covers.push({ ...found.offer, ...event });
				else if (kind === "cover-returned" && mine) found.covers = found.covers.filter((each) => each.bet !== bet || each.box !== box || each.stage !== stage);
			}
			return found;
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
			clearInterval(watching);
			if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // to break off would be an error
			else socket?.close();
		},
	};
	await refresh();
	seen = table.snapshot.sequence;
	connect();
	const watching = setInterval(listen, 1000);
	const wake = () => document.hidden || table.linked || connect();
	document.addEventListener("visibilitychange", wake, { signal });
	addEventListener("online", wake, { signal });
	addEventListener("offline", drop, { signal });
	return table;
}
