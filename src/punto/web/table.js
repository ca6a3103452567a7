// The patron's table: the felt, the cards, one's wagers, what is asked, and what it all came to.

import { bets, book as bookOf, get } from "./base/api.js";
import { questionCard } from "./base/asking.js";
import { chipArt, denominations } from "./base/chips.js";
import { button, h, keyed, move, put, still, text } from "./base/dom.js";
import { money } from "./base/money.js";
import { refuse, say, showLink } from "./base/notes.js";
import { smallBoard } from "./base/scoreboard.js";
import { follow } from "./base/store.js";
import { timerRing } from "./base/timer.js";
import { learn, t } from "./base/words.js";
import { named } from "./lobby.js";
import { Betting } from "./patron/betting.js";
import { felt as makeFelt } from "./patron/felt.js";
import { hands as makeHands } from "./patron/hands.js";
import { offerCard } from "./patron/offer.js";
import { lineList } from "./patron/lines.js";
import { historyPanel, oddsPanel, outcome, requestsPanel, resultPanel } from "./patron/panels.js";
import { squeezeCard } from "./patron/squeeze.js";

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
  room: ["Room", "尚可"],
  "place bets": ["Place your bets", "請下注"],
  "no more bets": ["No more bets", "停止下注"],
  "wait round": ["Waiting for the next round", "等待下一局"],
  "free hand": ["Free hand: no bets are taken", "免費局，不接受下注"],
  "changing shoe": ["The shoe is being changed", "更換牌靴"],
  "waits for": ["Waiting for {who}", "等待 {who}"],
  "choose box": ["You stand. Bet in box", "站立下注，選擇格位"],
  box: ["Box {n}", "{n} 號位"],
  you: ["you", "你"],
  shoe: ["Shoe", "牌靴"],
  "buy to play": ["How much in chips?", "購買多少籌碼？"],
  "buy line": ["You sit at box {box}. Chips are counted in {currency}.", "你坐在 {box} 號位。籌碼以 {currency} 計。"],
  "buy line standing": ["You stand at the table. Chips are counted in {currency}.", "你站在檯旁。籌碼以 {currency} 計。"],
  "take seat": ["Take a seat to play", "入座參與"],
  stand: ["Stand", "站立"],
  "accept and sit": ["I accept the notice", "接受告示"],
  "shoe meter": ["{n} cards left", "尚餘 {n} 張"],
  "result hint": ["When a round is over, every payment is explained here, line by line.", "每局結束後，這裡逐項說明派彩。"],
});

/** Where everything is put together. */
class PatronTable {
  constructor(root, store, menu, about, me, go) {
    Object.assign(this, { root, store, menu, about, me, go });
    this.patron = me?.kind === "patron" ? me.name : null;
    this.betting = this.patron ? new Betting(store, this.patron) : null;
    this.chips = denominations(store.view.limits);
    this.chosen = 1;
    this.tab = "result";
    this.passed = new Set(); // offers that were declined here
    this.paid = null;
    this.build();
  }

  get view() {
    return this.store.view;
  }

  get mine() {
    return this.view.patrons.find((each) => each.name === this.patron) ?? null;
  }

  build() {
    const [name, kind] = named(this.about.title);
    document.title = `${name} · Punto`;
    this.shoe = h("div", { class: "shoe", role: "img" }, h("i"), h("span", { class: "tiny" }));
    this.hands = makeHands(this.shoe);
    this.call = h("p", { class: "call", role: "status" });
    this.ring = timerRing();
    this.felt = makeFelt(this.menu, (bet, field) => this.tap(bet, field));
    this.seats = h("ol", { class: "seats", "aria-label": t("tables") });
    this.limits = h("p", { class: "posted small" });
    this.asked = h("div", { class: "asked", "aria-live": "polite" });
    this.board = h("div", { class: "board-slot" });
    this.result = resultPanel();
    this.hint = h("p", { class: "quiet small hint" }, t("result hint"));
    this.dock = this.makeDock();
    this.panel = h("div", { class: "tab-panel", id: "tab-panel", role: "tabpanel" });
    this.tabs = h("div", { class: "tabs", role: "tablist" }, ["result", "history", "exact odds", this.patron ? "requests" : null].filter(Boolean).map((key) =>
      h("button", { type: "button", role: "tab", "data-tab": key, "aria-controls": "tab-panel", onclick: () => this.show(key) }, t(key))));
    put(this.root, h("div", { class: `patron-table${this.patron ? "" : " watching"}` },
      h("section", { class: "felt", "aria-label": name },
        h("header", { class: "felt-head" }, h("div", { class: "felt-title" }, h("h1", {}, name), h("p", { class: "small" }, kind)), this.call, this.ring, this.shoe),
        this.hands, this.felt, this.seats, this.limits),
      this.asked,
      h("aside", { class: "beside" }, this.board, h("div", { class: "panel tabbed" }, this.tabs, this.panel)),
      this.dock));
    this.show("result");
  }

