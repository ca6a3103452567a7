// Insurance on offer: the odds, the most that may be struck, and what it would cover.

import { button, h, put, text } from "../base/dom.js";
import { minor, money } from "../base/money.js";
import { refuse } from "../base/notes.js";
import { learn, t } from "../base/words.js";
import { odds } from "./felt.js";

learn({
  "insure hand": ["Insurance on your {hand} wager, {odds}", "為你的{hand}注投保，賠率 {odds}"],
  "cover up to": ["{stake} lies on {hand}. Cover up to {most}.", "{hand}已下注 {stake}，最多可投保 {most}。"],
  "cover pays": ["{cover} of cover pays {pays} if it wins.", "投保 {cover}，若中可得 {pays}。"],
  "cover odds": ["It wins {win} % of the time; the house keeps {edge} %.", "命中率 {win}%；莊家優勢 {edge}%。"],
  "take cover": ["Insure {amount}", "投保 {amount}"],
  "no cover": ["No insurance", "不投保"],
  "cover amount": ["Amount of cover", "投保金額"],
  quarter: ["¼", "¼"],
  half: ["½", "½"],
  most: ["All", "全數"],
});

/** What odds like "1.5:1" make of an amount, exactly as far as it is shown. */
function times(amount, words) {
  const [over, under] = words.split(":").map(Number);
  return Math.round((amount * over) / under);
}

/** A card for an offer; `insure({hand, stake, box})` gives the command. */
export function offerCard({ offer, box, most, stake, unit, book, odds: chances, insure, decline, time }) {
  let amount = most;
  const whole = (value) => Math.max(unit, Math.floor(value / unit) * unit);
  const field = h("input", { class: "field", inputmode: "decimal", "aria-label": t("cover amount"), value: money(amount) });
  const pays = h("p", { class: "small" });
  const take = button("", async () => {
    take.disabled = true;
    try {
      await insure({ hand: offer.hand, stake: amount, box });
    } catch (refusal) {
      refuse(card, refusal, book, { for: 0 });
      take.disabled = false;
    }
  }, { class: "button primary" });
  const set = (value, typed = false) => {
    amount = value;
    if (!typed) field.value = money(value);
    text(pays, t("cover pays", { cover: money(amount), pays: money(times(amount, offer.odds)) }));
    text(take, t("take cover", { amount: money(amount) }));
  };
  field.addEventListener("input", () => {
    const value = minor(field.value);
    if (value) set(value, true);
  });
  const card = h("section", { class: "question offer", "data-refusals": "", "aria-label": t("insurance") },
    h("header", {}, h("p", { class: "lead" }, t("insure hand", { hand: t(offer.hand), odds: odds(offer.odds) }))),
    h("p", {}, t("cover up to", { stake: money(stake), hand: t(offer.hand), most: money(most) })),
    h("div", { class: "row cover-row" }, [["quarter", 0.25], ["half", 0.5], ["most", 1]].map(([key, part]) =>
      button(t(key), () => set(part === 1 ? most : whole(most * part)), { class: "button small" })), field),
    pays, chances ? h("p", { class: "small quiet" }, t("cover odds", { win: Number(chances.win).toFixed(1), edge: Number(chances.per_cent).toFixed(2) })) : null,
    h("div", { class: "row" }, take, button(t("no cover"), decline)), time ?? null);
  set(most);
  return card;
}
