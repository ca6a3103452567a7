// The report of a gaming day by table, dealer and patron, with its files.

import { get } from "../base/api.js";
import { getDigits } from "../base/books.js";
import { fill, html, knowPeople, labelled } from "../base/dom.js";
import { language, learn, phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { perCentText } from "./tile-money.js";
import "./words.js";

learn({
  "gaming day": ["Gaming day", "博彩日"],
  "by table": ["By table", "按賭檯"],
  "by dealer": ["By dealer", "按荷官"],
  "by patron": ["By patron", "按客人"],
  "nothing played": ["Nothing was played on this day.", "當日沒有遊戲。"],
  "in currency": ["Currency", "貨幣"],
  "col drop": ["Drop", "買入"],
  "col win": ["Win", "贏額"],
  "col float": ["Float", "籌碼增減"],
  "col rounds": ["Rounds", "局數"],
  "col wagers": ["Wagers", "注數"],
  "col staked": ["Staked", "總注額"],
  "col minutes": ["Minutes dealt", "發牌分鐘"],
  "col name": ["Name", "名稱"],
  "as csv": ["As CSV", "下載 CSV"],
  "as pdf": ["As PDF", "下載 PDF"],
  "what it counts": [
    "From the journal of each table. Win is the house’s. Hold is the win as a part of the drop. " +
      "Stakes are those that played. A dealer’s minutes run from the first act at a table to the last.",
    "據各檯流水記錄計算。贏額屬賭場；贏率為贏額佔買入之比；注額為實際生效之注。荷官時間由首次操作至最後操作計算。",
  ],
});

/** The columns: what stands above each, what it shows of a row, and of which tables it is. */
const COLUMNS = [
  ["col drop", (row, shown) => shown(row.bought), ["tables", "patrons"]],
  ["cashed today", (row, shown) => shown(row.cashed), ["tables", "patrons"]],
  ["col win", (row, shown) => shown(row.won, "sign")],
  ["hold", (row) => perCentText(row.hold), ["tables", "patrons"]],
  ["col float", (row, shown) => shown(row.float, "sign"), ["tables"]],
  ["col rounds", (row) => row.rounds],
  ["col wagers", (row) => row.wagers],
  ["col staked", (row, shown) => shown(row.staked)],
  ["average wager", (row, shown) => shown(row.average)],
  ["highest wager", (row, shown) => shown(row.highest)],
  ["col minutes", (row) => row.minutes, ["tables", "dealers"]],
];
const PARTS = { tables: "by table", dealers: "by dealer", patrons: "by patron" };

export async function showReport(root, go) {
  document.title = [phrase("day report"), "Punto"].join(" · ");
  const day = new URLSearchParams(location.search).get("day") ?? "today";
  const [report, digits] = await Promise.all([get(`/api/report?day=${encodeURIComponent(day)}`), getDigits()]);
  knowPeople(report.shown);
  const choose = (event) => event.target.value && go(`/report?day=${event.target.value}`);
  const file = (suffix, key) =>
    html(
      "a.button.small",
      { href: `/api/report.${suffix}?day=${report.day}&language=${language()}`, target: "_self" },
      phrase(key),
    );
  fill(
    root,
    html(
      "div.console.day-report",
      html("a.small", { href: "/pit" }, phrase("all tables")),
      html(
        "div.row",
        html("h1", phrase("day report"), " ", html("span.whole", report.day)),
        html("span.grow"),
        labelled(phrase("gaming day"), html("input.field", { type: "date", value: report.day, onchange: choose })),
        html("div.row", file("csv", "as csv"), file("pdf", "as pdf")),
      ),
      html("p.small.quiet", phrase("what it counts")),
      Object.entries(PARTS).map(([part, key]) => section(phrase(key), part, report[part], digits)),
    ),
  );
}

function section(title, part, rows, digits) {
  const columns = COLUMNS.filter(([, , of]) => !of || of.includes(part));
  const head = html(
    "tr",
    html("th", { scope: "col" }, phrase("col name")),
    html("th", { scope: "col" }, phrase("in currency")),
    columns.map(([key]) => html("th.money", { scope: "col" }, phrase(key))),
  );
  const body = rows.map((row) => {
    const shown = (amount, how) => money(amount, how, digits[row.currency]);
    return html(
      "tr",
      html("th", { scope: "row" }, row.name || phrase("deals by itself")),
      html("td", row.currency),
      columns.map(([, text]) => html("td.money", String(text(row, shown)))),
    );
  });
  const table = html("div.scrolls", { tabindex: 0, role: "group", label: title }, html("table.figures", head, body));
  return html("section.panel", { label: title }, html("h2", title), rows.length ? table : nothing());
}

function nothing() {
  return html("p.quiet", phrase("nothing played"));
}
