// Clauses of the books: small tags, what they say, and steps that rest on them.

import { fill, html } from "./dom.js";
import { hasPhrase, learn, loadClauses, phrase, saidOfClause, sentence } from "./language.js";

learn({
  clause: ["Clause", "條文"],
  "clause front": ["front page", "封面"],
  "clause end": ["last page", "末頁"],
});

/** The language of what the indexes say about clauses and readings, where the page's own has no text of it. */
const OF_INDEXES = "en";

/** What an index says about a clause or a reading, in the language of the page if it can be, as such an element. */
export function indexText(name, english) {
  const known = saidOfClause(english);
  if (known) return html(name, known);
  const element = html(name, { lang: OF_INDEXES }, english);
  void loadClauses().then(() => {
    const told = saidOfClause(english);
    if (told) fill(element, told).removeAttribute("lang");
  });
  return element;
}

/** How the casino of a book is written on a tag. */
const CASINOS = {
  "commission-insurance": "RWS",
  "da-hu-ying-xiong": "RWS",
  "wu-song": "RWS",
  "dragon-tiger-mbs": "MBS",
  "dragon-tiger-hoiana": "Hoiana",
};

/** "4.1.1#banker-6" → "4.1.1": our names for parts of a clause are not printed in the book. */
export function printedClause(clause) {
  return String(clause).split("#")[0];
}

/** Clauses as small tags: ["5.3#a"] of wu-song → `RWS 5.3`. */
export function clauseTags(clauses, book) {
  const printed = new Set((clauses ?? []).map(printedClause));
  const tag = (clause) => {
    const number = hasPhrase(`clause ${clause}`) ? phrase(`clause ${clause}`) : clause;
    return html("span.clause", { title: `${phrase("clause")} ${number}` }, `${CASINOS[book] ?? ""} ${number}`.trim());
  };
  return html("span.clauses", Array.from(printed, tag));
}

/** Clauses behind the tag of the first: a tap shows the others. */
export function foldedClauses(clauses, book) {
  const tags = clauseTags(clauses, book);
  const [first, ...others] = tags.children;
  if (!others.length) return tags;
  first.append(` +${others.length}`);
  return html("details.clauses.folded", html("summary", first), html("span.clauses", others));
}

/** What the first of some clauses says of which `summaries` knows anything. */
export function clauseSummary(clauses, summaries) {
  const known = (clauses ?? []).map((clause) => summaries?.[printedClause(clause)]).find(Boolean);
  return known && indexText("p.tiny.quiet", known);
}

/** Steps with their clauses, as a numbered list. */
export function stepList(steps, book, summaries) {
  const item = ({ says, message, clauses, after }) =>
    html(
      "li",
      html("span", sentence({ says, message }), after),
      " ",
      clauseTags(clauses, book),
      clauseSummary(clauses, summaries),
    );
  return html("ol.steps", steps.map(item));
}
