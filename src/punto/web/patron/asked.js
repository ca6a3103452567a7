// Everything that waits for the patron, as cards at the lower edge: a seat, chips, questions, insurance, cards to squeeze.

import { get } from "../base/api.js";
import { questionCard } from "../base/asking.js";
import { button, h, keyed, put } from "../base/dom.js";
import { money } from "../base/money.js";
import { refuse, say } from "../base/notes.js";
import { learn, t } from "../base/words.js";
import { lineList } from "./lines.js";
import { offerCard } from "./offer.js";
import { outcome } from "./panels.js";
import { squeezeCard } from "./squeeze.js";

learn({
  "choose box": ["You stand. Bet in box", "站立下注，選擇格位"],
  box: ["Box {n}", "{n} 號位"],
  "buy to play": ["How much in chips?", "購買多少籌碼？"],
  "buy line": ["You sit at box {box}. Chips are counted in {currency}.", "你坐在 {box} 號位。籌碼以 {currency} 計。"],
  "buy line standing": ["You stand at the table. Chips are counted in {currency}.", "你站在檯旁。籌碼以 {currency} 計。"],
  "take seat": ["Take a seat to play", "入座參與"],
  stand: ["Stand", "站立"],
  "accept notice": ["I accept the notice", "接受告示"],
});

/** The cards of one patron at one table. */
export class Asked {
  constructor(store, patron, betting) {
    Object.assign(this, { store, patron, betting });
    this.element = h("div", { class: "asked", "aria-live": "polite", "data-refusals": "" });
    this.passed = new Set(); // offers that were declined here
  }

  get view() {
    return this.store.view;
  }

  get mine() {
    return this.view.patrons.find((each) => each.name === this.patron && !each.away) ?? null;
  }

  draw() {
    const { view, store, mine, held } = this, round = view.round, items = [];
    const item = (key, make) => items.push({ key, make });
    if (view.open) {
      if (!mine) item("seat", () => this.seat());
      else if (!mine.balance && !mine.held) item("buy", () => this.buy());
      else if (mine.box === null) item("stand", () => this.chooseBox());
    }
    for (const question of view.questions) item(`q${question.id}`, () => this.question(question));
    for (const [spot, most] of Object.entries(round?.offer?.most ?? {})) {
      const key = `offer${round.number}/${round.offer.stage}/${spot}`;
      if (most > 0 && !this.passed.has(key)) item(key, () => this.offer(key, round.offer, Number(spot.split("/")[1]), most));
    }
    if (round?.phase === "settled" && round.result && round.lines[this.patron]?.length) item(`paid${round.number}`, () => this.brief(round));
    if (held && Object.keys(held).length) item(`held${round?.number}/${Object.keys(held)}`, () => squeezeCard(held, view.book, (at) => store.do({ do: "expose", faces: [], at })));
    keyed(this.element, items, (each) => each.key, (each) => each.make());
    this.look();
  }

  /** The faces of the cards that one holds, asked for once for each state of the hand. */
  async look() {
    const round = this.view.round;
    const mine = ["player", "banker"].filter((hand) => round?.phase === "closed" && round[hand].squeezer === this.patron && round[hand].cards.includes(null));
    const mark = mine.length ? `${round.number}/${mine.map((hand) => round[hand].cards.join()).join("/")}` : null;
    if (mark === this.looked) return;
    this.looked = mark;
    const found = mark ? await get(`/api/tables/${this.store.name}/held`).catch(() => null) : null;
    if (this.looked !== mark) return;
    this.held = found;
    this.draw();
  }

  question(question) {
    const mine = this.betting.laid.reduce((sum, each) => sum + each.stake, 0);
    say(question.says, { urgent: true });
    return questionCard(question, {
      book: this.view.book,
      whom: false,
      answer: (choice, more) => this.store.do({ do: "answer", question: question.id, choice, ...more }),
      means: (choice) => {
        const part = choice !== "take-back" ? "" : !mine ? " all" : question.about.includes("undecided") ? " open" : "";
        const key = `means ${choice}${part}`;
        const words = t(key, { amount: money(mine) });
        return words === key ? null : words;
      },
    });
  }

