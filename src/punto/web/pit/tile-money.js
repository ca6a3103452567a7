// Money and people on a tile of the pit: what was bought and won today, what is on the table, and how it is bet.

import { get } from "../base/api.js";
import { html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { money, sumOf } from "../base/money.js";

learn({
  drop: ["Drop today", "今日買入"],
  "cashed today": ["Cashed out", "已兌現"],
  win: ["Win or loss", "輸贏"],
  hold: ["Hold", "贏率"],
  "chips out": ["Chips with patrons", "客人籌碼"],
  "average wager": ["Average wager", "平均注碼"],
  "highest wager": ["Highest wager", "最高注碼"],
  "patrons here": ["Patrons", "客人數目"],
});

const EVERY = 10000; // ms between two counts

/** What the house has counted today, table by table; `changed()` is called when there is something new. */
export class TodaysCount {
  #tables = new Map();
  #timer = 0;
  #isStopped = false;
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** The count of a table; undefined before there is one. */
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
    const found = await get("/api/count?day=today").catch(() => null); // while it cannot be had, what is shown stays
    if (!found || this.#isStopped) return;
    this.#tables = new Map(found.tables.map((count) => [count.table, count]));
    this.#changed();
  }
}

/** The figures of a tile; `count` is that of its table, where the viewer may see it. */
export function tileMoney(count, { view }) {
  const shown = (amount, how) => money(amount, how, view.digits);
  const here = view.patrons.filter(({ away }) => !away);
  const wagers = view.round?.wagers ?? [];
  const staked = sumOf(wagers, "stake");
  const figures = [
    ["patrons here", String(here.length)],
    count && ["drop", shown(count.bought)],
    count && ["cashed today", shown(count.cashed)],
    count && ["win", shown(count.won, "sign")],
    count?.bought > 0 && ["hold", `${((count.won * 100) / count.bought).toFixed(1).replace("-", "−")} %`],
    ["chips out", shown(sumOf(view.patrons, "balance") + sumOf(view.patrons, "held"))],
    wagers.length > 0 && ["average wager", shown(Math.round(staked / wagers.length))],
    wagers.length > 0 && ["highest wager", shown(Math.max(...wagers.map(({ stake }) => stake)))],
  ];
  const pair = ([key, text]) => html("div", html("dt", phrase(key)), html("dd.money", text));
  return html("dl.tile-money", figures.filter(Boolean).map(pair));
}
