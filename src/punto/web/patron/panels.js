// What lies beside the felt: the last result, the roads, past rounds, exact odds, and what one may ask for.

import { get } from "../base/api.js";
import { cardInline } from "../base/cards.js";
import { button, h, put, text } from "../base/dom.js";
import { minor, money } from "../base/money.js";
import { refuse, say } from "../base/notes.js";
import { learn, t } from "../base/words.js";
import { odds } from "./felt.js";
import { lineList } from "./lines.js";

learn({
  result: ["Result", "結果"],
  history: ["History", "記錄"],
  "exact odds": ["Odds", "賠率"],
  requests: ["Requests", "請求"],
  "no rounds": ["No round is over yet.", "尚未有已結束的牌局。"],
  "banker wins": ["Banker wins {high} to {low}", "庄贏 {high} 比 {low}"],
  "player wins": ["Player wins {high} to {low}", "閒贏 {high} 比 {low}"],
  "tie at": ["Tie at {high}", "和局 {high} 點"],
  "void round": ["This round is void; stakes come back.", "本局作廢，退回注碼。"],
  "odds from": ["Exact, from the {n} cards not seen this shoe.", "按本靴未見的 {n} 張牌精確計算。"],
  bet: ["Bet", "注"],
  pays: ["Pays", "賠率"],
  chance: ["Wins", "命中"],
  edge: ["House edge", "莊家優勢"],
  "edge fresh": ["full shoe {n} %", "整靴 {n}%"],
  "ask squeeze": ["Ask to squeeze {hand}", "請求看{hand}牌"],
  "banker third first": ["Ask for the Banker's third card first", "請求先開庄第三張"],
  "no insurance": ["Ask that no insurance be offered", "請求不設保險"],
  "buy in": ["Buy chips", "買籌碼"],
  "cash out": ["Cash out and leave", "兌現離座"],
  "stand up": ["Stand up", "離開座位"],
  "raise a dispute": ["Raise a dispute", "提出爭議"],
  "dispute words": ["What is disputed?", "爭議內容"],
  amount: ["Amount", "金額"],
  done: ["The house has it.", "已收到。"],
  "see round": ["{n}. {who}", "{n}. {who}"],
});

/** How a round ended, in words. */
export function outcome(winner, player, banker) {
  if (winner === "tie") return t("tie at", { high: player });
  return t(`${winner} wins`, { high: Math.max(player, banker), low: Math.min(player, banker) });
}

const VALUE = { A: 1, T: 0, J: 0, Q: 0, K: 0 };
const points = (cards) => cards.reduce((sum, card) => sum + (VALUE[card[0]] ?? Number(card[0])), 0) % 10;

/** The last result of the viewer: stays until the next. */
export function resultPanel() {
  const body = h("div", { class: "col" });
  const panel = h("section", { class: "panel result-panel", "aria-label": t("result"), hidden: true }, body);
  let shown = null;
  panel.draw = (view, you) => {
    const round = view.round;
    if (!round || (round.phase !== "settled" && round.phase !== "void") || shown === `${round.number}/${round.phase}`) return false;
    shown = `${round.number}/${round.phase}`;
    panel.hidden = false;
    if (round.phase === "void") {
      put(body, h("p", { class: "lead" }, t("void round")));
      say(t("void round"));
      return true;
    }
    const lines = round.lines[you] ?? [];
    const words = outcome(round.result.winner, round.player.points, round.banker.points);
    put(body, h("p", { class: `lead told ${round.result.winner}` }, h("span", { class: `dot ${round.result.winner}`, "aria-hidden": "true" }, t(`mark ${round.result.winner}`)), words), lineList(lines, view.book));
    const net = lines.reduce((sum, line) => sum + line.net, 0);
    say(`${words}. ${lines.length ? money(net, { sign: true }) : ""}`);
    return true;
  };
  return panel;
}

