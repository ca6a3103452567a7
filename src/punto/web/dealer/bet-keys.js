// Which key lays chips on which bet, and which chooses a chip.

/** The keys of the five chips. */
export const CHIP_KEYS = Array.from("asdfg");
export const UNDO_KEY = "u";
export const LAST_ROUND_KEY = "l"; // with Shift: for everybody

const TAKEN = [...CHIP_KEYS, UNDO_KEY, LAST_ROUND_KEY];
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");

/** Keys for the bets of a menu, by their ids: a letter of the id, else any that is left; none where all are taken. */
export function betKeys(ids) {
  const keys = new Map();
  const taken = new Set(TAKEN);
  for (const id of ids) {
    const key = [...id, ...LETTERS].find((letter) => LETTERS.includes(letter) && !taken.has(letter));
    if (key) taken.add(key);
    keys.set(id, key ?? null);
  }
  return keys;
}
