// The display board: a full-screen scoreboard to be read across a room.

import { button, fill, html, setText } from "./base/dom.js";
import { limitRows, oddsText, phaseText, gameOf } from "./base/labels.js";
import { learn, phrase } from "./base/language.js";
import { followTable } from "./base/live-table.js";
import { showConnection } from "./base/notes.js";
import { askMarks, counters, roadArt } from "./base/roads.js";
import { timerRing } from "./base/timer.js";

learn({
  "full screen": ["Full screen", "全螢幕"],
  "insurance open": ["Insurance on {hand}: {odds}", "{hand}保險 {odds}"],
});

/** The roads, with their columns on a screen that is higher than wide. */
const ROADS = { big: 22, bead: 12, big_eye: 28, small: 28, cockroach: 28 };
const ROWS = 6;
const FEWEST_COLUMNS = 6;

/** As many columns as fill a place with square cells. */
function columnsFor(place, kind) {
  if (innerWidth < innerHeight) return ROADS[kind];
  const cells = (ROWS * place.clientWidth) / Math.max(1, place.clientHeight);
  return Math.max(FEWEST_COLUMNS, Math.floor(cells));
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.();
}

class Board {
  #table;
  #limits = html("dl.board-limits");
  #phase = html("p.board-phase", { role: "status" });
  #offer = html("p.board-offer", { role: "status", hidden: true });
  #counts = html("div.board-counts");
  #ring = timerRing();
  #places = Object.keys(ROADS).map((kind) => ({ kind, place: html("div.road-fit") }));
  #drawnState = null; // of the roads: how many results, on which screen

  constructor(table) {
    this.#table = table;
  }

  layOut() {
    const [name, kind] = gameOf(this.#table);
    document.title = `${name} · ${phrase("board")}`;
    const head = html(
      "header.board-head",
      html("div", html("h1", name), html("p.quiet", kind)),
      this.#offer,
      html("span.grow"),
      this.#limits,
      html("div.board-now", this.#phase, this.#ring),
      button(phrase("full screen"), toggleFullScreen, { class: "button small board-full" }),
    );
    const road = ({ kind: road, place }) =>
      html(`figure.road-panel.panel-${road}`, html("figcaption", phrase(road)), place);
    return html(
      "div.board",
      head,
      html("div.board-roads", this.#places.map(road)),
      this.#counts,
      html("p.board-legend.quiet", phrase("roads legend")),
    );
  }

  async draw() {
    const { view } = this.#table;
    this.#drawPhase(view);
    this.#ring.draw(this.#table);
    const limits = limitRows(view.limits);
    fill(
      this.#limits,
      limits.map(([name, amount]) => html("div", html("dt", name), html("dd.money", amount))),
    );
    this.#drawOffer(view.round?.offer);
    await this.#drawRoads(view.results.length);
  }

  #drawPhase({ open, round, last_round: lastRound }) {
    const phase = phaseText({ open, phase: round?.phase });
    fill(
      this.#phase,
      html("span", round && phrase("round", round.number)),
      html("span", phase, lastRound && ` · ${phrase("last hand")}`),
    );
  }

  #drawOffer(offer) {
    this.#offer.hidden = !offer;
    if (!offer) return;
    setText(this.#offer, phrase("insurance open", { hand: phrase(offer.hand), odds: oddsText(offer.odds) }));
  }

  async #drawRoads(results) {
    const state = `${results}/${innerWidth}/${innerHeight}`;
    if (state === this.#drawnState) return;
    this.#drawnState = state;
    const roads = await this.#table.get("roads").catch(() => null);
    if (!roads) {
      this.#drawnState = null; // so that they are asked for again
      return;
    }
    fill(this.#counts, counters(roads), askMarks(roads));
    for (const { place } of this.#places) fill(place); // empty, they have the size that they are to fill
    for (const { kind, place } of this.#places) fill(place, roadArt(kind, roads, columnsFor(place, kind)));
  }
}

export async function show(root, { params }) {
  const table = await followTable(params.name);
  const board = new Board(table);
  const redraw = () => board.draw();
  try {
    document.body.classList.add("full");
    fill(root, board.layOut());
    await redraw();
  } catch (error) {
    table.close();
    throw error;
  }
  const stops = [showConnection(table), table.on("change", redraw)];
  addEventListener("resize", redraw);
  return () => {
    for (const stop of stops) stop();
    removeEventListener("resize", redraw);
    document.body.classList.remove("full");
    table.close();
  };
}
