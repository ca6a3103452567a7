// The phrases of the staff's side. What facts and steps are called, the house says itself.

import { learn } from "../base/language.js";

// Commands.
learn({
  place: ["Place", "下注"],
  find: ["Find", "補認"],
  pull: ["Pull", "抽回"],
  withdraw: ["Withdraw", "取回"],
  remove: ["Remove", "移走"],
  sit: ["Sit", "入座"],
  leave: ["Leave", "離檯"],
  "buy-in": ["Buy in", "買碼"],
  "cash-out": ["Cash out", "兌現"],
  "pay-owed": ["Pay owed", "還款"],
  "clear-strike": ["Clear strike", "清除紀錄"],
  "take-shoe": ["Take shoe", "持靴"],
  "let-draw": ["Let draw", "准抽牌"],
  "no-insurance": ["No insurance", "不設保險"],
  "ask-squeeze": ["Ask squeeze", "要求眯牌"],
  "grant-squeeze": ["Grant squeeze", "准許眯牌"],
  "decline-squeeze": ["Decline squeeze", "不要牌"],
  "bar-squeeze": ["Bar squeeze", "禁止眯牌"],
  "banker-third-first": ["Banker third first", "先開庄第三張"],
  insure: ["Insure", "投保"],
  "declare-intent": ["Says: will insure", "聲明投保"],
  "load-shoe": ["Load shoe", "上牌靴"],
  "end-shoe": ["End shoe", "結束牌靴"],
  "open-bets": ["Open bets", "開始下注"],
  "close-bets": ["Close bets", "停止下注"],
  "offer-insurance": ["Offer insurance", "開保險"],
  "close-table": ["Close table", "關檯"],
  draw: ["Draw to {hand}", "發牌給{hand}"],
  announce: ["Call the result", "宣布結果"],
  burn: ["Burn a card", "燒牌"],
  "last-hand": ["Announce the last hand", "宣布最後一局"],
  "announce-points": ["Call the points", "報點"],
  "give-back-shoe": ["Take the shoe back", "收回牌靴"],
  "open-first": ["Opened first", "先開"],
  settle: ["Settle", "照賠"],
  rule: ["Rule", "裁決"],
});

// The fields of forms, and what they offer.
learn({
  known: ["Known", "可知"],
  unknown: ["Unknown", "不可知"],
  power: ["Power", "停電"],
  other: ["Other", "其他"],
  stake: ["Stake", "金額"],
  "box-number": ["Box number", "號位"],
  patron: ["Patron", "客人"],
  "new patron": ["New patron", "新客人"],
  hand: ["Hand", "哪一手"],
  note: ["Note", "備註"],
  cause: ["Cause", "原因"],
  method: ["Method", "方式"],
  layout: ["Layout", "檯面"],
  book: ["Book", "規則書"],
  cards: ["Which cards", "哪些牌"],
  faces: ["Faces seen", "已見的牌面"],
  order: ["In this order", "按此次序"],
  "order known": ["Is the order known", "次序是否可知"],
  reconstructible: ["Can it be put right", "能否復原"],
  exposed: ["Were they opened", "是否已翻開"],
  seen: ["Were cards seen", "牌是否已見"],
  how: ["How", "如何"],
  earlier: ["In an earlier round", "先前一局"],
});

// What to do next.
learn({
  "what next": ["What to do next", "下一步"],
  "open cards": ["Open the cards", "開牌"],
  "pay and collect": ["Pay and collect", "賠付"],
  answering: ["Answer the question", "回答問題"],
  "the shoe does it": ["The shoe does this by itself.", "牌靴自動進行。"],
  "patron does it": ["{n} does this.", "由 {n} 進行。"],
  "tick first": ["Tick {n} more before the next round", "尚餘 {n} 位未核對"],
  "nothing next": ["The table is closed.", "賭檯已關。"],
  "choose table": ["Choose a table", "選擇賭檯"],
});

