// The trainer: a random situation from a book, a question, then the clause and the arithmetic. The house knows the answers.

import { book, get, once, post } from "./base/api.js";
import { cardBack, cardFace } from "./base/cards.js";
import { button, h, put, style } from "./base/dom.js";
import { minor, money } from "./base/money.js";
import { clauseTags, printed, refuse } from "./base/notes.js";
import { learn, t } from "./base/words.js";
import { labelled } from "./dealer/forms.js";
import { said } from "./dealer/words.js";

learn({
  payout: ["Payouts", "賠付"], irregularity: ["Irregularities", "異常處理"], "next drill": ["Next", "下一題"], check: ["Check", "核對"], score: ["{n} of {m} right", "答對 {n} / {m}"], streak: ["{n} in a row", "連對 {n}"], "type amounts": ["Type the amounts", "自行輸入金額"], "up or down": ["what the patron is up or down", "客人輸贏"],
  right: ["Right", "正確"], wrong: ["Not so", "不對"], whole: ["The whole account", "完整說明"], lost: ["loses {n}", "輸 {n}"], "comes back": ["comes back", "退回"], wins: ["wins {n}", "贏 {n}"], "four-cards": ["after four cards", "四張牌後"], "third-card": ["after the Player's third card", "閒第三張後"],
  "what is paid": ["What is each wager paid?", "每注如何賠付？"], "What happens next?": ["What happens next?", "接着如何處理？"], "Who decides?": ["Who decides?", "由誰決定？"], asked: ["Then asked: {says}", "然後詢問：{says}"],
});

const score = { right: 0, of: 0, streak: 0 };
try { Object.assign(score, JSON.parse(localStorage.getItem("trainer"))); } catch { /* it begins anew */ }

const cards = (faces) => h("ul", { class: "d-spots" }, faces.map((face, at) => h("li", { class: `d-spot${at === 2 ? " d-sideways" : ""}` }, face ? cardFace(face) : cardBack())));
const hands = (by) => h("div", { class: "d-lay" }, Object.entries(by).map(([name, faces]) => faces.length > 0 && h("div", { class: `d-lay-hand ${name}` }, h("h2", {}, t(name)), cards(faces))));
const amount = (net) => (net < 0 ? t("lost", { n: money(-net) }) : net ? t("wins", { n: money(net) }) : t("comes back"));
const about = (clauses, found) => (clauses ?? []).map((clause) => found[printed(clause)]).filter(Boolean).slice(0, 1).map((says) => h("p", { class: "tiny quiet" }, says));
const steps = (list, found, id) => h("ol", { class: "steps" }, list.map((each) => h("li", {}, each.says, " ", clauseTags(each.clauses, id), about(each.clauses, found))));

/** A finished coup with wagers: what is each paid? Returns the panel. */
function payout(drill, options, mark) {
  const answers = drill.wagers.map(() => null);
  const typed = (at, words) => {
    const found = /^([+−-]?)(.*)$/.exec(words.trim()), value = minor(found[2]);
    answers[at] = value !== null && found[1] && found[1] !== "+" ? -value : value;
  };
  const rows = drill.wagers.map((wager, at) => h("li", { class: "t-wager" },
    h("p", {}, h("b", {}, t(wager.bet)), " ", h("span", { class: "money" }, money(wager.stake)), wager.odds && h("span", { class: "small quiet" }, ` ${wager.odds} · ${t(wager.stage)}`)),
    options.type
      ? h("input", { class: "field short", "aria-label": `${t(wager.bet)}: ${t("up or down")}`, placeholder: "−95", autocomplete: "off", oninput: (event) => typed(at, event.target.value) })
      : h("div", { class: "t-choices", role: "radiogroup", "aria-label": t(wager.bet) }, wager.choices.map((net) => h("label", { class: "t-choice" }, h("input", { type: "radio", name: `wager${at}`, onchange: () => { answers[at] = net; } }), amount(net))))));
  const panel = h("form", { class: "panel col", "data-refusals": "", onsubmit: (event) => {
    event.preventDefault();
    void mark(panel, { layout: drill.layout, answers }, (marks) => {
      for (const each of panel.querySelectorAll("input,button")) each.disabled = true;
      marks.lines.forEach((line, at) => rows[at].append(h("div", { class: `t-mark ${line.right ? "ok" : "no"}` }, h("b", {}, `${line.right ? "✓" : "✗"} ${amount(line.net)}`), h("p", { class: "small" }, line.says, " ", clauseTags(line.clauses, drill.book)), about(line.clauses, marks.clauses))));
      return [marks.right === marks.lines.length, h("details", {}, h("summary", {}, t("whole")), steps(marks.steps, {}, drill.book))];
    });
  } }, hands({ player: drill.player, banker: drill.banker }), h("h2", {}, t("what is paid")), h("ul", {}, rows), h("div", {}, h("button", { class: "button primary" }, t("check"))));
  return panel;
}

