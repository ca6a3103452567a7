// The felt: exactly the bets of this layout, with their odds as the book states them.

import { arrived } from "../base/api.js";
import { chineseName, nameOfBet } from "../base/bet-names.js";
import { stackArt } from "../base/chips.js";
import { fill, html, setText } from "../base/dom.js";
import { oddsText } from "../base/labels.js";
import { learn, phrase } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { showRefusal } from "../base/notes.js";

learn({
  "field name": ["{bet}, pays {odds}", "{bet}，賠率 {odds}"],
  "odds range": ["{least} up to {most}", "{least}至{most}"],
  "all pays": ["All that {n} pays", "{n}的全部賠率"],
  "more rows": ["{n} more", "另有 {n} 項"],
  "less commission": ["{odds} less {share}", "{odds}，抽佣 {share}"],
  insured: ["{n} insured at {odds}", "已投保 {n}，{odds}"],
  "your wager": ["your wager {n}", "你已下注 {n}"],
  "on its way": ["{n} on its way", "{n} 待確認"],
  others: ["{n} from others", "其他人 {n}"],
});

const MAIN_BETS = ["banker", "player"];
const MOST_ROWS = 3; // of a pay table on a field; longer ones are folded
const ROWS_OF_FOLDED = 2;
const FEW = 5; // side bets that lie in one row
const SEVERAL = 10; // side bets that lie in two; more of them are scrolled
const MOST_IN_A_ROW = 8;

/** What a bet does, row by row; that it loses is told where it is an exception to a later row. */
export function payRows({ pays }) {
  const last = pays.findLastIndex(({ result }) => result !== "lose");
  const says = ({ odds, result, commission }) => {
    if (commission) return phrase("less commission", { ...commission, odds: oddsText(commission.odds) });
    return odds ? oddsText(odds) : phrase(result === "lose" ? "result lose" : "result returned");
  };
  return pays.slice(0, last + 1).map((row) => ({ ...row, says: says(row) }));
}

function rowText({ says, when }) {
  return `${says} ${when}`;
}

/** The rows that pay the least and the most. */
function extremes(rows) {
  const worth = ({ odds }) => odds.split(":").reduce((win, of) => win / of);
  const paid = rows.filter(({ odds }) => odds).sort((one, other) => worth(one) - worth(other));
  return [paid[0], paid.at(-1)];
}

/** Odds from the least to the most as one text: "1–30 to 1". */
function rangeText(rows) {
  const [[least, of], [most, ofMost]] = extremes(rows).map(({ odds }) => odds.split(":"));
  if (of === ofMost) return oddsText(`${least}–${most}:${of}`);
  return extremes(rows)
    .map(({ says }) => says)
    .join("–");
}

/** Several odds on a small field, each apart: ["11 to 1", "8 to 1"], or the least and the most of many. */
function oddsInShort(rows, most) {
  const texts = new Set(rows.filter(({ odds }) => odds).map(({ says }) => says));
  return texts.size <= most ? Array.from(texts) : [rangeText(rows)];
}

/** A text whose ranges of numbers, "7-9", stay on one line. */
function unbroken(text) {
  return text.split(/(\d+-\d+)/).map((part, index) => (index % 2 ? html("span.money", part) : part));
}

/** The rows by which a wager comes back. */
function returnedRows(rows) {
  return rows.filter(({ odds, result }) => !odds && result !== "lose");
}

/** The rows that a large field has room for: of a folded table the first, and one by which the wager comes back. */
function printedRows(rows) {
  if (rows.length <= MOST_ROWS) return rows;
  const first = rows.slice(0, ROWS_OF_FOLDED);
  const returned = returnedRows(rows);
  if (!returned.length || first.some((row) => returned.includes(row))) return first;
  return [...first.slice(0, -1), returned[0]];
}

/** The odds as they are printed on a field: on the large ones with what they are for, and what comes back. */
function printedOdds(id, rows, most) {
  if (!MAIN_BETS.includes(id)) {
    return html(
      "b",
      oddsInShort(rows, most).map((text, index) => html("span", index > 0 && html("i", " · "), text)),
    );
  }
  const shown = printedRows(rows);
  const more = rows.length - shown.length;
  return [
    shown.map(({ odds, says, when }) =>
      html("span", { class: !odds && "returned" }, html("b", says), " ", unbroken(when)),
    ),
    more > 0 && html("span", phrase("more rows", more)),
  ];
}

