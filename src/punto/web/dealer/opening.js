// Opening a table: a book, a layout, a shoe, the limits. What the book forbids, it says.

import { book, command, get } from "../base/api.js";
import { h, put } from "../base/dom.js";
import { minor } from "../base/money.js";
import { refuse } from "../base/notes.js";
import { t } from "../base/words.js";
import { labelled, select } from "./desk.js";

/** The time with its zone, as the house writes it. */
function now() {
  const at = new Date(), off = -at.getTimezoneOffset(), two = (n) => String(Math.trunc(Math.abs(n))).padStart(2, "0");
  return `${new Date(at.getTime() + off * 60000).toISOString().slice(0, 19)}${off < 0 ? "-" : "+"}${two(off / 60)}:${two(off % 60)}`;
}

export function opening(go) {
  const books = h("select", { class: "field", name: "book" });
  const layouts = h("select", { class: "field", name: "layout" });
  const field = (name, value, props = {}) => h("input", { class: "field", name, value, ...props });
  const form = h("form", { class: "col", "data-refusals": "", onsubmit: async (event) => {
    event.preventDefault();
    const of = (name) => form.elements[name].value.trim();
    const name = of("table");
    try {
      await command(name, {
        do: "open-table", book: of("book"), layout: of("layout"), at: now(), decks: Number(of("decks")), shoe: of("shoe"), "face-down": form.elements.down.checked, currency: of("currency"), acknowledged: true,
        auto: of("shoe") === "virtual" ? ["announce", "offer"] : [], limits: { minimum: minor(of("minimum")), maximum: minor(of("maximum")), differential: minor(of("differential")), unit: 100 },
      });
      go(`/dealer/${name}`);
    } catch (refusal) {
      refuse(form, refusal, of("book"), { for: 0 });
    }
  } },
    h("div", { class: "row" }, labelled(t("name"), field("table", "", { required: true, pattern: "[a-z0-9][a-z0-9-]*", autocapitalize: "none", placeholder: "salon-1" })), labelled(t("book"), books), labelled(t("layout"), layouts),
      labelled(t("shoe"), select(["hand", "read", "virtual"].map((each) => [each, t(`${each} shoe`)]), { name: "shoe" })), labelled(t("decks"), field("decks", "8", { inputmode: "numeric" }))),
    h("div", { class: "row" }, labelled(t("min"), field("minimum", "10")), labelled(t("max"), field("maximum", "2000")), labelled(t("differential"), field("differential", "5000")), labelled("USD", field("currency", "USD", { maxlength: 3 })),
      h("label", { class: "tick" }, h("input", { type: "checkbox", name: "down" }), t("face down box"))),
    h("div", {}, h("button", { class: "button" }, t("open a table"))));
  const fill = async () => {
    const found = await book(books.value);
    put(layouts, Object.keys(found.layouts).map((each) => h("option", { value: each }, each)));
  };
  books.addEventListener("change", () => void fill());
  void get("/api/books").then((ids) => { put(books, ids.map((each) => h("option", { value: each }, each))); return fill(); }).catch(() => {});
  return h("details", { class: "panel" }, h("summary", {}, h("h2", {}, t("open a table"))), form);
}