/** Past rounds; a tap recalls one. */
export async function historyPanel(into, name, you, book) {
  const rounds = (await get(`/api/tables/${name}/rounds`)).slice().reverse();
  if (!rounds.length) return put(into, h("p", { class: "quiet" }, t("no rounds")));
  put(into, rounds.slice(0, 60).map((round) => {
    const body = h("div", { class: "col" });
    const details = h("details", { class: "past" },
      h("summary", {},
        h("span", { class: "quiet money" }, String(round.number)),
        round.winner ? h("span", { class: `dot ${round.winner}`, role: "img", "aria-label": t(round.winner) }, t(`mark ${round.winner}`)) : h("span", {}, t("void")),
        h("span", { class: "past-cards" }, round.player.map(cardInline)), h("span", { class: "quiet" }, "–"), h("span", { class: "past-cards" }, round.banker.map(cardInline))), body);
    details.addEventListener("toggle", async () => {
      if (!details.open || body.children.length || !round.winner) return;
      try {
        const found = await get(`/api/tables/${name}/rounds/${round.last}`);
        put(body, h("p", {}, outcome(found.winner, points(found.player), points(found.banker))), lineList(found.lines[you], book));
      } catch (error) {
        refuse(body, error, book);
      }
    });
    return details;
  }));
}

/** Exact odds of every bet from the cards not seen yet. */
export async function oddsPanel(into, name, menu) {
  const now = await get(`/api/tables/${name}/odds`);
  const share = (words, digits) => `${Number(words).toFixed(digits)} %`;
  put(into,
    h("p", { class: "quiet small" }, t("odds from", { n: now.cards })),
    h("div", { class: "scroll" }, h("table", { class: "odds" },
      h("thead", {}, h("tr", {}, [t("bet"), t("pays"), t("chance"), t("edge")].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, Object.entries(menu).map(([id, bet]) => h("tr", {},
        h("th", { scope: "row" }, t(id)),
        h("td", {}, bet.pays.filter((row) => row.odds).map((row) => h("div", {}, h("b", {}, odds(row.odds)), " ", h("span", { class: "quiet tiny" }, row.when)))),
        h("td", { class: "money" }, share(now.bets[id].hit, 2)),
        h("td", { class: `money${now.bets[id].against_house ? " won" : ""}` }, share(now.bets[id].per_cent, 2), h("div", { class: "quiet tiny" }, t("edge fresh", { n: Number(now.bets[id].full_per_cent).toFixed(2) })))))))));
}

/** What a patron may ask for; whether it may be is for the house to say. */
export function requestsPanel(into, store, you, { leave }) {
  const book = store.view.book;
  const ask = (words, given) => {
    const row = h("div", { "data-refusals": "" });
    row.append(button(words, async (event) => {
      event.target.disabled = true;
      try {
        await store.do(given());
        say(t("done"));
      } catch (refusal) {
        refuse(row, refusal, book);
      }
      event.target.disabled = false;
    }, { class: "button wide" }));
    return row;
  };
  const typed = (words, label, given, type) => {
    const field = h("input", { class: "field", "aria-label": label, placeholder: label, inputmode: type, maxlength: 300, required: true });
    const form = h("form", { class: "ask-row", "data-refusals": "" }, field, h("button", { class: "button" }, words));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await store.do(given(field.value));
        field.value = "";
        say(t("done"));
      } catch (refusal) {
        refuse(form, refusal, book);
      }
    });
    return form;
  };
  put(into,
    typed(t("buy in"), t("amount"), (words) => ({ do: "buy-in", patron: you, amount: minor(words) ?? 0 }), "decimal"),
    ["player", "banker"].map((hand) => ask(t("ask squeeze", { hand: t(hand) }), () => ({ do: "ask-squeeze", patron: you, hand }))),
    ask(t("banker third first"), () => ({ do: "banker-third-first", patron: you })),
    ask(t("no insurance"), () => ({ do: "no-insurance", patron: you })),
    typed(t("raise a dispute"), t("dispute words"), (says) => ({ do: "raise-dispute", patron: you, says }), "text"),
    ask(t("stand up"), () => ({ do: "stand", patron: you })),
    leaving(leave, book));
}

function leaving(leave, book) {
  const row = h("div", { "data-refusals": "" });
  row.append(button(t("cash out"), async () => {
    try {
      await leave();
    } catch (refusal) {
      refuse(row, refusal, book);
    }
  }, { class: "button wide" }));
  return row;
}
