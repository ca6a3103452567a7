// What a round came to, line by line: amount first; a tap shows the clause and the arithmetic.

import { get } from "../base/api.js";
import { h, put } from "../base/dom.js";
import { money } from "../base/money.js";
import { clauseTags, printed } from "../base/notes.js";
import { learn, t } from "../base/words.js";
import { odds } from "./felt.js";

learn({
  "in all": ["In all", "合計"],
  "stake times": ["{stake} at {odds} is {net}", "{stake} × {odds} = {net}"],
  "plays of": ["{part} of {stake} played; {back} came back", "{stake} 中 {part} 有效，退回 {back}"],
  "stake lost": ["The stake of {stake} is collected", "收取注碼 {stake}"],
  "stake back": ["The stake of {stake} comes back", "退回注碼 {stake}"],
  "no wagers": ["You had no wager in this round.", "本局沒有下注。"],
  win: ["wins", "贏"],
  lose: ["loses", "輸"],
  push: ["stands off", "平手"],
});

function sum(line) {
  const parts = [];
  if (line.returned) parts.push(t("plays of", { part: money(line.effective, { exact: true }), stake: money(line.stake, { exact: true }), back: money(line.returned, { exact: true }) }));
  if (line.odds) parts.push(t("stake times", { stake: money(line.effective, { exact: true }), odds: odds(line.odds), net: money(line.net, { exact: true }) }));
  else if (line.net < 0) parts.push(t("stake lost", { stake: money(-line.net, { exact: true }) }));
  else parts.push(t("stake back", { stake: money(line.stake, { exact: true }) }));
  return parts.join(". ");
}

async function explain(into, line, book) {
  const wanted = [...new Set(line.basis.clauses.flatMap((each) => [each, printed(each)]))];
  const about = await get(`/api/books/${book}/clauses?of=${encodeURIComponent(wanted.join(","))}`).catch(() => ({}));
  put(into, Object.entries(about).map(([clause, words]) => h("li", {}, clauseTags([clause], book), " ", words)));
}

const mark = (line) => (line.net > 0 ? "won" : line.net < 0 ? "lost" : "even");

/** A list of lines with their sum. */
export function lineList(lines, book) {
  if (!lines?.length) return h("p", { class: "quiet small" }, t("no wagers"));
  const total = lines.reduce((so, line) => so + line.net, 0);
  return h("div", { class: "lines" },
    lines.map((line) => {
      const more = h("ul", { class: "clause-list small" });
      const details = h("details", { class: "line" },
        h("summary", {},
          h("b", { class: `money ${mark(line)}` }, money(line.net, { sign: true })),
          h("span", {}, t(line.bet), " ", h("span", { class: "quiet" }, line.odds ? odds(line.odds) : t(line.result))),
          clauseTags(line.basis.clauses.slice(0, 1), book)),
        h("p", { class: "small" }, line.says), h("p", { class: "small sum money" }, sum(line)), more);
      details.addEventListener("toggle", () => details.open && !more.children.length && explain(more, line, book));
      return details;
    }),
    lines.length > 1 ? h("p", { class: "line-total" }, h("b", { class: `money ${total > 0 ? "won" : ""}` }, money(total, { sign: true })), h("span", { class: "quiet" }, t("in all"))) : null);
}
