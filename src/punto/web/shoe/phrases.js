// What the check of a shoe says, in both languages.

import { learn } from "../base/language.js";

// The form.
learn({
  "check a shoe": ["Check a shoe", "查驗牌靴"],
  "check line": [
    "Were the cards those that the house had committed to before the first bet?",
    "發出的牌，是否就是場方在首注之前承諾的牌？",
  ],
  "check how": [
    "This browser works it out by itself; the house computes nothing. All of it can be typed in by hand.",
    "全部由此瀏覽器自行計算，場方不參與計算。所有資料亦可手動輸入。",
  ],
  "shoe commitment": ["Commitment", "承諾碼"],
  "shoe seed": ["Seed of the house, told when the shoe has ended", "場方種子（牌靴結束後公開）"],
  "shoe decks": ["Decks", "副數"],
  "shoe context": ["Context: which shoe it is", "情境：哪一靴"],
  "shoe scheme": ["Scheme", "方案"],
  "scheme 1": ["punto-shoe-1: without words of patrons", "punto-shoe-1：沒有客人隨機字"],
  "scheme 2": ["punto-shoe-2: patrons were asked for words", "punto-shoe-2：曾請客人提供隨機字"],
  "words by patron": [
    "Words in the order of their hashes, one a line: name, word, and the hash if you know it",
    "隨機字，依提交雜湊值的次序，每行一個：名字、隨機字、雜湊值（如知悉）",
  ],
  "cards in order": [
    "Cards that left the shoe, in order, burnt ones too; ? for one that nobody saw",
    "依次離開牌靴的牌，包括燒牌；無人見到的牌寫 ?",
  ],
  "check it": ["Check", "查驗"],
  "from house": ["Fill in the last shoe of a table", "填入賭檯的上一靴"],
  "fill in": ["Fill in", "填入"],
  "none ended": ["No shoe of this table has ended yet.", "此檯尚無已結束的牌靴。"],
  "dealt by hand": [
    "The last shoe of this table was dealt by hand: there is no seed to check.",
    "此檯上一靴為人手發牌，沒有種子可查驗。",
  ],
  "older shoes": [
    "Filled in: the last shoe of {n} that has ended. Earlier ones: punto shoe verify --table {n} --shoe …",
    "已填入 {n} 上一個已結束的牌靴。更早的牌靴：punto shoe verify --table {n} --shoe …",
  ],
  "cannot hash": [
    "This browser computes hashes over a secure connection only, or on the machine of the house itself.",
    "此瀏覽器僅能在安全連線或場方本機上計算雜湊值。",
  ],
});

// What cannot be read.
learn({
  "no hash": ["{n}: that is 64 hexadecimal digits.", "{n}：須為 64 位十六進位數字。"],
  "no decks": ["A shoe has 1 to 12 decks.", "一靴有 1 至 12 副牌。"],
  "no word": [
    "Line {n} of the words is not a name, a word of 64 hexadecimal digits, and the hash if it is known.",
    "隨機字第 {n} 行應為：名字、64 位十六進位隨機字，以及雜湊值（如知悉）。",
  ],
  "words of scheme 1": ["A shoe of punto-shoe-1 has no words.", "punto-shoe-1 的牌靴沒有隨機字。"],
});

// What the commitment was compared with.
learn({
  "source fresh": [
    "Held against what this browser noted by itself before the first card, on {n}.",
    "與此瀏覽器在首張牌發出前（{n}）自行記下的承諾碼比對。",
  ],
  "source late": [
    "Held against what this browser noted by itself in the middle of the shoe, on {n}.",
    "與此瀏覽器在該靴中途（{n}）自行記下的承諾碼比對。",
  ],
  "source house": [
    "Held against what the house says now: this browser noted nothing of this shoe while it was dealt.",
    "與場方現時所述比對：此瀏覽器在該靴進行期間未曾記下承諾碼。",
  ],
  "source typed": ["Held against the commitment that was typed in.", "與手動輸入的承諾碼比對。"],
  "house says another": [
    "The house now gives another commitment for this shoe: {n}",
    "場方現時就此靴給出另一個承諾碼：{n}",
  ],
  "noted another": [
    "On {at} this browser noted another one for a shoe of this number. Was the table opened anew since? {commitment}",
    "此瀏覽器於 {at} 曾就同一靴號記下另一個承諾碼。該檯其後是否重新開設？{commitment}",
  ],
});

// What was found.
learn({
  "verdict fits": ["It fits: this is the shoe that was committed to.", "相符：這就是所承諾的牌靴。"],
  "verdict seed": ["The seed fits. There are no cards to compare.", "種子相符。沒有可比對的牌。"],
  "verdict not": ["It does not fit.", "不相符。"],
  "fits commitment": [
    "Seed, decks ({decks}) and context (“{context}”) give the commitment.",
    "由種子、副數（{decks}）及情境（「{context}」）算得承諾碼。",
  ],
  "hash of word": ["The word of {patron} has the hash {hash}", "{patron} 的隨機字，雜湊值為 {hash}"],
  "fits words": [
    "Words: {n}; compared with hashes that were given before any word came out: {compared}.",
    "隨機字 {n} 個；與公開前提交的雜湊值比對：{compared} 個。",
  ],
  "no words given": ["Patrons were asked for words; there are none.", "曾請客人提供隨機字，沒有隨機字。"],
  "seed of shoe": ["Seed of the house and words give the seed of the shoe: {n}", "場方種子與隨機字合成牌靴種子：{n}"],
  "fits cards": [
    "Cards that left the shoe: {dealt}, of which seen: {seen}. Each is the one that the seed gives at its place.",
    "離開牌靴的牌：{dealt} 張，其中亮開 {seen} 張，均為種子在該位置所給的牌。",
  ],
  "no cards given": ["No cards were given.", "未提供牌。"],
  "own word in": ["The word of this browser is in the shoe.", "此瀏覽器的隨機字在此靴中。"],
  "own word out": [
    "The word that this browser drew for this shoe is not in it.",
    "此瀏覽器為此靴抽出的隨機字不在此靴中。",
  ],
  "fault commitment": [
    "The commitment does not match: {commitment} was published, and seed, decks and context give {given}.",
    "承諾碼不符：公布的是 {commitment}，由種子、副數及情境算得的是 {given}。",
  ],
  "fault word": [
    "The word of {patron} does not have the hash that was given for it, {hash}, but {given}.",
    "{patron} 的隨機字，雜湊值並非所提交的 {hash}，而是 {given}。",
  ],
  "fault count": [
    "{dealt} cards were dealt, but the shoe holds only {holds}.",
    "發出 {dealt} 張牌，但牌靴僅有 {holds} 張。",
  ],
  "fault card": [
    "Card {place} of the shoe is {is}, but {dealt} was dealt.",
    "牌靴第 {place} 張應為 {is}，發出的卻是 {dealt}。",
  ],
  "cards of shoe": ["The cards that left the shoe, by its seed ({n})", "依種子所得、離開牌靴的牌（{n}）"],
});
