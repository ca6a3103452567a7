// The question that follows some steps.

import { nameOf, phrase, sentence } from "../base/language.js";

/** Who is asked then, and what. */
export function thenAskedText(question) {
  const asked = question.to === "patrons" ? question.waiting : [nameOf(question.to)];
  const key = asked.length > 1 ? "then all asked" : "then asked";
  return phrase(key, { who: asked.join(", "), says: sentence(question) });
}

/** A question as a step of its own, in a list; an empty list where nothing is asked. */
export function thenAsked(question) {
  if (!question) return [];
  return [{ says: thenAskedText(question), clauses: question.basis?.clauses }];
}
