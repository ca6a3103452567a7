// A table with the desk of its staff, fetched with every change; and the words of their side. Facts and steps are named by the house.

import { betsAt, follow, h, inChinese, inEnglish, learn, phaseOf, plain, put, shared, t } from "../base.js";

learn(`
place | 下注
find | 補認
pull | 抽回
withdraw | 取回
remove | 移走
sit | 入座
leave | 離檯
buy-in | 買碼
cash-out | 兌現
pay-owed | 還款
clear-strike | 清除紀錄
take-shoe | 持靴
let-draw | 准抽牌
no-insurance | 不設保險
ask-squeeze | 要求眯牌
grant-squeeze | 准許眯牌
decline-squeeze | 不要牌
bar-squeeze | 禁止眯牌
banker-third-first | 先開庄第三張
insure | 投保
by-squeezing | 眯牌
expose | 翻開
known | 可知
unknown | 不可知
power | 停電
other | 其他
enter | 輸入
aside | 旁置
questions | 待決問題
rule | 裁決
settle | 照賠
stake | 金額
box-number | 號位
patron | 客人
hand | 哪一手
note | 備註
cause | 原因
method | 方式
layout | 檯面
book | 規則書
load-shoe | 上牌靴
end-shoe | 結束牌靴
open-bets | 開始下注
close-bets | 停止下注
offer-insurance | 開保險
close-table | 關檯
cards | Which cards | 哪些牌
faces | Faces seen | 已見的牌面
order | In this order | 按此次序
order known | Is the order known | 次序是否可知
reconstructible | Can it be put right | 能否復原
exposed | Were they opened | 是否已翻開
seen | Were cards seen | 牌是否已見
how | 如何
earlier | In an earlier round | 先前一局
draw | Draw to {hand} | 發牌給{hand}
open cards | Open the cards | 開牌
announce | Call the result | 宣布結果
pay and collect | 賠付
answering | Answer the question | 回答問題
burn | Burn a card | 燒牌
last-hand | Announce the last hand | 宣布最後一局
announce-points | Call the points | 報點
give-back-shoe | Take the shoe back | 收回牌靴
what next | What to do next | 下一步
the shoe does it | The shoe does this by itself. | 牌靴自動進行。
patron does it | {n} does this. | 由 {n} 進行。
tick first | Tick {n} more before the next round | 尚餘 {n} 位未核對
nothing next | The table is closed. | 賭檯已關。
next card | next card | 下一張
open this | Open card {n} | 開第 {n} 張
card hint | Rank and suit, then Enter: 6h, Kd, 10s. Several at once: 6h 2c. | 點數加花色後按 Enter：6h、Kd、10s；可連輸 6h 2c。
no card expected | No card is expected now. | 現在不需要輸入牌。
not a card | “{n}” is no card: write it like 6h, Kd or 10s. | 「{n}」不是牌：請輸入如 6h、Kd、10s。
opens | Opens card {n}, {hand} | 開第 {n} 張（{hand}）
draws and opens | Draws to {hand} and opens it | 發給{hand}並翻開
the shoe reads | The shoe reads the cards; type a face only where it was not read. | 牌靴自動讀牌；只有讀不到時才輸入。
open with shoe | Open, as the shoe read it | 按牌靴所讀開牌
open-first | Opened first | 先開
lammer | {hand} insurance at {odds} | {hand}保險 {odds}
may take | may take up to {n} | 最多 {n}
taken | taken {n} | 已投 {n}
not taken | nothing yet | 未投
declare-intent | Says: will insure | 聲明投保
settlement | Pay and collect, patron by patron | 逐位賠付核對
ticked | {n} of {m} done | 已核對 {n} / {m}
to pay | Pay {n} | 賠 {n}
collects | Collect {n} | 收 {n}
evens | Even | 平
patrons | Patrons and wagers | 客人及注碼
standing | standing | 站立
is away | away | 離檯
owes | owes {n} | 欠 {n}
act for | For a patron | 代客操作
new patron | 新客人
weight | Player {p} · Banker {b} | 閒 {p} · 庄 {b}
over | {hand} is over by {n} | {hand}超出 {n}
under minimum | under the minimum | 低於最低
do | Do it | 執行
shoe and calls | 牌靴及宣布
shoe n | Shoe {n} | 第 {n} 靴
hand shoe | hand-dealt | 手發
read shoe | reading shoe | 讀牌靴
virtual shoe | virtual shoe | 電子牌靴
face up | face up | 明發
must change | cards must be changed | 須換牌
free next | next hand is free | 下局飛牌
called | Call | 宣布
drawn elsewhere | Card laid to | 牌放到
report | Report an irregularity | 報告異常
book covers | The book provides for | 規則已訂明
book silent | The book is silent: goes to the residual authority | 規則未訂明：呈交最終決定人
not now | Not possible now | 現在不可能
what the book says | 規則如何處理
report it | 提交報告
then asked | Then {who} is asked: {says} | 然後詢問 {who}：{says}
choose fact | What happened? | 發生何事？
no questions | Nothing waits for a decision. | 沒有待決問題。
tap in order | Tap the cards in the order in which they count. | 按計算次序點選牌。
count hint | Cards counted, by rank and suit | 按點數及花色點算
sealed | Cards under seal | 密封的牌
fill full | All {n} | 全部 {n}
counted sum | {n} counted | 共 {n} 張
ruling | The steps of the ruling | 裁決步驟
add step | Add a step | 加入步驟
who intended | Who had meant to insure | 誰原擬投保
choose table | Choose a table | 選擇賭檯
`);