/** A field for the ear: the bet, what it pays when, and when it comes back. */
function fieldName(bet, rows) {
  const [least, most] = extremes(rows).map(({ says }) => says);
  const inShort = least === most ? least : phrase("odds range", { least, most });
  const isTold = rows.length > 1 && rows.length <= MOST_ROWS;
  const told = isTold ? rows.map(rowText) : [inShort, ...returnedRows(rows).map(rowText)];
  return phrase("field name", { bet: nameOfBet(bet), odds: told.join(", ") });
}

/** A bet's name as it is printed, Chinese and English; `choice` of a bet has such names, too. */
export function printedName(bet) {
  return [chineseName(bet), html("span", bet.name)];
}

/** The mark in the corner that opens all that some bets pay; `open(title, bets)` shows them. */
export function listButton(named, bets, open) {
  const title = nameOfBet(named);
  const label = phrase("all pays", title);
  return html("button.all-pays", { type: "button", label, title: label, onclick: () => open(title, bets) }, "≡");
}

/** One bet of the layout. `place(id, field)` is called when it is tapped, and `open` as by a `listButton`. */
class Field {
  #name;
  #described = "";
  #own = html("div.mine");
  #others = html("span.others.tiny");
  #target;

  constructor(id, bet, { place, open }) {
    const rows = payRows(bet);
    const { choice } = bet;
    this.needs = bet.needs ?? [];
    this.isLate = bet.late;
    const shown = MAIN_BETS.includes(id) ? MOST_ROWS : 1;
    const hasList = !choice && rows.length > shown;
    this.#name = fieldName(bet, rows);
    this.#target = html(
      "button.spot",
      { type: "button", onclick: () => place(id, this.element) },
      html("span.spot-name", choice ? html("b", choice.mark) : printedName(bet)),
      html("span.spot-odds", { title: rows.map(rowText).join(" · ") }, printedOdds(id, rows, choice ? 1 : MOST_ROWS)),
      this.#own,
      this.#others,
    );
    this.element = html(
      "div.spot-box",
      { "data-bet": id, "data-colour": bet.colour, class: hasList && "listed" },
      this.#target,
      hasList && listButton(bet, [bet], open),
    );
  }

  /** Own chips `laid` and `pending`, those of `others`, own cover, and whether the field is open, won or lost. */
  draw({ laid, pending, others, covers, chips, states }) {
    const described = this.#describe(laid, pending, covers);
    if (described !== this.#described) {
      this.#described = described;
      fill(this.#own, covers.map(lammer), laid + pending > 0 && stack(laid, pending, chips));
    }
    setText(this.#others, others ? money(others) : "");
    this.#others.title = others ? phrase("others", money(others)) : "";
    const shown = { ...states, staked: laid + pending > 0, covered: covers.length > 0 };
    for (const [state, is] of Object.entries(shown)) this.element.classList.toggle(state, is);
    this.#target.setAttribute("aria-disabled", !states.open);
    this.#target.setAttribute("aria-label", described);
  }

  #describe(laid, pending, covers) {
    const parts = [
      this.#name,
      laid && phrase("your wager", money(laid)),
      pending && phrase("on its way", money(pending)),
      ...covers.map(({ stake, odds }) => phrase("insured", { n: money(stake), odds: oddsText(odds) })),
    ];
    return parts.filter(Boolean).join("; ");
  }
}

/** The marker of a cover: its odds, and how much it is. */
function lammer({ odds, stake }) {
  return html("span.lammer.money", html("b", oddsText(odds)), ` ${money(stake)}`);
}

/** Own chips with their amount; translucent while the house has not accepted any of them. */
function stack(laid, pending, chips) {
  const more = laid > 0 && pending > 0 && html("i.pending", ` +${money(pending)}`);
  return [
    html("span.stack", { class: !laid && "pending" }, stackArt(laid + pending, chips)),
    html("span.amount.money", { class: !laid && "pending" }, money(laid || pending), more),
  ];
}

/** How wide a word is, in letters' heights. */
function wordWidth(word) {
  const letters = Array.from(word, (letter) => (letter > "\u2e80" ? 1.4 : /[\p{Lu}mw]/u.test(letter) ? 0.82 : 0.58));
  return letters.reduce((sum, width) => sum + width, 0);
}

