// The patron's table: the felt, the cards, one's wagers, what is asked, and what it all came to.

import { bets, book as bookOf, get } from "./base/api.js";
import { denominations } from "./base/chips.js";
import { h, keyed, put, text } from "./base/dom.js";
import { money } from "./base/money.js";
import { refuse, showLink } from "./base/notes.js";
import { smallBoard } from "./base/scoreboard.js";
import { follow } from "./base/store.js";
import { timerRing } from "./base/timer.js";
import { learn, t } from "./base/words.js";
import { named } from "./lobby.js";
import { Asked } from "./patron/asked.js";
import { Betting } from "./patron/betting.js";
import { Dock } from "./patron/dock.js";
import { felt as makeFelt } from "./patron/felt.js";
import { flyHome, slideBack } from "./patron/flying.js";
import { hands as makeHands } from "./patron/hands.js";
import { historyPanel, oddsPanel, outcome, requestsPanel, resultPanel } from "./patron/panels.js";

learn({
  room: ["Room", "尚可"],
  "place bets": ["Place your bets", "請下注"],
  "no more bets": ["No more bets", "停止下注"],
  "wait round": ["Waiting for the next round", "等待下一局"],
  "free hand": ["Free hand: no bets are taken", "免費局，不接受下注"],
  "changing shoe": ["The shoe is being changed", "更換牌靴"],
  "waits for": ["Waiting for {who}", "等待 {who}"],
  you: ["you", "你"],
  boxes: ["Boxes", "座位"],
  shoe: ["Shoe", "牌靴"],
  "shoe meter": ["{n} cards left", "尚餘 {n} 張"],
  "result hint": ["When a round is over, every payment is explained here, line by line.", "每局結束後，這裡逐項說明派彩。"],
});

/** Where everything is put together. Without a patron, the table is watched. */
class PatronTable {
  constructor(root, store, menu, about, me, go) {
    Object.assign(this, { store, menu, go });
    this.chips = denominations(store.view.limits);
    this.patron = me?.kind === "patron" ? me.name : null;
    if (this.patron) {
      this.betting = new Betting(store, this.patron);
      this.asked = new Asked(store, this.patron, this.betting);
      this.dock = new Dock(this.chips, (key, from) => this.act(key, from));
    }
    this.build(root, ...named(about.title));
  }

  get view() {
    return this.store.view;
  }

  get mine() {
    return this.asked?.mine ?? null;
  }

  build(root, name, kind) {
    document.title = `${name} · Punto`;
    this.shoe = h("div", { class: "shoe", role: "img" }, h("i"), h("span", { class: "tiny" }));
    this.hands = makeHands(this.shoe);
    this.call = h("p", { class: "call", role: "status" });
    this.ring = timerRing();
    this.felt = makeFelt(this.menu, (bet, field) => this.tap(bet, field));
    this.seats = h("ol", { class: "seats", "aria-label": t("boxes") });
    this.limits = h("p", { class: "posted small" });
    this.board = h("div", { class: "board-slot" });
    this.result = resultPanel();
    this.hint = h("p", { class: "quiet small hint" }, t("result hint"));
    this.panel = h("div", { class: "tab-panel", id: "tab-panel", role: "tabpanel", tabindex: 0 });
    this.tabs = h("div", { class: "tabs", role: "tablist" }, ["result", "history", "exact odds", this.patron ? "requests" : null].filter(Boolean).map((key) =>
      h("button", { type: "button", role: "tab", "data-tab": key, "aria-controls": "tab-panel", onclick: () => this.show(key) }, t(key))));
    put(root, h("div", { class: `patron-table${this.patron ? "" : " watching"}` },
      h("section", { class: "felt", "aria-label": name },
        h("header", { class: "felt-head" }, h("div", { class: "felt-title" }, h("h1", {}, name), h("p", { class: "small" }, kind)), this.call, this.ring, this.shoe),
        this.hands, this.felt, this.seats, this.limits),
      this.asked?.element,
      h("aside", { class: "beside" }, this.board, h("div", { class: "panel tabbed" }, this.tabs, this.panel)),
      this.dock?.element));
    this.show("result");
  }

