// All that a bet pays, as a list over the felt. It is loaded when somebody asks for it.

import { clauseTags } from "../base/clauses.js";
import { button, html } from "../base/dom.js";
import { phrase } from "../base/language.js";
import { payRows } from "./felt.js";

/** Show what bets pay that share a field; `mark` of each tells several of them apart. */
export function showPays(title, bets, book) {
  const rows = bets.flatMap((bet) => payRows(bet).map((row) => payRow(bet.choice?.mark, row, book)));
  const close = button(phrase("close"), () => list.hidePopover(), { class: "button small", autofocus: true });
  const list = html(
    "div.pay-list.panel",
    {
      popover: "auto",
      role: "dialog",
      label: title,
      ontoggle: ({ newState }) => newState === "closed" && list.remove(),
    },
    html("div.row", html("h2.grow", title), close),
    html("table.figures", rows),
  );
  document.body.append(list);
  list.showPopover();
}

function payRow(mark, { says, when, clause }, book) {
  return html(
    "tr",
    mark && html("th", { scope: "row" }, mark),
    html("td", html("b", says)),
    html("td", when, " ", clauseTags(clause && [clause], book)),
  );
}
