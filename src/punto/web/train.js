// The trainer: a random situation from a book, a question, then the clause and the arithmetic. The house knows the answers.

import { book, get, once, post } from "./base/api.js";
import { cardBack, cardFace } from "./base/cards.js";
import { button, h, put, style } from "./base/dom.js";
import { minor, money } from "./base/money.js";
import { clauseTags, printed, refuse, say } from "./base/notes.js";
import { learn, t } from "./base/words.js";
import { labelled } from "./dealer/forms.js";
import { said } from "./dealer/words.js";

learn({
  trainer: ["Trainer", "練習"], payouts: ["Payouts", "賠付"], irregularities: ["Irregularities", "異常處理"], "next drill": ["Next", "下一題"], check: ["Check", "核對"], score: ["{n} of {m} right", "答對 {n} / {m}"], streak: ["{n} in a row", "連對 {n}"],
  "what is paid": ["What is each wager paid?", "每注如何賠付？"], "type amounts": ["Type the amounts", "自行輸入金額"], right: ["Right", "正確"], wrong: ["Not so", "不對"], whole: ["The whole account", "完整說明"], lost: ["loses {n}", "輸 {n}"], back: ["comes back", "退回"], wins: ["wins {n}", "贏 {n}"],
  "What happens next?": ["What happens next?", "接着如何處理？"], "Who decides?": ["Who decides?", "由誰決定？"], "after four": ["after four cards", "四張牌後"], "after third": ["after the Player's third card", "閒第三張後"], "up or down": ["+ or − what the patron is up or down", "客人輸贏（+ 或 −）"], "drill number": ["Drill {n}", "題號 {n}"],
  asked: ["Then asked: {says}", "然後詢問：{says}"],
});

const KEY = "trainer";
const load = () => { try { return { right: 0, of: 0, streak: 0, best: 0, ...JSON.parse(localStorage.getItem(KEY)) }; } catch { return { right: 0, of: 0, streak: 0, best: 0 }; } };
const score = load();
function mark(ok) {
  score.of += 1;
  score.right += ok ? 1 : 0;
  score.streak = ok ? score.streak + 1 : 0;
  score.best = Math.max(score.best, score.streak);
  try { localStorage.setItem(KEY, JSON.stringify(score)); } catch { /* it holds for this page */ }
}

const cards = (faces) => h("ul", { class: "d-spots" }, faces.map((face, at) => h("li", { class: `d-spot${at === 2 ? " d-sideways" : ""}` }, face ? cardFace(face) : cardBack())));
const hands = (player, banker, more) => h("div", { class: "d-lay" }, [["player", player], ["banker", banker], ["aside", more]].map(([name, faces]) => faces?.length > 0 && h("div", { class: `d-lay-hand ${name}` }, h("h3", {}, t(name)), cards(faces))));
const amount = (net) => (net < 0 ? t("lost", { n: money(-net) }) : net === 0 ? t("back") : t("wins", { n: money(net) }));
const steps = (list, found, id) => h("ol", { class: "steps" }, list.map((each) => h("li", {}, h("span", {}, each.says), " ", clauseTags(each.clauses, id), (each.clauses ?? []).map((clause) => found[printed(clause)]).filter(Boolean).slice(0, 1).map((says) => h("p", { class: "tiny quiet" }, says)))));
const verdict = (ok) => h("p", { class: `verdict ${ok ? "ok" : "no"}`, role: "status" }, ok ? `✓ ${t("right")}` : `✗ ${t("wrong")}`);

