// What the pit decides apart from questions: disputes, posts, limits, readings; and the edge of every bet.

import { h } from "../base/dom.js";
import { money } from "../base/money.js";
import { clauseTags } from "../base/notes.js";
import { plain, t, title } from "../base/words.js";
import { doing } from "../dealer/desk.js";
import { commandForm } from "../dealer/forms.js";

const boxes = (ids) => ids.map((id) => [id, plain(id)]);

export const disputesShow = ({ desk, view }) => [desk.disputes, desk.references, view.patrons.map((each) => each.name)];
export function drawDisputes(state) {
  const { table, desk } = state;
  const one = (each, dispute) => {
    const ask = (id, specs, more) => commandForm(state, id, specs, { fixed: { dispute, ...more } });
    const press = (ids) => h("div", { class: "row", "data-refusals": "" }, ids.map(([id, more]) => doing(table, t(more?.what ?? id), { do: id, dispute, ...more })));
    return h("li", { class: "dispute" },
      h("p", {}, h("b", {}, each.patron), " ", h("span", { class: each.state === "open" ? "waits small" : "small" }, `${t(`state ${each.state}`)} · ${title(each.level)}`)), h("p", {}, each.says),
      each.done.length > 0 && h("p", { class: "small quiet" }, each.done.map(plain).join(" · ")),
      each.state === "open" && [
        ask("gather", ["note?"], { what: "information" }), press([["gather", { what: "surveillance" }], ["escalate"]]), ask("give-time-frame", ["due"]),
        ask("resolve", [desk.references.length > 0 && ["references", boxes(desk.references), true], "says", ["agreed", [[true, t("yes")], [false, t("no")]]]], { references: [] })],
      each.state.startsWith("complaint") && press([["tell-of-complaint"], ["assist"], ["file-complaint"]]));
  };
  return [desk.disputes.length > 0 && h("ul", { class: "col" }, desk.disputes.map(one)), commandForm(state, "raise-dispute", ["patron", "says"])];
}

export const postsShow = ({ desk }) => [desk.posts, desk.ranks];
export function drawPosts(state) {
  return [h("ul", {}, Object.entries(state.desk.posts).map(([person, post]) => h("li", { class: "row", "data-refusals": "" }, h("b", {}, person), h("span", { class: "small quiet grow" }, title(post)), doing(state.table, t("relieve"), { do: "relieve", person }, { class: "bare" })))),
    commandForm(state, "assign", ["person", "post", ["acting", [[false, t("no")], [true, t("yes")]]]])];
}

export const limitsShow = ({ desk, view }) => [desk.weight, view.limits];
export function drawLimits(state) {
  const { player, banker, limit } = state.desk.weight;
  const gap = Math.abs(player - banker), limits = state.view.limits;
  return [h("p", { class: "small money" }, t("weight", { p: money(player), b: money(banker) })),
    limit && [h("meter", { min: 0, max: limit, high: limit * 0.8, value: Math.min(gap, limit), "aria-label": t("differential") }), h("p", { class: `small ${gap > limit ? "waits" : "quiet"}` }, t("used", { n: money(gap), m: money(limit) }))],
    h("p", { class: "small" }, ["minimum", "maximum"].map((name) => `${t(name)} ${money(limits[name])}`).join(" · ")),
    h("details", {}, h("summary", { class: "small" }, t("post-limits")), commandForm(state, "post-limits", [["limit", boxes(["minimum", "maximum", "differential"])], "amount"], { make: ({ limit: name, amount, ...given }) => ({ ...given, limits: { ...limits, [name]: amount } }) }))];
}

export const rulingsShow = ({ desk }) => desk.policies;
export function drawRulings(state) {
  return h("ul", { class: "col" }, state.desk.policies.map((each) => h("li", { class: "policy" }, h("details", {}, h("summary", {}, h("b", {}, plain(each.name)), " ", h("span", { class: each.ruled ? "waits small" : "small quiet" }, plain(each.value) + (each.ruled ? ` · ${t("ruled here")}` : "")), " ", each.clause && clauseTags([each.clause], state.view.book)),
    h("p", { class: "tiny quiet" }, `${each.reading}: ${each.says}`), commandForm(state, "rule", [["value", boxes(each.choices)], "reason"], { fixed: { policy: each.name } })))));
}

/** The edge of every bet; what has turned against the house stands out, in words as well. */
export function drawEdges(found) {
  if (!found) return h("p", { class: "quiet" }, t("loading"));
  if (found.why_not) return h("p", { class: "quiet" }, found.why_not);
  const rows = Object.entries(found.bets).sort(([, a], [, b]) => a.per_cent - b.per_cent);
  const cent = (n) => `${n < 0 ? "−" : ""}${Math.abs(n).toFixed(2)} %`;
  return [h("p", { class: "small quiet" }, t("edges from", { n: found.seen })),
    h("table", { class: "edges" }, rows.map(([bet, each]) => h("tr", { class: each.against_house ? "against" : "" }, h("th", { scope: "row" }, t(bet)), h("td", { class: "money" }, h("b", {}, cent(each.per_cent))), h("td", { class: "tiny quiet money" }, `${t("full shoe")} ${cent(each.full)}`), h("td", {}, each.against_house && h("span", { class: "flag" }, t("against house"))))))];
}
