// Questions as cards: what is asked, by which clause, and what each choice means. Never a dialogue that blocks.

import { cardInline } from "./cards.js";
import { clauseTags } from "./clauses.js";
import { html } from "./dom.js";
import { hasPhrase, inLanguage, learn, nameOf, nameWithin, phrase, sentence } from "./language.js";
import { money } from "./money.js";
import { attempt } from "./notes.js";

learn({
  keep: ["Keep", "保留"],
  continue: ["Go on", "繼續"],
  "take-back": ["Take back", "取回"],
  "as-it-lies": ["Play on", "繼續"],
  reconstructed: ["Play on", "繼續"],
  "replace-cards": ["New cards", "換牌"],
  present: ["I am here", "我在場"],
  counted: ["That is the count", "點算完畢"],
  found: ["Confirm", "確認"],
  "means keep": ["The cover stays as struck.", "保險維持不變。"],
  "means cancel": ["The cover comes back.", "退回保險金。"],
  "means continue": ["The wager stays in play.", "注碼繼續有效。"],
  "means shoe continue": ["This shoe stays in use.", "沿用此牌靴。"],
  "means refer continue": ["Play goes on; nothing else is done.", "牌局繼續，不另處理。"],
  "means as-it-lies": ["The wager stays; the hand counts as it lies.", "注碼保留，按現狀計算。"],
  "means reconstructed": ["The wager stays; the hand is put right and counts.", "注碼保留，按復原後的牌計算。"],
  "means take-back": ["{amount} comes back; this round is over for that money.", "取回 {amount}，該注不再參與此局。"],
  "the wager": ["The wager", "注碼"],
  "means take-back open": ["{amount} comes back as far as it is undecided.", "取回 {amount} 未定勝負的部分。"],
  "means replace-cards": ["The shoe is changed before the next round.", "下一局前換牌。"],
  "means void": ["Every stake of this round comes back.", "退回本局全部注碼。"],
  "means settle": ["The wagers count as they lie.", "注碼照現狀計算。"],
  "means rule": ["The steps put together here are taken.", "執行所列步驟。"],
  "means remove": ["What is over the differential is taken off.", "移走超出差額的注碼。"],
  "means offer": ["Whom it concerns may insure now.", "有關客人現可投保。"],
  "means found": ["Their wagers on that hand come back.", "退回其該手注碼。"],
  "it happened": ["What happened: {n}", "發生何事：{n}"],
  "asked of": ["for {n}", "由 {n} 決定"],
});

/** What is asked, with its clauses. */
export function questionHeader(question, book) {
  return html("header", html("p.lead", sentence(question)), clauseTags(question.basis?.clauses, book));
}

/** What a choice means, with the `amount` at stake where it is known; undefined where the choice says it all. */
export function meaningOf({ topic, about }, choice, amount) {
  const isPartly = choice === "take-back" && about.includes("undecided");
  const keys = [`means ${topic} ${choice}`, `means ${choice}${isPartly ? " open" : ""}`];
  const key = keys.find(hasPhrase);
  return key && phrase(key, { amount: amount ? money(amount) : phrase("the wager") });
}

/** In one line the fact that led to a question, and its cards that lie open. */
function happenedLine({ names, cards }) {
  const signs = cards.flatMap((card) => [" ", cardInline(card)]);
  return html("p.happened", phrase("it happened", inLanguage(names)), signs);
}

/**
 * A card for a question. `answer(choice, reason)` gives the command; `stake` is what its patron has at stake; `body`
 * holds what the form of the question needs besides a choice; `showAsked` says to whom the question is put;
 * `happened` is the fact that led to it, if one did.
 */
export function questionCard(question, { book, answer, happened, showAsked = true, stake = 0, body = null }) {
  const reason = question.reason && reasonField();
  const choose = async (choice) => {
    const buttons = card.querySelectorAll("button");
    for (const button of buttons) button.disabled = true;
    const given = reason ? { reason: reason.value } : {};
    if (await attempt(card, book, () => answer(choice, given))) return;
    for (const button of buttons) button.disabled = false;
  };
  const choiceButton = (choice) =>
    html(
      "button.choice",
      { type: "button", class: choice === question.default && "default", onclick: () => choose(choice) },
      html("b", nameOf(choice)),
      html("span", meaningOf(question, choice, stake)),
    );
  const asked = question.waiting?.length ? question.waiting.join(", ") : nameWithin(question.to);
  const card = html(
    "section.question",
    { "data-question": question.id, label: sentence(question) },
    happened && happenedLine(happened),
    questionHeader(question, book),
    showAsked && html("p.quiet.small", phrase("asked of", asked)),
    body,
    reason,
    html("div.row", question.choices.map(choiceButton)),
  );
  return card;
}

function reasonField() {
  const text = phrase("reason");
  return html("input.field", { name: "reason", required: true, maxlength: 400, label: text, placeholder: text });
}