  // What the patron does

  async tap(bet, field) {
    if (!this.mine) return void refuse(field, { message: t("take seat") }, null, { for: 3000 });
    const amount = this.dock.chip;
    try {
      field.querySelector(":scope > .refusal")?.remove();
      await this.betting.place(bet, amount);
      this.draw(); // now it can be undone
    } catch (refusal) {
      this.back(field, amount);
      this.near(field, refusal);
    }
  }

  back(field, amount) {
    slideBack(amount, Math.max(0, this.chips.indexOf(amount)), field, this.dock.rack);
  }

  /** A refusal over its field, kept inside the screen. */
  near(field, refusal) {
    const note = refuse(field, refusal, this.view.book), box = note.getBoundingClientRect();
    note.style.setProperty("--shift", `${Math.max(8 - box.left, 0) - Math.max(box.right - innerWidth + 8, 0)}px`);
  }

  async act(key, from) {
    from.disabled = true;
    try {
      await this.betting[key]();
    } catch (refusal) {
      if (refusal.bet) this.near(this.felt.field(refusal.bet), refusal);
      else refuse(this.dock.element, refusal, this.view.book);
    }
    this.draw();
  }

  async leave() {
    if (this.mine?.balance) await this.store.do({ do: "cash-out", patron: this.patron });
    if (this.mine) await this.store.do({ do: "leave", patron: this.patron });
    this.go("/");
  }

  show(key) {
    for (const each of this.tabs.children) each.setAttribute("aria-selected", String(each.dataset.tab === key));
    if (key === "result") return void put(this.panel, this.result, this.hint);
    const body = h("div", { class: "col" }, h("p", { class: "quiet" }, t("loading")));
    put(this.panel, body);
    const fill = key === "history" ? historyPanel(body, this.store.name, this.patron, this.view.book)
      : key === "exact odds" ? oddsPanel(body, this.store.name, this.menu)
      : requestsPanel(body, this.store, this.patron, { leave: () => this.leave() });
    Promise.resolve(fill).catch((error) => put(body, h("p", {}, error.message)));
  }

  // What is seen

  draw(quick = false) {
    const { store, view, patron } = this, round = view.round;
    this.betting?.follow();
    this.hands.draw(round, patron, quick);
    if (!this.revealed(round, quick)) return;
    this.hands.glow(round?.phase === "settled" ? round.result?.winner : null);
    this.felt.draw(view, this.mine ? this.betting : null, this.chips, patron);
    this.ring.set(store.snapshot.closes_at, store.snapshot.opened_at, () => store.now());
    text(this.call, this.called());
    this.drawShoe();
    this.drawSeats();
    this.drawLimits();
    this.dock?.draw(this.mine, this.betting, round?.phase === "betting" && Boolean(this.mine), quick);
    this.asked?.draw();
    this.drawRoads();
    if (this.result.draw(view, patron) && !quick && patron) this.payOut(round);
  }

  /** Whether what is to be told can be seen on the cards: a result waits until the last of them is turned. */
  revealed(round, quick) {
    if (round?.phase !== "settled" || this.shown === round.number) return true;
    if (quick) this.shown = round.number;
    else if (this.waits !== round.number) {
      this.waits = round.number;
      this.hands.ready().then(() => {
        this.shown = round.number;
        this.draw();
      });
    }
    return quick;
  }

  called() {
    const { view } = this, round = view.round, blocking = view.next.find((each) => each.do === "answer");
    if (!view.open) return t("table closed");
    if (blocking && !view.questions.length) return t("waits for", { who: blocking.by.replaceAll("-", " ") });
    if (!round) return view.next[0]?.do === "load-shoe" ? t("changing shoe") : t("wait round");
    if (round.phase === "betting") return round.free ? t("free hand") : t("place bets");
    if (round.phase === "closed") return t("no more bets");
    if (round.phase === "settled" && round.result) return outcome(round.result.winner, round.player.points, round.banker.points);
    return t(round.phase);
  }

