// The fields on the felt: exactly the bets of this layout, with their odds as the book states them.

import { stackArt } from "../base/chips.js";
import { h, put, text } from "../base/dom.js";
import { money } from "../base/money.js";
import { inChinese, inEnglish, learn, t } from "../base/words.js";

learn({
  "field name": ["{bet}, pays {odds}", "{bet}，賠率 {odds}"],
  "your wager": ["your wager {amount}", "你已下注 {amount}"],
  "on its way": ["{amount} on its way", "{amount} 待確認"],
  others: ["{amount} from others", "其他人 {amount}"],
});

const MAIN = ["banker", "player"];

/** "0.95:1" → "0.95 to 1". */
export const odds = (words) => words.replace(":", " to ");

const paying = (bet) => bet.pays.filter((row) => row.odds);

function printed(id, bet) {
  const rows = paying(bet);
  if (MAIN.includes(id) && rows.length > 1) {
    return rows.map((row) => h("span", {}, h("b", {}, odds(row.odds)), ` ${row.when}`));
  }
  return [h("span", {}, h("b", {}, rows.map((row) => odds(row.odds)).join(" · ")))];
}

/** A field: `place(bet, field)` when it is chosen. */
function field(id, bet, place) {
  const mine = h("div", { class: "mine" });
  const others = h("span", { class: "others tiny" });
  const target = h("button", { type: "button", class: "spot", onclick: () => place(id, box) },
    h("span", { class: "spot-name" }, h("b", { lang: "zh-Hant" }, inChinese(id) ?? ""), h("span", {}, bet.name)),
    h("span", { class: "spot-odds" }, printed(id, bet)), mine, others);
  const box = h("div", { class: `spot-box ${id}${MAIN.includes(id) || id === "tie" ? " large" : ""}`, "data-refusals": "", "data-bet": id }, target);
  box.draw = ({ laid, pending, around, chips, open, won, lost }) => {
    const shown = laid + pending;
    if (mine.dataset.amount !== `${laid}/${pending}`) {
      mine.dataset.amount = `${laid}/${pending}`;
      put(mine, shown ? [
        h("span", { class: `stack${laid ? "" : " pending"}` }, stackArt(shown, chips)),
        h("span", { class: "amount money" }, money(laid || pending), laid && pending ? h("i", { class: "pending" }, ` +${money(pending)}`) : null)] : []);
    }
    text(others, around ? money(around) : "");
    others.title = around ? t("others", { amount: money(around) }) : "";
    box.classList.toggle("open", open);
    box.classList.toggle("won", won);
    box.classList.toggle("lost", lost);
    target.setAttribute("aria-disabled", String(!open));
    const name = [t("field name", { bet: inEnglish(id) ? t(id) : bet.name, odds: paying(bet).map((row) => odds(row.odds)).join(", ") })];
    if (laid) name.push(t("your wager", { amount: money(laid) }));
    if (pending) name.push(t("on its way", { amount: money(pending) }));
    target.setAttribute("aria-label", name.join("; "));
  };
  return box;
}

/** All fields of a layout. `draw(view, betting, chips)` after each change. */
export function felt(menu, place) {
  const ids = Object.keys(menu);
  const sides = ids.filter((id) => !MAIN.includes(id));
  const fields = new Map(ids.map((id) => [id, field(id, menu[id], place)]));
  const rows = sides.length > 5 ? 2 : 1;
  const between = h("div", { class: "between", vars: { "--cols": Math.ceil(sides.length / rows), "--rows": rows } }, sides.map((id) => fields.get(id)));
  const element = h("div", { class: "fields" }, fields.get("banker"), between, fields.get("player"));
  element.field = (bet) => fields.get(bet) ?? element;
  element.draw = (view, betting, chips, you) => {
    const round = view.round, pending = betting?.pending ?? new Map();
    const over = round?.phase === "settled";
    const lines = new Map((round?.lines?.[you] ?? []).map((line) => [line.bet, line]));
    for (const [id, box] of fields) {
      const here = (round?.wagers ?? []).filter((each) => each.bet === id);
      const sum = (some) => some.reduce((total, each) => total + each.stake, 0);
      const line = lines.get(id);
      box.draw({
        laid: round?.phase === "void" ? 0 : sum(here.filter((each) => each.patron === you)),
        pending: pending.get(id) ?? 0,
        around: round?.phase === "void" ? 0 : sum(here.filter((each) => each.patron !== you)),
        chips,
        open: Boolean(betting) && round?.phase === "betting" && !round.free,
        won: over && (line ? line.result === "win" : round.result?.winner === id),
        lost: over && line?.result === "lose",
      });
    }
  };
  return element;
}
