// A drill: a finished coup with wagers. What is each paid?

import { betName } from "../base/bet-names.js";
import { clauseSummary, clauseTags, stepList } from "../base/clauses.js";
import { html } from "../base/dom.js";
import { learn, noted, phrase, sentence } from "../base/language.js";
import { money } from "../base/money.js";
import { clearRefusal, showRefusal } from "../base/notes.js";
import { parseMoney } from "../base/typed-money.js";
import { dealtHands, tick } from "./parts.js";

learn({
  payout: ["Payouts", "賠付"],
  check: ["Check", "核對"],
  unanswered: ["Answer this first.", "請先作答。"],
  "up or down": ["what the patron is up or down", "客人輸贏"],
  whole: ["The whole account", "完整說明"],
  lost: ["loses {n}", "輸 {n}"],
  wins: ["wins {n}", "贏 {n}"],
  "four-cards": ["after four cards", "四張牌後"],
  "third-card": ["after the Player's third card", "閒第三張後"],
  "what is paid": ["What is each wager paid?", "每注如何賠付？"],
});

function netText(net) {
  if (net > 0) return phrase("wins", money(net));
  return net < 0 ? phrase("lost", money(-net)) : phrase("result returned");
}

/** "−95" → -9500, or null where it is no amount. */
function readNet(text) {
  const [, sign, figures] = /^([+−-]?)(.*)$/.exec(text.trim());
  const amount = parseMoney(figures);
  const isNegative = sign === "−" || sign === "-";
  return amount !== null && isNegative ? -amount : amount;
}

/** A field for an amount; `answer(net)` hears what is typed. */
function typedAnswer(bet, answer) {
  return html("input.field", {
    label: noted(bet, phrase("up or down")),
    placeholder: "−95",
    autocomplete: "off",
    oninput: (event) => answer(readNet(event.target.value)),
  });
}

/** Amounts to choose from; `answer(net)` hears what is chosen. */
function chosenAnswer(bet, index, choices, answer) {
  const choice = (net) => {
    const radio = html("input", { type: "radio", name: `wager${index}`, onchange: () => answer(net) });
    return html("label.t-choice", radio, netText(net));
  };
  return html("div.row", { role: "radiogroup", label: bet }, choices.map(choice));
}

function wagerText(bet, { stake, odds, stage }) {
  const cover = odds && html("span.small.quiet", ` ${odds} · ${phrase(stage)}`);
  return html("p", html("b", bet), " ", html("span.money", money(stake)), cover);
}

/** `send(panel, answer, showMarks)` asks the house for its marks; `showMarks` returns [whether all is right, more]. */
export function payoutDrill(drill, { menu, typesAmounts }, send) {
  const answers = drill.wagers.map(() => null);
  const rows = drill.wagers.map((wager, index) => {
    const bet = betName(menu, wager.bet);
    const answer = (net) => (answers[index] = net);
    const field = typesAmounts ? typedAnswer(bet, answer) : chosenAnswer(bet, index, wager.choices, answer);
    return html("li.t-wager", wagerText(bet, wager), field);
  });

  function showMarks(marks) {
    for (const field of panel.querySelectorAll("input,button")) field.disabled = true;
    marks.lines.forEach((line, index) => rows[index].append(lineMark(line, marks.clauses, drill.book)));
    const account = html("details", html("summary", phrase("whole")), stepList(marks.steps, drill.book));
    return [marks.right === marks.lines.length, account];
  }
  function check() {
    rows.forEach(clearRefusal);
    const unanswered = rows[answers.indexOf(null)];
    if (!unanswered) return send(panel, { layout: drill.layout, answers }, showMarks);
    showRefusal(unanswered, { message: phrase("unanswered") });
    unanswered.querySelector("input").focus();
    return null;
  }

  const panel = html(
    "form.panel.col",
    { onsubmit: check },
    dealtHands({ player: drill.player, banker: drill.banker }),
    html("h2", phrase("what is paid")),
    html("ul", rows),
    html("div", html("button.button.primary", phrase("check"))),
  );
  return panel;
}

function lineMark({ right, net, says, message, clauses }, summaries, book) {
  return html(
    `div.t-mark.${right ? "ok" : "no"}`,
    html("b", `${tick(right)} ${netText(net)}`),
    html("p.small", sentence({ says, message }), " ", clauseTags(clauses, book)),
    clauseSummary(clauses, summaries),
  );
}
