// The pit console: every table with its alerts, or one table with all that the pit decides.

import { arrived, get, Unreachable } from "./base/api.js";
import { betName } from "./base/bet-names.js";
import { fill, html } from "./base/dom.js";
import { watchSight } from "./base/in-sight.js";
import { isSoughtBy, titleOf } from "./base/labels.js";
import { nameWithin, noted, phrase, sentence } from "./base/language.js";
import { announce, showConnection } from "./base/notes.js";
import { alertList } from "./pit/alerts.js";
import { disputes } from "./pit/disputes.js";
import { ageText, eventText } from "./pit/entries.js";
import { JournalList } from "./pit/journal.js";
import { openingForm } from "./pit/opening.js";
import { TodaysReport, isAboveDealer, tileMoney } from "./pit/tile-money.js";
import { differentialUsed, edgeList, edgeTable, limits, posts, rulings } from "./pit/powers.js";
import { WatchedTable } from "./pit/watch.js";
import "./pit/words.js";
import { openQuestions } from "./staff/questions.js";
import { ReportForm } from "./staff/report.js";
import { foldedPanel, keepFocus, openPage, panel, progressText, redrawnPart } from "./staff/sections.js";
import { weightMeter, weightText } from "./staff/weight.js";
import "./staff/words.js";

const ALERTS_OF_A_TILE = 4;
const QUESTIONS_OF_A_TILE = 2;
const AT_ONCE = 16; // tables that are opened at the same time
const RETRY = 2000; // ms until a table that could not be reached is tried again
const WAIT_FOR_FOCUS = 1500; // ms: a tile whose button has the focus is drawn later

export async function show(root, { params: { name }, me, go }) {
  if (location.pathname === "/report") {
    const { showReport } = await arrived(import("./pit/report.js"));
    return showReport(root, go);
  }
  document.title = [name, phrase("pit"), "Punto"].filter(Boolean).join(" · ");
  return openPage(name ? new OneTable(name) : new AllTables(me, go), root);
}