/** Something went wrong: what happens next, or who decides? Returns the panel. */
function irregularity(drill, options, mark) {
  const by = Object.fromEntries(["player", "banker", "aside"].map((name) => [name, drill.cards.filter((each) => each.area === name).map((each) => each.face)]));
  const choose = (answer) => mark(panel, { answer }, (marks) => {
    buttons.forEach((each, at) => {
      each.disabled = true;
      if (at === marks.answer) each.prepend("✓ ");
      each.classList.add(at === marks.answer ? "ok" : at === answer ? "no" : "other");
    });
    const all = [...marks.steps, ...(marks.asks ? [{ says: t("asked", { says: marks.asks.says }), clauses: marks.asks.basis?.clauses }] : [])];
    return [marks.right, h("p", {}, clauseTags(marks.clauses, drill.book)), about(marks.clauses, marks.summaries), steps(all, marks.summaries, drill.book)];
  });
  const buttons = drill.choices.map((words, at) => h("button", { type: "button", class: "choice", onclick: () => choose(at) }, words));
  const panel = h("section", { class: "panel col", "data-refusals": "" }, drill.cards.length > 0 && hands(by),
    h("p", { class: "small quiet" }, drill.wagers.map((each) => `${each.patron}: ${t(each.bet)} ${money(each.stake)}`).join(" · ")),
    h("h2", {}, said(drill.names)), h("p", { class: "t-story" }, drill.happened), h("h3", {}, t(drill.asks)), h("div", { class: "t-answers" }, buttons));
  return panel;
}

/** The view at /train; ?kind=irregularity&book=…&seed=… for a certain drill. */
export async function show(root) {
  document.title = `${t("train")} · Punto`;
  await Promise.all([style("/static/dealer.css"), style("/static/train.css")]);
  const options = { kind: "payout", book: "commission-insurance", ...Object.fromEntries(new URLSearchParams(location.search)) };
  const ids = await once("/api/books");
  const stage = h("div"), figures = h("p", { class: "row score", role: "status" });
  const books = h("select", { class: "field" }, ids.map((id) => h("option", { value: id }, id)));
  const layouts = h("select", { class: "field", onchange: () => { options.layout = layouts.value; void deal(); } });
  const type = h("input", { type: "checkbox", onchange: () => { options.type = type.checked; void deal(); } });
  const forPayouts = [labelled(t("layout"), layouts), h("label", { class: "tick small" }, type, t("type amounts"))];
  const draw = () => put(figures, t("score", { n: score.right, m: score.of }), h("b", {}, t("streak", { n: score.streak })));
  const deal = async () => {
    again.classList.remove("primary");
    for (const each of tabs) each.setAttribute("aria-pressed", String(each.dataset.kind === options.kind));
    for (const each of forPayouts) each.hidden = options.kind !== "payout";
    const path = `/api/drills/${options.kind}`, outcome = h("div", { class: "col", "aria-live": "polite" });
    const asked = new URLSearchParams(Object.entries({ book: options.book, layout: options.kind === "payout" ? options.layout : null, seed: options.seed }).filter(([, value]) => value));
    options.seed = null;
    try {
      const drill = await get(`${path}?${asked}`);
      const mark = async (panel, answer, tell) => {
        try {
          const [ok, ...more] = tell(await post(path, { book: drill.book, seed: drill.seed, ...answer }));
          Object.assign(score, { of: score.of + 1, right: score.right + ok, streak: ok ? score.streak + 1 : 0 });
          try { localStorage.setItem("trainer", JSON.stringify(score)); } catch { /* it holds for this page */ }
          put(outcome, h("p", { class: `verdict ${ok ? "ok" : "no"}` }, ok ? `✓ ${t("right")}` : `✗ ${t("wrong")}`), more);
          draw();
          again.classList.add("primary");
        } catch (refusal) {
          refuse(panel, refusal, drill.book);
        }
      };
      const panel = (options.kind === "payout" ? payout : irregularity)(drill, options, mark);
      panel.append(outcome, h("p", { class: "tiny quiet" }, `${drill.title} ${drill.layout ?? ""} · ${drill.seed}`));
      put(stage, panel);
    } catch (error) {
      put(stage, h("p", { class: "panel", role: "alert" }, error.message));
    }
  };
  const again = button(t("next drill"), () => void deal().then(() => stage.querySelector("input,button")?.focus()));
  const tabs = ["payout", "irregularity"].map((kind) => button(t(kind), () => { options.kind = kind; void deal(); }, { "data-kind": kind }));
  const fill = async () => {
    options.book = books.value;
    const found = Object.keys((await book(books.value)).layouts);
    put(layouts, found.map((each) => h("option", { value: each }, each)));
    layouts.value = options.layout = found.includes(options.layout) ? options.layout : found[0];
  };
  books.addEventListener("change", () => void fill().then(deal));
  books.value = ids.includes(options.book) ? options.book : ids[0];
  put(root, h("div", { class: "console train" }, h("header", { class: "row" }, h("h1", {}, t("train")), h("span", { class: "grow" }), figures),
    h("div", { class: "row t-bar" }, h("div", { class: "row", role: "group", "aria-label": t("train") }, tabs), labelled(t("book"), books), forPayouts, again), stage));
  draw();
  void Promise.all(ids.map(async (id, at) => { books.options[at].textContent = (await book(id)).title; })).catch(() => {});
  await fill();
  await deal();
}