/** `draw({table, view, desk, bets, settled})` is called with every change. */
export async function openDesk(name, draw) {
	const table = await follow(name);
	const menu = await betsAt(name);
	let desk = null;
	const fetch = shared(async () => {
		const found = await table.get("desk");
		if (!desk || found.sequence >= desk.sequence) desk = found;
		if (!table.closed) draw({ table, view: table.view, desk, bets: menu, settled });
	});
	const settled = async () => {
		for (let tries = 0; tries < 40 && desk.sequence < table.snapshot.sequence; tries++) await fetch().catch(() => {});
	};
	table.on("change", () => void fetch().catch(() => {}));
	await fetch().catch((error) => {
		table.close();
		throw error;
	});
	return { table, close: () => table.close() };
}

/** A part of the page that is drawn anew only when it would look different, so that typing is never lost. */
export function part(element, draw) {
	let was = null;
	return (state) => {
		const drawn = h("div", draw(state)), now = drawn.innerHTML;
		if (now === was) return;
		was = now;
		const inside = () => [...element.querySelectorAll("a, button, input, select, summary")], focused = inside().indexOf(document.activeElement);
		put(element, [...drawn.childNodes]);
		if (focused >= 0) (element.querySelector("[data-first]:not(:disabled)") ?? inside()[focused] ?? element).focus({ preventScroll: true });
	};
}

export const panel = (name, words, ...children) =>
	h(`section.panel.part-${name}`, { label: words }, h("h2", words), children);
export const folded = (name, words, ...children) => h(`details.panel.part-${name}`, h("summary", h("h2", words)), children);

export const progress = ({ open, round }) => `${round ? `${t("round", round.number)} · ` : ""}${phaseOf({ open, phase: round?.phase })}`;

/** The question that follows some steps, as a step of its own. */
export const thenAsked = (asks) => !asks ? [] : [{ says: t("then asked", { who: asks.to === "patrons" ? asks.waiting.join(", ") : plain(asks.to), says: asks.says }), clauses: asks.basis?.clauses }];

/** `spots` are {art, mark}; the third card lies sideways. */
export const layHand = (area, spots, { total = null, below = null } = {}) => h(`div.d-lay-hand.${area}`,
	h("h2", area === "aside" ? t(area) : [inEnglish(area), " ", inChinese(area)], total !== null && h("b.d-total", total)),
	h("ul.d-spots", { label: t(area) }, spots.map(({ art, mark }, at) => h("li.d-spot", { class: [at === 2 && "d-sideways", mark] }, art))),
	below);
