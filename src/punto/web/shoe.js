// Check a virtual shoe: filled in from the house or by hand, and computed in this browser alone.

import { get } from "./base/api.js";
import { button, fill, html, labelled } from "./base/dom.js";
import { selectField } from "./base/forms.js";
import { titleOf } from "./base/labels.js";
import { phrase } from "./base/language.js";
import { attempt } from "./base/notes.js";
import { canHash } from "./base/shoe-hashes.js";
import { checkShoe } from "./shoe/check.js";
import "./shoe/phrases.js";
import { readShoe } from "./shoe/read.js";
import { typedAsNoted, verdict } from "./shoe/verdict.js";

export async function show(root, { params, go }) {
  document.title = `Punto · ${phrase("check a shoe")}`;
  const page = new ShoeCheck(params.name, go);
  fill(root, page.element);
  await (params.name ? page.fillIn() : page.offerTables());
}

class ShoeCheck {
  #table;
  #go;
  #told = null; // what the house said of the shoe, if it was asked
  #filled = html("div.col");
  #found = html("div", { role: "status" });
  #form;
  #fields = {
    commitment: codeField("input"),
    seed: codeField("input"),
    context: codeField("input"),
    decks: html("input.field", { type: "number", min: 1, max: 12, value: "8" }),
    scheme: selectField(["1", "2"].map((scheme) => [scheme, phrase(`scheme ${scheme}`)])),
    words: codeField("textarea", 2),
    cards: codeField("textarea", 6),
  };

  constructor(table, go) {
    this.#table = table;
    this.#go = go;
    this.#form = this.#layOutForm();
    const head = html(
      "header.col",
      html("h1", phrase("check a shoe")),
      html("p.lead", phrase("check line")),
      html("p.quiet", phrase("check how")),
    );
    this.element = html("div.shoe-check.col", head, this.#filled, this.#found, this.#form);
  }

  #layOutForm() {
    const { commitment, seed, decks, context, scheme, words, cards } = this.#fields;
    const submit = html("button.button.primary", { type: "submit", disabled: !canHash() }, phrase("check it"));
    return html(
      "form.panel.col",
      { novalidate: true, onsubmit: () => this.#check() },
      labelled(phrase("shoe commitment"), commitment),
      labelled(phrase("shoe seed"), seed),
      html("div.shoe-pair", labelled(phrase("shoe context"), context), labelled(phrase("shoe decks"), decks)),
      labelled(phrase("shoe scheme"), scheme),
      labelled(phrase("words by patron"), words),
      labelled(phrase("cards in order"), cards),
      html("div.row", submit),
      !canHash() && html("p.waits", phrase("cannot hash")),
    );
  }

  /** Without a table, one can be chosen; where the house cannot be asked, everything is typed. */
  async offerTables() {
    const tables = await get("/api/tables").catch(() => []);
    if (!tables.length) return;
    const list = selectField(
      tables.map(({ name, book, title, titles }) => [name, `${name} · ${titleOf(book, title, titles)}`]),
    );
    const fillIn = button(phrase("fill in"), () => this.#go(`/shoe/${list.read()}`));
    fill(this.#filled, html("div.panel.row.shoe-tables", labelled(phrase("from house"), list), fillIn));
  }

  /** Fill in the last shoe of the table as the house tells it, but the commitment as this browser noted it. */
  async fillIn() {
    const told = await attempt(this.#filled, null, async () => [await get(`/api/tables/${this.#table}/shoes/last`)]);
    if (!told) return;
    const [shoe] = told;
    if (!shoe?.commitment) {
      fill(this.#filled, html("p.panel", phrase(shoe ? "dealt by hand" : "none ended")));
      return;
    }
    this.#told = shoe;
    const typed = typedAsNoted(this.#table, shoe);
    for (const [name, text] of Object.entries(typed)) this.#fields[name].value = text;
    fill(this.#filled, html("p.quiet.small", phrase("older shoes", this.#table)));
    if (canHash()) await this.#check();
  }

  async #check() {
    const typed = Object.fromEntries(Object.entries(this.#fields).map(([name, field]) => [name, field.value]));
    const result = await attempt(this.#form, null, async () => {
      const given = readShoe(typed);
      return { given, ...(await checkShoe(given)) };
    });
    fill(this.#found, result && verdict(this.#table, this.#told, result));
  }
}

function codeField(tag, rows) {
  return html(`${tag}.field.code`, { rows, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
}
