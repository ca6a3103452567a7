// A drill: something went wrong. What happens next, or who decides?

import { betName } from "../base/bet-names.js";
import { clauseSummary, clauseTags, stepList } from "../base/clauses.js";
import { button, html } from "../base/dom.js";
import { inLanguage, learn, noted, phrase, sentence } from "../base/language.js";
import { money } from "../base/money.js";
import { thenAsked } from "../staff/steps.js";
import { dealtHands } from "./parts.js";

learn({
  irregularity: ["Irregularities", "異常處理"],
  "What happens next?": ["What happens next?", "接着如何處理？"],
  "Who decides?": ["Who decides?", "由誰決定？"],
});

const AREAS = ["player", "banker", "aside"];

/** `send(panel, answer, showMarks)` asks the house for its marks; `showMarks` returns [whether it is right, more]. */
export function irregularityDrill(drill, { menu }, send) {
  const cardsIn = (area) => drill.cards.filter((card) => card.area === area).map(({ face }) => face);
  const hands = Object.fromEntries(AREAS.map((area) => [area, cardsIn(area)]));
  const wagers = drill.wagers.map(({ patron, bet, stake }) => noted(patron, `${betName(menu, bet)} ${money(stake)}`));
  const choose = (answer) => send(panel, { answer }, (marks) => showMarks(answer, marks));
  const { messages } = drill;
  const choiceText = (says, index) => sentence({ says, message: messages.choices[index] });
  const buttons = drill.choices.map((says, index) =>
    button(choiceText(says, index), () => choose(index), { class: "choice" }),
  );

  function showMarks(answer, { answer: best, right, steps, asks, clauses, summaries }) {
    buttons.forEach((choice, index) => markChoice(choice, index === best, index === answer));
    return [
      right,
      html("p", clauseTags(clauses, drill.book)),
      clauseSummary(clauses, summaries),
      stepList([...steps, ...thenAsked(asks)], drill.book, summaries),
    ];
  }

  const panel = html(
    "section.panel.col",
    drill.cards.length > 0 && dealtHands(hands),
    html("p.small.quiet", wagers.join(" · ")),
    html("h2", inLanguage(drill.names)),
    html("p.t-story", sentence({ says: drill.happened, message: messages.happened })),
    html("h3", phrase(drill.asks)),
    html("div.t-answers", buttons),
  );
  return panel;
}

function markChoice(choice, isBest, isChosen) {
  choice.disabled = true;
  if (isBest) choice.prepend("✓ ");
  if (isBest) choice.classList.add("ok");
  else choice.classList.add(isChosen ? "no" : "other");
}
