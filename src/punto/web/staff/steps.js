// The question that follows some steps.

import { nameOf, phrase, sentence } from "../base/language.js";

/** A question as a step of its own, in a list; an empty list where nothing is asked. */
export function thenAsked(question) {
  if (!question) return [];
  const who = question.to === "patrons" ? question.waiting.join(", ") : nameOf(question.to);
  return [{ says: phrase("then asked", { who, says: sentence(question) }), clauses: question.basis?.clauses }];
}