/** Every table at which somebody holds a post. */
class AllTables {
  #me;
  #go;
  // By name: element, table, title, what is watched, whether it is in sight, and how many alerts were announced.
  #tiles = new Map();
  #watched = [];
  #stopBar = null;
  #timer = 0;
  #isClosed = false;
  #sight = watchSight((element, isInSight) => this.#sighted(element.dataset.table, isInSight));
  #filter = html("input.field", {
    type: "search",
    placeholder: phrase("find table"),
    label: phrase("find table"),
    oninput: () => this.#choose(),
  });
  #onlyWaiting = html("input", { type: "checkbox", onchange: () => this.#choose() });
  #today = new TodaysReport(() => this.#watched.forEach((watched) => this.#draw(watched)));

  constructor(me, go) {
    this.#me = me;
    this.#go = go;
  }

  async open(root) {
    const { posts: held } = this.#me;
    const tables = (await get("/api/tables")).filter(({ name }) => held[name] || held["*"]);
    for (const table of tables) {
      const { name, book, title, titles } = table;
      const element = html("li.panel.p-tile.undrawn", { "data-table": name }, html("h2", name));
      this.#tiles.set(name, {
        element,
        table,
        title: titleOf(book, title, titles),
        watched: null,
        isInSight: false,
        announced: 0,
      });
      this.#sight.observe(element);
    }
    const elements = Array.from(this.#tiles.values(), ({ element }) => element);
    const opening = held["*"] && (await openingForm((name) => this.#go(`/pit/${name}`)));
    fill(
      root,
      html(
        "div.console",
        html(
          "div.row",
          html("h1", phrase("all tables")),
          html("span.grow"),
          this.#filter,
          html("label.tick.small", this.#onlyWaiting, phrase("only waiting")),
          isAboveDealer(held) && html("a", { href: "/report" }, phrase("day report")),
        ),
        html("ul.p-tiles", elements),
        opening && foldedPanel("opening", phrase("open-table"), opening),
      ),
    );
    if (isAboveDealer(held)) void this.#today.start();
    void this.#watchAll(tables);
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#today.stop();
    this.#stopBar?.();
    for (const watched of this.#watched) watched.close();
    this.#sight.disconnect();
  }

  /** A tile has come near the screen, or has left it. */
  #sighted(name, isInSight) {
    const tile = this.#tiles.get(name);
    tile.isInSight = isInSight;
    if (!tile.watched) return;
    tile.watched.isInSight = isInSight;
    if (isInSight) this.#draw(tile.watched);
  }

  /** Hide the tables that are not looked for. */
  #choose() {
    for (const tile of this.#tiles.values()) {
      const isFound = isSoughtBy(this.#filter.value, tile.table);
      const waits = tile.watched && (tile.watched.alerts.length > 0 || tile.watched.state.desk.questions.length > 0);
      tile.element.hidden = !isFound || (this.#onlyWaiting.checked && !waits);
    }
  }

  /** A browser has room for some 250 sockets, those that are being closed among them: tables are opened by and by. */
  async #watchAll(tables) {
    const waiting = tables.map(({ name }) => name);
    const watchOn = async () => {
      while (waiting.length && !this.#isClosed) await this.#watch(waiting.shift());
    };
    await Promise.all(Array.from({ length: AT_ONCE }, watchOn));
  }

  async #watch(name) {
    const tile = this.#tiles.get(name);
    try {
      const watched = await WatchedTable.open(name, (each) => this.#draw(each), tile.isInSight);
      if (this.#isClosed) return watched.close();
      this.#watched.push(watched);
      this.#stopBar ??= showConnection(watched.state.table);
    } catch (error) {
      if (error instanceof Unreachable) setTimeout(() => this.#isClosed || this.#watch(name), RETRY);
      else tile.element.append(html("p.quiet.small", error.message));
    }
    return undefined;
  }

  #draw(watched) {
    if (this.#isClosed) return;
    const tile = this.#tiles.get(watched.name);
    if (tile.watched !== watched) {
      tile.watched = watched;
      watched.isInSight = tile.isInSight;
    }
    const held = tile.element.querySelector("button:focus-visible");
    if (held && tile.announced === watched.alerts.length) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#draw(watched), WAIT_FOR_FOCUS);
      return;
    }
    tile.element.classList.toggle("alerting", watched.alerts.length > 0);
    if (watched.alerts.length > tile.announced) {
      announce(noted(watched.name, eventText(watched.alerts.at(-1).event, watched.state.bets)), "urgent");
    }
    tile.announced = watched.alerts.length;
    if (this.#onlyWaiting.checked) this.#choose();
    if (!tile.isInSight) return;
    tile.element.classList.remove("undrawn");
    fill(tile.element, tileParts(watched, tile.title, this.#today.of(watched.name)));
    if (held)
      (tile.element.querySelector(".alerts button") ?? tile.element.querySelector("h2 a")).focus({
        preventScroll: true,
      });
  }
}

function tileParts(watched, title, today) {
  const { view, desk } = watched.state;
  const { questions, weight } = desk;
  const facts = [title, view.layout, progressText(view), phrase("cards left", view.cards_left ?? 0)];
  const alerts = watched.alerts.length;
  return [
    html(
      "header.row",
      html("h2", html("a", { href: `/pit/${watched.name}` }, watched.name)),
      html("span.grow"),
      alerts > 0 && html("span.p-badge", alerts),
      questions.length > 0 && html("span.p-badge.hollow", phrase("open questions", questions.length)),
    ),
    html("p.small.quiet", facts.join(" · ")),
    tileMoney(today, watched.state),
    weightText(weight),
    weightMeter(weight),
    differentialUsed(weight),
    betsAgainstHouse(watched.edges, watched.state.bets),
    edgeList(watched.edges, watched.state.bets),
    questions
      .map(({ question, mine }) => ({ question, mine, age: watched.ageOf(question.id, today) }))
      .sort(byAge)
      .slice(0, QUESTIONS_OF_A_TILE)
      .map(questionLine),
    alertList(watched, ALERTS_OF_A_TILE),
  ];
}

function betsAgainstHouse(odds, bets) {
  const against = Object.entries(odds?.bets ?? {}).filter(([, { against_house: isAgainst }]) => isAgainst);
  if (!against.length) return null;
  const names = against.map(([bet]) => betName(bets, bet)).join(", ");
  return html("p.small", html("span.flag", phrase("bets against", against.length)), ` ${names}`);
}

/** The oldest first. */
function byAge(one, other) {
  return (other.age ?? 0) - (one.age ?? 0);
}

function questionLine({ question, mine, age }) {
  return html(
    "p.small.waits",
    sentence(question),
    " ",
    mine ? "" : phrase("waits for", nameWithin(question.to)),
    age !== null && html("b.age", ` ${ageText(age)}`),
  );
}

/** One table with all that the pit decides. */
class OneTable {
  #name;
  #watched = null;
  #state = null;
  #stops = [];

  #report = new ReportForm(() => this.#state);
  #bar = html("div.col");
  #alerts = html("div.col");
  #questions = html("div.col");
  #asked = html("section", { label: phrase("questions"), tabindex: -1 }, this.#questions);
  #edges = html("div.col");
  #limits = html("div.col");
  #disputes = html("div.col");
  #posts = html("div.col");
  #rulings = html("div.col");
  #drawnEdges; // none yet, not even that they are being worked out
  #drawnAlerts = 0;
  #parts = [
    redrawnPart(this.#bar, (state) => this.#barParts(state)),
    redrawnPart(this.#questions, (state) => openQuestions(state, "no questions")),
    redrawnPart(this.#limits, limits),
    redrawnPart(this.#disputes, (state) => disputes(state, (number) => this.#watched?.dueOf(number))),
    redrawnPart(this.#posts, posts),
    redrawnPart(this.#rulings, rulings),
  ];

  constructor(name) {
    this.#name = name;
  }

  async open(root) {
    this.#watched = await WatchedTable.open(this.#name, (watched) => this.#draw(watched));
    const { table, bets } = this.#state;
    const page = this.#layOut(new JournalList(table, bets));
    fill(root, page);
    const home = () => this.#questions.querySelector("input, button") ?? this.#asked;
    this.#stops = [showConnection(table), keepFocus(page, home)];
  }

  close() {
    for (const stop of this.#stops) stop();
    this.#watched?.close();
  }

  #layOut(journal) {
    return html(
      "div.console.pit-one",
      this.#bar,
      html(
        "div.col",
        panel("alerts", phrase("alerts"), this.#alerts),
        this.#asked,
        panel("journal", phrase("journal"), journal.element),
      ),
      html(
        "div.col",
        panel("limits", phrase("limits now"), this.#limits),
        panel("edges", phrase("edges"), this.#edges),
        foldedPanel("report", phrase("report"), this.#report.element),
        foldedPanel("disputes", phrase("disputes"), this.#disputes),
        foldedPanel("posts", phrase("posts"), this.#posts),
        foldedPanel("rulings", phrase("rulings"), this.#rulings),
      ),
    );
  }

  #draw(watched) {
    this.#watched = watched;
    this.#state = watched.state;
    for (const drawPart of this.#parts) drawPart(this.#state);
    this.#report.draw(this.#state);
    if (watched.edges !== this.#drawnEdges) {
      this.#drawnEdges = watched.edges;
      fill(this.#edges, edgeTable(watched.edges, watched.state.bets));
    }
    this.#drawAlerts(watched);
  }

  /** Alerts are not drawn anew under the finger of somebody who acknowledges them, unless there are others. */
  #drawAlerts(watched) {
    const count = watched.alerts.length;
    const isInUse = this.#alerts.contains(document.activeElement) && count === this.#drawnAlerts;
    this.#drawnAlerts = count;
    if (isInUse) return;
    fill(this.#alerts, count ? alertList(watched) : html("p.quiet.small", phrase("no alerts")));
  }

  #barParts({ table, view }) {
    return html(
      "div.row.table-bar",
      html("a.small", { href: "/pit" }, phrase("all tables")),
      html("h1", this.#name),
      html(
        "span.quiet.small",
        `${titleOf(view.book, table.snapshot.title, table.snapshot.titles)} · ${phrase("layout")} ${view.layout}`,
      ),
      html("span.grow"),
      html("span.small", progressText(view)),
      html("a.small", { href: `/dealer/${this.#name}` }, phrase("to the dealer")),
    );
  }
}