  offer(key, offer, box, most) {
    const stake = this.betting.laid.filter((each) => each.bet === offer.hand && each.box === box).reduce((sum, each) => sum + each.stake, 0);
    const close = () => {
      this.passed.add(key);
      this.draw();
    };
    const card = h("div", {});
    const build = (chances) => put(card, offerCard({
      time: this.timeLine(), offer, box, most, stake, unit: this.view.limits.unit, book: this.view.book, odds: chances,
      insure: async (given) => {
        await this.store.do({ do: "insure", patron: this.patron, ...given });
        close();
      },
      decline: close,
    }));
    build(null);
    get(`/api/tables/${this.store.name}/odds`).then((found) => found.offer && card.isConnected && !card.querySelector("[disabled]") && build(found.offer), () => {});
    say(t("insurance"), { urgent: true });
    return card;
  }

  /** A thin line for the time that is left; null where no clock ends it. */
  timeLine() {
    const until = this.store.snapshot.asks_until, left = until - this.store.now();
    if (!until || left <= 0) return null;
    const line = h("i");
    line.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: left, fill: "forwards" });
    return h("div", { class: "time-line", "aria-hidden": "true" }, line);
  }

  /** The result as a card, for a screen without room beside the felt. */
  brief(round) {
    return h("section", { class: "question brief", "aria-label": t("result") },
      h("p", { class: "lead" }, outcome(round.result.winner, round.player.points, round.banker.points)), lineList(round.lines[this.patron], this.view.book));
  }

  // A place and chips

  /** The first free box, or undefined. */
  get free() {
    const taken = new Set(this.view.patrons.map((each) => each.box));
    return Array.from({ length: this.store.snapshot.positions }, (_, at) => at + 1).find((box) => !taken.has(box));
  }

  async sit(box, beside = this.element, accepted = false) {
    const given = box ? { do: "sit", patron: this.patron, box } : { do: "stand", patron: this.patron };
    try {
      await this.store.do(accepted ? { ...given, "accepts-notice": true } : given);
    } catch (refusal) {
      const note = refuse(beside.isConnected ? beside : this.element, refusal, this.view.book);
      if (!accepted && /notice/i.test(refusal.message)) note.append(button(t("accept notice"), () => this.sit(box, beside, true), { class: "button small" }));
    }
  }

  seat() {
    const { free } = this, card = h("section", { class: "question", "data-refusals": "" }, h("p", { class: "lead" }, t("take seat")));
    card.append(h("div", { class: "row" },
      free ? button(`${t("sit down")}: ${t("box", { n: free })}`, () => this.sit(this.free, card), { class: "button primary" }) : null,
      button(t("stand"), () => this.sit(null, card))));
    return card;
  }

  buy() {
    const least = this.view.limits.minimum ?? 100, box = this.mine.box;
    const card = h("section", { class: "question", "data-refusals": "", "aria-label": t("buy to play") }, h("p", { class: "lead" }, t("buy to play")),
      h("p", { class: "small quiet" }, t(box ? "buy line" : "buy line standing", { box, currency: this.view.currency })),
      h("div", { class: "row" }, [100, 500, 1000].map((times, at) => button(money(least * times), async () => {
        try {
          await this.store.do({ do: "buy-in", patron: this.patron, amount: least * times });
        } catch (refusal) {
          refuse(card, refusal, this.view.book);
        }
      }, { class: at === 1 ? "button primary" : "button" }))));
    return card;
  }

  chooseBox() {
    this.betting.box ??= 1;
    const pick = h("select", { class: "field", "aria-label": t("choose box"), onchange: () => { this.betting.box = Number(pick.value); } },
      Array.from({ length: this.store.snapshot.positions }, (_, at) => h("option", { value: at + 1 }, String(at + 1))));
    return h("section", { class: "question slim" }, h("label", { class: "row" }, t("choose box"), pick));
  }
}
