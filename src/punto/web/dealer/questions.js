// Questions of every form with patrons' answers, and reporting an irregularity.

import { asking, attempt, button, cardInline, clauseTags, doing, fields, give, h, labelled, meaning, named, plain, post, printed, put, questionCard, readCards, said, select, several, smallButton, stepList, t } from "../base.js";
import { thenAsked } from "./desk.js";
import { RANKS, SUITS } from "./felt.js";

// What a question asks besides a choice: {body, more(choice)}; `more` is added to the answer.
const FORMS = {
	order(question, desk) {
		let order = [];
		const list = h("div.row");
		const tapped = (at) => { order = order.includes(at) ? order.filter((each) => each !== at) : [...order, at]; draw(); };
		const card = (at) => {
			const face = desk.cards.find((each) => each.at === at)?.face, place = order.indexOf(at);
			return h("button.choice.card-choice", { type: "button", "aria-pressed": String(place >= 0), onclick: () => tapped(at) }, h("b", face ? cardInline(face) : `#${at + 1}`), h("span", place >= 0 ? `${place + 1}.` : "–"));
		};
		const draw = () => put(list, (desk.procedures.at(-1)?.cards ?? []).map(card), smallButton(t("clear"), () => { order = []; draw(); }));
		draw();
		return { body: h("div.col", h("p.small", t("tap in order")), list), more: () => ({ order }) };
	},

	patrons(question) {
		const { element, read } = several(t("who intended"), named(question.about, String));
		return { body: element, more: () => ({ patrons: read() }) };
	},

	count(question, desk, decks) {
		const sum = h("b"), sealed = h("input.field", { placeholder: "6h Kd" });
		const add = () => { sum.textContent = t("counted sum", Object.values(count()).reduce((so, each) => so + each, 0)); };
		const field = (card) => h("input", { name: card, type: "number", min: 0, max: 99, inputmode: "numeric", label: card, oninput: add });
		const grid = h("table.count-grid",
			h("tr", h("th"), RANKS.map((rank) => h("th", { scope: "col" }, rank === "T" ? "10" : rank))),
			Object.entries(SUITS).map(([suit, sign]) => h("tr", h("th", { scope: "row" }, sign), RANKS.map((rank) => h("td", field(rank + suit))))));
		const counted = [...grid.querySelectorAll("input")];
		const count = () => Object.fromEntries(counted.map((each) => [each.name, Number(each.value)]).filter(([, n]) => n > 0));
		const fill = () => { for (const each of counted) each.value = decks; add(); };
		add();
		return {
			body: h("div.col", h("p.small", t("count hint")), h("div.scrolls", { tabindex: 0, role: "group", label: t("count hint") }, grid),
				h("div.row", sum, smallButton(t("fill full", decks), fill)), labelled(t("sealed"), sealed)),
			more: () => ({ count: count(), sealed: readCards(sealed.value) }),
		};
	},

	remedies(question, desk) {
		let steps = [];
		const list = h("ol.steps"), choose = select(desk.remedies.map((each) => [each, said(each.names)]), { label: t("add step") });
		const set = (now) => {
			steps = now;
			put(list, steps.map((each) => h("li", said(each.names), " ", button("×", () => set(steps.filter((other) => other !== each)), { class: "bare", label: t("clear") }))));
		};
		return {
			body: h("details.col", h("summary", t("ruling")), list, h("div.row", h("div.grow", choose), smallButton(t("add step"), () => set([...steps, { ...choose.read() }])))),
			more: (choice) => (choice === "rule" ? { remedies: steps.map((each) => ({ [each.verb]: each.object || true })) } : {}),
		};
	},
};

