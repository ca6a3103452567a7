// The lobby: a tile a table, a filter, and a seat in one click.

import { get } from "./base/api.js";
import { fill, html, setText, syncChildren } from "./base/dom.js";
import { emblemOf, feltOf } from "./base/felts.js";
import { watchSight } from "./base/in-sight.js";
import { isSoughtBy, limitTexts, phaseText, nameAndKind } from "./base/labels.js";
import { learn, noted, phrase } from "./base/language.js";
import { money } from "./base/money.js";
import { bigRoadFrom, roadArt } from "./base/roads.js";

learn({
  "the salon": ["The salon", "貴賓廳"],
  "salon line": [
    "Casino baccarat, dealt and paid by the rulebook of each table, with the clause of every payment.",
    "按各檯規則發牌與派彩的百家樂，每筆派彩註明條文。",
  ],
  filter: ["Filter tables", "篩選賭檯"],
  watch: ["Watch", "旁觀"],
  "at the table": ["{n} at the table", "檯上 {n} 人"],
  "shoe left": ["Shoe: {n} of {of} cards left", "牌靴尚餘 {n}／{of} 張"],
  "no table": ["No table is called so.", "沒有相符的賭檯。"],
  guide: ["How to play", "玩法"],
  "my box": ["You sit at box {n}", "你坐在 {n} 號位"],
  "my place": ["You stand at this table", "你站在此檯"],
  "my chips": ["{n} in chips", "籌碼 {n}"],
  "my stake": ["{n} at stake", "在注 {n}"],
  "go on playing": ["Go on playing", "繼續"],
  "only open": ["Open tables only", "只看開檯"],
});

const REFRESH = 2000; // ms between two looks at the tables
const ROAD_COLUMNS = 22;
const CARDS_OF_A_DECK = 52;

function makeTile(table, me) {
  const [name, kind] = nameAndKind(table.book, table.title, table.titles);
  const plays = me.kind === "patron";
  const link = (look, href, text) => html(`a.button${look}`, { href, label: noted(text, name) }, text);
  return html(
    "article.tile",
    { label: `${name}, ${table.name}`, vars: feltOf(table.book) },
    emblemOf(table.book),
    html("header", html("h2", name), html("p.quiet.small", [kind, table.name].filter(Boolean).join(" · "))),
    html("div.road-panel"),
    html("p.tile-limits"),
    html("div.shoe-bar", { role: "img" }, html("i")),
    html("p.row.small", html("span.tile-phase"), html("span.tile-people.quiet")),
    html("p.tile-own.small"),
    html(
      "div.row",
      link(".primary", `/table/${table.name}${plays ? "?sit" : ""}`, phrase(plays ? "sit down" : "watch")),
      link("", `/guide/${table.name}`, phrase("guide")),
      link("", `/board/${table.name}`, phrase("board")),
    ),
  );
}

function updateTile(tile, table) {
  tile.results = table.results;
  if (tile.isInSight) drawRoad(tile.querySelector(".road-panel"), table.results);
  drawShoe(tile.querySelector(".shoe-bar"), table.cards_left ?? 0, table.decks * CARDS_OF_A_DECK);
  const limits = limitTexts(postedAt(table), table.digits).join("   ");
  setText(tile.querySelector(".tile-limits"), `${limits} ${table.currency}`);
  drawOwn(tile, table);
  setText(tile.querySelector(".tile-people"), phrase("at the table", table.patrons));
  const phase = tile.querySelector(".tile-phase");
  setText(phase, phaseText({ ...table, isBegun: isBegun(table) }));
  phase.className = `grow tile-phase ${(table.open && table.phase) || ""}`;
  tile.classList.toggle("shut", !table.open);
}

/** Whether cards have come to a table: one that is dealt by hand waits for its dealer. */
function isBegun({ cards_left: left, results }) {
  return left !== null || results !== "";
}

/** One's own tables come first, then those at which cards are dealt: whoever sits down wants to play. */
function placeOf(table) {
  return (table.own ? 2 : 0) + (isBegun(table) ? 1 : 0);
}

/** Where the viewer sits, and what they have there. */
function drawOwn(tile, { own, digits, name }) {
  const texts = own && [
    own.box ? phrase("my box", own.box) : phrase("my place"),
    phrase("my chips", money(own.chips, "", digits)),
    own.at_stake > 0 && phrase("my stake", money(own.at_stake, "", digits)),
  ];
  setText(tile.querySelector(".tile-own"), texts ? texts.filter(Boolean).join(" · ") : "");
  tile.classList.toggle("own", Boolean(own));
  if (own) setText(tile.querySelector(`a[href^="/table/${name}"]`), phrase("go on playing"));
}

/** A tile has room for two limits. */
function postedAt({ minimum, maximum }) {
  return { minimum, maximum };
}

function drawRoad(panel, results) {
  if (panel.dataset.results === results) return;
  panel.dataset.results = results;
  const countOf = (letter) => results.split(letter).length - 1;
  const count = { banker: countOf("B"), player: countOf("P"), tie: countOf("T") };
  fill(panel, roadArt("big", { big: bigRoadFrom(results), count }, ROAD_COLUMNS));
}

function drawShoe(bar, left, all) {
  bar.title = phrase("shoe left", { n: left, of: all });
  bar.setAttribute("aria-label", bar.title);
  bar.firstChild.style.setProperty("--part", left / all);
}

export async function show(root, { me, isCurrent }) {
  document.title = `Punto · ${phrase("lobby")}`;
  const tiles = html("div.tiles");
  const none = html("p.quiet", { hidden: true }, phrase("no table"));
  const filter = html("input.field", {
    type: "search",
    placeholder: phrase("filter"),
    label: phrase("filter"),
    oninput: draw,
  });
  const onlyOpen = html("input", { type: "checkbox", onchange: draw });
  let tables = [];
  let timer = 0;
  const sight = watchSight((tile, isInSight) => {
    tile.isInSight = isInSight;
    if (isInSight) drawRoad(tile.querySelector(".road-panel"), tile.results);
  });

  function isShown(table) {
    return (!onlyOpen.checked || table.open) && isSoughtBy(filter.value, table);
  }
  function draw() {
    const shown = tables.filter(isShown);
    syncChildren(tiles, shown, {
      key: (table) => table.name,
      make: (table) => {
        const tile = makeTile(table, me);
        sight.observe(tile);
        return tile;
      },
      update: updateTile,
    });
    none.hidden = shown.length > 0;
  }
  async function refresh() {
    const found = await get("/api/tables");
    tables = found.sort((one, other) => placeOf(other) - placeOf(one));
    draw();
  }
  async function keepRefreshing() {
    if (!document.hidden) await refresh().catch(() => {}); // the next look may find the house again
    if (isCurrent()) timer = setTimeout(keepRefreshing, REFRESH);
  }

  fill(
    root,
    html(
      "div.lobby",
      html(
        "div.lobby-head",
        html("div", html("h1", phrase("the salon")), html("p.quiet", phrase("salon line"))),
        html("div.row", filter, html("label.tick.small", onlyOpen, phrase("only open"))),
      ),
      tiles,
      none,
    ),
  );
  await refresh();
  timer = setTimeout(keepRefreshing, REFRESH);
  return () => {
    clearTimeout(timer);
    sight.disconnect();
  };
}
