// The trainer: a situation from a book, a question, then the clause and the arithmetic. The house knows the answers.

import { get, post } from "./base/api.js";
import { getBookBets, getBooks } from "./base/books.js";
import { button, fill, html, labelled } from "./base/dom.js";
import { optionsOf, selectField } from "./base/forms.js";
import { titleOf } from "./base/labels.js";
import { learn, phrase } from "./base/language.js";
import { attempt } from "./base/notes.js";
import { storage } from "./base/storage.js";
import "./staff/words.js";
import { irregularityDrill } from "./trainer/irregularity.js";
import { tick } from "./trainer/parts.js";
import { payoutDrill } from "./trainer/payout.js";

learn({
  "next drill": ["Next", "下一題"],
  score: ["{n} of {m} right", "答對 {n} / {m}"],
  streak: ["{n} in a row", "連對 {n}"],
  "type amounts": ["Type the amounts", "自行輸入金額"],
  right: ["Right", "正確"],
  wrong: ["Not so", "不對"],
});

const DRILLS = { payout: payoutDrill, irregularity: irregularityDrill };

class Trainer {
  #books;
  #kind = "payout";
  #book = "commission-insurance";
  #layout = null;
  #seed = null;
  #score = { right: 0, of: 0, streak: 0, ...storage.get("trainer") };

  #stage = html("div");
  #figures = html("p.row.score", { role: "status" });
  #titles = selectField([], { name: "book", onchange: () => this.#chooseBook() });
  #layouts = selectField([], { onchange: () => this.#chooseLayout() });
  #typesAmounts = html("input", { type: "checkbox", onchange: () => this.deal() });
  #forPayouts; // what only payouts need
  #next = button(phrase("next drill"), () => this.#dealAndFocus());
  #tabs = Object.keys(DRILLS).map((kind) => button(phrase(kind), () => this.#chooseKind(kind), { "data-kind": kind }));

  /** `wanted` may name the kind, the book, the layout and the seed of the first drill. */
  constructor(books, wanted) {
    this.#books = books;
    this.#kind = wanted.kind in DRILLS ? wanted.kind : this.#kind;
    this.#layout = wanted.layout ?? null;
    this.#seed = wanted.seed ?? null;
    this.#titles.setOptions(books.map(({ id, title, titles }) => [id, titleOf(id, title, titles)]));
    const book = wanted.book ?? this.#book;
    if (books.some(({ id }) => id === book)) this.#titles.value = book;
    this.#forPayouts = [
      labelled(phrase("layout"), this.#layouts),
      html("label.tick.small", this.#typesAmounts, phrase("type amounts")),
    ];
    this.#takeBook();
    this.#drawScore();
  }

  layOut() {
    const kinds = html("div.row", { role: "group", label: phrase("train") }, this.#tabs);
    return html(
      "div.console.train",
      html("header.row", html("h1", phrase("train")), html("span.grow"), this.#figures),
      html("div.row.t-bar", kinds, labelled(phrase("book"), this.#titles), this.#forPayouts, this.#next),
      this.#stage,
    );
  }

  /** Show another drill. */
  async deal() {
    const isPayout = this.#kind === "payout";
    this.#next.classList.remove("primary");
    for (const tab of this.#tabs) tab.setAttribute("aria-pressed", tab.dataset.kind === this.#kind);
    for (const part of this.#forPayouts) part.hidden = !isPayout;
    const query = { book: this.#book, layout: isPayout && this.#layout, seed: this.#seed };
    const asked = Object.entries(query).filter(([, value]) => value);
    this.#seed = null; // only the first drill is a certain one
    await attempt(this.#stage, null, async () => {
      const drill = await get(`/api/drills/${this.#kind}?${new URLSearchParams(asked)}`);
      const menu = await getBookBets(drill.book, drill.layout);
      fill(this.#stage, this.#drillPanel(this.#kind, drill, menu));
    });
  }

  #drillPanel(kind, drill, menu) {
    const verdict = html("div.col", { "aria-live": "polite" });
    const send = (panel, answer, showMarks) =>
      attempt(panel, drill.book, async () => {
        const given = { book: drill.book, seed: drill.seed, ...answer };
        const [right, ...more] = showMarks(await post(`/api/drills/${kind}`, given));
        const text = `${tick(right)} ${phrase(right ? "right" : "wrong")}`;
        fill(verdict, html(`p.verdict.${right ? "ok" : "no"}`, text), more);
        this.#count(right);
        this.#next.classList.add("primary");
      });
    const panel = DRILLS[kind](drill, { menu, typesAmounts: this.#typesAmounts.checked }, send);
    const { titles } = this.#books[this.#titles.selectedIndex];
    const title = titleOf(this.#book, drill.title, titles);
    panel.append(verdict, html("p.tiny.quiet", `${title} ${drill.layout ?? ""} · ${drill.seed}`));
    return panel;
  }

  async #dealAndFocus() {
    await this.deal();
    this.#stage.querySelector("input,button")?.focus();
  }

  #count(right) {
    const { right: before, of, streak } = this.#score;
    this.#score = { right: before + Number(right), of: of + 1, streak: right ? streak + 1 : 0 };
    storage.set("trainer", this.#score);
    this.#drawScore();
  }

  #drawScore() {
    const { right, of, streak } = this.#score;
    fill(this.#figures, phrase("score", { n: right, m: of }), html("b", phrase("streak", streak)));
  }

  #chooseKind(kind) {
    this.#kind = kind;
    void this.deal();
  }

  #chooseBook() {
    this.#takeBook();
    void this.deal();
  }

  #chooseLayout() {
    this.#layout = this.#layouts.value;
    void this.deal();
  }

  /** Take the chosen book, and its layouts. */
  #takeBook() {
    this.#book = this.#titles.value;
    const layouts = Object.keys(this.#books[this.#titles.selectedIndex].layouts);
    this.#layouts.setOptions(optionsOf(layouts, String));
    if (layouts.includes(this.#layout)) this.#layouts.value = this.#layout;
    this.#layout = this.#layouts.value;
  }
}

/** The view at /train; ?kind=irregularity&book=…&seed=… for a certain drill. */
export async function show(root) {
  document.title = `${phrase("train")} · Punto`;
  const wanted = Object.fromEntries(new URLSearchParams(location.search));
  const trainer = new Trainer(await getBooks(), wanted);
  fill(root, trainer.layOut());
  await trainer.deal();
}
