// How a round ended for the patron: a line for each wager with its arithmetic and its clauses, or what came back.

import { get } from "../base/api.js";
import { betName } from "../base/bet-names.js";
import { clauseTags, indexText, printedClause } from "../base/clauses.js";
import { fill, html } from "../base/dom.js";
import { oddsText, outcomeDot, outcomeText } from "../base/labels.js";
import { learn, phrase, sentence } from "../base/language.js";
import { money, sumOf } from "../base/money.js";
import { announce } from "../base/notes.js";

learn({
  "void round": ["This round is void; stakes come back.", "本局作廢，退回注碼。"],
  "payments back": ["What had been paid is taken back", "已付款項收回"],
  "in all": ["In all", "合計"],
  "stake times": ["{stake} at {odds} is {net}", "{stake} × {odds} = {net}"],
  "plays of": ["{part} of {stake} played; {back} came back", "{stake} 中 {part} 有效，退回 {back}"],
  "stake lost": ["The stake of {n} is collected", "收取注碼 {n}"],
  "stake back": ["The stake of {n} comes back", "退回注碼 {n}"],
  "no wagers": ["You had no wager in this round.", "本局沒有下注。"],
});

/** The result of a round, line by line or what came back, for a card or a panel. `menu` are the bets of the table. */
function resultParts({ round, book }, menu, patron, story) {
  if (!round.result) return [phrase("void round"), returnedStakes({ round, book }, menu, patron, story)];
  return [outcomeText(round), lineList(round.lines[patron], menu, book)];
}

/** Fill the panel beside the felt, and say to the ear what the dealer's call does not: what came of one's wagers. */
export function fillResult(panel, view, menu, patron, story) {
  const { round } = view;
  const [text, body] = resultParts(view, menu, patron, story);
  const winner = round.result?.winner;
  const lines = round.lines[patron] ?? [];
  fill(panel, html("p.row.lead", winner && outcomeDot(winner), text), body);
  if (!winner) announce(text);
  else if (lines.length) announce(`${phrase("in all")} ${money(sumOf(lines, "net"), "sign")}`);
}

/** The same as a card, for a screen without room beside the felt. */
export function resultCard(view, menu, patron, story) {
  const [text, body] = resultParts(view, menu, patron, story);
  return html("section.question.brief", { label: phrase("result") }, html("p.lead", text), body);
}

/** What came back from a void round, and why. */
function returnedStakes({ round, book }, menu, patron, { covers, ended }) {
  const why = html("ul.clause-list.small");
  if (ended) void explainClauses(why, ended.basis.clauses, book);
  return [returnedRows(round, menu, patron, covers, ended), why];
}

function returnedRows(round, menu, patron, covers, ended) {
  const wagers = round.wagers.filter((wager) => wager.patron === patron);
  if (!wagers.length) return html("p.quiet.small", phrase("no wagers"));
  if (ended?.reversed) {
    return html("p.row", html("b.money", money(ended.returned[patron] ?? 0, "sign")), phrase("payments back"));
  }
  const row = (bet, stake) =>
    html(
      "p.row",
      html("b.money", money(stake)),
      betName(menu, bet),
      " ",
      html("span.quiet", phrase("result returned")),
    );
  return [
    ...wagers.map(({ bet, stake }) => row(bet, stake)),
    ...covers.map(({ bet, stake }) => row(`${bet}-insurance`, stake)),
  ];
}

/** A line for each wager, which opens to its clause and arithmetic. */
export function lineList(lines, menu, book) {
  if (!lines?.length) return html("p.quiet.small", phrase("no wagers"));
  const sum = html("p.row.lead", netAmount(sumOf(lines, "net")), html("span.quiet", phrase("in all")));
  return html(
    "div.col.lines",
    lines.length > 1 && sum, // first, wherever there is little room
    lines.map((line) => wagerLine(line, menu, book)),
  );
}

function wagerLine(line, menu, book) {
  const clauses = html("ul.clause-list.small");
  const explain = () => clauses.children.length || explainClauses(clauses, line.basis.clauses, book);
  const how = line.odds ? oddsText(line.odds) : phrase(`result ${line.result}`);
  return html(
    "details.line",
    { ontoggle: explain },
    html(
      "summary",
      netAmount(line.net),
      html("span", betName(menu, line.bet), " ", html("span.quiet", how)),
      clauseTags(line.basis.clauses.slice(0, 1), book),
    ),
    html("p.small", sentence(line)),
    html("p.small.sum.money", arithmetic(line)),
    clauses,
  );
}

function netAmount(net) {
  return html(`b.money.${netClass(net)}`, money(net, "sign"));
}

function netClass(net) {
  if (net > 0) return "won";
  return net < 0 ? "lost" : "even";
}

/** How the net of a line comes about. */
function arithmetic(line) {
  const exact = (amount) => money(amount, "exact");
  const { stake, effective, returned } = line;
  if (!returned) return paymentText(line);
  const part = phrase("plays of", { part: exact(effective), stake: exact(stake), back: exact(returned) });
  return `${part}. ${paymentText(line)}`;
}

function paymentText({ stake, effective, odds, net }) {
  const exact = (amount) => money(amount, "exact");
  if (odds) return phrase("stake times", { stake: exact(effective), odds: oddsText(odds), net: exact(net) });
  return net < 0 ? phrase("stake lost", exact(-net)) : phrase("stake back", exact(stake));
}

/** Ask the house what clauses say, and put that into a list. */
async function explainClauses(list, clauses, book) {
  const wanted = new Set(clauses.flatMap((clause) => [clause, printedClause(clause)]));
  const query = encodeURIComponent(Array.from(wanted).join(","));
  const summaries = await get(`/api/books/${book}/clauses?of=${query}`).catch(() => ({}));
  fill(
    list,
    Object.entries(summaries).map(([clause, summary]) =>
      html("li", clauseTags([clause], book), " ", indexText("span", summary)),
    ),
  );
}
