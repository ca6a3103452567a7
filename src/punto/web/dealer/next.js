// What to do next, always: one large button; the settlement to be ticked before it, and the calls that may be made besides.

import { button, cardInline, clauseTags, doing, give, h, keep, money, plain, smallButton, t, total } from "../base.js";

const BY_VIRTUAL = ["load-shoe", "burn", "end-shoe", "open-bets", "close-bets", "draw", "expose", "announce", "settle", "offer-insurance"];

const byShoe = (desk, step) =>
	desk.shoe_kind === "virtual" ? BY_VIRTUAL.includes(step) : desk.shoe_kind === "read" && (step === "draw" || (step === "expose" && !desk.face_down));

const NAMES = { expose: "open cards", settle: "pay and collect", answer: "answering" };
const words = (step, desk) => t(NAMES[step.do] ?? step.do, { hand: desk.due ? t(desk.due) : "" });

/** Some steps take more than a click, and lead `toEntry` or `toQuestions`. */
export const next = ({ toEntry, toQuestions }) => (state) => {
	const { table, view, desk } = state, [first, ...others] = view.next;
	if (!first) return h("p", t("nothing next"));
	const press = (step, beside) => {
		if (step.do === "answer") return toQuestions();
		if (step.do === "expose" || step.do === "set-method") return toEntry();
		return give(table, step.do === "announce" ? { do: "announce", what: "result" } : { do: step.do }, beside);
	};
	const waits = first.do === "open-bets" ? left(state) : 0, shoe = byShoe(desk, first.do), answers = first.do === "answer";
	const disabled = waits > 0 || shoe || (answers && !desk.questions.some((each) => each.mine));
	const main = button(words(first, desk), async () => {
		main.disabled = true;
		await press(first, main.parentElement);
		main.disabled = disabled;
	}, { class: "button primary next-button", "data-first": "", disabled });
	const method = (each) => button(`${t("method")} ${each}`, (event) => give(table, { do: "set-method", method: each }, event.target.parentElement), { class: "button primary" });
	const other = (step) => step.do === "answer" ? h("p.small", step.says)
		: smallButton(words(step, desk), (event) => press(step, event.target.parentElement), { disabled: byShoe(desk, step.do) });
	const who = first.by && (first.by.includes(" ") ? first.by : plain(first.by));
	return [
		h("h2.unseen", t("what next")),
		h("p", first.says, " ", clauseTags(first.basis?.clauses, view.book)),
		first.do === "set-method" ? h("div.row", desk.methods.map(method)) : main,
		waits > 0 && h("p.small.waits", t("tick first", waits)),
		shoe && h("p.small.quiet", t("the shoe does it")),
		who && answers && h("p.small.quiet", t("waits for", who)),
		who && !answers && !desk.ranks.flat().includes(first.by) && h("p.small.quiet", t("patron does it", first.by)),
		others.length > 0 && h("div.row", others.map(other))];
};

const CALLS = ["burn", "announce-points", "last-hand", "end-shoe", "load-shoe", "give-back-shoe", "close-table"];

export function calls({ table, view, desk }) {
	const { shoe, may, methods } = desk, phase = view.round?.phase, virtual = desk.shoe_kind === "virtual";
	const facts = [
		shoe && t("shoe n", shoe.number), shoe && t("cards left", shoe.left), t(`${desk.shoe_kind} shoe`), t(desk.face_down ? "face down" : "face up"),
		view.method && `${t("method")} ${view.method}`, shoe?.last && t("last hand"), shoe?.must_change && t("must change"), shoe?.free_next && t("free next"), shoe?.controller && t("holds", shoe.controller)];
	const calls = CALLS.filter((each) => may[each] === null && !(virtual && ["burn", "end-shoe", "load-shoe"].includes(each)));
	const row = (words, each, command) => h("div.row", h("span.small", t(words)), each.map((hand) => doing(table, t(hand), command(hand))));
	const hands = ["player", "banker"];
	return [
		h("p.small.quiet", facts.filter(Boolean).join(" · ")),
		calls.length > 0 && h("div.row", calls.map((each) => doing(table, t(each), each === "announce-points" ? { do: "announce", what: "points" } : { do: each }))),
		may.announce === null && row("called", [...hands, "tie"], (winner) => ({ do: "announce", what: "result", winner })),
		phase === "closed" && !virtual && desk.cards.length > 0 && desk.due && row("drawn elsewhere", hands, (to) => ({ do: "draw", to })),
		methods.length > 0 && ["settled", "void", undefined].includes(phase) && h("div.row", methods.map((method) => doing(table, `${t("method")} ${method}`, { do: "set-method", method }, { "aria-pressed": String(view.method === method) }))),
		methods.includes("A") && view.method === "A" && desk.cards.length >= 4 && phase === "closed" && row("open-first", hands, (hand) => ({ do: "open-first", hand }))];
}

const settled = ({ round }) => round && ["settled", "void"].includes(round.phase) && Object.keys(round.lines).length > 0;

/** Who is ticked; lines that were paid otherwise must be ticked again, so it is kept with what was paid. */
function ticks({ table, view: { round } }) {
	const paid = JSON.stringify([round.number, Object.entries(round.lines).map(([who, lines]) => [who, lines.map((each) => each.net)])]);
	const kept = keep.get(`ticked ${table.name}`);
	return { paid, done: kept?.paid === paid ? kept.done : [] };
}

function left(state) {
	if (!settled(state.view) || state.desk.shoe_kind === "virtual") return 0;
	const { done } = ticks(state);
	return Object.keys(state.view.round.lines).filter((who) => !done.includes(who)).length;
}

const worth = (net) => (net > 0 ? "won" : "lost");

export const checklist = (changed) => (state) => {
	const { table, view } = state, { round } = view;
	if (!settled(view)) return null;
	const everybody = Object.keys(round.lines), status = h("p.small", { role: "status" });
	const count = () => { status.textContent = t("ticked", { n: everybody.filter((who) => ticks(state).done.includes(who)).length, m: everybody.length }); };
	const tick = (who, box) => {
		const { paid, done } = ticks(state), others = done.filter((each) => each !== who);
		keep.set(`ticked ${table.name}`, { paid, done: box.checked ? [...others, who] : others });
		count();
		changed();
	};
	const row = ([who, lines]) => {
		const net = total(lines, "net"), done = ticks(state).done.includes(who);
		return h("li",
			h("label.row", h("input", { type: "checkbox", checked: done, label: who, onchange: (event) => tick(who, event.target) }), h("b", who),
				h(`span.money.net.${worth(net)}`, net > 0 ? t("to pay", money(net)) : net < 0 ? t("collects", money(-net)) : t("evens"))),
			h("ul.settle-lines", lines.map((each) => h("li",
				h("span", h("b", t(each.bet)), h("span.quiet.money", ` ${money(each.stake)} `), t(`result ${each.result}`), each.odds && h("span.quiet", ` ${each.odds}`)),
				h(`span.money.${worth(each.net)}`, money(each.net, "sign")),
				h("span.settle-says.small.quiet", each.says, " ", clauseTags(each.basis?.clauses, view.book))))));
	};
	count();
	return [
		h("header.row", h("h2", t("settlement")), h("span.grow"), status),
		h("p.row.small", ["player", "banker"].map((hand) => h("span", t(hand), " ", round[hand].cards.map(cardInline)))),
		h("ul.settlement", Object.entries(round.lines).map(row))];
};
