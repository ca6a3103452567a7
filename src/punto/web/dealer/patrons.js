// Who is at the table, what lies on the felt, insurance, and acting for a patron.

import { commandForm, doing, h, labelled, money, named, odds, put, select, t, total } from "../base.js";

export const weight = ({ player, banker }) => h("span.small.money", t("weight", { p: money(player), b: money(banker) }));

export function patrons({ table, view, desk }) {
	const { round } = view, { limit, over } = desk.weight;
	const wagers = ["betting", "closed"].includes(round?.phase) ? round.wagers : [];
	const small = (words) => h("span.tiny.quiet", words);
	const wager = (each, seat) => {
		const press = (id, more) => doing(table, t(id), { do: id, patron: each.patron, bet: each.bet, box: each.box, ...more }, { class: "bare" });
		return h("div.row.wager",
			h(`span.mark.${each.bet}`, t(each.bet)), each.box !== seat && small(t("box", each.box)), each.advised && h("span.tiny.waits", t("under minimum")),
			h("span.money", money(each.stake)),
			round.phase === "betting" ? press("withdraw") : [press("pull"), over.some(([heavier]) => heavier === each.bet) && press("remove", { amount: each.stake })]);
	};
	const row = (each) => h("li",
		h("div.row", h("b", each.name),
			h("span.small.quiet", [each.box ? t("box", each.box) : t("standing"), each.away && t("is away"), each.owed > 0 && t("owes", money(each.owed))].filter(Boolean).join(" · ")),
			h("span.money", money(each.balance))),
		wagers.filter(({ patron }) => patron === each.name).map((one) => wager(one, each.box)),
		wagers.length > 0 && desk.covers.filter(({ patron }) => patron === each.name).map((cover) =>
			h("div.row.wager", h("span.mark", t(`${cover.hand}-insurance`)), small(cover.odds), h("span.money", money(cover.stake)))));
	return [
		h("p.row.small", weight(desk.weight), limit && h("span.quiet", `${t("differential")} ${money(limit)}`),
			over.map(([heavier, box, amount]) => h("b.waits", t("over", { hand: t(heavier), n: money(amount) }), box && ` · ${t("box", box)}`))),
		h("ul.patrons", [...view.patrons].sort((one, other) => (one.box ?? 99) - (other.box ?? 99)).map(row))];
}

export function insurance(state) {
	const { table, view, desk } = state, offer = view.round?.offer;
	if (!offer) return null;
	const row = ([spot, most]) => {
		const [, patron, place] = /^(.*)\/(\d+)$/.exec(spot), box = Number(place);
		const taken = total(desk.covers.filter((each) => each.patron === patron && each.box === box && each.stage === offer.stage && each.hand === offer.hand));
		return h("li.row", h("b", patron), h("span.small.quiet", t("box", box)),
			h("span.small", t("may take", money(most))), h(`span.small.${taken ? "won" : "quiet"}`, taken ? t("taken", money(taken)) : t("not taken")),
			desk.intent.includes(patron) && h("span.tiny.waits", t("declare-intent")),
			most > 0 && [commandForm(state, "insure", ["stake"], { fixed: { patron, hand: offer.hand, box } }), doing(table, t("declare-intent"), { do: "declare-intent", patron }, { class: "bare" })]);
	};
	return [h("h2", h("span.lammer", offer.odds.replace(":", " : ")), t("lammer", { hand: t(offer.hand), odds: odds(offer.odds) })),
		h("ul.covers", Object.entries(offer.most).map(row))];
}

// What can be done for a patron, and the fields each takes.
const ACTS = Object.fromEntries(["place bet stake box?", "find bet stake box?", "buy-in amount", "cash-out amount?", "pay-owed amount", "sit name? box", "stand name?", "leave", "ask-squeeze hand", "grant-squeeze hand", "decline-squeeze hand", "bar-squeeze", "banker-third-first how", "declare-intent", "no-insurance", "take-shoe", "let-draw", "clear-strike"]
	.map((each) => each.split(" ")).map(([id, ...specs]) => [id, specs]));
const SOME = { "declare-intent": "insurance", "no-insurance": "insurance", "banker-third-first": "insurance", "take-shoe": "methods", "let-draw": "methods", "clear-strike": "strikes" };

export function acting() {
	let chosen = null;
	return (state) => {
		const { view, desk } = state, rest = h("div");
		const make = ({ name, ...given }) => (name ? { ...given, patron: name } : given);
		const draw = () => {
			chosen = what.read();
			put(rest, commandForm(state, chosen, [ACTS[chosen].includes("name?") ? "patron?" : "patron", ...ACTS[chosen]], { words: t("do"), make }));
		};
		const offered = Object.keys(ACTS).filter((id) => !SOME[id] || desk[SOME[id]] === true || desk[SOME[id]].length > 0);
		const what = select(named(offered, t), { onchange: draw });
		what.value = offered.includes(chosen) ? chosen : view.patrons.length ? "place" : "sit";
		queueMicrotask(draw); // after it was compared: to choose another is no change of the table
		return h("div.col", labelled(t("act for"), what), rest);
	};
}
