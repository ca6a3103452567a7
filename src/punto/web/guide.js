// A game in a minute, from the book of its table: what is bet, what is drawn, what is special, and what it costs.

import { get } from "./base/api.js";
import { nameOfBet } from "./base/bet-names.js";
import { cardName } from "./base/cards.js";
import { fill, html } from "./base/dom.js";
import { oddsText, nameAndKind } from "./base/labels.js";
import { learn, phrase } from "./base/language.js";
import { payRows } from "./patron/felt.js";

learn({
  "in a minute": ["{game} in a minute", "一分鐘認識{game}"],
  "go to table": ["Go to the table", "到賭檯"],
  "what is bet": ["What you bet on", "下注甚麼"],
  "two hands": [
    "Two hands are dealt, Player and Banker. Neither is yours: you may bet on either.",
    "荷官派出兩手牌，稱為「閒」與「庄」。兩手都不屬於你，都可下注。",
  ],
  "closer to nine": [
    "The hand whose total is closer to nine wins; equal totals are a tie.",
    "點數較接近九者勝；點數相同為和局。",
  ],
  "what is drawn": ["What is drawn", "如何補牌"],
  "card values": [
    "An ace counts one, a ten or a picture nothing, every other card its number.",
    "A 算一點，10 與公牌算零點，其餘按牌面。",
  ],
  "last digit": ["Only the last digit of a total counts: 7 and 8 make 5.", "總和只計個位：7 加 8 得 5 點。"],
  "naturals end": [
    "8 or 9 with the first two cards is a natural: no hand gets another card.",
    "首兩張得 8 或 9 點為「例牌」：雙方不再補牌。",
  ],
  "player draws": ["Else the Player draws on 0 to 5 and stands on 6 and 7.", "否則閒家 0 至 5 點補牌，6、7 點停牌。"],
  "banker draws": [
    "The Banker draws on 0 to 2 and stands on 7. Where the Player stood, the Banker draws to 5.",
    "庄家 0 至 2 點補牌，7 點停牌。若閒家沒有補牌，庄家 5 點或以下補牌。",
  ],
  "else by third": ["Else the Player's third card tells:", "其餘視乎閒家第三張牌："],
  "banker has": ["Banker has", "庄家點數"],
  "draws against": ["and draws if the Player drew", "閒家補得以下牌時補牌"],
  "all but": ["anything but {n}", "除 {n} 外皆補"],
  "from to": ["{from} to {to}", "{from} 至 {to}"],
  "dealer does it": ["The dealer does all of this. You need not know it to play.", "一切由荷官處理，不懂也可下注。"],
  "what is special": ["What is special here", "本檯特色"],
  "special pay": ["{bet}: {when}, {pays}", "{bet}：{when}，{pays}"],
  "special insurance": [
    "Insurance: when the cards are against your wager, you may cover it. Cover pays {least} to {most}.",
    "保險：牌面不利於你的注碼時，可為該注投保，賠率由 {least} 至 {most}。",
  ],
  "special late": ["{bet} is laid after the first four cards.", "{bet}於首四張牌派出後下注。"],
  "special needs": ["{bet} is taken only beside {others}.", "{bet}須與{others}同時下注。"],
  "special share": [
    "{bet} is taken only beside {others}, and is at most {share} of what lies there.",
    "{bet}須與{others}同時下注，最多為其注額的 {share}。",
  ],
  "special apart": ["{bet} is never taken together with {others}.", "{bet}不能與{others}同時下注。"],
  "one of them": [" or ", "或"],
  "and so on": [", ", "、"],
  "special printed first": [
    "{hand} begins with the {card}, which is printed on the table. It comes from no shoe.",
    "{hand}的第一張牌是印在檯面上的{card}，不是從牌靴派出。",
  ],
  "special printed": [
    "The second card of {hand} is the {card}, which is printed on the table. It comes from no shoe.",
    "{hand}的第二張牌是印在檯面上的{card}，不是從牌靴派出。",
  ],
  "special sides": [
    "{n} {n:bet|bets} beside Player, Banker and Tie, paid by what the cards show.",
    "除閒、庄、和外另有 {n} 種投注，按牌面派彩。",
  ],
  "nothing special": ["Nothing: this is plain baccarat.", "無：即普通百家樂。"],
  "what it costs": ["What it costs", "成本"],
  "costs line": [
    "Of every 100 laid on a bet the house keeps so much in the long run: exact, with a full shoe.",
    "以整靴精確計算，每下注 100，長遠而言賭場保留以下金額。",
  ],
  "what it pays": ["Pays", "賠率"],
  "cost of 100": ["of 100", "每 100"],
});

const MAIN = ["player", "banker", "tie"];
/** Banker's totals for which the Player's third card tells, and on which of them the Banker draws. */
const BANKER_DRAWS = [
  [3, null],
  [4, [2, 7]],
  [5, [4, 7]],
  [6, [6, 7]],
];

