// What a person typed about a shoe, as the check takes it; and what the house tells, as a person would type it.

import { readCards } from "../base/forms.js";
import { phrase } from "../base/language.js";
import "./phrases.js";

const MOST_DECKS = 12;
const HASH = /^[0-9a-f]{64}$/;
const WORD_LINE = /^(?:(.*?)\s+)??([0-9a-f]{64})(?:\s+([0-9a-f]{64}))?$/i;

function readHash(text, key) {
  const digits = text.trim().toLowerCase();
  if (!HASH.test(digits)) throw new Error(phrase("no hash", phrase(key)));
  return digits;
}

function readDecks(text) {
  const decks = Number(text);
  if (!Number.isInteger(decks) || decks < 1 || decks > MOST_DECKS) throw new Error(phrase("no decks"));
  return decks;
}

/** Lines of a patron's name, their word, and its hash where it is known. */
function readWords(text) {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, at) => {
    if (!line) return [];
    const found = WORD_LINE.exec(line);
    const [, patron = "", word, hash = ""] = found ?? [];
    if (!word || (hash && !patron)) throw new Error(phrase("no word", at + 1));
    return [{ patron, word: word.toLowerCase(), hash: hash.toLowerCase() }];
  });
}

function readDealt(text) {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.map((word) => (/^\?+$/.test(word) ? "?" : readCards(word)[0]));
}

/** What was typed, field by field, as `checkShoe` takes it; where that cannot be, an error that says why. */
export function readShoe(typed) {
  const words = readWords(typed.words);
  if (typed.scheme === "1" && words.length) throw new Error(phrase("words of scheme 1"));
  return {
    commitment: readHash(typed.commitment, "shoe commitment"),
    seed: readHash(typed.seed, "shoe seed"),
    decks: readDecks(typed.decks),
    context: typed.context,
    words: typed.scheme === "1" ? null : words,
    cards: readDealt(typed.cards),
  };
}

/** What the house tells of a shoe, as texts. */
export function typedShoe({ commitment, seed, decks, context, words, cards }) {
  const line = ({ patron, word, hash }) => [patron, word, hash].filter(Boolean).join(" ");
  return {
    commitment,
    seed,
    decks: String(decks),
    context,
    scheme: words ? "2" : "1",
    words: (words ?? []).map(line).join("\n"),
    cards: cards.join(" "),
  };
}
