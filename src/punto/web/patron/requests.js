// What a patron may ask for; whether it may be is for the house to say.

import { arrived, askCage } from "../base/api.js";
import { fill, html } from "../base/dom.js";
import { commandForm, fieldForm, namedFields } from "../base/forms.js";
import { learn, phrase } from "../base/language.js";

learn({
  "ask squeeze": ["Ask to squeeze {hand}", "請求看{hand}牌"],
  "banker third first": ["Ask for the Banker's third card first", "請求先開庄第三張"],
  "no insurance": ["Ask that no insurance be offered", "請求不設保險"],
  "buy in": ["Buy chips", "買籌碼"],
  "cash out": ["Cash out and leave", "兌現離座"],
  "stand up": ["Stand up", "離開座位"],
});

/** `leave` cashes out and goes. What is about insurance is offered where the book has any. */
export async function fillRequests(panel, table, patron, leave) {
  const { insurance } = await table.get("book");
  const hasInsurance = insurance?.length > 0;
  const state = { table, view: table.view };
  const request = (key, command, specs = [], more = {}) => {
    const text = phrase(key, { hand: more.hand && phrase(more.hand) });
    return commandForm(state, command, specs, { fixed: { patron, ...more }, text });
  };
  fill(
    panel,
    table.snapshot.money === "cage"
      ? fieldForm(
          namedFields(["amount"]),
          phrase("buy in"),
          () => table.view.book,
          ({ amount }) => {
            return askCage(table.name, { do: "buy-in", amount });
          },
        )
      : request("buy in", "buy-in", ["amount"]),
    ["player", "banker"].map((hand) => request("ask squeeze", "ask-squeeze", [], { hand })),
    hasInsurance && request("banker third first", "banker-third-first"),
    hasInsurance && request("no insurance", "no-insurance"),
    request("raise-dispute", "raise-dispute", ["says"]),
    request("stand up", "stand"),
    leaving(table, patron, leave),
  );
}

/** Whoever leaves with money at stake is told first what becomes of it. */
function leaving(table, patron, leave) {
  const note = html("div", { role: "status" });
  const ask = async () => {
    const held = table.view.patrons.find(({ name }) => name === patron)?.held;
    if (!held) return leave();
    const { askLeaving } = await arrived(import("./leaving.js"));
    askLeaving(note, table.view.book, held, leave);
  };
  return html(
    "div.col",
    fieldForm(namedFields([]), phrase("cash out"), () => table.view.book, ask),
    note,
  );
}
