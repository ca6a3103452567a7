// Entries of a table's journal in words.

import { betName } from "../base/bet-names.js";
import { cardText } from "../base/cards.js";
import { oddsText } from "../base/labels.js";
import { hasPhrase, inLanguage, nameOf, noted, phrase, sentence } from "../base/language.js";
import { money } from "../base/money.js";

const asIs = (value) => String(value);

/** What facts are called, in English and Chinese, as the house told it. */
const factNames = new Map();

export function knowFacts(facts) {
  for (const { fact, names } of facts) factNames.set(fact, names);
}

/** What readings of the book are about, and their choices, in the same way. */
const policyNames = new Map();

export function knowPolicies(policies) {
  for (const { name, names, value_names: values } of policies) policyNames.set(name, { names, values });
}

function policyText(name, { value }) {
  const known = policyNames.get(name);
  if (!known) return noted(nameOf(name), nameOf(value));
  return noted(inLanguage(known.names), inLanguage(known.values[value] ?? [value, value]));
}

/** How each field of an event is told, in the order in which they are told; `bets` are those of its table. */
const FIELDS = {
  patron: asIs,
  person: asIs,
  question: (question) => sentence(question),
  fact: (fact) => (factNames.has(fact) ? inLanguage(factNames.get(fact)) : nameOf(fact)),
  verb: nameOf,
  bet: (bet, event, bets) => betName(bets, bet),
  hand: (hand) => phrase(hand),
  area: (area) => phrase(area),
  faces: (faces) => faces.map(cardText).join(" "),
  winner: (winner) => phrase(winner),
  how: nameOf,
  post: nameOf,
  choice: nameOf,
  policy: policyText,
  method: asIs,
  step: (step) => (hasPhrase(`step ${step}`) ? phrase(`step ${step}`) : nameOf(step)),
  stake: (amount) => money(amount),
  amount: (amount) => money(amount),
  number: (number) => `#${number}`,
  odds: oddsText,
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

/** The same without seconds. */
export function timeText(at) {
  return clockText(at).slice(0, 5);
}

/** How long something has waited, from seconds: "40 s", "12 min", "3 h 5 min". */
export function ageText(seconds) {
  if (seconds < 60) return phrase("seconds old", Math.max(0, Math.floor(seconds)));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return phrase("minutes old", minutes);
  return phrase("hours old", { h: Math.floor(minutes / 60), m: minutes % 60 });
}

/** Everybody whom an event names. */
export function peopleIn(event) {
  const named = [event.patron, event.person, event.patrons, event.question?.waiting, Object.keys(event.lines ?? {})];
  return named.flat().filter(Boolean);
}
