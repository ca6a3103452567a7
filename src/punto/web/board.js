// The display board: a full-screen scoreboard to be read across a room.

import { asks, bookAt, button, counters, follow, h, learn, limitsOf, odds, phaseOf, put, road, showLink, style, t, text, timerRing } from "./base.js";
import { titled } from "./lobby.js";

learn(`
full screen | 全螢幕
insurance open | Insurance on {hand}: {odds} | {hand}保險 {odds}
`);

const ROADS = { big: 22, bead: 12, big_eye: 28, small: 28, cockroach: 28 }; // with their columns on a tall screen

const filling = (place, kind) => (innerWidth < innerHeight ? ROADS[kind] : Math.max(6, Math.floor((6 * place.clientWidth) / Math.max(1, place.clientHeight))));

export async function show(root, { params }) {
	await style("/static/board.css");
	const store = await follow(params.name), [name, kind] = titled((await bookAt(params.name)).title);
	document.title = `${name} · ${t("board")}`;
	document.body.classList.add("full");
	const limits = h("dl.board-limits"), phase = h("p.board-phase", { role: "status" }), offer = h("p.board-offer", { role: "status", hidden: true }), side = h("div.board-counts"), ring = timerRing();
	const places = Object.keys(ROADS).map((each) => [each, h("div.road-fit")]);
	const fill = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.());
	put(root, h("div.board",
		h("header.board-head", h("div", h("h1", name), h("p.quiet", kind)), offer, h("span.grow"), limits, h("div.board-now", phase, ring), button(t("full screen"), fill, { class: "button small board-full" })),
		h("div.board-roads", places.map(([each, place]) => h(`figure.road-panel.panel-${each}`, h("figcaption", t(each)), place))), side,
		h("p.board-legend.quiet", t("roads legend"))));
	let drawn = null;
	const draw = async () => {
		const { view } = store, { round, open } = view;
		put(phase, h("span", round && t("round", round.number)), h("span", phaseOf({ open, phase: round?.phase }), view.last_round && ` · ${t("last hand")}`));
		ring.draw(store);
		put(limits, limitsOf(view.limits).map(([key, each]) => h("div", h("dt", key), h("dd.money", each))));
		offer.hidden = !round?.offer;
		if (round?.offer) text(offer, t("insurance open", { hand: t(round.offer.hand), odds: odds(round.offer.odds) }));
		const mark = `${view.results.length}/${innerWidth}/${innerHeight}`;
		if (mark === drawn) return;
		drawn = mark;
		const found = await store.get("roads").catch(() => null);
		if (!found) return void (drawn = null);
		put(side, counters(found), asks(found));
		for (const [, place] of places) put(place);
		for (const [each, place] of places) put(place, road(each, found, filling(place, each)));
	};
	const offs = [showLink(store), store.on("change", draw), () => removeEventListener("resize", draw), () => document.body.classList.remove("full"), () => store.close()];
	addEventListener("resize", draw);
	await draw();
	return () => offs.forEach((off) => off());
}
