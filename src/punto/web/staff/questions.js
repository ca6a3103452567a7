// Every open question of a table, with the answers of patrons, and the steps that are still to come.

import { clauseTags, OF_INDEXES, printedClause, stepList } from "../base/clauses.js";
import { commandButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { inLanguage, nameOf, phrase, sentence } from "../base/language.js";
import { meaningOf, questionCard, questionHeader } from "../base/questions.js";
import { questionForm } from "./question-forms.js";

/** A question to patrons: the staff may enter what each of them says. */
function patronsQuestion(question, { table, view }) {
  const command = { do: "answer", question: question.id };
  const choiceButtons = (patron) =>
    question.choices.map((choice) => commandButton(table, nameOf(choice), { ...command, choice, patron }));
  const meaning = (choice) => {
    const says = meaningOf(question, choice);
    return says && html("li", html("b", nameOf(choice)), " ", html("span.quiet", says));
  };
  const answers = Object.entries(question.answers ?? {});
  return html(
    "section.question",
    { label: sentence(question), "data-question": question.id },
    questionHeader(question, view.book),
    html("ul.small", question.choices.map(meaning)),
    html(
      "ul.for-patrons",
      question.waiting.map((patron) => html("li.row", html("b.grow", patron), choiceButtons(patron))),
    ),
    answers.map(([patron, choice]) => html("p.small", `${patron}: ${nameOf(choice)}`)),
  );
}

/** A question that somebody of a higher rank answers. */
function othersQuestion(question, { view }) {
  const waits = html("p.waits", phrase("waits for", nameOf(question.to)));
  return html("section.question.other", questionHeader(question, view.book), waits);
}

function ownQuestion(question, { table, view, desk }) {
  const { body, read } = questionForm(question, desk, table.snapshot.decks);
  // The form is read inside, so that what is wrong with it is told beside the question.
  const answer = async (choice, reason) =>
    table.give({ do: "answer", question: question.id, choice, ...reason, ...read(choice) });
  return questionCard(question, { book: view.book, body, answer });
}

function openQuestion({ question, mine }, state) {
  const { view, desk } = state;
  const printed = new Set((question.basis?.clauses ?? []).map(printedClause));
  const known = Array.from(printed).filter((clause) => desk.clauses[clause]);
  const summaries = known.map((clause) => [
    html("dt", clauseTags([clause], view.book)),
    html("dd", { lang: OF_INDEXES }, desk.clauses[clause]),
  ]);
  return html("div.col", cardFor(question, mine, state), known.length > 0 && html("dl.clause-says", summaries));
}

function cardFor(question, mine, state) {
  if (question.to === "patrons") return patronsQuestion(question, state);
  return mine ? ownQuestion(question, state) : othersQuestion(question, state);
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
    questions.map((question) => openQuestion(question, state)),
    procedures.map((procedure) => procedureSection(procedure, state)),
  ];
}
