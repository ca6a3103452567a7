// What the pit decides apart from questions: opening a table, disputes, posts, limits, readings; and the edge of every bet.

import { books, clauseTags, commandForm, doing, fields, h, learn, money, named, newKey, plain, post, posted, sendForm, t } from "../base.js";
import { weight } from "../dealer/patrons.js";

learn(`
open-table | 開檯
table | Table name | 檯名
decks | 牌副數
positions | 座位數
currency | 貨幣
face-down | Cards are dealt | 發牌
auto | The table does by itself | 自動進行
deal | 發牌
offer | Offer insurance | 開保險
acknowledged | The layout's notice is acknowledged | 已確認檯面告示
`);

export function disputes(state) {
	const { table, desk } = state;
	const one = (each, dispute) => {
		const ask = (id, specs, more) => commandForm(state, id, specs, { fixed: { dispute, ...more } });
		const press = (ids) => h("div.row", ids.map(([id, more]) => doing(table, t(more?.what ?? id), { do: id, dispute, ...more })));
		return h("li.dispute",
			h("p", h("b", each.patron), " ", h(`span.small${each.state === "open" ? ".waits" : ""}`, `${t(`state ${each.state}`)} · ${plain(each.level)}`)), h("p", each.says),
			each.done.length > 0 && h("p.small.quiet", each.done.map(plain).join(" · ")),
			each.state === "open" && [
				ask("gather", ["note?"], { what: "information" }), press([["gather", { what: "surveillance" }], ["escalate"]]), ask("give-time-frame", ["due"]),
				ask("resolve", [desk.references.length > 0 && ["references", named(desk.references), true], "says", "agreed"], { references: [] })],
			each.state.startsWith("complaint") && press([["tell-of-complaint"], ["assist"], ["file-complaint"]]));
	};
	return [desk.disputes.length > 0 && h("ul.col", desk.disputes.map(one)), commandForm(state, "raise-dispute", ["patron", "says"])];
}

export const posts = (state) => [
	h("ul", Object.entries(state.desk.posts).map(([person, post]) => h("li.row", h("b", person), h("span.small.quiet.grow", plain(post)), doing(state.table, t("relieve"), { do: "relieve", person }, { class: "bare" })))),
	commandForm(state, "assign", ["person", "post", "acting"])];

export const meter = ({ player, banker, limit }) => limit
	&& h("meter", { min: 0, max: limit, high: limit * 0.8, value: Math.min(Math.abs(player - banker), limit), label: t("differential") });

export function limits(state) {
	const { desk: { weight: now }, view } = state, gap = Math.abs(now.player - now.banker);
	const make = ({ limit, amount, ...given }) => ({ ...given, limits: { ...view.limits, [limit]: amount } });
	return [weight(now), meter(now), now.limit && h(`p.small.${gap > now.limit ? "waits" : "quiet"}`, t("used", { n: money(gap), m: money(now.limit) })),
		h("p.small", posted(view.limits).join(" · ")),
		h("details", h("summary.small", t("post-limits")), commandForm(state, "post-limits", [["limit", named(["minimum", "maximum", "differential"])], "amount"], { make }))];
}

export const rulings = (state) => h("ul.col", state.desk.policies.map((each) => h("li.policy", h("details",
	h("summary", h("b", plain(each.name)), " ", h(`span.small.${each.ruled ? "waits" : "quiet"}`, plain(each.value) + (each.ruled ? ` · ${t("ruled here")}` : "")), " ", each.clause && clauseTags([each.clause], state.view.book)),
	h("p.tiny.quiet", `${each.reading}: ${each.says}`), commandForm(state, "rule", [["value", named(each.choices)], "reason"], { fixed: { policy: each.name } })))));

/** What has turned against the house stands out, in words as well. */
export function edges(found) {
	if (!found || found.why_not) return h("p.quiet", found?.why_not ?? t("loading"));
	const cent = (text) => `${Number(text).toFixed(2).replace("-", "−")} %`;
	const row = ([bet, each]) => h("tr", { class: each.against_house && "against" }, h("th", { scope: "row" }, t(bet)), h("td.money", h("b", cent(each.per_cent))),
		h("td.tiny.quiet.money", t("full shoe", cent(each.full_per_cent))), h("td", each.against_house && h("span.flag", t("against house"))));
	return [h("p.small.quiet", t("edges from", found.seen)), h("table.figures", Object.entries(found.bets).sort(([, one], [, other]) => one.per_cent - other.per_cent).map(row))];
}

export async function openingForm(opened) {
	const all = await books();
	const made = fields(["table", ["book", all.map(({ id, title }) => [id, title])], ["layout", []], "decks", "positions?", "minimum", "maximum", "differential?", "currency",
		["shoe", named(["hand", "read", "virtual"], (kind) => t(`${kind} shoe`))], ["face-down", [[false, t("face up")], [true, t("face down")]]], ["method?", named(["A", "B", "C"], String)],
		"acknowledged", ["auto", named(["announce", "close", "deal", "expose", "offer", "settle"]), true]]);
	const form = sendForm(made, t("open-table"), () => form.elements.book.value, async ({ table, minimum, maximum, differential, ...given }) => {
		const command = { do: "open-table", at: new Date().toISOString(), limits: { minimum, maximum, differential }, ...given };
		await post(`/api/tables/${table}/commands`, command, { "Idempotency-Key": newKey() });
		opened(table);
	});
	const { table, book: chosen, layout, decks, currency } = form.elements;
	const lay = () => layout.fill(Object.entries(all[chosen.selectedIndex].layouts).map(([id, { title }]) => [id, title ? `${id} · ${title}` : id]));
	chosen.addEventListener("change", lay);
	table.pattern = "[a-z0-9\\-]+";
	decks.defaultValue = 8;
	currency.defaultValue = "SGD";
	lay();
	return form;
}
