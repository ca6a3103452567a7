// The pit console: every table with its alerts; one table with its questions, journal, disputes and powers.

import { get } from "./base/api.js";
import { button, h, put, style } from "./base/dom.js";
import { clauseTags, say, showLink } from "./base/notes.js";
import { money } from "./base/money.js";
import { t, title } from "./base/words.js";
import { panel, part } from "./dealer/desk.js";
import { drawQuestions, questionsShow } from "./dealer/questions.js";
import { reportForm } from "./dealer/report.js";
import "./dealer/words.js";
import { journal } from "./pit/journal.js";
import { disputesShow, drawDisputes, drawEdges, drawLimits, drawPosts, drawRulings, limitsShow, postsShow, rulingsShow } from "./pit/powers.js";
import { clock, kindOf, told } from "./pit/telling.js";
import { watch } from "./pit/watch.js";

/** The alerts of a table; each stays until somebody acknowledges it. */
const alertList = (one, most = 99) => h("ul", { class: "alerts" }, one.alerts.slice(-most).reverse().map((each) =>
  h("li", {}, h("span", { class: "tiny quiet" }, clock(each.at)), h("span", { class: "grow small" }, h("b", {}, kindOf(each.event)), ` ${told(each.event)} `, clauseTags(each.event.basis?.clauses?.slice(0, 2), one.state?.view.book),
    each.event.question && h("span", { class: "waits" }, ` ${t("needs rank", { who: title(each.event.question.to) })}`)),
    button(t("acknowledge"), () => one.acknowledge(each.sequence), { class: "button small" }))));

function tile(one) {
  const { view, desk } = one.state;
  const against = Object.entries(one.edges?.bets ?? {}).filter(([, each]) => each.against_house).map(([bet]) => bet);
  const { player, banker, limit } = desk.weight;
  return [
    h("header", { class: "row" }, h("h2", {}, h("a", { href: `/pit/${one.name}` }, one.name)), h("span", { class: "grow" }), one.alerts.length > 0 && h("span", { class: "p-badge" }, String(one.alerts.length)), desk.questions.length > 0 && h("span", { class: "p-badge hollow" }, t("open questions", { n: desk.questions.length }))),
    h("p", { class: "small quiet" }, `${view.book} · ${view.layout} · ${view.round ? `${t("round", { n: view.round.number })} ${t(`phase ${view.round.phase}`)}` : t("no round")} · ${t("cards left", { n: view.cards_left ?? 0 })}`),
    h("p", { class: "small money" }, t("weight", { p: money(player), b: money(banker) })),
    limit && h("meter", { min: 0, max: limit, high: limit * 0.8, value: Math.min(Math.abs(player - banker), limit), "aria-label": t("differential") }),
    against.length > 0 && h("p", { class: "small" }, h("span", { class: "flag" }, t("bets against", { n: against.length })), ` ${against.map((bet) => t(bet)).join(", ")}`),
    desk.questions.slice(0, 2).map(({ question, mine }) => h("p", { class: "small waits" }, question.says, " ", mine ? "" : t("waits for", { who: title(question.to) }))),
    alertList(one, 4)];
}

async function all(root, me) {
  const names = (await get("/api/tables")).map((each) => each.name).filter((name) => me.posts[name] || me.posts["*"]);
  const grid = h("ul", { class: "p-tiles" });
  const watches = [], tiles = new Map();
  put(root, h("div", { class: "console pit" }, h("h1", {}, t("all tables")), grid));
  let closed = false, soon = 0;
  const draw = (one) => {
    if (closed || !one.state) return;
    const item = tiles.get(one.name);
    if (item.contains(document.activeElement) && document.activeElement.matches("button:focus-visible")) { clearTimeout(soon); soon = setTimeout(() => draw(one), 1500); return; }
    item.classList.toggle("alerting", one.alerts.length > 0);
    if (one.alerts.length > (one.told ?? 0)) say(`${one.name}: ${told(one.alerts.at(-1).event)}`, { urgent: true });
    one.told = one.alerts.length;
    put(item, tile(one));
  };
  for (const name of names) {
    const item = h("li", { class: "panel p-tile" }, h("h2", {}, name));
    tiles.set(name, item);
    grid.append(item);
  }
  await Promise.all(names.map(async (name) => { try { watches.push(await watch(name, draw)); } catch (error) { put(tiles.get(name), h("h2", {}, name), h("p", { class: "quiet small" }, error.message)); } }));
  const off = watches[0] && showLink(watches[0].state.table);
  return () => { closed = true; clearTimeout(soon); off?.(); for (const each of watches) each.close(); };
}

async function one(root, name) {
  let state = null, book = null;
  const current = () => state;
  const el = Object.fromEntries(["bar", "alerts", "questions", "steps", "edges", "limits", "disputes", "posts", "rulings"].map((each) => [each, h("div", { class: "col", "data-refusals": "" })]));
  const report = reportForm(current);
  let edges = null;
  const parts = [
    part(el.bar, ({ view }) => [view.round?.number, view.round?.phase, view.cards_left], ({ view }) => h("div", { class: "table-bar" }, h("a", { href: "/pit", class: "small" }, t("all tables")), h("h1", {}, name), h("span", { class: "quiet small" }, `${view.book} · ${t("layout")} ${view.layout}`), h("span", { class: "grow" }),
      h("span", { class: "small" }, view.round ? `${t("round", { n: view.round.number })} · ${t(`phase ${view.round.phase}`)}` : t("no round")), h("a", { class: "small", href: `/dealer/${name}` }, t("to the dealer")))),
    part(el.questions, questionsShow, (each) => drawQuestions(each)),
    part(el.limits, limitsShow, drawLimits), part(el.disputes, disputesShow, drawDisputes), part(el.posts, postsShow, drawPosts), part(el.rulings, rulingsShow, drawRulings),
    (each) => report.show(each)];
  const watched = await watch(name, (now) => {
    if (!now.state) return;
    state = now.state;
    book = state.view.book;
    for (const each of parts) each(state);
    if (now.edges !== edges) put(el.edges, drawEdges((edges = now.edges)));
    if (!el.alerts.contains(document.activeElement) || now.alerts.length !== el.alerts.shown) put(el.alerts, now.alerts.length ? alertList(now) : h("p", { class: "quiet small" }, t("no alerts")));
    el.alerts.shown = now.alerts.length;
  });
  const entries = journal(state.table, book);
  const fold = (key, words, ...children) => h("details", { class: `panel part-${key}` }, h("summary", {}, h("h2", {}, words)), ...children);
  put(root, h("div", { class: "console pit-one" }, el.bar,
    h("div", { class: "main-column" }, panel("alerts", t("alerts"), el.alerts), h("section", { class: "questions", "aria-label": t("questions") }, el.questions), panel("journal", t("journal"), entries.element)),
    h("div", { class: "side-column" }, panel("limits", t("limits now"), el.limits), panel("edges", t("edges"), el.edges), fold("report", t("report"), report), fold("disputes", t("disputes"), el.disputes), fold("posts", t("posts"), el.posts), fold("rulings", t("rulings"), el.rulings))));
  const off = showLink(state.table);
  return () => { off(); entries.close(); watched.close(); };
}

/** The view at /pit and /pit/NAME. */
export async function show(root, { params, me }) {
  document.title = `${params.name ? `${params.name} · ` : ""}${t("pit")} · Punto`;
  await Promise.all([style("/static/dealer.css"), style("/static/pit.css")]);
  return params.name ? one(root, params.name) : all(root, me);
}
