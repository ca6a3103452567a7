// Closing a table, step by step: one button for what is next, and for each step why it cannot be done yet.

import { actionButton } from "../base/commands.js";
import { html } from "../base/dom.js";
import { noted, phrase, sentence } from "../base/language.js";
import { money } from "../base/money.js";

/**
 * The steps in their order: {key, isDone, whyNot, work}. `whyNot` is what the house says, or nothing where it can be
 * done; a step without `work` is not done here.
 */
function stepsOf({ table, view, desk }) {
  const give = (command) => () => table.give(command);
  const { shoe, may } = desk;
  const isRunning = ["betting", "closed"].includes(view.round?.phase);
  const withMoney = view.patrons.filter(({ balance, owed }) => balance || owed);
  return [
    { key: "last-hand", isDone: !shoe || shoe.last, whyNot: may["last-hand"], work: give({ do: "last-hand" }) },
    { key: "round is over", isDone: !isRunning, whyNot: isRunning ? may["close-table"] : null },
    { key: "end-shoe", isDone: !shoe, whyNot: may["end-shoe"], work: give({ do: "end-shoe" }) },
    {
      key: "cash out everybody",
      isDone: withMoney.length === 0,
      whyNot: isRunning ? may["close-table"] : null,
      work: () => cashOutAll(table, withMoney),
      below: withMoney.length > 0 && html("ul.small", withMoney.map(moneyLeft)),
    },
    { key: "close-table", isDone: !view.open, whyNot: may["close-table"], work: give({ do: "close-table" }) },
  ];
}

function moneyLeft({ name, balance, owed }) {
  const parts = [money(balance), owed > 0 && phrase("owes", money(owed))].filter(Boolean).join(" · ");
  return html("li.row", html("b", name), html("span.money", parts));
}

/** One after the other; who cannot be paid out does not hold up the others, and is told of at the end. */
async function cashOutAll(table, patrons) {
  const refused = [];
  for (const { name } of patrons.filter(({ balance }) => balance)) {
    await table.give({ do: "cash-out", patron: name }).catch((refusal) => refused.push(noted(name, refusal.message)));
  }
  if (refused.length) throw new Error(refused.join(" "));
}

export function closingSteps(state) {
  if (!state.view.open) return html("p", phrase("nothing next"));
  const steps = stepsOf(state);
  const next = steps.find(({ isDone }) => !isDone);
  const item = (step) => {
    const { key, isDone, whyNot, below } = step;
    const reason = !isDone && whyNot && html("p.small.waits", sentence(whyNot));
    const mark = html("span.closing-mark", { "aria-hidden": "true" }, isDone ? "✓" : "");
    const done = isDone && html("span.unseen", phrase("is done"));
    return html("li", { class: isDone && "done", "aria-current": step === next && "step" }, [
      html("span.row", mark, html("span", phrase(key)), done),
      step === next && reason,
      step === next && below,
    ]);
  };
  const properties = { class: "button primary", "data-first": "", disabled: Boolean(next.whyNot) };
  return [
    html("ol.closing", steps.map(item)),
    next.work && html("div.row", actionButton(state.table, phrase(next.key), next.work, properties)),
  ];
}
