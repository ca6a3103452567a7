// Betting the same again in every round, once it is switched on. It stops at whatever is out of the ordinary.

import { learn, phrase } from "../base/language.js";
import { endsShoe } from "../base/live-table.js";
import { announce } from "../base/notes.js";

learn({
  "auto on": [
    "The same is bet again in every round, until you switch it off, something is refused, or the shoe ends.",
    "每局自動重複下注，直至你關閉、注碼被拒，或牌靴完結。",
  ],
  "auto off": ["You bet by yourself again.", "已改回由你下注。"],
  "auto stopped": ["Betting by itself has stopped. {why}", "自動下注已停止。{why}"],
  "auto nothing": ["Lay a wager first: it is bet again in the next round.", "請先下注：下一局會重複。"],
  "auto new shoe": ["A new shoe begins.", "新牌靴開始。"],
  "auto unseen": ["You have not looked for some rounds.", "你已有數局未查看。"],
  "auto lost": ["The house could not be reached.", "與場方失去連線。"],
});

const UNSEEN = 3; // rounds that are bet while nobody looks at the page

export class AutoRebet {
  #table;
  #betting;
  #dock;
  #note;
  #round = null; // the last round that was seen to
  #unseen = 0;
  #stops = [];

  /** `note({message, clauses})` shows what is said at the dock. */
  constructor({ table, betting, dock, note }) {
    this.#table = table;
    this.#betting = betting;
    this.#dock = dock;
    this.#note = note;
  }

  get isOn() {
    return this.#stops.length > 0;
  }

  toggle() {
    if (this.isOn) {
      this.stop();
      announce(phrase("auto off"));
      return;
    }
    const hasWagers = this.#betting.laid().length > 0;
    if (!hasWagers && !this.#betting.possible().rebet) {
      this.#note({ message: phrase("auto nothing") });
      return;
    }
    this.#unseen = 0;
    this.#round = hasWagers ? this.#table.view.round.number : null;
    this.#stops = [
      this.#table.on("change", () => this.#follow()),
      this.#table.on("connection", () => this.#table.connected || this.stop(phrase("auto lost"))),
      this.#table.on("entry", ({ detail }) => endsShoe(detail) && this.endWithTheShoe()),
    ];
    this.#showState();
    announce(phrase("auto on"));
    void this.#follow();
  }

  /** Stop, and say `why` where it was not the patron who did. */
  stop(why) {
    if (!this.isOn) return;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#showState();
    if (why) this.#note({ message: phrase("auto stopped", { why }) });
  }

  /** Said also where it was about to be switched on. */
  endWithTheShoe() {
    this.stop();
    this.#note({ message: phrase("auto stopped", { why: phrase("auto new shoe") }) });
  }

  #showState() {
    this.#dock.auto.setAttribute("aria-pressed", this.isOn);
    this.#dock.auto.title = phrase(this.isOn ? "auto on" : "auto off");
  }

  /** Once in a round whose bets are open, bet what was bet in the round before, unless something lies there. */
  async #follow() {
    const { round } = this.#table.view;
    if (round?.phase !== "betting" || round.free || round.number === this.#round) return;
    this.#round = round.number;
    this.#betting.follow();
    if (!this.#betting.possible().rebet || this.#betting.pending().size) return;
    this.#unseen = document.hidden ? this.#unseen + 1 : 0;
    if (this.#unseen > UNSEEN) {
      this.stop(phrase("auto unseen"));
      return;
    }
    try {
      await this.#betting.rebet();
    } catch (refusal) {
      this.stop(refusal.message);
    }
  }
}
