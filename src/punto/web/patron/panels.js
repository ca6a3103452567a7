// Beside the felt: the last result line by line, past rounds, exact odds, and what one may ask for.

import { attempt, cardInline, clauseTags, commandForm, dot, fields, get, h, learn, money, odds, printed, put, say, sendForm, t, total } from "../base.js";
import { paying } from "./felt.js";

learn(`
result | 結果
history | 記錄
exact odds | Odds | 賠率
requests | 請求
no rounds | No round is over yet. | 尚未有已結束的牌局。
banker wins | Banker wins {high} to {low} | 庄贏 {high} 比 {low}
player wins | Player wins {high} to {low} | 閒贏 {high} 比 {low}
tie at | Tie at {high} | 和局 {high} 點
void round | This round is void; stakes come back. | 本局作廢，退回注碼。
payments back | What had been paid is taken back | 已付款項收回
odds from | Exact, from the {n} cards not seen this shoe. | 按本靴未見的 {n} 張牌精確計算。
pays | 賠率
chance | Wins | 命中
edge | House edge | 莊家優勢
ask squeeze | Ask to squeeze {hand} | 請求看{hand}牌
banker third first | Ask for the Banker's third card first | 請求先開庄第三張
no insurance | Ask that no insurance be offered | 請求不設保險
buy in | Buy chips | 買籌碼
cash out | Cash out and leave | 兌現離座
stand up | 離開座位
in all | 合計
stake times | {stake} at {odds} is {net} | {stake} × {odds} = {net}
plays of | {part} of {stake} played; {back} came back | {stake} 中 {part} 有效，退回 {back}
stake lost | The stake of {n} is collected | 收取注碼 {n}
stake back | The stake of {n} comes back | 退回注碼 {n}
no wagers | You had no wager in this round. | 本局沒有下注。
`);

export function outcome({ result: { winner }, player: { points: player }, banker: { points: banker } }) {
	return t(winner === "tie" ? "tie at" : `${winner} wins`, { high: Math.max(player, banker), low: Math.min(player, banker) });
}

const VALUE = { A: 1, T: 0, J: 0, Q: 0, K: 0 };
const points = (cards) => cards.reduce((sum, card) => sum + (VALUE[card[0]] ?? Number(card[0])), 0) % 10;

/** What came back from a void round, and why. */
export function voided({ round, book }, you, { covers, ended }) {
	const back = round.wagers.filter((each) => each.patron === you), why = h("ul.clause-list.small");
	const row = (words, stake, sign) => h("p.row", h("b.money", money(stake, sign)), words);
	if (ended) void explain(why, ended, book);
	return [!back.length ? h("p.quiet.small", t("no wagers")) : ended?.reversed ? row(t("payments back"), ended.returned[you], "sign")
		: [...back.map(({ bet, stake }) => [t(bet), stake]), ...covers.map(({ bet, stake }) => [t(`${bet}-insurance`), stake])].map(([bet, stake]) => row([bet, " ", h("span.quiet", t("result returned"))], stake)), why];
}

export function resultPanel() {
	const panel = h("section.result-panel.col", { label: t("result"), hidden: true });
	let shown = null;
	panel.draw = (view, you, tale) => {
		const { round, book } = view;
		const mark = `${round?.number}/${round?.phase}`;
		if (!["settled", "void"].includes(round?.phase) || shown === mark) return false;
		shown = mark;
		panel.hidden = false;
		const { winner } = round.result ?? {}, lines = round.lines[you] ?? [], words = round.phase === "void" ? t("void round") : outcome(round);
		put(panel, h("p.row.lead", winner && dot(winner), words), winner ? lineList(lines, book) : voided(view, you, tale));
		say(`${words} ${lines.length ? money(total(lines, "net"), "sign") : ""}`);
		return true;
	};
	return panel;
}

