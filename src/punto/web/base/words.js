// English and Chinese words of the interface. Views add their own with `learn`.

import { h, keep } from "./dom.js";

const WORDS = new Map();
const phrase = (id) => (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll("-", " ");

const heading = (id) => id.split("-").map(phrase).join(" ");

/** Add words, a line each: "key | English | Chinese", or "key | Chinese" where the key itself makes the English. */
export function learn(lines, english = phrase) {
	for (const line of lines.trim().split("\n")) {
		const [key, ...words] = line.split(" | ");
		WORDS.set(key, words.length > 1 ? words : [english(key), ...words]);
	}
}

learn(`
player-pair | 閒對
banker-pair | 庄對
tiger | 虎
big-tiger | 大老虎
small-tiger | 小老虎
tiger-tie | 老虎和
tiger-pair | 老虎對
big-dragon | 大龍
small-dragon | 小龍
dragon-tiger | 龍虎
banker-big-7 | 庄大七
banker-small-7 | 庄小七
player-big-7 | 閒大七
player-small-7 | 閒小七
wu-song | 武松
wu-dalang | 武大郎
player-insurance | 閒保險
banker-insurance | 庄保險
`, heading);

learn(`
player | 閒
banker | 庄
tie | 和
mark banker | B | 庄
mark player | P | 閒
mark tie | T | 和
insurance | 保險
hearts | hearts | 紅心
diamonds | diamonds | 方塊
clubs | clubs | 梅花
spades | spades | 黑桃
ace | ace | 么
jack | jack | J
queen | queen | Q
king | king | K
face down | face down | 未開
of | {rank} of {suit} | {suit}{rank}
bead | Bead plate | 珠盤路
big | Big road | 大路
big_eye | Big eye boy | 大眼仔
small | Small road | 小路
cockroach | Cockroach pig | 曱甴路
roads legend | In the three derived roads, red is regular and blue irregular; they name no hand. | 三條下路：紅為齊整，藍為不齊，並非庄閒。
lobby | 大廳
tables | 賭檯
board | Scoreboard | 路紙
dealer | 荷官
pit | 巡場
train | Trainer | 練習
log in | 登入
play as guest | Play as a guest | 以訪客身分遊玩
log out | 登出
name | 名稱
password | 密碼
not found | There is no such page. | 沒有這一頁。
away | The house cannot be reached. Trying again; nothing is lost. | 暫時連不上，正在重連；不會遺失任何資料。
back | Connected again. | 已重新連上。
close | 關閉
clause | 條文
min | 最低
max | 最高
differential | 差額
round | Round {n} | 第 {n} 局
loading | One moment | 請稍候
answer | 回答
reason | 理由
shoe | 牌靴
amount | 金額
bet | 注
box | Box {n} | {n} 號位
stand | 站立
clear | 清除
says | What is said | 內容
holds | {n} holds these cards | 由 {n} 看牌
last hand | Last hand of the shoe | 本靴最後一局
full shoe | full shoe {n} | 整靴 {n}
raise-dispute | Raise a dispute | 提出爭議
waits for | Waiting for {n} | 等待 {n}
cards left | {n} cards left | 尚餘 {n} 張
betting | Bets are open | 請下注
closed | Dealing | 發牌中
settled | Round over | 一局結束
void | Round void | 本局作廢
table closed | Closed | 已收檯
between rounds | 等待下一局
result returned | comes back | 退回
result win | wins | 贏
result lose | loses | 輸
result stand-off | stand-off | 和，退回
`);

let language = keep.get("language") ?? (navigator.language?.startsWith("zh") ? "zh" : "en");
const tell = () => { document.documentElement.lang = language === "zh" ? "zh-Hant" : "en"; };
tell();

export const spoken = () => language;

export function speak(which) {
	language = which;
	keep.set("language", which);
	tell();
	dispatchEvent(new Event("language"));
}

/** The words for a key; unknown keys are shown as they are. A single value stands for {n}. */
export const t = (key, values) => (WORDS.get(key)?.[language === "zh" ? 1 : 0] ?? String(key))
	.replace(/\{(\w+)\}/g, (_, name) => (values?.constructor === Object ? values[name] : values) ?? "");

export const has = (key) => WORDS.has(key);
export const inEnglish = (key) => WORDS.get(key)?.[0];
export const inChinese = (key) => h("span", { lang: "zh-Hant" }, WORDS.get(key)?.[1]);

/** "take-back" → "Take back": for facts and choices that have no words of their own. */
export const plain = (id) => (WORDS.has(id) ? t(id) : phrase(id));
