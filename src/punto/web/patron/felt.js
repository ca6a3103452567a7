// The felt: exactly the bets of this layout, with their odds as the book states them.

import { stackArt } from "../base/chips.js";
import { fill, html, setText } from "../base/dom.js";
import { oddsText } from "../base/labels.js";
import { inChinese, inEnglish, learn, phrase } from "../base/language.js";
import { money, sumOf } from "../base/money.js";

learn({
  "field name": ["{bet}, pays {odds}", "{bet}，賠率 {odds}"],
  insured: ["{n} insured at {odds}", "已投保 {n}，{odds}"],
  "your wager": ["your wager {n}", "你已下注 {n}"],
  "on its way": ["{n} on its way", "{n} 待確認"],
  others: ["{n} from others", "其他人 {n}"],
});

const MAIN_BETS = ["banker", "player"];
const MOST_IN_A_ROW = 5; // side bets; more of them lie in two rows

/** What a bet pays, row by row: [{odds: "0.95 to 1", when: "with any other total"}, …]. */
export function payRows(bet) {
  return bet.pays.filter(({ odds }) => odds).map(({ odds, when }) => ({ odds: oddsText(odds), when }));
}

/** The odds as they are printed on a field: on the large ones with what they are for. */
function printedOdds(id, rows) {
  if (MAIN_BETS.includes(id) && rows.length > 1) {
    return rows.map(({ odds, when }) => html("span", html("b", odds), ` ${when}`));
  }
  return html("b", rows.map(({ odds }) => odds).join(" · "));
}

/** A field for the ear: the bet, and what it pays when. */
function fieldName(id, bet, rows) {
  const odds = rows.length > 1 ? rows.map((row) => `${row.odds} ${row.when}`) : rows.map((row) => row.odds);
  return phrase("field name", { bet: inEnglish(id) ? phrase(id) : bet.name, odds: odds.join(", ") });
}

/** One bet of the layout. `place(id, field)` is called when it is tapped. */
class Field {
  #name;
  #described = "";
  #own = html("div.mine");
  #others = html("span.others.tiny");
  #target;

  constructor(id, bet, place) {
    const rows = payRows(bet);
    const title = rows.map(({ odds, when }) => `${odds} ${when}`).join(" · ");
    this.#name = fieldName(id, bet, rows);
    this.#target = html(
      "button.spot",
      { type: "button", onclick: () => place(id, this.element) },
      html("span.spot-name", html("b", inChinese(id)), html("span", bet.name)),
      html("span.spot-odds", { title }, printedOdds(id, rows)),
      this.#own,
      this.#others,
    );
    this.element = html(`div.spot-box.${id}`, { "data-bet": id }, this.#target);
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
    for (const [state, is] of Object.entries(states)) this.element.classList.toggle(state, is);
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
    html("span.amount.money", money(laid || pending), more),
  ];
}

/** All fields: Banker and Player as bands, the side bets between them. */
export class Felt {
  #fields;

  constructor(menu, place) {
    this.#fields = new Map(Object.entries(menu).map(([id, bet]) => [id, new Field(id, bet, place)]));
    const sideBets = Object.keys(menu).filter((id) => !MAIN_BETS.includes(id));
    const rows = sideBets.length > MOST_IN_A_ROW ? 2 : 1;
    this.element = html(
      "div.fields",
      { vars: { "--cols": Math.ceil(sideBets.length / rows), "--rows": rows } },
      this.field("banker"),
      html(
        "div.between",
        sideBets.map((id) => this.field(id)),
      ),
      this.field("player"),
    );
  }

  /** The element of a bet's field. */
  field(bet) {
    return this.#fields.get(bet)?.element ?? this.element;
  }

  /** `betting` are the patron's own wagers, or null for somebody who only watches; `covers` is their cover. */
  draw({ round }, { betting, chips, patron, covers }) {
    const wagers = round && round.phase !== "void" ? round.wagers : [];
    const pending = betting?.pending();
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
        states: fieldStates(id, round, patron, betting),
      });
    }
  }
}

function fieldStates(id, round, patron, betting) {
  const isOver = round?.phase === "settled";
  const line = round?.lines[patron]?.findLast(({ bet }) => bet === id);
  return {
    open: Boolean(betting) && round?.phase === "betting" && !round.free,
    won: isOver && (line ? line.result === "win" : round.result?.winner === id),
    lost: isOver && line?.result === "lose",
  };
}
