// One patron's wagers: what the house has accepted, what is on its way, and what can be undone.

import { total } from "../base.js";

const main = (bet) => (bet === "player" || bet === "banker" ? 1 : 0);

/** A refusal that says about which bet it is. */
const about = (bet, work) => work.catch((refusal) => { throw Object.assign(refusal, { bet }); });

/** Wagers of one patron. Nothing is counted as laid unless the house says so. */
export function bettingOf(store, patron) {
	let number = null, done = [], last = [], latest = [];
	const laid = () => (store.view.round?.wagers ?? []).filter((each) => each.patron === patron);
	const place = async (bet, stake) => {
		const box = store.view.patrons.find((each) => each.name === patron)?.box ?? betting.box;
		const { events } = await store.do({ do: "place", patron, bet, stake, ...(box && { box }) }, { bet, amount: stake });
		done.push({ bet, stake: total(events.map(({ event }) => event).filter(({ event }) => event === "wager-placed")) || stake });
	};
	const takeBack = async ({ bet, stake }) => {
		const wager = laid().find((each) => each.bet === bet);
		if (wager) await about(bet, store.do({ patron, bet, box: wager.box, ...(stake >= wager.stake ? { do: "withdraw" } : { do: "lower", amount: stake }) }));
	};
	const layAll = async (wagers) => {
		for (const { bet, stake } of [...wagers].sort((one, other) => main(other.bet) - main(one.bet))) await about(bet, place(bet, stake));
	};
	const betting = {
		box: null, // where a standing patron bets
		laid,
		place,
		pending() {
			const found = new Map();
			for (const { bet, amount, first } of store.sent.values()) if (bet && !(first <= store.snapshot.sequence)) found.set(bet, (found.get(bet) ?? 0) + amount);
			return found;
		},
		/** Follow the house: a new round forgets what can be undone and remembers what can be bet again. */
		follow() {
			const round = store.view.round, running = round?.phase === "betting" || round?.phase === "closed";
			if (round?.number !== number) {
				number = round?.number;
				done = [];
				last = latest;
			}
			if (!running) last = latest;
			else if (laid().length) latest = laid();
		},
		can: () => ({ undo: done.length > 0, clear: laid().length > 0, rebet: last.length > 0 && !laid().length, double: laid().length > 0 }),
		async undo() {
			const undone = done.pop();
			await takeBack(undone).catch((refusal) => { done.push(undone); throw refusal; });
		},
		/** Take everything back; side bets first, since they may not lie alone. */
		async clear() {
			for (const each of laid().sort((one, other) => main(one.bet) - main(other.bet))) await takeBack(each);
			done = [];
		},
		rebet: () => layAll(last),
		double: () => layAll(laid()),
	};
	return betting;
}
