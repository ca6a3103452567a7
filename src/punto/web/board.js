// The display board: a full-screen scoreboard to be read across a room.

import { book as bookOf, get } from "./base/api.js";
import { button, h, put, style, text } from "./base/dom.js";
import { money } from "./base/money.js";
import { showLink } from "./base/notes.js";
import { road } from "./base/roads.js";
import { asks, counters } from "./base/scoreboard.js";
import { follow } from "./base/store.js";
import { timerRing } from "./base/timer.js";
import { learn, t } from "./base/words.js";
import { named } from "./lobby.js";
import { odds } from "./patron/felt.js";

learn({
  "full screen": ["Full screen", "全螢幕"],
  "insurance open": ["Insurance on {hand}: {odds}", "{hand}保險 {odds}"],
  "last hand": ["Last hand of the shoe", "本靴最後一局"],
});

const ROADS = { big: 22, bead: 12, big_eye: 28, small: 28, cockroach: 28 }; // with their columns on a tall screen

/** How many columns fill a place of six rows. */
const filling = (place, kind) => (innerWidth < innerHeight ? ROADS[kind] : Math.max(6, Math.floor((6 * place.clientWidth) / Math.max(1, place.clientHeight))));

export async function show(root, { params }) {
  await style("/static/board.css");
  const store = await follow(params.name);
  const about = await bookOf(store.view.book);
  const [name, kind] = named(about.title);
  document.title = `${name} · ${t("board")}`;
  document.body.classList.add("full");
  const unlink = showLink(store);
  const limits = h("dl", { class: "board-limits" });
  const phase = h("p", { class: "board-phase", role: "status" });
  const offer = h("p", { class: "board-offer", role: "status", hidden: true });
  const ring = timerRing();
  const places = Object.keys(ROADS).map((kind) => [kind, h("div", { class: "road-fit" })]);
  const roads = h("div", { class: "board-roads" }, places.map(([kind, place]) => h("figure", { class: `road-panel panel-${kind}` }, h("figcaption", {}, t(kind)), place)));
  const side = h("div", { class: "board-counts" });
  put(root, h("div", { class: "board" },
    h("header", { class: "board-head" },
      h("div", {}, h("h1", {}, name), h("p", { class: "quiet" }, kind)), offer, h("span", { class: "grow" }), limits,
      h("div", { class: "board-now" }, phase, ring),
      button(t("full screen"), () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()), { class: "button small board-full" })),
    roads, side,
    h("p", { class: "board-legend quiet" }, t("roads legend"))));
  let drawn = null;
  const draw = async () => {
    const view = store.view, round = view.round;
    put(phase, h("span", {}, round ? t("round", { n: round.number }) : ""), h("span", {}, `${view.open ? (round ? t(round.phase) : t("between rounds")) : t("table closed")}${view.last_round ? ` · ${t("last hand")}` : ""}`));
    ring.set(store.snapshot.closes_at, store.snapshot.opened_at, () => store.now());
    const posted = view.limits;
    put(limits, [["min", posted.minimum], ["max", posted.maximum], ["differential", posted.differential]].filter(([, each]) => each !== null).map(([key, each]) => h("div", {}, h("dt", {}, t(key)), h("dd", { class: "money" }, money(each)))));
    offer.hidden = !round?.offer;
    if (round?.offer) text(offer, t("insurance open", { hand: t(round.offer.hand), odds: odds(round.offer.odds) }));
    const mark = `${view.results.length}/${innerWidth}/${innerHeight}`;
    if (mark === drawn) return;
    drawn = mark;
    const found = await get(`/api/tables/${params.name}/roads`).catch(() => null);
    if (!found) {
      drawn = null;
      return;
    }
    put(side, counters(found), asks(found));
    for (const [kind, place] of places) put(place);
    for (const [kind, place] of places) put(place, road(kind, found, filling(place, kind)));
  };
  const off = store.on("change", () => draw());
  const turned = () => draw();
  addEventListener("resize", turned);
  await draw();
  return () => {
    off();
    unlink();
    removeEventListener("resize", turned);
    document.body.classList.remove("full");
    store.close();
  };
}
