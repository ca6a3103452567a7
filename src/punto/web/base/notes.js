// Saying things: to the ear, beside what caused them, and when the house is away.

import { button, h, text } from "./dom.js";
import { money } from "./money.js";
import { learn, spoken, t } from "./words.js";

learn(`
odds | {win} to {of} | {of} 賠 {win}
`);

/** "0.95:1" → "0.95 to 1". */
export const odds = (words) => t("odds", { win: words.split(":")[0], of: words.split(":")[1] });

/** To a screen reader; "urgent" interrupts. */
export function say(words, how = "said") {
	document.getElementById(how).textContent = words;
}

/** What is posted at a table: [["Min", "10"], …]. */
export const limitsOf = ({ minimum, maximum, differential }) => Object.entries({ min: minimum, max: maximum, differential }).filter(([, amount]) => (amount ?? null) !== null).map(([key, amount]) => [t(key), money(amount)]);
export const posted = (limits) => limitsOf(limits).map((each) => each.join(" "));

export const phaseOf = ({ open, phase }) => t(!open ? "table closed" : phase ?? "between rounds");

/** "4.1.1#banker-6" → "4.1.1": our names for parts of a clause are not printed. */
export const printed = (clause) => String(clause).split("#")[0];

const HOUSES = { "commission-insurance": "RWS", "da-hu-ying-xiong": "RWS", "wu-song": "RWS", "dragon-tiger-mbs": "MBS", "dragon-tiger-hoiana": "Hoiana" };

/** Clauses as small tags: ["5.3#a"] of wu-song → `RWS 5.3`. */
export const clauseTags = (clauses, book) => h("span.clauses", [...new Set((clauses ?? []).map(printed))].map((each) =>
	h("span.clause", { title: `${t("clause")} ${each}` }, `${HOUSES[book] ?? ""} ${each}`.trim())));

/** What the first clause says that `summaries` knows. */
export const clauseSays = (clauses, summaries) =>
	(clauses ?? []).map((clause) => summaries?.[printed(clause)]).filter(Boolean).slice(0, 1).map((says) => h("p.tiny.quiet", says));

export const stepList = (steps, book, summaries) => h("ol.steps", steps.map(({ says, clauses, after }) =>
	h("li", h("span", says, after), " ", clauseTags(clauses, book), clauseSays(clauses, summaries))));

export const asking = (question, book) => h("header", h("p.lead", question.says), clauseTags(question.basis?.clauses, book));

/** Names that the house gives as [English, Chinese]. */
export const said = (names) => names[spoken() === "zh" ? 1 : 0];

const host = (beside) => beside.closest("form, li, .question, .panel, .spot-box, .dock, .asked") ?? beside;

/** A sentence next to what caused it; it stays until it is closed, or for so many ms. */
export function refuse(beside, refusal, book, ms = 0) {
	forgive(beside);
	const words = refusal.clauses?.length ? refusal.message.replace(/\s*\([^()]*\)\s*$/, "") : refusal.message;
	const note = h("div.refusal", { role: "alert" }, h("span", words), " ", clauseTags(refusal.clauses, book),
		button("×", (event) => { event.stopPropagation(); note.remove(); }, { class: "bare", label: t("close") }));
	host(beside).append(note);
	if (ms) setTimeout(() => note.remove(), ms);
	return note;
}

export const forgive = (beside) => host(beside).querySelector(":scope > .refusal")?.remove();

/** Do what the house may refuse: the refusal stands beside its cause. Resolves to what came of it, or null. */
export async function attempt(beside, book, work) {
	forgive(beside);
	try {
		return (await work()) ?? true;
	} catch (refusal) {
		refuse(beside, refusal, book);
		return null;
	}
}

export const dot = (kind, props = { "aria-hidden": "true" }) => h(`span.dot.${kind}`, props, t(`mark ${kind}`));

export function showLink(store) {
	const bar = document.getElementById("link-state");
	let timer = 0;
	const show = (kind, words) => {
		bar.className = kind;
		bar.hidden = false;
		text(bar, t(words));
	};
	const hide = () => { bar.hidden = true; };
	const draw = () => {
		clearTimeout(timer);
		if (!store.linked) timer = setTimeout(() => show("lost", "away"), 700);
		else if (bar.hidden) return;
		else {
			show("found", "back");
			timer = setTimeout(hide, 1800);
		}
	};
	draw();
	const off = store.on("link", draw);
	return () => {
		off();
		clearTimeout(timer);
		hide();
	};
}
