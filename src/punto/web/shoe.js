// Check a virtual shoe: filled in from the house or by hand, and computed in this browser alone.

import { get } from "./base/api.js";
import { cardInline } from "./base/cards.js";
import { button, fill, html, labelled } from "./base/dom.js";
import { selectField } from "./base/forms.js";
import { language, phrase } from "./base/language.js";
import { attempt } from "./base/notes.js";
import { canHash } from "./base/shoe-hashes.js";
import { shoesNoted, wordNoted } from "./base/shoe-notes.js";
import { checkShoe } from "./shoe/check.js";
import "./shoe/phrases.js";
import { readShoe, typedShoe } from "./shoe/read.js";

const timeOf = (at) => new Date(at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "medium" });

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
    const list = selectField(tables.map(({ name, title }) => [name, `${name} · ${title}`]));
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
    const typed = { ...typedShoe(shoe), commitment: this.#noted()?.commitment ?? shoe.commitment };
    for (const [name, text] of Object.entries(typed)) this.#fields[name].value = text;
    fill(this.#filled, html("p.quiet.small", phrase("older shoes", this.#table)));
    if (canHash()) await this.#check();
  }

  /** What this browser noted of the shoe that the house told of: what the house says, if that is among it. */
  #noted() {
    const notes = this.#notes;
    return notes.find(({ commitment }) => commitment === this.#told.commitment) ?? notes[0];
  }

  get #notes() {
    return shoesNoted(this.#table).filter(({ number }) => number === this.#told?.number);
  }

  async #check() {
    const typed = Object.fromEntries(Object.entries(this.#fields).map(([name, field]) => [name, field.value]));
    const result = await attempt(this.#form, null, async () => {
      const given = readShoe(typed);
      return { given, ...(await checkShoe(given)) };
    });
    fill(this.#found, result && this.#verdict(result));
  }

  #verdict({ given, steps, fault, shoe }) {
    const told = fault ? "verdict not" : given.cards.length ? "verdict fits" : "verdict seed";
    const item = (mark, [key, values]) =>
      html("li", { class: fault && mark === "✗" && "waits" }, `${mark} `, phrase(key, values));
    return html(
      "section.panel.col.shoe-verdict",
      { class: fault ? "not" : "fits" },
      html("h2", `${fault ? "✗" : "✓"} ${phrase(told)}`),
      html("p", this.#source(given.commitment)),
      this.#warnings(given.commitment).map((text) => html("p.waits", text)),
      html(
        "ul.col.small",
        steps.map((step) => item("✓", step)),
        fault && item("✗", fault),
      ),
      given.words && this.#ownWord(given),
      shoe && given.cards.length > 0 && dealtCards(shoe, given.cards),
    );
  }

  /** What the commitment is that was used. */
  #source(commitment) {
    const note = this.#notes.find((each) => each.commitment === commitment);
    if (note) return phrase(note.fresh ? "source fresh" : "source late", timeOf(note.at));
    return phrase(this.#told?.commitment === commitment ? "source house" : "source typed");
  }

  #warnings(commitment) {
    if (!this.#told) return [];
    const others = this.#notes.filter((note) => note.commitment !== commitment);
    const noted = others.map((note) => phrase("noted another", { at: timeOf(note.at), commitment: note.commitment }));
    const isAnother = this.#told.commitment !== commitment;
    return isAnother ? [phrase("house says another", this.#told.commitment), ...noted] : noted;
  }

  #ownWord({ commitment, words }) {
    const own = this.#table && wordNoted(this.#table, commitment);
    if (!own) return null;
    return html("p.small", phrase(words.some(({ word }) => word === own) ? "own word in" : "own word out"));
  }
}

function codeField(tag, rows) {
  return html(`${tag}.field.code`, { rows, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
}

/** The cards that left the shoe; those that nobody saw are dim, one that differs is marked. */
function dealtCards(shoe, cards) {
  const sign = (card, at) => {
    const kind = card === "?" ? "unseen-card" : card !== shoe[at] && "other-card";
    return html("li", { class: kind }, cardInline(shoe[at]));
  };
  const list = html("ol.shoe-cards", cards.slice(0, shoe.length).map(sign));
  return html("details.small", html("summary", phrase("cards of shoe", cards.length)), list);
}