/** A coup with wagers: what is each paid? */
async function payout(root, options, done) {
  const drill = await get(`/api/drills/payout?${new URLSearchParams({ book: options.book, ...(options.layout ? { layout: options.layout } : {}), ...(options.seed ? { seed: options.seed } : {}) })}`);
  const answers = drill.wagers.map(() => null);
  const outcome = h("div", { class: "col", "aria-live": "polite" });
  const rows = drill.wagers.map((wager, at) => {
    const name = `wager${at}`;
    const ask = options.type
      ? h("input", { class: "field short", inputmode: "text", "aria-label": `${t(wager.bet)}: ${t("up or down")}`, placeholder: "+95", oninput: (event) => {
        const found = /^([+−-]?)(.*)$/.exec(event.target.value.trim());
        const value = minor(found[2]);
        answers[at] = value === null ? null : found[1] && found[1] !== "+" ? -value : value;
      } })
      : h("div", { class: "t-choices", role: "radiogroup", "aria-label": t(wager.bet) }, wager.choices.map((net) => h("label", { class: "t-choice" }, h("input", { type: "radio", name, onchange: () => { answers[at] = net; } }), h("span", {}, amount(net)))));
    return h("li", { class: "t-wager" }, h("p", {}, h("b", {}, t(wager.bet)), " ", h("span", { class: "money" }, money(wager.stake)), wager.odds && h("span", { class: "small quiet" }, ` ${wager.odds} · ${t(wager.stage === "four-cards" ? "after four" : "after third")}`)), ask);
  });
  const check = h("button", { class: "button primary" }, t("check"));
  const form = h("form", { class: "panel col", "data-refusals": "", onsubmit: async (event) => {
    event.preventDefault();
    let marks;
    try { marks = await post("/api/drills/payout", { book: drill.book, layout: drill.layout, seed: drill.seed, answers }); } catch (refusal) { return void refuse(form, refusal, drill.book); }
    const ok = marks.right === marks.lines.length;
    mark(ok);
    for (const each of form.querySelectorAll("input,button")) each.disabled = true;
    marks.lines.forEach((line, at) => rows[at].append(h("div", { class: `t-mark ${line.right ? "ok" : "no"}` }, h("b", {}, `${line.right ? "✓" : "✗"} ${amount(line.net)}`), h("p", { class: "small" }, line.says, " ", clauseTags(line.clauses, drill.book)), line.clauses.slice(0, 1).map((clause) => marks.clauses[clause] && h("p", { class: "tiny quiet" }, marks.clauses[clause])))));
    put(outcome, verdict(ok), h("details", {}, h("summary", {}, t("whole")), steps(marks.steps, {}, drill.book)));
    done(ok);
  } }, hands(drill.player, drill.banker), h("h2", {}, t("what is paid")), h("ul", { class: "t-wagers" }, rows), h("div", { class: "row" }, check, h("span", { class: "tiny quiet" }, `${drill.title} · ${drill.layout} · ${t("drill number", { n: drill.seed })}`)), outcome);
  put(root, form);
}

/** Something went wrong: what happens next, or who decides? */
async function irregularity(root, options, done) {
  const drill = await get(`/api/drills/irregularity?${new URLSearchParams({ book: options.book, ...(options.seed ? { seed: options.seed } : {}) })}`);
  const area = (name) => drill.cards.filter((each) => each.area === name).map((each) => each.face);
  const outcome = h("div", { class: "col", "aria-live": "polite" });
  const choose = async (answer) => {
    let marks;
    try { marks = await post("/api/drills/irregularity", { book: drill.book, seed: drill.seed, answer }); } catch (refusal) { return void refuse(panel, refusal, drill.book); }
    mark(marks.right);
    buttons.forEach((each, at) => { each.disabled = true; each.classList.toggle("ok", at === marks.answer); each.classList.toggle("no", at === answer && !marks.right); if (at === marks.answer) each.prepend("✓ "); });
    const all = [...marks.steps, ...(marks.asks ? [{ says: t("asked", { says: marks.asks.says }), clauses: marks.asks.basis?.clauses ?? [] }] : [])];
    put(outcome, verdict(marks.right), h("p", {}, clauseTags(marks.clauses, drill.book), " ", marks.clauses.map((clause) => marks.summaries[clause]).filter(Boolean)[0]), steps(all, marks.summaries, drill.book));
    done(marks.right);
  };
  const buttons = drill.choices.map((words, at) => h("button", { type: "button", class: "choice", onclick: () => choose(at) }, words));
  const panel = h("section", { class: "panel col", "data-refusals": "" },
    drill.cards.length > 0 && hands(area("player"), area("banker"), area("aside")),
    h("p", { class: "small quiet" }, drill.wagers.map((each) => `${each.patron}: ${t(each.bet)} ${money(each.stake)}`).join(" · ")),
    h("h2", {}, said(drill.names)), h("p", { class: "t-story" }, drill.happened), h("h3", {}, t(drill.asks)), h("div", { class: "t-answers" }, buttons), outcome,
    h("p", { class: "tiny quiet" }, `${drill.title} · ${t("drill number", { n: drill.seed })}`));
  put(root, panel);
}

