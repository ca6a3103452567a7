// Ranks and suits, for entering and counting cards.

export const RANKS = Array.from("A23456789TJQK");
export const SUITS = { s: "♠", h: "♥", c: "♣", d: "♦" };
export const SUIT_NAMES = { s: "spades", h: "hearts", c: "clubs", d: "diamonds" };

export function rankText(rank) {
  return rank === "T" ? "10" : rank;
}