  makeDock() {
    this.purse = h("output", { class: "balance money" }, "–");
    this.staked = h("span", { class: "small quiet money" });
    if (!this.patron) return h("div", { class: "dock", hidden: true });
    this.rack = h("div", { class: "rack", role: "radiogroup", "aria-label": t("chips") }, this.chips.map((amount, kind) =>
      h("button", { type: "button", class: "chip", role: "radio", "aria-checked": String(kind === this.chosen), tabindex: kind === this.chosen ? 0 : -1, "aria-label": t("chip", { amount: money(amount) }), onclick: () => this.choose(kind) }, chipArt(amount, kind))));
    this.rack.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.choose((this.chosen + step + this.chips.length) % this.chips.length, true);
    });
    const act = (key) => button(t(key), (event) => this.act(key, event.currentTarget), { class: "button act", "data-act": key });
    this.acts = h("div", { class: "acts" }, ["undo", "clear", "rebet", "double"].map(act));
    return h("div", { class: "dock", "data-refusals": "" },
      h("div", { class: "purse" }, h("span", { class: "small quiet" }, t("balance")), this.purse, this.staked), this.rack, this.acts);
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

  async tap(bet, field) {
    if (!this.mine) return void refuse(field, { message: t("take seat") }, null, { for: 3000 });
    try {
      field.querySelector(":scope > .refusal")?.remove();
      await this.betting.place(bet, this.chips[this.chosen]);
    } catch (refusal) {
      this.back(field, this.chips[this.chosen]);
      this.near(field, refusal);
    }
  }

  /** A refused chip slides back to the rack. */
  back(field, amount) {
    if (still()) return;
    const from = field.getBoundingClientRect(), to = this.rack.getBoundingClientRect();
    const chip = h("div", { class: "flying chip-size" }, chipArt(amount, Math.max(0, this.chips.indexOf(amount))));
    document.body.append(chip);
    chip.style.left = `${from.x + from.width / 2}px`;
    chip.style.top = `${from.y + from.height / 2}px`;
    move(chip, [{ transform: "translate(-50%,-50%)" }, { transform: `translate(calc(-50% + ${to.x + to.width / 2 - from.x - from.width / 2}px), calc(-50% + ${to.y - from.y}px))`, opacity: 0.2 }], { duration: 420 }).then(() => chip.remove());
  }

  /** A refusal over its field, kept inside the screen. */
  near(field, refusal) {
    const note = refuse(field, refusal, this.view.book);
    const box = note.getBoundingClientRect();
    const shift = Math.max(8 - box.left, 0) - Math.max(box.right - innerWidth + 8, 0);
    note.style.setProperty("--shift", `${shift}px`);
  }

  async act(key, from) {
    from.disabled = true;
    try {
      await this.betting[key]();
    } catch (refusal) {
      if (refusal.bet) this.near(this.felt.field(refusal.bet), refusal);
      else refuse(this.dock, refusal, this.view.book);
    }
    this.draw();
  }

  show(key) {
    this.tab = key;
    for (const each of this.tabs.children) each.setAttribute("aria-selected", String(each.dataset.tab === key));
    put(this.panel);
    if (key === "result") this.panel.append(this.result, this.hint);
    else {
      const body = h("div", { class: "col" }, h("p", { class: "quiet" }, t("loading")));
      this.panel.append(body);
      const fill = key === "history" ? historyPanel(body, this.store.name, this.patron, this.view.book)
        : key === "exact odds" ? oddsPanel(body, this.store.name, this.menu)
        : requestsPanel(body, this.store, this.patron, { leave: () => this.leave() });
      Promise.resolve(fill).catch((error) => put(body, h("p", {}, error.message)));
    }
  }

  async leave() {
    if (this.mine?.balance) await this.store.do({ do: "cash-out", patron: this.patron });
    if (this.mine) await this.store.do({ do: "leave", patron: this.patron });
    this.go("/");
  }

  // Drawing

  draw(quick = false) {
    const { store, view, betting } = this, round = view.round;
    betting?.follow();
    this.hands.draw(round, this.patron, quick);
    if (!this.revealed(round, quick)) return;
    this.hands.glow(round?.phase === "settled" ? round.result?.winner : null);
    this.felt.draw(view, this.mine ? betting : null, this.chips, this.patron);
    this.ring.set(store.snapshot.closes_at, store.snapshot.opened_at, () => store.now());
    text(this.call, this.called());
    this.drawShoe();
    this.drawSeats();
    this.drawLimits();
    this.drawPurse(quick);
    this.drawAsked();
    this.drawRoads();
    if (this.result.draw(view, this.patron) && !quick) this.payOut();
  }

  /** Whether what is to be told may be seen on the cards: a result waits until the last of them is turned. */
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
    const round = this.view.round, blocking = this.view.next.find((each) => each.do === "answer");
    if (!this.view.open) return t("table closed");
    if (blocking && !this.view.questions.length) return t("waits for", { who: blocking.by.replaceAll("-", " ") });
    if (!round) return this.view.next[0]?.do === "load-shoe" ? t("changing shoe") : t("wait round");
    if (round.phase === "betting") return round.free ? t("free hand") : t("place bets");
    if (round.phase === "closed") return t("no more bets");
    if (round.phase === "settled" && round.result) return outcome(round.result.winner, round.player.points, round.banker.points);
    return t(round.phase);
  }

  drawShoe() {
    const left = this.view.cards_left ?? 0;
    this.shoe.style.setProperty("--part", String(left / (this.store.snapshot.decks * 52)));
    text(this.shoe.lastChild, String(left));
    this.shoe.setAttribute("aria-label", `${t("shoe")}: ${t("shoe meter", { n: left })}`);
  }

  drawSeats() {
    const taken = new Map(this.view.patrons.filter((each) => each.box && !each.away).map((each) => [each.box, each]));
    const boxes = Array.from({ length: this.store.snapshot.positions }, (_, at) => at + 1);
    keyed(this.seats, boxes, (box) => `${box}/${taken.get(box)?.name ?? ""}`, (box) => {
      const who = taken.get(box);
      if (who) return h("li", { class: who.name === this.patron ? "seat own" : "seat" }, h("b", {}, String(box)), h("span", {}, who.name === this.patron ? t("you") : who.name));
      return h("li", { class: "seat free" }, this.patron
        ? h("button", { type: "button", "aria-label": `${t("sit down")}: ${t("box", { n: box })}`, onclick: (event) => this.sit(box, event.currentTarget) }, h("b", {}, String(box)))
        : h("b", {}, String(box)));
    });
  }

  async sit(box, beside) {
    try {
      await this.store.do(box ? { do: "sit", patron: this.patron, box } : { do: "stand", patron: this.patron });
    } catch (refusal) {
      refuse(beside?.isConnected ? beside.parentElement : this.asked, refusal, this.view.book);
    }
  }

  drawLimits() {
    const { limits } = this.view, room = this.store.snapshot.room;
    const parts = [`${t("min")} ${money(limits.minimum)}`, `${t("max")} ${money(limits.maximum)}`];
    if (limits.differential !== null) {
      parts.push(`${t("differential")} ${money(limits.differential)}`);
      if ("player" in room) parts.push(`${t("room")}: ${t("player")} ${money(room.player)}, ${t("banker")} ${money(room.banker)}`);
    }
    if (this.limits.dataset.words !== parts.join()) put(this.limits, parts.map((each) => h("span", {}, each)));
    this.limits.dataset.words = parts.join();
  }

  drawPurse(quick) {
    if (!this.patron) return;
    const mine = this.mine, balance = mine?.balance ?? null;
    const round = this.view.round, open = round?.phase === "betting" && Boolean(mine);
    if (balance !== this.balance) this.count(this.balance, balance, quick);
    text(this.staked, mine?.held ? `${t("at stake")} ${money(mine.held)}${mine.owed ? ` · ${t("owed")} ${money(mine.owed)}` : ""}` : "");
    const { laid, done, last } = this.betting;
    const can = { undo: done.length > 0, clear: laid.length > 0, rebet: last.length > 0 && !laid.length, double: laid.length > 0 };
    for (const each of this.acts.children) each.disabled = !open || !can[each.dataset.act];
  }

  /** Money counts up to what it is; it falls at once. */
  count(from, to, quick) {
    this.balance = to;
    cancelAnimationFrame(this.counting);
    if (quick || still() || from === null || from === undefined || to === null || to < from) return text(this.purse, money(to, { exact: true }));
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - began) / 900);
      text(this.purse, money(Math.round(from + (to - from) * part), { exact: true }));
      if (part < 1) this.counting = requestAnimationFrame(step);
    };
    this.counting = requestAnimationFrame(step);
  }

  /** Amounts fly from the fields that won to the purse. */
  payOut() {
    if (!this.patron || still()) return;
    const to = this.purse.getBoundingClientRect();
    for (const line of this.view.round.lines[this.patron] ?? []) {
      if (line.net <= 0) continue;
      const from = this.felt.field(line.bet.replace("-insurance", "")).getBoundingClientRect();
      const label = h("div", { class: "flying won money" }, money(line.net, { sign: true }));
      document.body.append(label);
      label.style.left = `${from.x + from.width / 2}px`;
      label.style.top = `${from.y + from.height / 2}px`;
      const x = to.x + to.width / 2 - from.x - from.width / 2, y = to.y + to.height / 2 - from.y - from.height / 2;
      move(label, [
        { transform: "translate(-50%,-50%) scale(.6)", opacity: 0 },
        { transform: "translate(-50%,-90%) scale(1.15)", opacity: 1, offset: 0.3 },
        { transform: "translate(-50%,-90%) scale(1.15)", opacity: 1, offset: 0.55 },
        { transform: `translate(calc(-50% + ${x}px), calc(-50% + ${y}px)) scale(.7)`, opacity: 0.2 }], { duration: 1500, easing: "ease-in-out" }).then(() => label.remove());
    }
  }

  drawAsked() {
    const { view, store } = this, items = [];
    if (this.patron && view.open) {
      if (!this.mine || this.mine.away) items.push({ key: "seat", make: () => this.seatCard() });
      else if (!this.mine.balance && !this.mine.held) items.push({ key: "buy", make: () => this.buyCard() });
      else if (this.mine.box === null) items.push({ key: `stand${store.snapshot.positions}`, make: () => this.boxCard() });
    }
    for (const question of view.questions) {
      if (this.patron) items.push({ key: `q${question.id}`, make: () => this.question(question) });
    }
    const offer = view.round?.offer;
    for (const [spot, most] of Object.entries(this.patron ? offer?.most ?? {} : {})) {
      const key = `offer${view.round.number}/${offer.stage}/${spot}`;
      if (most > 0 && !this.passed.has(key)) items.push({ key, make: () => this.offer(key, offer, Number(spot.split("/")[1]), most) });
    }
    const round = view.round;
    if (round?.phase === "settled" && round.result && round.lines[this.patron]?.length) items.push({ key: `paid${round.number}`, make: () => this.brief(round) });
    const held = this.held;
    if (held && Object.keys(held).length) items.push({ key: `held${view.round?.number}/${Object.keys(held)}`, make: () => squeezeCard(held, view.book, (at) => store.do({ do: "expose", faces: [], at })) });
    keyed(this.asked, items, (each) => each.key, (each) => each.make());
    this.look();
  }

  /** The faces of the cards that one holds, asked for once for each state of the hand. */
  async look() {
    const round = this.view.round;
    const mine = ["player", "banker"].filter((hand) => this.patron && round?.phase === "closed" && round[hand].squeezer === this.patron && round[hand].cards.includes(null));
    const mark = mine.length ? `${round.number}/${mine.map((hand) => round[hand].cards.map((each) => each ?? "?").join("")).join("/")}` : null;
    if (mark === this.looked) return;
    this.looked = mark;
    const found = mark ? await get(`/api/tables/${this.store.name}/held`).catch(() => null) : null;
    if (this.looked !== mark) return;
    this.held = found;
    this.drawAsked();
  }

  question(question) {
    const mine = this.betting.laid.reduce((sum, each) => sum + each.stake, 0);
    return questionCard(question, {
      book: this.view.book,
      answer: (choice, more) => this.store.do({ do: "answer", question: question.id, choice, ...more }),
      means: (choice) => {
        const key = choice === "take-back" && !mine ? "means take-back all" : `means ${choice}`;
        const words = t(key, { amount: money(mine) });
        return words === key ? null : words;
      },
    });
  }

  offer(key, offer, box, most) {
    const stake = this.betting.laid.filter((each) => each.bet === offer.hand && each.box === box).reduce((sum, each) => sum + each.stake, 0);
    const close = () => {
      this.passed.add(key);
      this.drawAsked();
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
    const lines = round.lines[this.patron];
    return h("section", { class: "question brief", "aria-label": t("result") }, h("h3", {}, outcome(round.result.winner, round.player.points, round.banker.points)), lineList(lines, this.view.book));
  }

  seatCard() {
    const taken = new Set(this.view.patrons.map((each) => each.box));
    const free = Array.from({ length: this.store.snapshot.positions }, (_, at) => at + 1).find((box) => !taken.has(box));
    return h("section", { class: "question", "data-refusals": "" }, h("h3", {}, t("take seat")),
      h("div", { class: "row" }, free ? button(`${t("sit down")}: ${t("box", { n: free })}`, (event) => this.sit(free, event.currentTarget), { class: "button primary" }) : null, button(t("stand"), (event) => this.sit(null, event.currentTarget))));
  }

  buyCard() {
    const least = this.view.limits.minimum ?? 100, box = this.mine.box;
    const card = h("section", { class: "question", "data-refusals": "", "aria-label": t("buy to play") }, h("h3", {}, t("buy to play")),
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

  boxCard() {
    this.betting.box ??= 1;
    const pick = h("select", { class: "field", "aria-label": t("choose box"), onchange: () => { this.betting.box = Number(pick.value); } },
      Array.from({ length: this.store.snapshot.positions }, (_, at) => h("option", { value: at + 1 }, String(at + 1))));
    return h("section", { class: "question slim" }, h("label", { class: "row" }, t("choose box"), pick));
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
    const told = event.event === "money-refused" || event.event === "wager-advised" || (event.event === "wager-lowered" && event.says);
    if (told) this.near(this.felt.field(event.bet), { message: event.says, clauses: event.basis?.clauses ?? [] });
    if (event.event === "money-refused") this.back(this.felt.field(event.bet), event.amount);
  }
}

export async function show(root, { params, me, go }) {
  const store = await follow(params.name);
  const [menu, about] = await Promise.all([bets(store.view.book, store.view.layout), bookOf(store.view.book)]);
  const table = new PatronTable(root, store, menu, about, me, go);
  const unlink = showLink(store);
  const offs = [store.on("change", () => table.draw()), store.on("sent", () => table.draw()), store.on("event", ({ detail }) => table.heard(detail))];
  const pressed = (event) => table.patron && table.key(event);
  addEventListener("keydown", pressed);
  table.draw(true);
  if (new URLSearchParams(location.search).has("sit")) {
    history.replaceState(null, "", location.pathname);
    if (table.patron && (!table.mine || table.mine.away) && store.view.open) {
      const taken = new Set(store.view.patrons.map((each) => each.box));
      const free = Array.from({ length: store.snapshot.positions }, (_, at) => at + 1).find((box) => !taken.has(box));
      table.sit(free ?? null, null);
    }
  }
  return () => {
    for (const off of offs) off();
    removeEventListener("keydown", pressed);
    unlink();
    store.close();
  };
}
