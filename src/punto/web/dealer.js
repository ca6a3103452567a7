// The dealer's console: what to do next, the cards, the people, and what went wrong.

import { bookAt, get, h, phaseOf, posted, put, showLink, style, t, timerRing, typing } from "./base.js";
import { calls, checklist, next } from "./dealer/next.js";
import { folded, openDesk, panel, part, progress } from "./dealer/desk.js";
import { cardEntry, drawHands, whereTo } from "./dealer/felt.js";
import { acting, insurance, patrons } from "./dealer/patrons.js";
import { questions, reportForm } from "./dealer/questions.js";

async function chooseTable(root, me) {
	const mine = (await get("/api/tables")).filter((each) => me.posts[each.name] || me.posts["*"]);
	put(root, h("div.console.choose", h("h1", t("choose table")),
		h("ul.tables", mine.map((each) => h("li", h("a.panel", { href: `/dealer/${each.name}` }, h("b", each.name),
			h("span.small.quiet", [each.title, each.layout, each.patrons, phaseOf(each)].join(" · "))))))));
}

export async function show(root, { params: { name }, me }) {
	document.title = [name, t("dealer"), "Punto"].filter(Boolean).join(" · ");
	await style("/static/console.css");
	if (!name) return void (await chooseTable(root, me));

	let state = null;
	const current = () => state, entry = cardEntry(current), report = reportForm(current), ring = timerRing();
	const rules = await bookAt(name);
	const place = (kind, words) => h(kind, { label: t(words) });
	const bar = h("div.row.grow"), hands = h("div"), people = h("div"), acts = h("div"), besides = h("div.col"), note = h("p.small.quiet", t("the shoe reads"));
	const first = place("section.panel.next", "what next"), asked = place("section.col.questions", "questions"), cover = place("section.panel.part-insurance", "insurance"), list = place("section.panel.part-checklist", "settlement");
	first.tabIndex = -1;

	const redraw = () => { if (state) for (const each of parts) each(state); };
	const goTo = (element, focus) => { element.scrollIntoView({ block: "center" }); focus?.focus(); };
	const toEntry = () => entry.hidden || goTo(entry, entry.elements.card);
	const pick = (at) => { entry.pick(at); redraw(); entry.typeHere(); };
	const parts = [
		part(bar, ({ view }) => [h("h1", name), h("span.quiet.small", `${rules.title} · ${t("layout")} ${view.layout}`), h("span.grow"), h("span.small", progress(view)),
			h("span.small.money", [...posted(view.limits), view.currency].join(" · ")),
			view.cards_left !== null && h("span.small", t("cards left", view.cards_left))]),
		part(first, next({ toEntry, toQuestions: () => goTo(asked, asked.querySelector("button,input")) })),
		part(hands, (each) => drawHands(each, whereTo(each, entry.picked())?.at, pick)),
		(each) => entry.show(each),
		({ desk }) => { note.hidden = desk.shoe_kind !== "read"; },
		part(asked, questions()), part(cover, insurance), part(list, checklist(redraw)), part(people, patrons), part(besides, calls), part(acts, acting()),
		(each) => report.show(each),
		() => { for (const each of [asked, cover, list]) each.hidden = !each.childElementCount; },
		({ table }) => ring.draw(table),
	];
	put(root, h("div.console.dealer", h("header.row.table-bar", bar, ring),
		h("div.col.main-column", first, asked, cover, list, h("section.panel.part-felt", { label: t("cards") }, hands, note, entry)),
		h("div.col.side-column", panel("patrons", t("patrons"), people, h("details", h("summary", t("act for")), acts)), panel("shoe", t("shoe and calls"), besides), folded("report", t("report"), report))));
	const desk = await openDesk(name, (now) => { state = now; redraw(); }), off = showLink(desk.table);
	const keys = (event) => {
		if (!typing(event) && !entry.hidden && /^[2-9tjqka1]$/i.test(event.key)) entry.typeHere();
	};
	document.addEventListener("keydown", keys);
	return () => { document.removeEventListener("keydown", keys); off(); desk.close(); };
}