function asked({ question, mine }, state) {
	const { table, view, desk } = state, { book } = view;
	const card = () => {
		const command = { do: "answer", question: question.id };
		if (question.to === "patrons") {
			const choices = (patron) => question.choices.map((choice) => doing(table, plain(choice), { ...command, choice, patron }));
			return h("section.question", { label: question.says, "data-question": question.id }, asking(question, book),
				h("ul.small", question.choices.map((choice) => [choice, meaning(question, choice)]).map(([choice, says]) => says && h("li", h("b", plain(choice)), " ", h("span.quiet", says)))),
				h("ul.for-patrons", question.waiting.map((who) => h("li.row", h("b.grow", who), choices(who)))),
				Object.entries(question.answers ?? {}).map(([who, choice]) => h("p.small", `${who}: ${plain(choice)}`)));
		}
		if (!mine) return h("section.question.other", asking(question, book), h("p.waits", t("waits for", plain(question.to))));
		const { body, more } = FORMS[question.form]?.(question, desk, table.snapshot.decks) ?? {};
		return questionCard(question, { book, body, answer: async (choice, reason) => table.do({ ...command, choice, ...reason, ...more?.(choice) }) });
	};
	const told = [...new Set((question.basis?.clauses ?? []).map(printed))].filter((clause) => desk.clauses[clause]);
	return h("div.col", card(), told.length > 0 && h("dl.clause-says", told.map((clause) => [h("dt", clauseTags([clause], book)), h("dd", desk.clauses[clause])])));
}

/** Every open question, and the steps still to come; `none` where nothing waits. */
export const questions = (none) => (state) => {
	const { desk, view } = state;
	const step = ({ names, by, clause }) => ({ says: said(names), after: by && h("span.quiet", ` · ${plain(by)}`), clauses: clause ? [clause] : [] });
	const steps = desk.procedures.map((each) => h("section.procedure",
		h("h3", said(each.names), " ", clauseTags(each.clauses, view.book)), each.note && h("p.small.quiet", each.note), stepList(each.rest.map(step), view.book, desk.clauses)));
	return desk.questions.length || steps.length ? [desk.questions.map((each) => asked(each, state)), steps] : none && h("p.quiet", t(none));
};

function details({ fact, details: known }, state) {
	const { desk, view } = state, lie = desk.cards.length;
	const cards = desk.cards.map(({ at, area, face }) => [at, `${at + 1} · ${t(area)} ${face ?? ""}`]);
	if (fact === "simultaneous-draw" && view.round?.phase === "closed") cards.push(...[lie, lie + 1].map((at) => [at, `${at + 1} · ${t("next card")}`]));
	return fields([...known.map((name) => (name === "cards" ? ["cards", cards, true] : `${name}?`)), fact === "other" ? "note" : "note?"], state);
}

function foreseen({ steps, asks, clauses, summaries }, book) {
	return h("div.foreseen", h("h3", t("what the book says"), " ", clauseTags(clauses, book)), stepList([...steps, ...thenAsked(asks)], book, summaries));
}

export function reportForm(current) {
	const body = h("div.col");
	let chosen = null, was = "";
	const choose = (found) => {
		chosen = found;
		(found ? know : pick)();
	};
	const pick = () => {
		const { facts } = current().desk, now = facts.filter((each) => !each.why_not), not = facts.filter((each) => each.why_not);
		const group = (words, some) => some.length > 0 && [h("h3.small.quiet", t(words)), h("div.facts", some.map((each) => button(said(each.names), () => choose(each), { class: "choice fact" })))];
		put(body, h("p.small.quiet", t("choose fact")), group("book covers", now.filter((each) => each.covered)), group("book silent", now.filter((each) => !each.covered)),
			not.length > 0 && h("details.small", h("summary", t("not now")), h("ul", not.map((each) => h("li", h("b", said(each.names)), " ", h("span.quiet", each.why_not))))));
	};
	const know = () => {
		const { table, view: { book } } = current(), { rows, read } = details(chosen, current());
		const preview = h("div", { role: "status" });
		const command = () => ({ do: "report", fact: chosen.fact, ...read() });
		const foresee = () => attempt(preview, book, async () => put(preview, foreseen(await post(`/api/tables/${table.name}/foresee`, command()), book)));
		const form = h("form.col", { oninput: () => put(preview), onsubmit: async () => {
			if ((await foresee()) && (await give(table, command(), preview))) choose(null);
		} },
			h("h3", said(chosen.names), " ", clauseTags(chosen.clauses, book)), rows, preview,
			h("div.row", h("button.button.primary", t("report it")), button(t("what the book says"), foresee), button(t("cancel"), () => choose(null))));
		put(body, form);
		form.querySelector("input,select")?.focus();
	};
	body.show = ({ desk, view }) => {
		const now = JSON.stringify([desk.facts.map((each) => [each.fact, each.why_not]), view.patrons.map((each) => each.name), chosen && desk.cards]);
		if (now === was) return;
		was = now;
		choose(desk.facts.some((each) => each.fact === chosen?.fact && !each.why_not) ? chosen : null);
	};
	return body;
}