function longestWord(bets) {
  const words = bets.flatMap((bet) => [...bet.name.split(" "), chineseName(bet)?.textContent ?? ""]);
  return Math.max(0, ...words.map(wordWidth));
}

/** How wide the widest odds of some bets are printed, in letters' heights: no figure of them may be cut off. */
export function widestOdds(bets) {
  const texts = bets.flatMap((bet) => oddsInShort(payRows(bet), bet.choice ? 1 : MOST_ROWS));
  const widthOf = (letter) => (letter > "\u2e80" ? 1.1 : letter === " " ? 0.35 : 0.72);
  return Math.max(0, ...texts.map((text) => Array.from(text, widthOf).reduce((sum, width) => sum + width, 0)));
}

function sideBetsOf(menu) {
  return Object.entries(menu).filter(([id]) => !MAIN_BETS.includes(id));
}

const isSingle = ([, { choice }]) => !choice;

/** Whether side bets are scrolled on the felt, which a module of its own arranges. */
export function hasManyBets(menu) {
  const sideBets = sideBetsOf(menu);
  return sideBets.length > SEVERAL || !sideBets.every(isSingle);
}

/** In how many columns side bets lie. */
function columnsFor(many) {
  if (many <= SEVERAL) return many > FEW ? Math.ceil(many / 2) : Math.max(1, many);
  return Math.min(MOST_IN_A_ROW, Math.max(FEW, Math.ceil(many / 3)));
}

/** All fields: Banker and Player as bands, the side bets between them in the order of the book. */
export class Felt {
  #fields;

  /** `place(id, field)` is called when a field is tapped; `arrange` puts side bets together that are many. */
  constructor({ menu, book, place, arrange }) {
    const open = (title, bets) => {
      const show = ({ showPays }) => showPays(title, bets, book);
      const loading = arrived(import("./pay-list.js"), "pay-list.css");
      loading.then(show, (error) => showRefusal(this.element.parentElement, error));
    };
    this.#fields = new Map(Object.entries(menu).map(([id, bet]) => [id, new Field(id, bet, { place, open })]));
    const sideBets = sideBetsOf(menu);
    const single = sideBets.filter(isSingle);
    const columns = columnsFor(single.length);
    const fieldOf = (id) => this.field(id);
    const fields = arrange?.(sideBets, fieldOf, open) ?? sideBets.map(([id]) => fieldOf(id));
    this.element = html(
      "div.fields",
      {
        vars: {
          "--columns": columns,
          "--rows": arrange ? 3 : Math.ceil(single.length / columns),
          "--word": longestWord(single.map(([, bet]) => bet)),
          "--odds": widestOdds(single.map(([, bet]) => bet)),
        },
      },
      this.field("banker"),
      html("div.between", { class: arrange && "many" }, fields),
      this.field("player"),
    );
  }

  /** The element of a bet's field. */
  field(bet) {
    return this.#fields.get(bet)?.element ?? this.element;
  }

  /** Go to the first field that can be bet on, for whoever has no mouse. */
  focus() {
    this.element.querySelector(".open > .spot")?.focus();
  }

  /** `betting` are the patron's own wagers, null for who only watches; `covers` is their cover. */
  draw({ round }, { betting, chips, patron, covers }) {
    const wagers = round && round.phase !== "void" ? round.wagers : [];
    const pending = betting?.pending();
    const hasLaid = (id) => pending.has(id) || betting.laid().some(({ bet }) => bet === id);
    for (const [id, field] of this.#fields) {
      const onField = wagers.filter(({ bet }) => bet === id);
      const isOwn = (wager) => wager.patron === patron;
      field.draw({
        laid: sumOf(onField.filter(isOwn), "stake"),
        pending: pending?.get(id) ?? 0,
        others: sumOf(
          onField.filter((wager) => !isOwn(wager)),
          "stake",
        ),
        covers: wagers.length ? covers.filter(({ bet }) => bet === id) : [],
        chips,
        states: fieldStates(field, id, round, patron, betting && field.needs.every((bets) => bets.some(hasLaid))),
      });
    }
  }
}

function fieldStates({ isLate }, id, round, patron, betting) {
  const line = round?.lines[patron]?.findLast(({ bet }) => bet === id);
  return {
    open: Boolean(betting) && (isLate ? round?.late.includes(id) : round?.phase === "betting" && !round.free),
    won: line ? line.result === "win" : round?.phase === "settled" && round.result?.winner === id,
    lost: line?.result === "lose",
  };
}