export async function historyPanel(into, store, you, book) {
	const rounds = (await store.get("rounds")).reverse();
	const recall = async (body, { last }) => {
		const { winner, player, banker, lines } = await store.get(`rounds/${last}`);
		put(body, h("p", outcome({ result: { winner }, player: { points: points(player) }, banker: { points: points(banker) } })), lineList(lines[you], book));
	};
	const past = (round) => {
		const body = h("div.col"), cards = (some) => h("span.past-cards", some.map(cardInline));
		return h("details.past", { ontoggle: () => body.children.length || !round.winner || attempt(body, book, () => recall(body, round)) },
			h("summary", h("span.quiet.money", round.number), round.winner ? dot(round.winner, { role: "img", label: t(round.winner) }) : h("span", t("void")), cards(round.player), h("span.quiet", "–"), cards(round.banker)), body);
	};
	put(into, rounds.length ? rounds.slice(0, 60).map(past) : h("p.quiet", t("no rounds")));
}

export async function oddsPanel(into, store, menu) {
	const { cards, bets } = await store.get("odds"), share = (n) => Number(n).toFixed(2);
	const row = ([id, bet]) => h("tr",
		h("th", { scope: "row" }, t(id)),
		h("td", paying(bet).map(([odds, when]) => h("div", h("b", odds), " ", h("span.quiet.tiny", when)))),
		h("td.money", `${share(bets[id].hit)} %`),
		h("td.money", { class: bets[id].against_house && "won" }, `${share(bets[id].per_cent)} %`, h("div.quiet.tiny", t("full shoe", `${share(bets[id].full_per_cent)} %`))));
	put(into, h("p.quiet.small", t("odds from", cards)),
		h("div.scrolls", h("table.figures", h("thead", h("tr", ["bet", "pays", "chance", "edge"].map((each) => h("th", { scope: "col" }, t(each))))), h("tbody", Object.entries(menu).map(row)))));
}

/** What a patron may ask for; whether it may be is for the house to say. */
export function requestsPanel(into, store, patron, leave) {
	const { view } = store;
	const request = (words, id, specs = [], more = {}) => commandForm({ table: store, view }, id, specs, { fixed: { patron, ...more }, words: t(words, { hand: t(more.hand) }) });
	put(into,
		request("buy in", "buy-in", ["amount"]),
		["player", "banker"].map((hand) => request("ask squeeze", "ask-squeeze", [], { hand })),
		request("banker third first", "banker-third-first"), request("no insurance", "no-insurance"),
		request("raise-dispute", "raise-dispute", ["says"]),
		request("stand up", "stand"), sendForm(fields([]), t("cash out"), () => view.book, leave));
}

function sum({ stake, effective, returned, odds: at, net }) {
	const exact = (amount) => money(amount, "exact");
	const played = at ? t("stake times", { stake: exact(effective), odds: odds(at), net: exact(net) }) : net < 0 ? t("stake lost", exact(-net)) : t("stake back", exact(stake));
	return returned ? `${t("plays of", { part: exact(effective), stake: exact(stake), back: exact(returned) })}. ${played}` : played;
}

async function explain(into, line, book) {
	const wanted = [...new Set(line.basis.clauses.flatMap((each) => [each, printed(each)]))];
	const about = await get(`/api/books/${book}/clauses?of=${encodeURIComponent(wanted.join(","))}`).catch(() => ({}));
	put(into, Object.entries(about).map(([clause, words]) => h("li", clauseTags([clause], book), " ", words)));
}

const amount = (net) => h(`b.money.${net > 0 ? "won" : net < 0 ? "lost" : "even"}`, money(net, "sign"));

export function lineList(lines, book) {
	if (!lines?.length) return h("p.quiet.small", t("no wagers"));
	const one = (line) => {
		const more = h("ul.clause-list.small");
		return h("details.line", { ontoggle: () => more.children.length || explain(more, line, book) },
			h("summary", amount(line.net), h("span", t(line.bet), " ", h("span.quiet", line.odds ? odds(line.odds) : t(`result ${line.result}`))), clauseTags(line.basis.clauses.slice(0, 1), book)),
			h("p.small", line.says), h("p.small.sum.money", sum(line)), more);
	};
	return h("div.col.lines", lines.map(one), lines.length > 1 && h("p.row.lead", amount(total(lines, "net")), h("span.quiet", t("in all"))));
}
