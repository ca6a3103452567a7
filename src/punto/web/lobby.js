// The lobby: a tile a table, a filter, and a seat in one click.

import { get } from "./base/api.js";
import { h, keyed, put, text } from "./base/dom.js";
import { money } from "./base/money.js";
import { bigFrom, road } from "./base/roads.js";
import { learn, t } from "./base/words.js";

learn({
  "the salon": ["The salon", "貴賓廳"],
  "salon line": ["Choose a table. Every payment names the clause it rests on.", "請選擇賭檯。每一筆派彩都註明所依條文。"],
  filter: ["Filter tables", "篩選賭檯"],
  "sit down": ["Sit down", "入座"],
  "go back in": ["Back to your seat", "返回座位"],
  watch: ["Watch", "旁觀"],
  "at the table": ["{n} at the table", "檯上 {n} 人"],
  seats: ["{n} of {of} seats taken", "{of} 個座位已坐 {n} 個"],
  "shoe left": ["Shoe: {n} of {of} cards left", "牌靴尚餘 {n}／{of} 張"],
  betting: ["Bets are open", "請下注"],
  closed: ["Dealing", "發牌中"],
  settled: ["Round over", "一局結束"],
  void: ["Round void", "本局作廢"],
  open: ["Open", "開檯"],
  "table closed": ["Closed", "已收檯"],
  "between rounds": ["Between rounds", "等待下一局"],
  "no table": ["No table is called so.", "沒有相符的賭檯。"],
  "only open": ["Open tables only", "只看開檯"],
});

const state = (each) => (each.open ? (each.phase ? t(each.phase) : t("between rounds")) : t("table closed"));

/** "Wu Song (Non-Commission Baccarat)" in two lines. */
export function named(title) {
  const found = /^(.*?)\s*\((.*)\)\s*$/.exec(title);
  return found ? [found[1], found[2]] : [title, ""];
}

function make(each, me) {
  const [name, kind] = named(each.title);
  return h("article", { class: "tile", "aria-label": `${name}, ${each.name}` },
    h("header", {}, h("h2", {}, name), h("p", { class: "quiet small" }, kind || each.name)),
    h("div", { class: "road-panel" }),
    h("p", { class: "tile-limits" }),
    h("div", { class: "shoe-bar", role: "img" }, h("i")),
    h("p", { class: "tile-state small" }, h("span", { class: "tile-phase" }), h("span", { class: "tile-people quiet" })),
    h("div", { class: "row" },
      h("a", { class: "button primary", href: `/table/${each.name}${me.kind === "patron" ? "?sit" : ""}`, "aria-label": `${t(me.kind === "patron" ? "sit down" : "watch")}: ${name}` }, t(me.kind === "patron" ? "sit down" : "watch")),
      h("a", { class: "button", href: `/board/${each.name}`, "aria-label": `${t("board")}: ${name}` }, t("board"))));
}

function update(tile, each) {
  const part = (name) => tile.querySelector(name);
  const panel = part(".road-panel");
  if (panel.dataset.results !== each.results) {
    panel.dataset.results = each.results;
    const count = (letter) => [...each.results].filter((one) => one === letter).length;
    put(panel, road("big", { big: bigFrom(each.results), count: { banker: count("B"), player: count("P"), tie: count("T") } }, 22));
  }
  text(part(".tile-limits"), `${t("min")} ${money(each.minimum)}   ${t("max")} ${money(each.maximum)} ${each.currency}`);
  const all = each.decks * 52, bar = part(".shoe-bar");
  bar.setAttribute("aria-label", t("shoe left", { n: each.cards_left ?? 0, of: all }));
  bar.title = bar.getAttribute("aria-label");
  bar.firstChild.style.setProperty("--part", String((each.cards_left ?? 0) / all));
  text(part(".tile-phase"), state(each));
  part(".tile-phase").className = `tile-phase ${each.open ? each.phase ?? "" : "shut"}`;
  text(part(".tile-people"), t("at the table", { n: each.patrons }));
  tile.classList.toggle("shut", !each.open);
}

export async function show(root, { me, current }) {
  document.title = `Punto · ${t("lobby")}`;
  const tiles = h("div", { class: "tiles" });
  const none = h("p", { class: "quiet", hidden: true }, t("no table"));
  const filter = h("input", { class: "field", type: "search", placeholder: t("filter"), "aria-label": t("filter") });
  const open = h("input", { type: "checkbox" });
  put(root, h("div", { class: "lobby" },
    h("div", { class: "lobby-head" }, h("div", {}, h("h1", {}, t("the salon")), h("p", { class: "quiet" }, t("salon line"))),
      h("div", { class: "row" }, filter, h("label", { class: "check small" }, open, t("only open")))),
    tiles, none));
  let all = [], timer = 0;
  const draw = () => {
    const words = filter.value.trim().toLowerCase();
    const shown = all.filter((each) => (!open.checked || each.open) && `${each.title} ${each.name}`.toLowerCase().includes(words));
    keyed(tiles, shown, (each) => each.name, (each) => make(each, me), update);
    none.hidden = shown.length > 0;
  };
  filter.addEventListener("input", draw);
  open.addEventListener("change", draw);
  const look = async () => {
    try {
      if (!document.hidden) {
        all = await get("/api/tables");
        draw();
      }
    } catch {
      /* the next look may succeed */
    }
    if (current()) timer = setTimeout(look, 2000);
  };
  all = await get("/api/tables");
  draw();
  timer = setTimeout(look, 2000);
  return () => clearTimeout(timer);
}
