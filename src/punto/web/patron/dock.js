// Under the thumb: the purse, the chips, undo, clear, rebet and double, and the switch that bets again each round.

import { chipArt } from "../base/chips.js";
import { button, html, isMotionReduced, isTyping, setText } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { money } from "../base/money.js";

learn({
  chip: ["Chip of {n}", "{n} 籌碼"],
  chips: ["Chips", "籌碼"],
  undo: ["Undo", "撤回"],
  rebet: ["Rebet", "重複"],
  "auto short": ["Auto", "自動"],
  "auto rebet": ["Bet the same again in every round", "每局自動重複下注"],
  double: ["Double", "加倍"],
  balance: ["Balance", "餘額"],
  "at stake": ["At stake", "在注"],
  owed: ["Owed to the house", "欠款"],
});

const ACTS = ["undo", "clear", "rebet", "double"];
const ARROWS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
const COUNTING = 900; // ms in which a purse counts up
const chosenChips = new Map(); // by table: the chip that was chosen there last

/**
 * `chips` are the amounts of the chips; `act(key, button)` is called for one of the four buttons, and `switchAuto()`
 * for the switch.
 */
export class Dock {
  #tableName;
  #chips;
  #chosen;
  #balance = null;
  #counting = 0;
  #atStake = html("span.small.quiet.money");
  #acts;

  constructor(tableName, chips, act, switchAuto) {
    this.#tableName = tableName;
    this.#chips = chips;
    this.purse = html("output.balance.money", { "aria-live": "off" }, "–");
    this.rack = html(
      "div.rack",
      { role: "radiogroup", label: phrase("chips"), onkeydown: (event) => this.#chooseByArrow(event) },
      chips.map((amount, kind) => this.#chipButton(amount, kind)),
    );
    this.#acts = ACTS.map((key) =>
      button(phrase(key), (event) => act(key, event.currentTarget), { class: "button act", "data-act": key }),
    );
    this.auto = button(phrase("auto short"), switchAuto, {
      class: "button act auto",
      label: phrase("auto rebet"),
      "aria-pressed": "false",
    });
    this.element = html(
      "div.dock",
      html("div.purse", html("span.small.quiet", phrase("balance")), this.purse, this.#atStake),
      this.rack,
      html("div.acts", this.#acts),
      this.auto,
    );
    this.#choose(chosenChips.get(tableName) ?? 1);
  }

  /** The amount of the chosen chip. */
  get chip() {
    return this.#chips[this.#chosen];
  }

  /** Keys: 1 to 5 choose a chip; u, c, r and d act. */
  press(event) {
    if (isTyping(event)) return;
    const kind = Number(event.key) - 1;
    if (this.#chips[kind]) this.#choose(kind);
    const act = this.#acts.find(({ dataset }) => dataset.act[0] === event.key);
    if (act && !act.disabled) act.click();
  }

  /** `own` is the patron as the table knows them, `possible` what the buttons may do; at once where `quick`. */
  draw(own, possible, quick) {
    const balance = own?.balance ?? null;
    if (balance !== this.#balance) this.#showBalance(this.#balance, balance, quick);
    this.#balance = balance;
    setText(this.#atStake, stakeText(own));
    this.#chips.forEach((amount, kind) => {
      this.rack.children[kind].classList.toggle("dim", balance !== null && amount > balance);
    });
    for (const act of this.#acts) act.disabled = !possible?.[act.dataset.act];
  }

  #chipButton(amount, kind) {
    const properties = { class: "chip", role: "radio", label: phrase("chip", money(amount)) };
    return button(chipArt(amount, kind), () => this.#choose(kind), properties);
  }

  #choose(kind) {
    this.#chosen = kind;
    chosenChips.set(this.#tableName, kind);
    Array.from(this.rack.children).forEach((chip, index) => {
      chip.setAttribute("aria-checked", index === kind);
      chip.tabIndex = index === kind ? 0 : -1;
    });
  }

  #chooseByArrow(event) {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    this.#choose((this.#chosen + step + this.#chips.length) % this.#chips.length);
    this.rack.children[this.#chosen].focus();
  }

  /** Money that a round brings counts up to what it is; else it is shown at once. */
  #showBalance(from, to, quick) {
    cancelAnimationFrame(this.#counting);
    const show = (amount) => {
      const text = money(amount, "exact");
      setText(this.purse, text);
      this.purse.style.setProperty("--letters", text.length);
    };
    if (quick || isMotionReduced() || from === null || to === null || to < from) {
      show(to);
      return;
    }
    const began = performance.now();
    const step = (now) => {
      const share = Math.min(1, Math.max(0, now - began) / COUNTING);
      show(Math.round(from + (to - from) * share));
      if (share < 1) this.#counting = requestAnimationFrame(step);
    };
    this.#counting = requestAnimationFrame(step);
  }
}

function stakeText(own) {
  if (!own?.held) return "";
  const staked = `${phrase("at stake")} ${money(own.held)}`;
  return own.owed ? `${staked} · ${phrase("owed")} ${money(own.owed)}` : staked;
}
