// Beside the felt: the scoreboard, the shoe in use, and tabs with results, past rounds, exact odds, requests, and
// limits of one's own.

import { arrived } from "../base/api.js";
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
  "own limits": ["Limits", "限額"],
  sound: ["Sound", "聲音"],
  "new here": ["New to this game? Read it in a minute", "初次遊玩？一分鐘看懂"],
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
  #stopAuto;
  #reminder = null; // of time and money, where the patron has asked for it
  #sound = null; // of chips, cards and calls, where it is switched on
  #soundButton;
  #word = null; // of a patron, for the next virtual shoe
  #scoreboard = html("div");
  #shoeLine;
  #hands; // which the shuffle of a virtual shoe lies over
  #shuffle = null; // which is loaded with the first one
  #result = html("section.result-panel.col", { label: phrase("result"), hidden: true });
  #panel = html("div.tab-panel", { id: "tab-panel", role: "tabpanel", tabindex: 0 });
  #tabs; // by key: the button, and how its panel is filled
  #plottedRounds = null;
  #shownResult = null;

  /**
   * `menu` are the bets of the layout; `leave` cashes a patron out, `stopAuto(why)` ends their betting by itself, and
   * `remind` are the minutes between their reminders. Without a patron, the table is watched. `call` is the
   * element with what the dealer calls, `hands` that with the two hands.
   */
  constructor({ table, menu, patron, remind, leave, stopAuto, call, hands }) {
    this.#table = table;
    this.#menu = menu;
    this.#patron = patron;
    this.#leave = leave;
    this.#stopAuto = stopAuto;
    this.#word = patron && new ShoeWord(table, patron);
    this.#shoeLine = new ShoeLine(table);
    this.#hands = hands;
    this.#tabs = this.#makeTabs();
    const buttons = Array.from(this.#tabs.values(), (tab) => tab.button);
    const tabList = html("div.tabs", { role: "tablist" }, buttons);
    this.#soundButton = button(phrase("sound"), () => this.#switchSound(call), {
      class: "button small sound",
      "aria-pressed": "false",
    });
    this.elements = [
      this.#scoreboard,
      html("div.row.shoe-row", this.#shoeLine.element, html("span.grow"), this.#soundButton),
      this.#shoeLine.found,
      html("div.panel.tabbed", tabList, this.#panel),
    ];
    this.#openTab("result");
    if (patron) void this.#remindEvery(remind);
  }

  close() {
    this.#reminder?.stop();
    this.#sound?.stop();
  }

  /** Nothing is heard until somebody has asked for it. */
  async #switchSound(call) {
    await attempt(this.#soundButton.parentElement, null, async () => {
      const { Sound } = await arrived(import("./sound.js"));
      this.#sound?.stop();
      this.#sound = this.#sound ? null : new Sound(this.#table, this.#patron, call);
      this.#soundButton.setAttribute("aria-pressed", Boolean(this.#sound));
    });
  }

  draw() {
    const { results, round } = this.#table.view;
    this.#shoeLine.draw(); // which notes the commitment before a word is given to it
    this.#word?.draw();
    void this.#drawShuffle();
    void this.#drawScoreboard(results.length);
    if (["settled", "void"].includes(round?.phase)) void this.#drawResult(round);
  }

  /** From the end of a shoe to the first card of the next. */
  async #drawShuffle() {
    if (!this.#shuffle) {
      if (!isShuffleSeen(this.#table.view)) return;
      const loaded = await arrived(import("./shuffle.js"), "shuffle.css").catch(() => null);
      if (!loaded) return; // the house was away: the next change tries again
      this.#shuffle ??= new loaded.Shuffle(this.#hands);
    }
    this.#shuffle.draw(this.#table.view, isShuffleSeen(this.#table.view));
  }

  #makeTabs() {
    const fillers = {
      result: (panel) => this.#fillResultTab(panel),
      history: (panel) => this.#fillHistory(panel),
      "exact odds": (panel) => this.#fillOdds(panel),
      ...(this.#patron && { requests: (panel) => this.#fillRequests(panel) }),
      ...(this.#patron && { "own limits": (panel) => this.#fillLimits(panel) }),
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
    void this.#fillTab(panel, wanted);
  }

  /** What cannot be shown now is told in its place. */
  async #fillTab(panel, wanted) {
    const isFilled = await attempt(panel, this.#table.view.book, () => this.#tabs.get(wanted).fillPanel(panel));
    if (!isFilled) panel.replaceChildren();
  }

  #fillResultTab(panel) {
    const guide = html("a", { href: `/guide/${this.#table.name}`, target: "_blank" }, phrase("new here"));
    fill(panel, this.#result, html("p.quiet.small.hint", phrase("result hint")), html("p.small", guide));
  }

  async #fillHistory(panel) {
    const { fillHistory } = await arrived(import("./history.js"), "results.css");
    await fillHistory(panel, this.#table, this.#menu, this.#patron);
  }

  async #fillOdds(panel) {
    const { fillOdds } = await arrived(import("./odds.js"));
    await fillOdds(panel, this.#table, this.#menu);
  }

  async #fillRequests(panel) {
    const { fillRequests } = await arrived(import("./requests.js"));
    await fillRequests(panel, this.#table, this.#patron, this.#leave);
    panel.append(this.#word.element);
  }

  async #fillLimits(panel) {
    const { fillLimits } = await arrived(import("./limits.js"));
    await fillLimits(panel, this.#table, (minutes) => this.#remindEvery(minutes));
  }

  async #remindEvery(minutes) {
    this.#reminder?.stop();
    if (!minutes) return;
    const { Reminder } = await arrived(import("./reminder.js"), "limits.css");
    const toLimits = () => this.#openTab("own limits");
    this.#reminder = new Reminder(this.#table, minutes, { toLimits, stopAuto: this.#stopAuto });
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
      const { fillResult } = await arrived(import("./result.js"), "results.css");
      fillResult(this.#result, view, this.#menu, this.#patron, story);
      this.#result.hidden = false;
    } catch {
      this.#shownResult = null; // the house was away: the next change tries again
    }
  }
}

function isShuffleSeen({ open, shoe, round }) {
  if (!open || !shoe) return false;
  return shoe.number ? shoe.fresh && round?.phase !== "closed" : shoe.over > 0;
}
