// What the pit decides apart from questions: posts, limits, and readings of the book; and the edge of every bet.

import { betName } from "../base/bet-names.js";
import { clauseTags, indexText } from "../base/clauses.js";
import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { commandForm, optionsOf } from "../base/forms.js";
import { limitTexts } from "../base/labels.js";
import { inLanguage, nameOf, noted, phrase, sentence } from "../base/language.js";
import { money, perCent } from "../base/money.js";
import { weightMeter, weightText } from "../staff/weight.js";

const limitName = (limit) => nameOf(limit === "payout" ? "most paid" : limit);

/** "pit-manager (acting)" → "Pit manager · Acting". */
function postText(post) {
  const [rank, acting] = post.split(" ");
  return acting ? `${nameOf(rank)} · ${phrase("acting")}` : nameOf(rank);
}

/** Who holds which post at the table. */
export function posts(state) {
  const item = ([person, post]) =>
    html(
      "li.row",
      html("b", person),
      html("span.small.quiet.grow", postText(post)),
      commandButton(state.table, phrase("relieve"), { do: "relieve", person }, { class: "bare" }),
    );
  return [
    html("ul", Object.entries(state.desk.posts).map(item)),
    commandForm(state, "assign", ["person", "post", "acting"]),
  ];
}

/** How much of the differential is used, in figures; nothing where none is posted. */
export function differentialUsed({ player, banker, limit }) {
  if (!limit) return null;
  const used = Math.abs(player - banker);
  const text = phrase("used", { n: money(used), m: money(limit) });
  return html(`p.small.${used > limit ? "waits" : "quiet"}`, noted(phrase("differential"), text));
}

/** What is posted, how much of the differential is used, and posting other limits. */
export function limits(state) {
  const { view, desk } = state;
  const { weight } = desk;
  return [
    weightText(weight),
    weightMeter(weight),
    differentialUsed(weight),
    html("p.small", limitTexts(view.limits).join(" · ")),
    html("details", html("summary.small", phrase("post-limits")), limitForm(state)),
  ];
}

/** One limit is changed at a time; the command names them all. */
function limitForm(state) {
  const change = ({ limit, amount, ...command }) => ({
    ...command,
    limits: { ...state.view.limits, [limit]: amount },
  });
  return commandForm(state, "post-limits", [["limit", optionsOf(state.desk.limits, limitName)], "amount"], { change });
}

/** Readings of the book that the residual authority may set for this table. */
export function rulings(state) {
  return html(
    "ul.col",
    state.desk.policies.map((policy) => policyItem(policy, state)),
  );
}

function policyItem({ name, names, value_names: named, value, ruled, clause, reading, says, choices }, state) {
  const told = (each) => inLanguage(named[each] ?? [each, each]);
  const valueText = ruled ? `${told(value)} · ${phrase("ruled here")}` : told(value);
  const summary = html(
    "summary",
    html("b", noted(inLanguage(names), "").trim()),
    " ",
    html(`span.small.${ruled ? "waits" : "quiet"}`, valueText),
    " ",
    clause && clauseTags([clause], state.view.book),
  );
  const form = commandForm(state, "rule", [["value", optionsOf(choices, told)], "reason"], { fixed: { policy: name } });
  return html(
    "li.policy",
    { "data-item": `policy ${name}` },
    html("details", summary, html("p.tiny.quiet", `${reading}: `, indexText("span", says)), form),
  );
}

/** Where there are no edges to show, why not. */
function noEdges(odds) {
  if (!odds) return html("p.quiet.small", phrase("loading"));
  return odds.why_not ? html("p.quiet.small", sentence({ says: odds.why_not, message: odds.message })) : null;
}

/** Bets with their odds, the worst for the house first. */
function byEdge({ bets }) {
  return Object.entries(bets).sort(([, one], [, other]) => one.per_cent - other.per_cent);
}

/** The edge of every bet in a few lines, for a tile. */
export function edgeList(odds, bets) {
  const item = ([bet, { per_cent: edge, against_house: isAgainst }]) =>
    html("li", { class: isAgainst && "against" }, betName(bets, bet), " ", html("b.money", perCent(edge)));
  return [
    html("p.tiny.quiet", phrase("edges")),
    noEdges(odds) ?? html("ul.tile-edges.small", { label: phrase("edges") }, byEdge(odds).map(item)),
  ];
}

/** The same as a table. What has turned against the house stands out, in words as well. */
export function edgeTable(odds, bets) {
  const rows = () => byEdge(odds).map(([bet, found]) => edgeRow(betName(bets, bet), found));
  return noEdges(odds) ?? [html("p.small.quiet", phrase("edges from", odds.seen)), html("table.figures", rows())];
}

function edgeRow(name, { per_cent: edge, full_per_cent: fullEdge, against_house: isAgainst }) {
  return html(
    "tr",
    { class: isAgainst && "against" },
    html("th", { scope: "row" }, name),
    html("td.money", html("b", perCent(edge))),
    html("td.tiny.quiet.money", phrase("full shoe", perCent(fullEdge))),
    html("td", isAgainst && html("span.flag", phrase("against house"))),
  );
}
