// Money and people on a tile of the pit: what was bought and won today, who deals, and how it is bet.

import { get } from "../base/api.js";
import { html, knowPeople } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { timeText } from "./entries.js";

learn({
  drop: ["Drop today", "今日買入"],
  "cashed today": ["Cashed out", "已兌現"],
  win: ["Win or loss", "輸贏"],
  hold: ["Hold", "贏率"],
  float: ["Float today", "檯面籌碼增減"],
  "chips out": ["Chips with patrons", "客人籌碼"],
  "average wager": ["Average wager", "平均注碼"],
  "highest wager": ["Highest wager", "最高注碼"],
  "patrons here": ["Patrons", "客人數目"],
  "rounds today": ["Rounds today", "今日局數"],
  "rounds an hour": ["Rounds an hour", "每小時局數"],
  "dealer since": ["Dealer, since {n}", "荷官，自 {n}"],
  "deals by itself": ["Deals by itself", "自動發牌"],
});

const EVERY = 10000; // ms between two counts

const NOT_ABOVE = ["dealer", "cashier"];

/** Whether somebody with these posts sees the report of the day: a post above the dealer's, at whichever table. */
export function isAboveDealer(posts) {
  return Object.values(posts).some((rank) => !NOT_ABOVE.includes(rank));
}

/** What was played today, table by table; `changed()` is called when there is something new. */
export class TodaysReport {
  #tables = new Map();
  #timer = 0;
  #isStopped = false;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** The report of a table; undefined before there is one. */
  of(name) {
    return this.#tables.get(name);
  }

  async start() {
    if (!document.hidden) await this.#ask();
    if (!this.#isStopped) this.#timer = setTimeout(() => this.start(), EVERY);
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #ask() {
    const found = await get("/api/report").catch(() => null); // while it cannot be had, what is shown stays
    if (!found || this.#isStopped) return;
    knowPeople(found.shown);
    this.#tables = new Map(found.tables.map((row) => [row.name, row]));
    this.#changed();
  }
}

/** Hundredths of a per cent as text. */
export function perCentText(hundredths) {
  return hundredths === null ? "–" : `${(hundredths / 100).toFixed(1).replace("-", "−")}%`;
}

/** The figures of a tile; `today` is the report of its table, where the viewer may see it. */
export function tileMoney(today, { view }) {
  const shown = (amount, how) => money(amount, how, view.digits);
  const here = view.patrons.filter(({ away }) => !away);
  const figures = [
    ["patrons here", String(here.length)],
    ["chips out", shown(sumOf(view.patrons, "balance") + sumOf(view.patrons, "held"))],
    ...(today ? figuresOfDay(today, shown) : []),
  ];
  const pair = ([key, text, value]) => html("div", html("dt", phrase(key, value)), html("dd.money", text));
  return html("dl.tile-money", figures.filter(Boolean).map(pair));
}

function figuresOfDay(today, shown) {
  const { dealer, since } = today;
  return [
    ["drop", shown(today.bought)],
    ["cashed today", shown(today.cashed)],
    ["win", shown(today.won, "sign")],
    today.hold !== null && ["hold", perCentText(today.hold)],
    ["float", shown(today.float, "sign")],
    today.wagers > 0 && ["average wager", shown(today.average)],
    today.wagers > 0 && ["highest wager", shown(today.highest)],
    ["rounds today", today.rounds.toLocaleString("en-US")],
    today.pace !== null && ["rounds an hour", today.pace.toLocaleString("en-US")],
    since && ["dealer since", dealer || phrase("deals by itself"), timeText(since)],
  ];
}
