// What a patron is told whose chips do not reach for a bet, and what they can do.

import { learn, phrase } from "../base/language.js";
import { money } from "../base/money.js";

learn({
  "you have left": [
    "You have {n} left: take a smaller chip, or buy chips under Requests.",
    "你尚餘 {n}：請用較小的籌碼，或在「請求」買籌碼。",
  ],
  "you have none": ["You have no chips left: buy more under Requests.", "你已沒有籌碼：請在「請求」買籌碼。"],
});

/** As a refusal is told. */
export function shortOfChips(balance) {
  return { message: phrase(balance ? "you have left" : "you have none", money(balance)) };
}
