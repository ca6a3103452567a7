// Cards for a patron who does not play yet: a seat, chips, or the box in which somebody bets who stands.

import { askCage } from "../base/api.js";
import { upToStep } from "../base/chips.js";
import { actionButton, commandButton } from "../base/commands.js";
import { button, html, setText } from "../base/dom.js";
import { learn, noted, phrase } from "../base/language.js";
import { money } from "../base/money.js";
import { announce } from "../base/notes.js";

learn({
  "choose box": ["You stand. Bet in box", "站立下注，選擇格位"],
  "buy to play": ["How much in chips?", "購買多少籌碼？"],
  "buy line": ["Chips are counted in {n}.", "籌碼以 {n} 計。"],
  "cage line": [
    "Give your money to a cashier or the dealer. Chips are counted in {n}.",
    "請將現金交給帳房或荷官。籌碼以 {n} 計。",
  ],
  "seat gone": ["The house has given your seat back.", "場方已收回你的座位。"],
  "seat gone chips": [
    "The house has given your seat back. Your chips are kept for you at this table: sit down, and go on.",
    "場方已收回你的座位。你的籌碼仍保留在此檯：請再就座繼續。",
  ],
  "cage asked": [
    "You have asked for {n}: a cashier or the dealer will take your money.",
    "已請求 {n}：帳房或荷官會收取你的現金。",
  ],
});

const BUY_INS = [100, 500, 1000]; // times the table's minimum

/** What somebody is told whose seat the house has given back, as a refusal is told. */
export function seatGone(keepsChips) {
  return { message: phrase(keepsChips ? "seat gone chips" : "seat gone") };
}

export function seatCard(seating) {
  announce(phrase("take seat"));
  const box = seating.freeBox();
  const sitText = noted(phrase("sit down"), phrase("box", box));
  const card = html(
    "section.question",
    html("p.lead", phrase("take seat")),
    html(
      "div.row",
      box && button(sitText, () => seating.sitAnywhere(card), { class: "button primary" }),
      button(phrase("stand"), () => seating.sit(null, card)),
    ),
  );
  return card;
}

export function buyInCard(table, patron) {
  announce(phrase("buy to play"));
  const { limits, currency } = table.view;
  const isCage = table.snapshot.money === "cage";
  const line = html("p.small.quiet", phrase(isCage ? "cage line" : "buy line", currency));
  const ask = async (amount) => {
    await askCage(table.name, { do: "buy-in", amount });
    setText(line, phrase("cage asked", money(amount)));
  };
  const least = upToStep(limits.minimum ?? 100, table.view);
  const amounts = BUY_INS.map((times) => least * times);
  const buttons = amounts.map((amount, index) => {
    const properties = { class: index === 1 ? "button primary" : "button" };
    return isCage
      ? actionButton(table, money(amount), () => ask(amount), properties)
      : commandButton(table, money(amount), { do: "buy-in", patron, amount }, properties);
  });
  return html(
    "section.question",
    { label: phrase("buy to play") },
    html("p.lead", phrase("buy to play")),
    line,
    html("div.row", buttons),
  );
}

/** For a patron who stands: the box in which their chips are laid. */
export function boxCard(seating, betting) {
  betting.box ??= 1;
  const options = seating.boxes.map((box) => html("option", { value: box }, box));
  const choose = (event) => (betting.box = Number(event.target.value));
  const list = html("select.field", { onchange: choose }, options);
  list.value = betting.box;
  return html("section.question.slim", html("label.row", phrase("choose box"), list));
}