/** The view at /train. */
export async function show(root) {
  document.title = `${t("trainer")} · Punto`;
  await Promise.all([style("/static/dealer.css"), style("/static/train.css")]);
  const asked = new URLSearchParams(location.search);
  const options = { kind: asked.get("kind") === "irregularity" ? "irregularity" : "payout", book: asked.get("book") ?? "commission-insurance", layout: asked.get("layout"), seed: asked.get("seed"), type: false };
  const ids = await once("/api/books");
  const stage = h("div"), figures = h("p", { class: "row score", role: "status" });
  const books = h("select", { class: "field" }, ids.map((id) => h("option", { value: id }, id)));
  const layouts = h("select", { class: "field" }), layoutLabel = labelled(t("layout"), layouts);
  const type = h("input", { type: "checkbox", onchange: () => { options.type = type.checked; void deal(); } });
  const typeLabel = h("label", { class: "tick small" }, type, t("type amounts"));
  books.value = ids.includes(options.book) ? options.book : ids[0];
  const draw = () => put(figures, h("span", {}, t("score", { n: score.right, m: score.of })), h("b", {}, t("streak", { n: score.streak })));
  const done = (ok) => { draw(); again.classList.add("primary"); say(ok ? t("right") : t("wrong")); };
  const deal = async () => {
    again.classList.remove("primary");
    try {
      await (options.kind === "payout" ? payout : irregularity)(stage, options, done);
    } catch (error) {
      put(stage, h("p", { class: "panel", role: "alert" }, error.message));
    }
    options.seed = null;
  };
  const again = button(t("next drill"), () => void deal().then(() => stage.querySelector("input,button")?.focus()));
  const tabs = ["payout", "irregularity"].map((kind) => button(t(kind === "payout" ? "payouts" : "irregularities"), () => { options.kind = kind; turn(); void deal(); }, { "data-kind": kind }));
  const turn = () => {
    for (const each of tabs) each.setAttribute("aria-pressed", String(each.dataset.kind === options.kind));
    layoutLabel.hidden = typeLabel.hidden = options.kind !== "payout";
  };
  const fill = async () => {
    const found = await book(books.value);
    options.book = books.value;
    put(layouts, Object.keys(found.layouts).map((each) => h("option", { value: each }, each)));
    if (options.layout in found.layouts) layouts.value = options.layout;
    options.layout = layouts.value;
    for (const each of books.options) if (each.value === books.value) each.textContent = found.title;
  };
  books.addEventListener("change", () => void fill().then(deal));
  layouts.addEventListener("change", () => { options.layout = layouts.value; void deal(); });
  put(root, h("div", { class: "console train" }, h("header", { class: "row" }, h("h1", {}, t("trainer")), h("span", { class: "grow" }), figures),
    h("div", { class: "row t-bar" }, h("div", { class: "row", role: "group", "aria-label": t("trainer") }, tabs), labelled(t("book"), books), layoutLabel, typeLabel, again), stage));
  turn();
  draw();
  void Promise.all(ids.map(async (id, at) => { books.options[at].textContent = (await book(id)).title; })).catch(() => {});
  await fill();
  await deal();
}
