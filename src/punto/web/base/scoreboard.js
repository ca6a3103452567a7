// The scoreboard in its parts: counters, ask marks, and the roads; large on the display, small at the table.

import { h } from "./dom.js";
import { askMark, road } from "./roads.js";
import { learn, t } from "./words.js";

learn({
  "player pairs": ["Player pairs", "閒對"],
  "banker pairs": ["Banker pairs", "庄對"],
  naturals: ["Naturals", "例牌"],
  rounds: ["Rounds", "局數"],
  "if banker": ["Ask Banker", "庄問路"],
  "if player": ["Ask Player", "閒問路"],
});

const panel = (kind, roads, columns) => h("div", { class: "road-panel" }, road(kind, roads, columns));

const count = (kind, number, words) =>
  h("div", { class: "count" }, kind ? h("span", { class: `dot ${kind}`, "aria-hidden": "true" }, t(`mark ${kind}`)) : null, h("span", { class: "count-words" }, words), h("b", {}, String(number)));

/** The counters. */
export const counters = ({ count: n }) =>
  h("div", { class: "counters" },
    count("banker", n.banker, t("banker")), count("player", n.player, t("player")), count("tie", n.tie, t("tie")),
    count(null, n.banker_pairs, t("banker pairs")), count(null, n.player_pairs, t("player pairs")), count(null, n.naturals, t("naturals")),
    count(null, n.banker + n.player + n.tie, t("rounds")));

/** The two questions: what would the derived roads get if the next round goes to Banker, or to Player? */
export const asks = (roads) =>
  h("div", { class: "asks" }, ["banker", "player"].map((hand) =>
    h("div", { class: `ask ${hand}` }, h("span", { class: "ask-words" }, h("span", { class: `dot ${hand}`, "aria-hidden": "true" }, t(`mark ${hand}`)), h("span", { class: "ask-text" }, t(`if ${hand}`))),
      ["big_eye", "small", "cockroach"].map((kind) => askMark(kind, roads.ask[hand][kind])))));

/** The small scoreboard at the patron's table. */
export const smallBoard = (roads) =>
  h("section", { class: "small-board", "aria-label": t("board") },
    panel("big", roads, 26),
    h("div", { class: "small-derived" }, ["big_eye", "small", "cockroach"].map((kind) => panel(kind, roads, 14))),
    h("div", { class: "small-counts" }, count("banker", roads.count.banker, t("banker")), count("player", roads.count.player, t("player")), count("tie", roads.count.tie, t("tie")), asks(roads)));