export async function show(root, { params: { name } }) {
  const path = `/api/tables/${name}`;
  const [about, menu, odds] = await Promise.all([get(`${path}/book`), get(`${path}/bets`), get(`${path}/odds`)]);
  const [game] = nameAndKind(about.id, about.title, about.titles);
  document.title = `${phrase("in a minute", { game })} · Punto`;
  fill(
    root,
    html(
      "article.guide",
      html("h1", phrase("in a minute", { game })),
      section("what is bet", html("p", phrase("two hands")), html("p", phrase("closer to nine"))),
      section("what is drawn", drawing()),
      section("what is special", special(about, menu)),
      section("what it costs", html("p", phrase("costs line")), costs(menu, odds.bets)),
      html("a.button.primary", { href: `/table/${name}` }, phrase("go to table")),
    ),
  );
}

function section(key, ...content) {
  return html("section.panel", html("h2", phrase(key)), content);
}

function drawing() {
  const against = (range) => (range ? phrase("from to", { from: range[0], to: range[1] }) : phrase("all but", 8));
  const row = ([points, range]) => html("tr", html("th", { scope: "row" }, points), html("td", against(range)));
  return [
    html("p", phrase("card values")),
    html("p", phrase("last digit")),
    html("p", phrase("naturals end")),
    html("p", phrase("player draws")),
    html("p", phrase("banker draws")),
    html("p", phrase("else by third")),
    html(
      "table.figures",
      html(
        "thead",
        html(
          "tr",
          ["banker has", "draws against"].map((key) => html("th", { scope: "col" }, phrase(key))),
        ),
      ),
      html("tbody", BANKER_DRAWS.map(row)),
    ),
    html("p.quiet", phrase("dealer does it")),
  ];
}

/** What tells this game from plain baccarat, in the book's own data. */
function special({ insurance, printed }, menu) {
  const said = [
    ...printedCard(printed),
    ...MAIN.flatMap((id) => specialPays(id, menu[id])),
    ...sideBets(menu),
    ...together(menu),
    ...cover(insurance),
  ];
  if (!said.length) said.push(phrase("nothing special"));
  return html(
    "ul",
    said.map((text) => html("li", text)),
  );
}

/** The rows of a main bet that are not those of plain baccarat: even money, 8 to 1 on a tie, and a tie comes back. */
function specialPays(id, bet) {
  const rows = bet ? payRows(bet) : [];
  const usual = id === "tie" ? "8:1" : "1:1";
  const isSpecial = ({ odds }, index) => (odds ? odds !== usual : index < rows.length - 1);
  return rows
    .filter(isSpecial)
    .map(({ says, when }) => phrase("special pay", { bet: nameOfBet(bet), pays: says, when }));
}

function* sideBets(menu) {
  const others = Object.entries(menu).filter(([id]) => !MAIN.includes(id));
  if (others.length) yield phrase("special sides", others.length);
  for (const [, bet] of others) {
    if (bet.late) yield phrase("special late", { bet: nameOfBet(bet) });
  }
}

/** The card with which a hand begins, where one is printed on the layout. */
function* printedCard(printed) {
  if (!printed) return;
  const key = printed.first ? "special printed first" : "special printed";
  yield phrase(key, { hand: phrase(printed.hand), card: cardName(printed.card) });
}

/** Bets that need others, that are a share of others at most, or that exclude one another; the last is said once. */
function* together(menu) {
  const namesOf = (ids) => {
    const names = ids.filter((id) => menu[id]).map((id) => nameOfBet(menu[id]));
    return [names.slice(0, -1).join(phrase("and so on")), names.at(-1)].filter(Boolean).join(phrase("one of them"));
  };
  const ids = Object.keys(menu);
  for (const [id, { needs = [], share, apart = [] }] of Object.entries(menu)) {
    const bet = nameOfBet(menu[id]);
    for (const [at, others] of needs.entries()) {
      const isShare = share && at === needs.length - 1;
      yield phrase(isShare ? "special share" : "special needs", { bet, share, others: namesOf(others) });
    }
    const later = apart.filter((other) => ids.indexOf(other) > ids.indexOf(id));
    if (later.length) yield phrase("special apart", { bet, others: namesOf(later) });
  }
}

function* cover(insurance) {
  if (!insurance?.length) return;
  const worth = ({ odds }) => odds.split(":").reduce((win, of) => win / of);
  const rows = insurance.toSorted((one, other) => worth(one) - worth(other));
  yield phrase("special insurance", { least: oddsText(rows[0].odds), most: oddsText(rows.at(-1).odds) });
}

function costs(menu, odds) {
  const row = ([id, bet]) => {
    const pays = payRows(bet).map(({ says, when }) =>
      html("div", html("b", says), " ", html("span.quiet.small", when)),
    );
    const keeps = Number(odds[id].full_per_cent).toFixed(2);
    return html("tr", html("th", { scope: "row" }, nameOfBet(bet)), html("td", pays), html("td.money", keeps));
  };
  const heads = ["bet", "what it pays", "cost of 100"].map((key) => html("th", { scope: "col" }, phrase(key)));
  return html(
    "div.scrolls",
    html("table.figures", html("thead", html("tr", heads)), html("tbody", Object.entries(menu).map(row))),
  );
}
