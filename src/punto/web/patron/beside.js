// Beside the felt: the scoreboard, the shoe in use, and tabs with results, past rounds, exact odds and requests.

import { button, fill, html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { attempt } from "../base/notes.js";
import { smallScoreboard } from "../base/roads.js";
import { ShoeLine } from "./shoe-line.js";
import { ShoeWord } from "./shoe-word.js";

learn({
  history: ["History", "記錄"],
  "exact odds": ["Odds", "賠率"],
  requests: ["Requests", "請求"],
  "result hint": [
    "When a round is over, every payment is explained here, line by line.",
    "每局結束後，這裡逐項說明派彩。",
  ],
});

export class Beside {
  #table;
  #menu;
  #patron;
  #leave;
  #word = null; // of a patron, for the next virtual shoe
  #scoreboard = html("div");
  #shoeLine;
  #result = html("section.result-panel.col", { label: phrase("result"), hidden: true });
  #panel = html("div.tab-panel", { id: "tab-panel", role: "tabpanel", tabindex: 0 });
  #tabs; // by key: the button, and how its panel is filled
  #plottedRounds = null;
  #shownResult = null;

  /** `menu` are the bets of the layout; `leave` cashes a patron out. Without a patron, the table is watched. */
  constructor({ table, menu, patron, leave }) {
    this.#table = table;
    this.#menu = menu;
    this.#patron = patron;
    this.#leave = leave;
    this.#word = patron && new ShoeWord(table, patron);
    this.#shoeLine = new ShoeLine(table);
    this.#tabs = this.#makeTabs();
    const buttons = Array.from(this.#tabs.values(), (tab) => tab.button);
    const tabList = html("div.tabs", { role: "tablist" }, buttons);
    this.elements = [this.#scoreboard, this.#shoeLine.element, html("div.panel.tabbed", tabList, this.#panel)];
    this.#openTab("result");
  }

  draw() {
    const { results, round } = this.#table.view;
    this.#shoeLine.draw(); // which notes the commitment before a word is given to it
    this.#word?.draw();
    void this.#drawScoreboard(results.length);
    if (["settled", "void"].includes(round?.phase)) void this.#drawResult(round);
  }

  #makeTabs() {
    const fillers = {
      result: (panel) => this.#fillResultTab(panel),
      history: (panel) => this.#fillHistory(panel),
      "exact odds": (panel) => this.#fillOdds(panel),
      ...(this.#patron && { requests: (panel) => this.#fillRequests(panel) }),
    };
    const tab = ([key, fillPanel]) => {
      const properties = { class: "tab", role: "tab", "aria-controls": "tab-panel" };
      return [key, { button: button(phrase(key), () => this.#openTab(key), properties), fillPanel }];
    };
    return new Map(Object.entries(fillers).map(tab));
  }

  #openTab(wanted) {
    for (const [key, tab] of this.#tabs) tab.button.setAttribute("aria-selected", key === wanted);
    const panel = html("div.col", html("p.quiet", phrase("loading")));
    fill(this.#panel, panel);
    void attempt(panel, this.#table.view.book, async () => {
      await this.#tabs.get(wanted).fillPanel(panel);
    });
  }

  #fillResultTab(panel) {
    fill(panel, this.#result, html("p.quiet.small.hint", phrase("result hint")));
  }

  async #fillHistory(panel) {
    const { fillHistory } = await import("./history.js");
    await fillHistory(panel, this.#table, this.#menu, this.#patron);
  }

  async #fillOdds(panel) {
    const { fillOdds } = await import("./odds.js");
    await fillOdds(panel, this.#table, this.#menu);
  }

  async #fillRequests(panel) {
    const { fillRequests } = await import("./requests.js");
    fillRequests(panel, this.#table, this.#patron, this.#leave);
    panel.append(this.#word.element);
  }

  async #drawScoreboard(rounds) {
    if (this.#plottedRounds === rounds) return;
    this.#plottedRounds = rounds;
    const roads = await this.#table.get("roads").catch(() => null);
    if (!roads) this.#plottedRounds = null;
    else if (this.#plottedRounds === rounds) fill(this.#scoreboard, smallScoreboard(roads));
  }

  async #drawResult(round) {
    const mark = `${round.number}/${round.phase}`;
    if (this.#shownResult === mark) return;
    this.#shownResult = mark;
    const view = this.#table.view;
    const story = this.#table.roundStory(this.#patron);
    try {
      const { fillResult } = await import("./result.js");
      fillResult(this.#result, view, this.#menu, this.#patron, story);
      this.#result.hidden = false;
    } catch {
      this.#shownResult = null; // the house was away: the next change tries again
    }
  }
}
