// Under the thumb: the purse, the chips, and undo, clear, rebet and double.

import { chipArt } from "../base/chips.js";
import { button, h, still, text } from "../base/dom.js";
import { money } from "../base/money.js";
import { learn, t } from "../base/words.js";

learn({
  chip: ["Chip of {amount}", "{amount} 籌碼"],
  chips: ["Chips", "籌碼"],
  undo: ["Undo", "撤回"],
  clear: ["Clear", "清除"],
  rebet: ["Rebet", "重複"],
  double: ["Double", "加倍"],
  balance: ["Balance", "餘額"],
  "at stake": ["At stake", "在注"],
  owed: ["Owed to the house", "欠款"],
});

/** The dock of a patron: `chips` are its denominations, `act(key)` does undo, clear, rebet or double. */
export class Dock {
  constructor(chips, act) {
    this.chips = chips;
    this.chosen = 1;
    this.purse = h("output", { class: "balance money" }, "–");
    this.staked = h("span", { class: "small quiet money" });
    this.rack = h("div", { class: "rack", role: "radiogroup", "aria-label": t("chips") }, chips.map((amount, kind) =>
      h("button", { type: "button", class: "chip", role: "radio", "aria-label": t("chip", { amount: money(amount) }), onclick: () => this.choose(kind) }, chipArt(amount, kind))));
    this.rack.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.choose((this.chosen + step + chips.length) % chips.length, true);
    });
    this.acts = h("div", { class: "acts" }, ["undo", "clear", "rebet", "double"].map((key) =>
      button(t(key), (event) => act(key, event.currentTarget), { class: "button act", "data-act": key })));
    this.element = h("div", { class: "dock", "data-refusals": "" },
      h("div", { class: "purse" }, h("span", { class: "small quiet" }, t("balance")), this.purse, this.staked), this.rack, this.acts);
    this.choose(this.chosen);
  }

  /** What the chosen chip is worth. */
  get chip() {
    return this.chips[this.chosen];
  }

  choose(kind, focus = false) {
    this.chosen = kind;
    [...this.rack.children].forEach((each, at) => {
      each.setAttribute("aria-checked", String(at === kind));
      each.tabIndex = at === kind ? 0 : -1;
      if (at === kind && focus) each.focus();
    });
  }

  /** Keys: 1 to 5 choose a chip; u, c, r and d act. */
  key(event) {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.chips[Number(event.key) - 1]) this.choose(Number(event.key) - 1);
    const act = [...this.acts.children].find((each) => each.dataset.act[0] === event.key);
    if (act && !act.disabled) act.click();
  }

  draw(mine, betting, open, quick) {
    const balance = mine?.balance ?? null;
    if (balance !== this.balance) this.count(this.balance, balance, quick);
    text(this.staked, mine?.held ? `${t("at stake")} ${money(mine.held)}${mine.owed ? ` · ${t("owed")} ${money(mine.owed)}` : ""}` : "");
    const { laid, done, last } = betting;
    const can = { undo: done.length > 0, clear: laid.length > 0, rebet: last.length > 0 && !laid.length, double: laid.length > 0 };
    for (const each of this.acts.children) each.disabled = !open || !can[each.dataset.act];
  }

  /** Money counts up to what it is; it falls at once. */
  count(from, to, quick) {
    this.balance = to;
    cancelAnimationFrame(this.counting);
    const show = (amount) => text(this.purse, money(amount, { exact: true }));
    if (quick || still() || from === null || from === undefined || to === null || to < from) return show(to);
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, Math.max(0, now - began) / 900);
      show(Math.round(from + (to - from) * part));
      if (part < 1) this.counting = requestAnimationFrame(step);
    };
    this.counting = requestAnimationFrame(step);
  }
}
