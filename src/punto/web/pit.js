// The pit console: every table with its alerts, or one table with all that the pit decides.

import { bookAt, clauseTags, get, h, plain, put, say, showLink, smallButton, style, t } from "./base.js";
import { folded, panel, part, progress } from "./dealer/desk.js";
import { weight } from "./dealer/patrons.js";
import { questions, reportForm } from "./dealer/questions.js";
import { clock, journal, told, watch } from "./pit/watch.js";
import { disputes, edges, limits, meter, openingForm, posts, rulings } from "./pit/powers.js";

/** Each stays until somebody acknowledges it. */
function alertList(one, most = 99) {
	const row = ({ at, event, sequence }) => h("li.row", h("span.tiny.quiet", clock(at)),
		h("span.grow.small", h("b", plain(event.event)), ` ${told(event)} `, clauseTags(event.basis?.clauses?.slice(0, 2), one.state?.view.book), event.question && h("span.waits", ` ${t("needs rank", plain(event.question.to))}`)),
		smallButton(t("acknowledge"), () => one.acknowledge(sequence)));
	return h("ul.alerts", one.alerts.slice(-most).reverse().map(row));
}

function tile(one) {
	const { view, desk } = one.state, open = desk.questions;
	const against = Object.entries(one.edges?.bets ?? {}).filter(([, each]) => each.against_house).map(([bet]) => t(bet));
	return [
		h("header.row", h("h2", h("a", { href: `/pit/${one.name}` }, one.name)), h("span.grow"), one.alerts.length > 0 && h("span.p-badge", one.alerts.length), open.length > 0 && h("span.p-badge.hollow", t("open questions", open.length))),
		h("p.small.quiet", [one.title, view.layout, progress(view), t("cards left", view.cards_left ?? 0)].join(" · ")),
		weight(desk.weight), meter(desk.weight),
		against.length > 0 && h("p.small", h("span.flag", t("bets against", against.length)), ` ${against.join(", ")}`),
		open.slice(0, 2).map(({ question, mine }) => h("p.small.waits", question.says, " ", mine ? "" : t("waits for", plain(question.to)))),
		alertList(one, 4)];
}

async function all(root, me, go) {
	const found = (await get("/api/tables")).filter(({ name }) => me.posts[name] || me.posts["*"]), names = found.map(({ name }) => name);
	const tiles = new Map(names.map((name) => [name, h("li.panel.p-tile", h("h2", name))])), watches = [];
	put(root, h("div.console", h("h1", t("all tables")), h("ul.p-tiles", [...tiles.values()]), me.posts["*"] && folded("opening", t("open-table"), await openingForm((name) => go(`/pit/${name}`)))));
	let closed = false, soon = 0;
	const draw = (one) => {
		if (closed || !one.state) return;
		const item = tiles.get(one.name);
		if (item.querySelector("button:focus-visible")) {
			clearTimeout(soon);
			soon = setTimeout(() => draw(one), 1500);
			return;
		}
		item.classList.toggle("alerting", one.alerts.length > 0);
		if (one.alerts.length > (one.told ?? 0)) say(`${one.name}: ${told(one.alerts.at(-1).event)}`, "urgent");
		one.told = one.alerts.length;
		one.title = found.find(({ name }) => name === one.name).title;
		put(item, tile(one));
	};
	await Promise.all(names.map((name) => watch(name, draw).then((one) => watches.push(one), (error) => tiles.get(name).append(h("p.quiet.small", error.message)))));
	const off = watches[0] && showLink(watches[0].state.table);
	return () => { closed = true; clearTimeout(soon); off?.(); for (const each of watches) each.close(); };
}

async function one(root, name) {
	const { title } = await bookAt(name);
	let state = null, known = null;
	const report = reportForm(() => state), place = () => h("div.col");
	const bar = place(), alerts = place(), asked = place(), chances = place(), posted = place(), disputed = place(), people = place(), ruled = place();
	const parts = [
		part(bar, ({ view }) => h("div.row.table-bar", h("a.small", { href: "/pit" }, t("all tables")), h("h1", name), h("span.quiet.small", `${title} · ${t("layout")} ${view.layout}`), h("span.grow"),
			h("span.small", progress(view)), h("a.small", { href: `/dealer/${name}` }, t("to the dealer")))),
		part(asked, questions("no questions")), part(posted, limits), part(disputed, disputes), part(people, posts), part(ruled, rulings), (each) => report.show(each)];
	const watched = await watch(name, (now) => {
		state = now.state;
		for (const each of parts) each(state);
		if (now.edges !== known) put(chances, edges((known = now.edges)));
		if (!alerts.contains(document.activeElement) || now.alerts.length !== alerts.shown) put(alerts, now.alerts.length ? alertList(now) : h("p.quiet.small", t("no alerts")));
		alerts.shown = now.alerts.length;
	});
	put(root, h("div.console.pit-one", bar,
		h("div.col", panel("alerts", t("alerts"), alerts), h("section", { label: t("questions") }, asked), panel("journal", t("journal"), journal(state.table, state.view.book))),
		h("div.col", panel("limits", t("limits now"), posted), panel("edges", t("edges"), chances), folded("report", t("report"), report), folded("disputes", t("disputes"), disputed), folded("posts", t("posts"), people), folded("rulings", t("rulings"), ruled))));
	const off = showLink(state.table);
	return () => { off(); watched.close(); };
}

export async function show(root, { params: { name }, me, go }) {
	document.title = [name, t("pit"), "Punto"].filter(Boolean).join(" · ");
	await style("/static/console.css");
	return name ? one(root, name) : all(root, me, go);
}