// Cards, and entering their faces.
learn({
  aside: ["Aside", "旁置"],
  "next card": ["next card", "下一張"],
  "open this": ["Open card {n}", "開第 {n} 張"],
  enter: ["Enter", "輸入"],
  "card hint": [
    "Two keys, rank and suit: 6h, Kd, Ts or 10s. Suits: c ♣, d ♦, h ♥, s ♠.",
    "兩鍵輸入，點數加花色：6h、Kd、Ts 或 10s。花色：c ♣、d ♦、h ♥、s ♠。",
  ],
  "rank first": ["First a rank, then its suit.", "先選點數，再選花色。"],
  correct: ["Correct it", "更正"],
  "correct this": ["Card {n}, {card}: correct it", "第 {n} 張，{card}：更正"],
  "correct card": ["Card {n}, {hand}, was read as", "第 {n} 張（{hand}）讀作"],
  "true face": ["The true face", "真正的牌面"],
  corrected: ["Card {n} is put right:", "第 {n} 張已更正："],
  "last round's cards": ["Cards of the last round", "上一局的牌"],
  then: ["Then:", "然後："],
  "money moved": ["Paid and collected at once", "即時賠付及收回"],
  "no card expected": ["No card is expected now.", "現在不需要輸入牌。"],
  opens: ["Opens card {n}, {hand}", "開第 {n} 張（{hand}）"],
  "draws and opens": ["Draws to {hand} and opens it", "發給{hand}並翻開"],
  "the shoe reads": [
    "The shoe reads the cards; type a face only where it was not read.",
    "牌靴自動讀牌；只有讀不到時才輸入。",
  ],
  "open with shoe": ["Open, as the shoe read it", "按牌靴所讀開牌"],
});

// The shoe, and calls that may be made.
learn({
  "shoe and calls": ["Shoe and calls", "牌靴及宣布"],
  "shoe n": ["Shoe {n}", "第 {n} 靴"],
  "hand shoe": ["hand-dealt", "手發"],
  "read shoe": ["reading shoe", "讀牌靴"],
  "virtual shoe": ["virtual shoe", "電子牌靴"],
  "face up": ["face up", "明發"],
  "must change": ["cards must be changed", "須換牌"],
  "free next": ["next hand is free", "下局飛牌"],
  called: ["Call", "宣布"],
  "drawn elsewhere": ["Card laid to", "牌放到"],
});

// Insurance and settlement.
learn({
  lammer: ["{hand} insurance at {odds}", "{hand}保險 {odds}"],
  "may take": ["may take up to {n}", "最多 {n}"],
  taken: ["taken {n}", "已投 {n}"],
  "not taken": ["nothing yet", "未投"],
  settlement: ["Pay and collect, patron by patron", "逐位賠付核對"],
  ticked: ["{n} of {m} done", "已核對 {n} / {m}"],
  "to pay": ["Pay {n}", "賠 {n}"],
  collects: ["Collect {n}", "收 {n}"],
  evens: ["Even", "平"],
  "paid before": ["(paid {n} before)", "（先前已賠 {n}）"],
  "collected before": ["(collected {n} before)", "（先前已收 {n}）"],
});

// Patrons and their wagers.
learn({
  patrons: ["Patrons and wagers", "客人及注碼"],
  standing: ["standing", "站立"],
  "is away": ["away", "離檯"],
  owes: ["owes {n}", "欠 {n}"],
  "act for": ["For a patron", "代客操作"],
  do: ["Do it", "執行"],
  weight: ["Player {p} · Banker {b}", "閒 {p} · 庄 {b}"],
  over: ["{hand} is over by {n}", "{hand}超出 {n}"],
  "under minimum": ["under the minimum", "低於最低"],
});

// Questions, and reporting what went wrong.
learn({
  questions: ["Questions", "待決問題"],
  "no questions": ["Nothing waits for a decision.", "沒有待決問題。"],
  "tap in order": ["Tap the cards in the order in which they count.", "按計算次序點選牌。"],
  "count hint": ["Cards counted, by rank and suit", "按點數及花色點算"],
  sealed: ["Cards under seal", "密封的牌"],
  "fill full": ["All {n}", "全部 {n}"],
  "counted sum": ["{n} counted", "共 {n} 張"],
  ruling: ["The steps of the ruling", "裁決步驟"],
  "add step": ["Add a step", "加入步驟"],
  "who intended": ["Who had meant to insure", "誰原擬投保"],
  report: ["Report an irregularity", "報告異常"],
  "choose fact": ["What happened?", "發生何事？"],
  "book covers": ["The book provides for", "規則已訂明"],
  "book silent": ["The book is silent: goes to the residual authority", "規則未訂明：呈交最終決定人"],
  "not now": ["Not possible now", "現在不可能"],
  "what the book says": ["What the book says", "規則如何處理"],
  cancel: ["Cancel", "取消"],
  "report it": ["Report it", "提交報告"],
  "then asked": ["Then {who} is asked: {says}", "然後詢問 {who}：{says}"],
});
