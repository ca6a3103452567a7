// A reminder of the time one has played and of the day's result, as often as one has asked for it.

import { get } from "../base/api.js";
import { button, html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { storage } from "../base/storage.js";

learn({
  "played for": ["You have played for {n} {n:minute|minutes}.", "你已遊玩 {n} 分鐘。"],
  "lost today": ["Today you have lost {n}.", "你今日輸了 {n}。"],
  "won today": ["Today you have won {n}.", "你今日贏了 {n}。"],
  "even today": ["Today you have neither won nor lost.", "你今日不輸不贏。"],
  "go on": ["Go on", "繼續"],
  "reminder limits": ["Limits and breaks", "限額及暫停"],
  reminder: ["Reminder", "提醒"],
});

const MINUTE = 60_000;
const TICK = 15_000;
const BREAK = 15 * MINUTE; // who was away so long begins anew
const KEY = "playing";

/** How the day stands, as a sentence. */
export function dayText(lost) {
  if (!lost) return phrase("even today");
  return phrase(lost > 0 ? "lost today" : "won today", money(Math.abs(lost)));
}

/** Since when this browser has played without a long break. */
function playingSince() {
  const [found, now] = [storage.get(KEY), Date.now()];
  const since = found && now - found.seen < BREAK ? found.since : now;
  storage.set(KEY, { since, seen: now });
  return since;
}

export class Reminder {
  #table;
  #minutes;
  #toLimits;
  #stopAuto;
  #told;
  #card = null;
  #timer;

  /** `toLimits` opens the limits of one's own; `stopAuto(why)` ends betting by itself. */
  constructor(table, minutes, { toLimits, stopAuto }) {
    this.#table = table;
    this.#minutes = minutes;
    this.#toLimits = toLimits;
    this.#stopAuto = stopAuto;
    this.#told = this.#times();
    this.#timer = setInterval(() => this.#tick(), TICK);
  }

  stop() {
    clearInterval(this.#timer);
    this.#card?.remove();
  }

  /** How many reminders are due since one has begun. */
  #times() {
    return Math.floor((Date.now() - playingSince()) / (this.#minutes * MINUTE));
  }

  #tick() {
    const times = this.#times();
    if (times <= this.#told) return;
    this.#told = times;
    this.#tell();
  }

  async #tell() {
    const played = phrase("played for", Math.floor((Date.now() - playingSince()) / MINUTE));
    this.#stopAuto(played);
    const now = await get(`/api/own-limits?table=${this.#table.name}`).catch(() => null);
    this.#card?.remove();
    const close = () => this.#card.remove();
    const open = () => {
      close();
      this.#toLimits();
    };
    this.#card = html(
      "div.reminder.panel",
      { role: "alert", label: phrase("reminder") },
      html("p", html("b", played), " ", now && dayText(now.currencies[now.currency].lost)),
      html("div.row", button(phrase("go on"), close), button(phrase("reminder limits"), open)),
    );
    document.body.append(this.#card);
  }
}
