// Side bets too many for two rows, and those between which the patron chooses. Loaded for books that have such.

import { nameOfBet } from "../base/bet-names.js";
import { html, loadStyle } from "../base/dom.js";
import { listButton, printedName } from "./felt.js";

await loadStyle("side-bets.css");

/** The fields of side bets in their order; those of one choice lie together, where the first of them does. */
export function arrange(sideBets, fieldOf, open) {
  const groups = Map.groupBy(sideBets, ([id, { choice }]) => (choice ? `choice ${choice.of}` : id));
  return Array.from(groups.values(), (group) =>
    group[0][1].choice ? choiceBox(group, fieldOf, open) : fieldOf(group[0][0]),
  );
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
      group.map(([id]) => fieldOf(id)),
    ),
    listButton(choice, bets, open),
  );
}
