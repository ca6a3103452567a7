// A decision as a card: what happened, what the book says, what each answer leads to; then the button.

import { post } from "../base/api.js";
import { clauseTags, indexText, printedClause } from "../base/clauses.js";
import { cardBack, cardFace, cardName } from "../base/cards.js";
import { button, fill, html } from "../base/dom.js";
import { inLanguage, learn, nameOf, nameWithin, phrase, sentence } from "../base/language.js";
import { money } from "../base/money.js";
import { meaningOf, questionHeader } from "../base/questions.js";
import { attempt } from "../base/notes.js";
import { questionForm } from "./question-forms.js";
import { thenAskedText } from "./steps.js";

learn({
  "what happened": ["What happened", "發生何事"],
  "the book's words": ["What the book says", "規則說明"],
  "leads to": ["What each answer leads to", "各項決定的後果"],
  "pays out": ["{n} gets {amount}", "付給 {n} {amount}"],
  "takes in": ["{n} gives {amount}", "向 {n} 收 {amount}"],
  "stake returns": ["{n} gets back {amount} at stake", "退回 {n} 注碼 {amount}"],
  "money moves": ["Money moves. Confirm “{n}”:", "涉及款項。確認「{n}」："],
  "do confirm": ["Confirm", "確認"],
  "go back": ["Go back", "返回"],
  "reason for record": ["Reason, for the record", "理由（記錄在案）"],
  "say the reason": ["Say the reason first: it goes on record.", "請先說明理由，以便記錄。"],
  "in this order too": ["Fix this order", "確定此次序"],
  "means order": ["The cards count in the order tapped above.", "按上面點選的次序計算。"],
  "means present": ["The steps go on in your presence.", "在你面前繼續處理。"],
  "means counted": ["The missing cards are worked out from the count.", "據點算推算缺牌。"],
});

/** The fact, the note, whom it concerns, and its cards; where it names none, all that lie on the felt. */
export function whatHappened({ case: found }, { desk }) {
  const cards = found?.cards.length ? found.cards : desk.cards;
  if (!found && !cards.length) return null;
  return html(
    "div.happened",
    found && happenedText(found),
    cards !== found?.cards && cards.length > 0 && html("h3", phrase("cards on the felt")),
    cards.length > 0 && html("ul.row.case-cards", cards.map(caseCard)),
  );
}

function happenedText({ names, note, patron }) {
  const text = [html("b", inLanguage(names)), patron && ` · ${patron}`, note && html("span.note", ` “${note}”`)];
  return [html("h3", phrase("what happened")), html("p", text)];
}

function caseCard({ at, area, face }) {
  const label = `${phrase("card n", { n: at + 1, card: cardName(face) })}, ${phrase(area)}`;
  return html("li", { label }, face ? cardFace(face) : cardBack(), html("span.tiny", `${phrase(area)} ${at + 1}`));
}

/** The clauses that a question rests on, in words. */
export function bookSays(question, { view, desk }) {
  const printed = Array.from(new Set((question.basis?.clauses ?? []).map(printedClause)));
  const known = printed.filter((clause) => desk.clauses[clause]);
  if (!known.length) return null;
  const rows = known.map((clause) => [
    html("dt", clauseTags([clause], view.book)),
    indexText("dd", desk.clauses[clause]),
  ]);
  return html("div", html("h3", phrase("the book's words")), html("dl.clause-says", rows));
}

function movedTexts({ moves, returned }) {
  const paid = Object.entries(moves).map(([patron, amount]) =>
    phrase(amount > 0 ? "pays out" : "takes in", { n: patron, amount: money(Math.abs(amount)) }),
  );
  const back = Object.entries(returned).map(([patron, amount]) =>
    phrase("stake returns", { n: patron, amount: money(amount) }),
  );
  return [...paid, ...back];
}

/** What follows at once: the steps, the money, who is asked then. */
export function leadList(lead) {
  if (!lead) return null;
  const { steps, asks, next } = lead;
  const then = asks ? thenAskedText(asks) : next && sentence(next);
  const lines = [...steps.map(sentence), ...movedTexts(lead), then].filter(Boolean);
  return (
    lines.length > 0 &&
    html(
      "ul.leads",
      lines.map((line) => html("li", line)),
    )
  );
}

/** The choices of a question, each with what it means and leads to; `question.choices` are its ids. */
export function choiceList({ question, leads }, make) {
  const item = (choice) =>
    html("li.choice-item", make(choice), html("div.small", meaningOf(question, choice), leadList(leads[choice])));
  return [html("h3", phrase("leads to")), html("ul.choice-list", question.choices.map(item))];
}

/** A question that is the viewer's to decide. */
export function decisionCard(open, state) {
  const { question } = open;
  const { table, view, desk } = state;
  const { body, read } = questionForm(open, desk, table.snapshot.decks);
  const reason = question.reason && reasonField();
  const confirm = html("div.confirm", { role: "status" });
  const command = (choice) => ({
    do: "answer",
    question: question.id,
    choice,
    ...(reason && { reason: reason.value }),
    ...read(choice),
  });
  const setDisabled = (isDisabled) => {
    for (const each of card.querySelectorAll(".choice-list button")) each.disabled = isDisabled;
  };
  const give = async (answer) => {
    setDisabled(true);
    fill(confirm);
    if (!(await attempt(card, view.book, () => table.give(answer)))) setDisabled(false);
  };
  const choose = (choice) =>
    attempt(card, view.book, async () => {
      if (reason && !reason.value.trim()) {
        reason.focus();
        throw new Error(phrase("say the reason"));
      }
      const answer = command(choice);
      const found = await post(`/api/tables/${table.name}/foresee`, answer);
      if (movedTexts(found).length)
        fill(
          confirm,
          confirmation(choice, found, () => give(answer), confirm),
        );
      else await give(answer);
      return true;
    });
  const card = html(
    "section.question.decision",
    { "data-question": question.id, "data-item": `question ${question.id}`, label: sentence(question) },
    questionHeader(question, view.book),
    html("p.quiet.small", phrase("asked of", nameWithin(question.to))),
    whatHappened(open, state),
    bookSays(question, state),
    body,
    reason && html("label.labelled", html("span", phrase("reason for record")), reason),
    choiceList(open, (choice) => choiceButton(choice, question, choose)),
    confirm,
  );
  return card;
}

function choiceButton(choice, question, choose) {
  const isDefault = choice === question.default;
  return html(
    "button.choice",
    { type: "button", class: isDefault && "default", onclick: () => choose(choice) },
    html("b", choiceName(choice)),
  );
}

/** What a choice is called on its button. */
function choiceName(choice) {
  return choice === "order" ? phrase("in this order too") : nameOf(choice);
}

function confirmation(choice, found, give, place) {
  return html(
    "div.col.panel",
    html("p", html("b", phrase("money moves", choiceName(choice)))),
    leadList({ ...found, next: null }),
    html(
      "div.row",
      button(phrase("do confirm"), give, { class: "button primary" }),
      button(phrase("go back"), () => fill(place)),
    ),
  );
}

function reasonField() {
  return html("input.field", { name: "reason", required: true, maxlength: 400, label: phrase("reason") });
}
