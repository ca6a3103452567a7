// What this browser noted of shoes when it first saw them, so that a check rests on that and not on what is said later.

import { storage } from "./storage.js";

const KEPT = 12; // shoes and words of each table

const placeOf = (kind, table) => `${kind} ${table}`;

function add(kind, table, note) {
  const place = placeOf(kind, table);
  storage.set(place, [note, ...(storage.get(place) ?? [])].slice(0, KEPT));
}

/** What was noted of shoes of a table: [{number, commitment, at, fresh}], the newest first. */
export function shoesNoted(table) {
  return storage.get(placeOf("shoes", table)) ?? [];
}

/** Note what the house has committed to, once; `fresh` where no card of the shoe was dealt yet. */
export function noteShoe(table, number, commitment, fresh) {
  const isNoted = (note) => note.number === number && note.commitment === commitment;
  if (commitment && !shoesNoted(table).some(isNoted))
    add("shoes", table, { number, commitment, at: Date.now(), fresh });
}

/** The word that this browser drew for the shoe with this commitment, or undefined. */
export function wordNoted(table, commitment) {
  const words = storage.get(placeOf("words", table)) ?? [];
  return words.find((note) => note.commitment === commitment)?.word;
}

export function noteWord(table, commitment, word) {
  add("words", table, { commitment, word });
}
