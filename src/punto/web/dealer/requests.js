// What patrons ask of the cage at this table: the staff say that the money was taken or paid, or turn it down.

import { get, post } from "../base/api.js";
import { actionButton } from "../base/commands.js";
import { fill, html } from "../base/dom.js";
import { learn, phrase } from "../base/language.js";
import { money } from "../base/money.js";

learn({
  "asks of cage": ["{who} asks: {what}, {n}", "{who} 請求：{what}，{n}"],
  "all of it": ["all ({n})", "全部（{n}）"],
  "money is here": ["Money taken or paid", "款項已收付"],
  "turn down": ["Turn down", "拒絕"],
});

const ASK_EVERY = 3000; // ms

/** A list that is kept up to date until the function that is returned beside it is called. */
export function moneyRequests(table) {
  const element = html("ul.col", { hidden: true });
  const path = `/api/tables/${table.name}/requests`;
  const update = async () => {
    const asked = await get(path).catch(() => null); // while the house cannot be reached, what is shown stays
    if (!asked) return;
    element.hidden = !asked.length;
    fill(element, asked.map(row));
  };
  const row = ({ id, shown, do: what, amount, chips }) => {
    const n = amount === null ? phrase("all of it", money(chips)) : money(amount);
    const answer = (confirm) => async () => {
      await post(`${path}/${id}`, { confirm });
      await update();
    };
    return html(
      "li.row",
      html("span", phrase("asks of cage", { who: shown, what: phrase(what), n })),
      actionButton(table, phrase("money is here"), answer(true)),
      actionButton(table, phrase("turn down"), answer(false), { class: "bare" }),
    );
  };
  if (table.snapshot.money !== "cage") return { element, stop: () => {} };
  void update();
  const timer = setInterval(update, ASK_EVERY);
  return { element, stop: () => clearInterval(timer) };
}
