// A table that the pit watches: its alerts, the edges of its bets, and its journal in words.

import { clauseTags, h, keep, labelled, learn, money, named, plain, put, select, smallButton, t } from "../base.js";
import { openDesk } from "../dealer/desk.js";

learn(`
alerts | 警示
no alerts | 沒有警示
acknowledge | 知悉
all tables | 全部賭檯
open questions | {n} open | {n} 待決
needs rank | Needs {n} | 須由 {n} 決定
journal | 流水記錄
kind | 類別
everything | 全部
earlier entries | 更早
of round | Round | 局數
entries | {n} entries | {n} 項
edges | Edge of every bet, next round | 下一局各注優勢
edges from | House edge from the {n} cards seen this shoe | 據本靴已見 {n} 張牌計算
against house | against the house | 對莊家不利
bets against | {n} against the house | {n} 項不利
disputes | 爭議
gather | Gather information | 搜集資料
surveillance | Tell surveillance | 通知監控
escalate | 上報
give-time-frame | Give a time frame | 給予期限
due | By when | 期限
resolve | 解決
agreed | Patron agrees | 客人同意
references | Rests on | 依據
tell-of-complaint | Tell of the right to complain | 告知投訴權
file-complaint | File the complaint | 提交投訴
assist | 協助
state open | open | 處理中
state resolved | resolved | 已解決
state complaint-available | may complain | 可投訴
state complaint | complaint | 投訴
posts | 職位
post | 職位
person | 人員
acting | 署任
assign | 指派
relieve | 解除
rulings | Rulings on readings | 釋義裁決
value | Reading | 釋義
ruled here | ruled here | 本檯裁決
limits now | Limits and differential | 限額與差額
limit | 限額
minimum | 最低
maximum | 最高
post-limits | 公布限額
used | {n} of {m} used | 已用 {n} / {m}
to the dealer | Dealer's console | 荷官檯
`);

const ALERTS = ["reported", "round-ended", "dispute-raised", "original-returned"];

/** What the pit has to see. */
const alerts = (event) => ALERTS.includes(event.event)
	|| (event.event === "asked" && event.question.to !== "patrons") || (event.event === "dispute-moved" && event.step === "complaint");

const TOLD = {
	patron: String, person: String, question: (asked) => asked.says, fact: plain, verb: plain, bet: t, hand: t, area: t, faces: (each) => each.join(" "), winner: t, how: plain, post: plain, choice: plain,
	policy: (name, { value }) => `${name}: ${value}`, method: String, step: plain, stake: money, amount: money, number: (each) => `#${each}`, odds: String, says: String, reason: String, note: String,
};

export const told = (event) => Object.entries(TOLD).map(([name, say]) => (event[name] ?? null) !== null && say(event[name], event)).filter(Boolean).join(" · ");

export const clock = (at) => (at ? new Date(at).toLocaleTimeString("en-GB") : "");

/** What has been acknowledged: everything up to a number, and single entries after it. */
function acknowledged(name) {
	const key = `acknowledged ${name}`, kept = { upTo: 0, single: [], ...keep.get(key) };
	const set = (now) => keep.set(key, Object.assign(kept, now));
	return {
		has: (sequence) => sequence <= kept.upTo || kept.single.includes(sequence),
		from(last) {
			if (!kept.upTo) set({ upTo: Math.max(0, last - 400) });
			return Math.max(kept.upTo, last - 2000);
		},
		take: (sequence) => set({ single: [...kept.single.slice(-300), sequence] }),
	};
}

export async function watch(name, changed) {
	const seen = acknowledged(name), one = { name, state: null, alerts: [], edges: null };
	let looked = "";
	const look = async () => {
		const { results, cards_left: left, round } = one.state.view;
		const now = `${results.length} ${left} ${round?.phase === "settled"}`;
		if (now === looked || (round?.phase === "closed" && one.edges)) return;
		looked = now;
		one.edges = await one.state.table.get("odds").catch(() => one.edges);
		changed(one);
	};
	const { table, close } = await openDesk(name, (state) => {
		one.state = state;
		changed(one);
		void look();
	});
	const take = (entry) => {
		if (entry.event && alerts(entry.event) && !seen.has(entry.sequence)) one.alerts.push(entry);
	};
	const last = table.snapshot.sequence;
	for (let after = seen.from(last); after < last; ) {
		const { entries } = await table.get(`events?after=${after}`);
		entries.forEach(take);
		after = entries.at(-1)?.sequence ?? last;
	}
	table.on("event", ({ detail }) => take(detail));
	one.acknowledge = (sequence) => {
		seen.take(sequence);
		one.alerts = one.alerts.filter((each) => each.sequence !== sequence);
		changed(one);
	};
	one.close = close;
	changed(one);
	return one;
}

const PAGE = 500, SHOWN = 150;

const about = (event) => [event.patron, event.person, event.patrons, event.question?.waiting, Object.keys(event.lines ?? {})].flat().filter(Boolean);

export function journal(table, book) {
	let entries = [], soon = 0;
	const list = h("ol.journal"), count = h("span.small.quiet"), kind = select(), who = select(), round = select();
	const row = ({ sequence, at, event, who: person }) => {
		const whole = h("pre.tiny");
		return h("li", h("details", { ontoggle: () => { whole.textContent = JSON.stringify(event, null, 1); } },
			h("summary.row.entry-line", h("span.quiet.tiny", `${sequence} ${clock(at)}`), h("b.small", plain(event.event)), h("span.small.grow", told(event)), clauseTags(event.basis?.clauses?.slice(0, 3), book), h("span.tiny.quiet", person)), whole));
	};
	const filter = () => {
		const shown = entries.filter((each) => (!kind.value || each.event.event === kind.value) && (!who.value || about(each.event).includes(who.value)) && (!round.value || each.round === round.value));
		put(list, shown.slice(-SHOWN).reverse().map(row));
		count.textContent = t("entries", shown.length);
	};
	const draw = () => {
		let number = "";
		for (const each of entries) {
			if (each.event.event === "bets-opened") number = String(each.event.number);
			each.round = number;
		}
		const offer = (field, values, words) => field.fill([["", t("everything")], ...named([...new Set(values)].filter(Boolean), words)]);
		offer(kind, entries.map((each) => each.event.event).sort(), plain);
		offer(who, entries.flatMap((each) => about(each.event)).sort(), String);
		offer(round, entries.map((each) => each.round).reverse(), (n) => t("round", { n }));
		filter();
	};
	for (const each of [kind, who, round]) each.addEventListener("change", filter);
	const load = async (before) => {
		const page = await table.get(`events?after=${Math.max(0, before - PAGE)}`);
		entries = [...page.entries.filter((each) => each.sequence <= before), ...entries];
		earlier.disabled = (entries[0]?.sequence ?? 0) <= 1;
		draw();
	};
	const earlier = smallButton(t("earlier entries"), () => void load(entries[0].sequence - 1));
	table.on("event", ({ detail }) => {
		if (entries.at(-1)?.sequence < detail.sequence) entries.push(detail);
		clearTimeout(soon);
		soon = setTimeout(() => list.querySelector("[open]") || list.contains(document.activeElement) || draw(), 400);
	});
	void load(table.snapshot.sequence);
	return h("div.col", h("div.row", labelled(t("kind"), kind), labelled(t("patron"), who), labelled(t("of round"), round)), h("div.row", count, h("span.grow"), earlier), list);
}
