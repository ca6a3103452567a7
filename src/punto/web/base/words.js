// The phrases that every view uses: hands, cards, and the words of the frame around a view.

import { learn } from "./language.js";

// Hands, outcomes and cards.
learn({
  player: ["Player", "閒"],
  banker: ["Banker", "庄"],
  tie: ["Tie", "和"],
  "mark banker": ["B", "庄"],
  "mark player": ["P", "閒"],
  "mark tie": ["T", "和"],
  insurance: ["Insurance", "保險"],
  "player-insurance": ["Player Insurance", "閒保險"],
  "banker-insurance": ["Banker Insurance", "庄保險"],
  hearts: ["hearts", "紅心"],
  diamonds: ["diamonds", "方塊"],
  clubs: ["clubs", "梅花"],
  spades: ["spades", "黑桃"],
  ace: ["ace", "么"],
  jack: ["jack", "J"],
  queen: ["queen", "Q"],
  king: ["king", "K"],
  "face down": ["face down", "未開"],
  of: ["{rank} of {suit}", "{suit}{rank}"],
});

// The frame around a view.
learn({
  lobby: ["Lobby", "大廳"],
  tables: ["Tables", "賭檯"],
  board: ["Scoreboard", "路紙"],
  dealer: ["Dealer", "荷官"],
  pit: ["Pit", "巡場"],
  train: ["Trainer", "練習"],
  "log out": ["Log out", "登出"],
  language: ["Language", "語言"],
  skip: ["To the table", "跳到賭檯"],
  "not found": ["There is no such page.", "沒有這一頁。"],
  away: ["The house cannot be reached. Trying again; nothing is lost.", "暫時連不上，正在重連；不會遺失任何資料。"],
  back: ["Connected again.", "已重新連上。"],
});

// What stands at a table, and what is asked for in forms.
learn({
  close: ["Close", "關閉"],
  bet: ["Bet", "注"],
  min: ["Min", "最低"],
  max: ["Max", "最高"],
  differential: ["Differential", "差額"],
  "most paid": ["Payout", "最高派彩"],
  round: ["Round {n}", "第 {n} 局"],
  loading: ["One moment", "請稍候"],
  reason: ["Reason", "理由"],
  shoe: ["Shoe", "牌靴"],
  box: ["Box {n}", "{n} 號位"],
  "sit down": ["Sit down", "入座"],
  "take seat": ["Take a seat to play", "入座參與"],
  stand: ["Stand", "站立"],
  clear: ["Clear", "清除"],
  holds: ["{n} holds these cards", "由 {n} 看牌"],
  "last hand": ["Last hand of the shoe", "本靴最後一局"],
  "full shoe": ["full shoe {n}", "整靴 {n}"],
  "waits for": ["Waiting for {n}", "等待 {n}"],
  "cards left": ["{n} {n:card|cards} left", "尚餘 {n} 張"],
});

// Where a round stands.
learn({
  betting: ["Bets are open", "請下注"],
  closed: ["Dealing", "發牌中"],
  settled: ["Round over", "一局結束"],
  void: ["Round void", "本局作廢"],
  "table closed": ["Closed", "已收檯"],
  "between rounds": ["Between rounds", "等待下一局"],
  "no dealer yet": ["Waiting for the dealer", "等待荷官"],
});

// What became of a wager.
learn({
  result: ["Result", "結果"],
  "result returned": ["comes back", "退回"],
  "result win": ["wins", "贏"],
  "result lose": ["loses", "輸"],
  "result stand-off": ["stand-off", "和，退回"],
});
