// Every open question of a table, with the answers of patrons, and the steps that are still to come.

import { clauseTags, stepList } from "../base/clauses.js";
import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { inLanguage, nameOf, nameWithin, noted, phrase, sentence } from "../base/language.js";
import { questionHeader } from "../base/questions.js";
import { bookSays, choiceList, decisionCard, whatHappened } from "./decision.js";

/** A question to patrons: the staff may enter what each of them says. */
function patronsQuestion(open, state) {
  const { question } = open;
  const command = { do: "answer", question: question.id };
  const choiceButtons = (patron) =>
    question.choices.map((choice) => commandButton(state.table, nameOf(choice), { ...command, choice, patron }));
  const answers = Object.entries(question.answers ?? {});
  return html(
    "section.question",
    { label: sentence(question), "data-question": question.id },
    questionHeader(question, state.view.book),
    whatHappened(open, state),
    bookSays(question, state),
    choiceList(open, (choice) => html("b", nameOf(choice))),
    html(
      "ul.for-patrons",
      question.waiting.map((patron) => html("li.row", html("b.grow", patron), choiceButtons(patron))),
    ),
    answers.map(([patron, choice]) => html("p.small", noted(patron, nameOf(choice)))),
  );
}

/** A question that somebody of a higher rank answers. */
function othersQuestion(open, state) {
  const { question } = open;
  return html(
    "section.question.other",
    questionHeader(question, state.view.book),
    html("p.waits", phrase("waits for", nameWithin(question.to))),
    whatHappened(open, state),
    bookSays(question, state),
  );
}

function cardFor(open, state) {
  if (open.question.to === "patrons") return patronsQuestion(open, state);
  return open.mine ? decisionCard(open, state) : othersQuestion(open, state);
}

/** What is being done about a fact: the steps that are still to come. */
function procedureSection({ names, note, clauses, rest }, { view, desk }) {
  const step = ({ names: stepNames, by, clause }) => ({
    says: inLanguage(stepNames),
    after: by && html("span.quiet", ` · ${nameOf(by)}`),
    clauses: clause ? [clause] : [],
  });
  return html(
    "section.procedure",
    html("h3", inLanguage(names), " ", clauseTags(clauses, view.book)),
    note && html("p.small.quiet", note),
    stepList(rest.map(step), view.book, desk.clauses),
  );
}

/** Every open question and the steps to come; the phrase `whenNone`, if there is one, where nothing waits. */
export function openQuestions(state, whenNone) {
  const { questions, procedures } = state.desk;
  if (!questions.length && !procedures.length) return whenNone && html("p.quiet", phrase(whenNone));
  return [
    questions.map((open) => cardFor(open, state)),
    procedures.map((procedure) => procedureSection(procedure, state)),
  ];
}
