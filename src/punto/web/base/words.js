// English and Chinese words of the interface. Views add their own with `learn`.

const WORDS = {
  // hands and bets
  player: ["Player", "閒"],
  banker: ["Banker", "庄"],
  tie: ["Tie", "和"],
  "player-pair": ["Player Pair", "閒對"],
  "banker-pair": ["Banker Pair", "庄對"],
  tiger: ["Tiger", "虎"],
  "big-tiger": ["Big Tiger", "大老虎"],
  "small-tiger": ["Small Tiger", "小老虎"],
  "tiger-tie": ["Tiger Tie", "老虎和"],
  "tiger-pair": ["Tiger Pair", "老虎對"],
  "big-dragon": ["Big Dragon", "大龍"],
  "small-dragon": ["Small Dragon", "小龍"],
  "dragon-tiger": ["Dragon Tiger", "龍虎"],
  "banker-big-7": ["Banker Big 7", "庄大七"],
  "banker-small-7": ["Banker Small 7", "庄小七"],
  "player-big-7": ["Player Big 7", "閒大七"],
  "player-small-7": ["Player Small 7", "閒小七"],
  "wu-song": ["Wu Song", "武松"],
  "wu-dalang": ["Wu Dalang", "武大郎"],
  "player-insurance": ["Player Insurance", "閒保險"],
  "banker-insurance": ["Banker Insurance", "庄保險"],
  "mark banker": ["B", "庄"],
  "mark player": ["P", "閒"],
  "mark tie": ["T", "和"],
  insurance: ["Insurance", "保險"],
  natural: ["Natural", "例牌"],
  // suits and ranks, for the ear
  hearts: ["hearts", "紅心"],
  diamonds: ["diamonds", "方塊"],
  clubs: ["clubs", "梅花"],
  spades: ["spades", "黑桃"],
  ace: ["ace", "么"],
  jack: ["jack", "J"],
  queen: ["queen", "Q"],
  king: ["king", "K"],
  "face down": ["face down", "未開"],
  "of": ["{rank} of {suit}", "{suit}{rank}"],
  // roads
  bead: ["Bead plate", "珠盤路"],
  big: ["Big road", "大路"],
  big_eye: ["Big eye boy", "大眼仔"],
  small: ["Small road", "小路"],
  cockroach: ["Cockroach pig", "曱甴路"],
  "roads legend": ["In the three derived roads, red is regular and blue irregular; they name no hand.", "三條下路：紅為齊整，藍為不齊，並非庄閒。"],
  // everybody
  lobby: ["Lobby", "大廳"],
  table: ["Table", "賭檯"],
  tables: ["Tables", "賭檯"],
  board: ["Scoreboard", "路紙"],
  dealer: ["Dealer", "荷官"],
  pit: ["Pit", "巡場"],
  train: ["Trainer", "練習"],
  "log in": ["Log in", "登入"],
  "log out": ["Log out", "登出"],
  name: ["Name", "名稱"],
  password: ["Password", "密碼"],
  "not found": ["There is no such page.", "沒有這一頁。"],
  away: ["The house cannot be reached. Trying again; nothing is lost.", "暫時連不上，正在重連；不會遺失任何資料。"],
  back: ["Connected again.", "已重新連上。"],
  close: ["Close", "關閉"],
  clause: ["Clause", "條文"],
  limits: ["Limits", "限額"],
  min: ["Min", "最低"],
  max: ["Max", "最高"],
  differential: ["Differential", "差額"],
  round: ["Round {n}", "第 {n} 局"],
  loading: ["One moment", "請稍候"],
  answer: ["Answer", "回答"],
  reason: ["Reason", "理由"],
  "to the table": ["To the main part", "跳到主要內容"],
};

/** Add words: {key: [English, Chinese]}. */
export const learn = (words) => Object.assign(WORDS, words);

const stored = () => {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
};
let language = stored() ?? (navigator.language?.startsWith("zh") ? "zh" : "en");
document.documentElement.lang = language === "zh" ? "zh-Hant" : "en";

/** "en" or "zh". */
export const spoken = () => language;

/** Speak another language; the router draws the view anew. */
export function speak(which) {
  language = which;
  try {
    localStorage.setItem("language", which);
  } catch {
    /* it holds for this page */
  }
  document.documentElement.lang = which === "zh" ? "zh-Hant" : "en";
  dispatchEvent(new Event("language"));
}

const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** The words for a key in the language spoken; unknown keys are shown as they are. */
export function t(key, values = {}) {
  const found = WORDS[key];
  return fill(found ? found[language === "zh" ? 1 : 0] : String(key), values);
}

/** The words for a key in one language, whatever is spoken; null where there are none. */
export const inEnglish = (key) => WORDS[key]?.[0] ?? null;
export const inChinese = (key) => WORDS[key]?.[1] ?? null;

/** "pit-manager" → "Pit Manager": for ranks, facts and choices that have no words of their own. */
export const title = (id) => WORDS[id] ? t(id) : id.split("-").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(" ");
/** "take-back" → "Take back". */
export const plain = (id) => WORDS[id] ? t(id) : (id.charAt(0).toUpperCase() + id.slice(1)).replaceAll("-", " ");
