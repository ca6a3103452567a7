// What the check of a shoe has found, and what it was held against: on the page of the check and at the table.

import { cardInline } from "../base/cards.js";
import { html } from "../base/dom.js";
import { language, phrase } from "../base/language.js";
import { shoesNoted, wordNoted } from "../base/shoe-notes.js";
import { checkShoe } from "./check.js";
import { readShoe, typedShoe } from "./read.js";

const timeOf = (at) => new Date(at).toLocaleString(language(), { dateStyle: "medium", timeStyle: "medium" });

/** What this browser noted of the shoe that the house `told` of. */
function notesOf(table, told) {
  return shoesNoted(table).filter(({ number }) => number === told?.number);
}

/** A shoe as the house tells it, but the commitment as this browser noted it: the house's own, if that is among it. */
export function typedAsNoted(table, told) {
  const notes = notesOf(table, told);
  const noted = notes.find(({ commitment }) => commitment === told.commitment) ?? notes[0];
  return { ...typedShoe(told), commitment: noted?.commitment ?? told.commitment };
}

/** Check a shoe that the house told of; resolves to what is to be shown. */
export async function checkTold(table, told) {
  const given = readShoe(typedAsNoted(table, told));
  return verdict(table, told, { given, ...(await checkShoe(given)) });
}

/** What was found, of a shoe as it was `given`; `told` is what the house said of it, if it was asked. */
export function verdict(table, told, { given, steps, fault, shoe }) {
  const key = fault ? "verdict not" : given.cards.length ? "verdict fits" : "verdict seed";
  const item = (mark, [step, values]) =>
    html("li", { class: fault && mark === "✗" && "waits" }, `${mark} `, phrase(step, values));
  const notes = notesOf(table, told);
  return html(
    "section.panel.col.shoe-verdict",
    { class: fault ? "not" : "fits" },
    html("h2", `${fault ? "✗" : "✓"} ${phrase(key)}`),
    html("p", sourceOf(given.commitment, notes, told)),
    warnings(given.commitment, notes, told).map((text) => html("p.waits", text)),
    html(
      "ul.col.small",
      steps.map((step) => item("✓", step)),
      fault && item("✗", fault),
    ),
    given.words && ownWord(table, given),
    shoe && given.cards.length > 0 && dealtCards(shoe, given.cards),
  );
}

/** What the commitment is that was used. */
function sourceOf(commitment, notes, told) {
  const note = notes.find((each) => each.commitment === commitment);
  if (note) return phrase(note.fresh ? "source fresh" : "source late", timeOf(note.at));
  return phrase(told?.commitment === commitment ? "source house" : "source typed");
}

function warnings(commitment, notes, told) {
  if (!told) return [];
  const others = notes.filter((note) => note.commitment !== commitment);
  const noted = others.map((note) => phrase("noted another", { at: timeOf(note.at), commitment: note.commitment }));
  const isAnother = told.commitment !== commitment;
  return isAnother ? [phrase("house says another", told.commitment), ...noted] : noted;
}

function ownWord(table, { commitment, words }) {
  const own = table && wordNoted(table, commitment);
  if (!own) return null;
  return html("p.small", phrase(words.some(({ word }) => word === own) ? "own word in" : "own word out"));
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
