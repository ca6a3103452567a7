// Side bets too many for two rows, and those between which the patron chooses. Loaded for books that have such.

import { nameOfBet } from "../base/bet-names.js";
import { html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { listButton, printedName, widestOdds } from "./felt.js";

learn({
  "more bets": ["More bets ↓", "更多投注 ↓"],
});

const ENOUGH = 0.5; // of a field, to be seen
const PAGE = 0.7; // of what is seen at once, by which a tap scrolls on

/** The fields of side bets in their order; those of one choice lie together, where the first of them does. */
export function arrange(sideBets, fieldOf, open) {
  const groups = Map.groupBy(sideBets, ([id, { choice }]) => (choice ? `choice ${choice.of}` : id));
  const fields = Array.from(groups.values(), (group) => {
    const [[id, { choice }]] = group;
    return choice ? choiceBox(group, fieldOf, open) : fieldOf(id);
  });
  return [...fields, lowerEdge(fields.at(-1))];
}

/** The lower edge of what is scrolled says that there is more, until the last field is seen. */
function lowerEdge(last) {
  const scroll = () => last.parentElement.scrollBy({ top: PAGE * last.parentElement.clientHeight, behavior: "smooth" });
  const edge = html("button.more-bets", { type: "button", onclick: scroll }, phrase("more bets"));
  const follow = ([{ intersectionRatio: seen }]) => edge.classList.toggle("seen", seen > ENOUGH);
  new IntersectionObserver(follow, { threshold: [0, ENOUGH, 1] }).observe(last);
  return edge;
}

function choiceBox(group, fieldOf, open) {
  const bets = group.map(([, bet]) => bet);
  const [{ choice }] = bets;
  return html(
    "div.choice-box.listed",
    { role: "group", label: nameOfBet(choice) },
    html("div.spot-name", printedName(choice)),
    html(
      "div.choices",
      { vars: { "--odds": widestOdds(bets) } },
      group.map(([id]) => fieldOf(id)),
    ),
    listButton(choice, bets, open),
  );
}
