// The check of a virtual shoe, as docs/shoe.md tells it: everything is computed here, nothing is asked of the house.

import { bytesOf, hashesUnder, hashOfWord, hex } from "../base/shoe-hashes.js";

const RANKS = "A23456789TJQK";
const SUITS = "cdhs";
const CARDS_OF_A_DECK = 52;
const WORDS_OF_A_BLOCK = 16;
const SPAN = 65536; // how many different words of two bytes there are

/** The commitment to a seed, 64 hexadecimal digits; scheme 2 is the one with words of patrons. */
export async function commitmentOf(seed, decks, context, scheme) {
  const hashed = await hashesUnder(bytesOf(seed));
  return hex(await hashed(`punto-shoe-${scheme} commit`, [0, decks], context));
}

/** The seed that a shoe is shuffled by, of the house's own and the words of patrons in the order of their hashes. */
export async function seedWithWords(seed, decks, words) {
  const hashed = await hashesUnder(bytesOf(seed));
  return hex(await hashed("punto-shoe-2 seed", [0, decks, words.length], bytesOf(words.join(""))));
}

/** All cards of the shoe that a seed stands for, the first to be dealt first. */
export async function shuffled(seed, decks) {
  const cards = Array.from({ length: CARDS_OF_A_DECK * decks }, (_, at) => RANKS[at % 13] + SUITS[(at / 13) & 3]);
  const words = randomWords(seed, decks);
  for (let place = 0; place < cards.length - 1; place++) {
    const left = cards.length - place;
    let word = (await words.next()).value;
    while (word >= SPAN - (SPAN % left)) word = (await words.next()).value;
    const picked = place + (word % left);
    [cards[place], cards[picked]] = [cards[picked], cards[place]];
  }
  return cards;
}

/** Numbers of two bytes without end. */
async function* randomWords(seed, decks) {
  const hashed = await hashesUnder(bytesOf(seed));
  for (let number = 0; ; number++) {
    const block = new DataView((await hashed("punto-shoe-1 shuffle", [0, decks], bytesOfNumber(number))).buffer);
    for (let at = 0; at < WORDS_OF_A_BLOCK; at++) yield block.getUint16(2 * at);
  }
}

function bytesOfNumber(number) {
  return [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255];
}

/**
 * Check a shoe: {commitment, seed, decks, context, words, cards}. `words` is null where nobody was asked, else
 * [{patron, word, hash}], patron and hash where they are known; of `cards`, "?" is one that nobody saw.
 *
 * Resolves to {steps, fault, shoe}: what was found right, as [phrase, values] in order; the first thing that differs,
 * likewise, or null; and all cards of the shoe, where it came to that.
 */
export async function checkShoe({ commitment, seed, decks, context, words, cards }) {
  const steps = [];
  const given = await commitmentOf(seed, decks, context, words ? 2 : 1);
  if (given !== commitment) return { steps, fault: ["fault commitment", { commitment, given, decks, context }] };
  steps.push(["fits commitment", { decks, context }]);
  const fault = words && (await checkWords(words, commitment, steps));
  if (fault) return { steps, fault };
  let used = seed;
  if (words) {
    const inOrder = words.map(({ word }) => word);
    used = await seedWithWords(seed, decks, inOrder);
    steps.push(["seed of shoe", { n: used }]);
  }
  const shoe = await shuffled(used, decks);
  return { steps, fault: checkCards(shoe, cards, steps), shoe };
}

/** The first word that does not have the hash that was given for it, or null. */
async function checkWords(words, commitment, steps) {
  let compared = 0;
  for (const { patron, word, hash } of words) {
    const given = patron && (await hashOfWord(bytesOf(word), commitment, patron));
    if (hash && given !== hash) return ["fault word", { patron, hash, given }];
    compared += Boolean(hash);
    if (given) steps.push(["hash of word", { patron, hash: given }]);
  }
  steps.push(words.length ? ["fits words", { n: words.length, compared }] : ["no words given", {}]);
  return null;
}

function checkCards(shoe, cards, steps) {
  if (cards.length > shoe.length) return ["fault count", { dealt: cards.length, holds: shoe.length }];
  const at = cards.findIndex((card, place) => card !== "?" && card !== shoe[place]);
  if (at >= 0) return ["fault card", { place: at + 1, is: shoe[at], dealt: cards[at] }];
  const seen = cards.filter((card) => card !== "?").length;
  steps.push(cards.length ? ["fits cards", { dealt: cards.length, seen }] : ["no cards given", {}]);
  return null;
}