  payOut(round) {
    for (const line of round.lines[this.patron] ?? []) {
      if (line.net > 0) flyHome(line.net, this.felt.field(line.bet.replace("-insurance", "")), this.dock.purse);
    }
  }

  drawShoe() {
    const left = this.view.cards_left ?? 0;
    this.shoe.style.setProperty("--part", String(left / (this.store.snapshot.decks * 52)));
    text(this.shoe.lastChild, String(left));
    this.shoe.setAttribute("aria-label", `${t("shoe")}: ${t("shoe meter", { n: left })}`);
  }

  drawSeats() {
    const taken = new Map(this.view.patrons.filter((each) => each.box && !each.away).map((each) => [each.box, each.name]));
    const boxes = Array.from({ length: this.store.snapshot.positions }, (_, at) => at + 1);
    keyed(this.seats, boxes, (box) => `${box}/${taken.get(box) ?? ""}`, (box) => {
      const who = taken.get(box), number = h("b", {}, String(box));
      if (who) return h("li", { class: who === this.patron ? "seat own" : "seat" }, number, h("span", {}, who === this.patron ? t("you") : who));
      const seat = h("li", { class: "seat free" });
      seat.append(this.patron ? h("button", { type: "button", "aria-label": `${t("sit down")}: ${t("box", { n: box })}`, onclick: () => this.asked.sit(box, seat) }, number) : number);
      return seat;
    });
  }

  drawLimits() {
    const { limits } = this.view, { room } = this.store.snapshot;
    const parts = [`${t("min")} ${money(limits.minimum)}`, `${t("max")} ${money(limits.maximum)}`];
    if (limits.differential !== null) parts.push(`${t("differential")} ${money(limits.differential)}`);
    if ("player" in room) parts.push(`${t("room")}: ${t("player")} ${money(room.player)}, ${t("banker")} ${money(room.banker)}`);
    if (this.limits.dataset.words !== parts.join()) put(this.limits, parts.map((each) => h("span", {}, each)));
    this.limits.dataset.words = parts.join();
  }

  async drawRoads() {
    const mark = this.view.results.length;
    if (this.plotted === mark) return;
    this.plotted = mark;
    const roads = await get(`/api/tables/${this.store.name}/roads`).catch(() => null);
    if (roads && this.plotted === mark) put(this.board, smallBoard(roads));
    else if (!roads) this.plotted = null;
  }

  /** What the house says about our wagers without being asked: shown at the field. */
  heard({ event }) {
    if (event.patron !== this.patron || !event.bet) return;
    const field = this.felt.field(event.bet), refused = event.event === "money-refused";
    if (refused || event.event === "wager-advised" || (event.event === "wager-lowered" && event.says)) this.near(field, { message: event.says, clauses: event.basis?.clauses ?? [] });
    if (refused) this.back(field, event.amount);
  }
}

export async function show(root, { params, me, go }) {
  const store = await follow(params.name);
  const [menu, about] = await Promise.all([bets(store.view.book, store.view.layout), bookOf(store.view.book)]);
  const table = new PatronTable(root, store, menu, about, me, go);
  const pressed = (event) => table.dock?.key(event);
  const offs = [showLink(store), store.on("change", () => table.draw()), store.on("sent", () => table.draw()), store.on("event", ({ detail }) => table.heard(detail)),
    () => removeEventListener("keydown", pressed), () => store.close()];
  addEventListener("keydown", pressed);
  table.draw(true);
  if (new URLSearchParams(location.search).has("sit")) {
    history.replaceState(null, "", location.pathname);
    if (table.asked && !table.mine && store.view.open) table.asked.sit(table.asked.free);
  }
  return () => offs.forEach((off) => off());
}
