// The lobby: a tile a table, a filter, and a seat in one click.

import { bigFrom, get, h, keyed, learn, posted, phaseOf, put, road, t, text } from "./base.js";

learn(`
the salon | 貴賓廳
salon line | Choose a table. Every payment names the clause it rests on. | 請選擇賭檯。每一筆派彩都註明所依條文。
filter | Filter tables | 篩選賭檯
sit down | 入座
watch | 旁觀
at the table | {n} at the table | 檯上 {n} 人
shoe left | Shoe: {n} of {of} cards left | 牌靴尚餘 {n}／{of} 張
no table | No table is called so. | 沒有相符的賭檯。
only open | Open tables only | 只看開檯
`);

/** "Wu Song (Non-Commission Baccarat)" in two lines. */
export function titled(words) {
	const [, name, kind] = /^(.*?)\s*(?:\((.*)\))?\s*$/.exec(words);
	return [name, kind ?? ""];
}

function make(each, me) {
	const [name, kind] = titled(each.title), plays = me.kind === "patron", go = t(plays ? "sit down" : "watch");
	const link = (look, href, words) => h(`a.button${look}`, { href, label: `${words}: ${name}` }, words);
	return h("article.tile", { label: `${name}, ${each.name}` },
		h("header", h("h2", name), h("p.quiet.small", kind || each.name)),
		h("div.road-panel"), h("p.tile-limits"), h("div.shoe-bar", { role: "img" }, h("i")),
		h("p.row.small", h("span"), h("span.tile-people.quiet")),
		h("div.row", link(".primary", `/table/${each.name}${plays ? "?sit" : ""}`, go), link("", `/board/${each.name}`, t("board"))));
}

function update(tile, each) {
	const part = (name) => tile.querySelector(name), panel = part(".road-panel"), bar = part(".shoe-bar"), phase = part(".tile-people").previousSibling;
	if (panel.dataset.results !== each.results) {
		panel.dataset.results = each.results;
		const count = (letter) => each.results.split(letter).length - 1;
		put(panel, road("big", { big: bigFrom(each.results), count: { banker: count("B"), player: count("P"), tie: count("T") } }, 22));
	}
	text(part(".tile-limits"), `${posted({ minimum: each.minimum, maximum: each.maximum }).join("   ")} ${each.currency}`);
	const all = each.decks * 52, left = each.cards_left ?? 0;
	bar.title = t("shoe left", { n: left, of: all });
	bar.setAttribute("aria-label", bar.title);
	bar.firstChild.style.setProperty("--part", left / all);
	text(phase, phaseOf(each));
	phase.className = `grow tile-phase ${(each.open && each.phase) || ""}`;
	text(part(".tile-people"), t("at the table", each.patrons));
	tile.classList.toggle("shut", !each.open);
}

export async function show(root, { me, current }) {
	document.title = `Punto · ${t("lobby")}`;
	const tiles = h("div.tiles"), none = h("p.quiet", { hidden: true }, t("no table"));
	let all = [], timer = 0;
	const draw = () => {
		const words = filter.value.trim().toLowerCase();
		const shown = all.filter((each) => (!open.checked || each.open) && `${each.title} ${each.name}`.toLowerCase().includes(words));
		keyed(tiles, shown, (each) => each.name, (each) => make(each, me), update);
		none.hidden = shown.length > 0;
	};
	const filter = h("input.field", { type: "search", placeholder: t("filter"), label: t("filter"), oninput: draw });
	const open = h("input", { type: "checkbox", onchange: draw });
	put(root, h("div.lobby",
		h("div.lobby-head", h("div", h("h1", t("the salon")), h("p.quiet", t("salon line"))), h("div.row", filter, h("label.tick.small", open, t("only open")))),
		tiles, none));
	const look = async () => {
		all = await get("/api/tables");
		draw();
	};
	const again = async () => {
		if (!document.hidden) await look().catch(() => {});
		if (current()) timer = setTimeout(again, 2000);
	};
	await look();
	timer = setTimeout(again, 2000);
	return () => clearTimeout(timer);
}
