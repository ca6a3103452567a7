// A question as a card: what is asked, what each choice means, the clause. Never a dialogue that blocks.

import { button, h } from "./dom.js";
import { clauseTags, refuse } from "./notes.js";
import { learn, plain, t, title } from "./words.js";

learn({
  yes: ["Yes", "是"],
  no: ["No", "否"],
  keep: ["Keep", "保留"],
  cancel: ["Cancel", "取消"],
  continue: ["Continue", "繼續"],
  "take-back": ["Take back", "取回"],
  "as-it-lies": ["As it lies", "照現狀"],
  reconstructed: ["Reconstructed", "復原"],
  "replace-cards": ["New cards", "換牌"],
  "means keep": ["The cover stays as struck.", "保險維持不變。"],
  "means cancel": ["The cover comes back to you.", "退回保險金。"],
  "means continue": ["Your wager stays in play.", "注碼繼續有效。"],
  "means as-it-lies": ["Your wager stays; the hand counts as it lies.", "注碼保留，按現狀計算。"],
  "means reconstructed": ["Your wager stays; the hand is put right and counts.", "注碼保留，按復原後的牌計算。"],
  "means take-back": ["{amount} comes back to you; this round is over for that money.", "取回 {amount}，該注不再參與此局。"],
  "means take-back all": ["Your wager comes back to you.", "取回注碼。"],
  "means take-back open": ["What is undecided of your {amount} comes back to you.", "取回 {amount} 中未定勝負的注碼。"],
  "means replace-cards": ["The shoe is changed before the next round.", "下一局前換牌。"],
  "asked of": ["for {who}", "由 {who} 決定"],
});

/**
 * A card for a question; `whom` says to whom it is put. `answer(choice, more)` gives the command and returns its promise; `means(choice)` may say what
 * a choice means in money; `body` holds what the form of the question needs besides a choice, `more()` what it says.
 */
export function questionCard(question, { book, answer, whom = true, means = () => null, body = null, more = () => ({}) }) {
  const reason = question.reason ? h("input", { class: "field", name: "reason", required: true, maxlength: 400, "aria-label": t("reason"), placeholder: t("reason") }) : null;
  const card = h("section", { class: "question", "data-refusals": "", "data-question": question.id, "aria-label": question.says });
  const give = async (choice) => {
    card.setAttribute("aria-busy", "true");
    for (const each of card.querySelectorAll("button")) each.disabled = true;
    try {
      await answer(choice, { ...(reason ? { reason: reason.value } : {}), ...more() });
    } catch (refusal) {
      refuse(card, refusal, book, { for: 0 });
      for (const each of card.querySelectorAll("button")) each.disabled = false;
    }
    card.removeAttribute("aria-busy");
  };
  card.append(
    h("header", {}, h("p", { class: "lead" }, question.says), clauseTags(question.basis?.clauses, book)),
    whom ? h("p", { class: "quiet small" }, t("asked of", { who: question.waiting?.length ? question.waiting.join(", ") : title(question.to) })) : "",
    ...[body, reason].filter(Boolean),
    h("div", { class: "choices" }, question.choices.map((choice) =>
      h("button", { type: "button", class: `choice${choice === question.default ? " default" : ""}`, onclick: () => give(choice) },
        h("b", {}, plain(choice)), means(choice) ? h("span", {}, means(choice)) : null))));
  return card;
}
