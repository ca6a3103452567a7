// What the book does about a report: its steps, what they move from hand to hand, and what comes next.

import { clauseTags, stepList } from "../base/clauses.js";
import { html } from "../base/dom.js";
import { phrase, sentence } from "../base/language.js";
import { money } from "../base/money.js";
import { thenAsked } from "./steps.js";

/** `found` is what the house foresees of a report. */
export function foreseenSteps({ steps, asks, clauses, summaries, moves, next }, book) {
  return html(
    "div.foreseen",
    html("h3", phrase("what the book says"), " ", clauseTags(clauses, book)),
    stepList([...steps, ...thenAsked(asks)], book, summaries),
    moneyMoved(moves),
    next && !asks && html("p.small", html("b", phrase("then")), " ", sentence(next)),
  );
}

function moneyMoved(moves) {
  const rows = Object.entries(moves).map(([patron, amount]) => {
    const text = amount > 0 ? phrase("to pay", money(amount)) : phrase("collects", money(-amount));
    return html("li.row", html("b", patron), html(`span.money.${amount > 0 ? "won" : "lost"}`, text));
  });
  return rows.length > 0 && html("ul.moves", { label: phrase("money moved") }, rows);
}
