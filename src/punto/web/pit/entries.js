// Entries of a table's journal in words.

import { betName } from "../base/bet-names.js";
import { nameOf, phrase, sentence } from "../base/language.js";
import { money } from "../base/money.js";

const asIs = (value) => String(value);

/** How each field of an event is told, in the order in which they are told; `bets` are those of its table. */
const FIELDS = {
  patron: asIs,
  person: asIs,
  question: (question) => sentence(question),
  fact: nameOf,
  verb: nameOf,
  bet: (bet, event, bets) => betName(bets, bet),
  hand: (hand) => phrase(hand),
  area: (area) => phrase(area),
  faces: (faces) => faces.join(" "),
  winner: (winner) => phrase(winner),
  how: nameOf,
  post: nameOf,
  choice: nameOf,
  policy: (name, { value }) => `${nameOf(name)}: ${nameOf(value)}`,
  method: asIs,
  step: nameOf,
  stake: (amount) => money(amount),
  amount: (amount) => money(amount),
  number: (number) => `#${number}`,
  odds: asIs,
  says: (says, { message }) => sentence({ says, message }),
  reason: asIs,
  note: (says, { message }) => sentence({ says, message }),
};

/** What an event tells, without its name. */
export function eventText(event, bets) {
  const told = Object.entries(FIELDS).map(([name, tell]) => {
    const value = event[name] ?? null;
    return value === null ? "" : tell(value, event, bets);
  });
  return told.filter(Boolean).join(" · ");
}

/** The time of an entry, by the clock on the wall. */
export function clockText(at) {
  return at ? new Date(at).toLocaleTimeString("en-GB") : "";
}

/** Everybody whom an event names. */
export function peopleIn(event) {
  const named = [event.patron, event.person, event.patrons, event.question?.waiting, Object.keys(event.lines ?? {})];
  return named.flat().filter(Boolean);
}
