// Who is at the table, what lies on the felt, insurance, the squeeze, and acting for a patron.

import { h, put } from "../base/dom.js";
import { money } from "../base/money.js";
import { t } from "../base/words.js";
import { doing } from "./desk.js";
import { commandForm, labelled } from "./forms.js";
import { hand } from "./words.js";

export const patronsShow = ({ view, desk }) => [view.patrons, view.round?.wagers, view.round?.phase, desk.covers, desk.weight, desk.strikes];

/** Patrons with their wagers, and how the hands weigh against each other. */
export function drawPatrons({ table, view, desk }) {
  const wagers = view.round && ["betting", "closed"].includes(view.round.phase) ? view.round.wagers : [];
  const { player, banker, limit, over } = desk.weight;
  const row = (each) => {
    const own = wagers.filter((wager) => wager.patron === each.name);
    const covers = wagers.length ? desk.covers.filter((cover) => cover.patron === each.name) : [];
    const of = (wager) => ({ patron: wager.patron, bet: wager.bet, box: wager.box });
    return h("li", { class: each.away ? "away" : "" },
      h("div", { class: "patron-head" }, h("b", {}, each.name), h("span", { class: "small quiet" }, each.box ? t("box n", { n: each.box }) : t("standing"), each.away && ` · ${t("is away")}`, each.owed > 0 && ` · ${t("owes", { n: money(each.owed) })}`),
        h("span", { class: "money" }, money(each.balance))),
      own.map((wager) => h("div", { class: "wager", "data-refusals": "" },
        h("span", { class: `mark ${wager.bet}` }, t(wager.bet)), wager.box !== each.box && h("span", { class: "tiny quiet" }, t("box n", { n: wager.box })), wager.advised && h("span", { class: "tiny waits" }, t("under minimum")),
        h("span", { class: "money" }, money(wager.stake)),
        view.round.phase === "betting" ? doing(table, t("withdraw"), { do: "withdraw", ...of(wager) }, { class: "bare" }) : [
          doing(table, t("pull"), { do: "pull", ...of(wager) }, { class: "bare" }),
          over.some(([heavier]) => heavier === wager.bet) && doing(table, t("remove"), { do: "remove", ...of(wager), amount: wager.stake }, { class: "bare" })])),
      covers.map((cover) => h("div", { class: "wager" }, h("span", { class: "mark" }, t(`${cover.hand}-insurance`)), h("span", { class: "tiny quiet" }, cover.odds), h("span", { class: "money" }, money(cover.stake)))));
  };
  return [
    h("p", { class: "row small weight" }, h("span", { class: "money" }, t("weight", { p: money(player), b: money(banker) })), limit && h("span", { class: "quiet" }, `${t("differential")} ${money(limit)}`),
      over.map(([heavier, box, amount]) => h("b", { class: "waits" }, t("over", { hand: hand(heavier), n: money(amount) }), box ? ` · ${t("box n", { n: box })}` : ""))),
    h("ul", { class: "patrons" }, [...view.patrons].sort((a, b) => (a.box ?? 99) - (b.box ?? 99)).map(row)),
  ];
}

export const insuranceShows = ({ view, desk }) => [view.round?.offer, view.round?.number, desk.covers, desk.intent];

/** The lammer: the odds, who may take how much, who has taken. */
export function drawInsurance(state) {
  const { table, view, desk } = state;
  const offer = view.round?.offer;
  if (!offer) return null;
  const rows = Object.entries(offer.most).map(([spot, most]) => {
    const at = spot.lastIndexOf("/");
    const patron = spot.slice(0, at), box = Number(spot.slice(at + 1));
    const taken = desk.covers.filter((each) => each.patron === patron && each.box === box && each.stage === offer.stage && each.hand === offer.hand).reduce((sum, each) => sum + each.stake, 0);
    return h("li", { "data-refusals": "" }, h("b", {}, patron), h("span", { class: "small quiet" }, t("box n", { n: box })),
      h("span", { class: "small" }, t("may take", { n: money(most) })), h("span", { class: `small ${taken ? "won" : "quiet"}` }, taken ? t("taken", { n: money(taken) }) : t("not taken")),
      desk.intent.includes(patron) && h("span", { class: "tiny waits" }, t("declare-intent")),
      most > 0 && [commandForm(state, "insure", ["stake"], { fixed: { patron, hand: offer.hand, box } }), doing(table, t("declare-intent"), { do: "declare-intent", patron }, { class: "bare" })]);
  });
  return [h("h2", {}, h("span", { class: "lammer" }, offer.odds.replace(":", " : ")), t("lammer", { hand: hand(offer.hand), odds: offer.odds.replace(":", " to ") })),
    h("ul", { class: "covers" }, rows)];
}

// What can be done for a patron, and the fields each takes.
const ACTS = ["place bet stake box?", "find bet stake box?", "buy-in amount", "cash-out amount?", "pay-owed amount", "sit name? box", "stand name?", "leave", "ask-squeeze hand", "grant-squeeze hand", "decline-squeeze hand", "bar-squeeze", "banker-third-first how", "declare-intent", "no-insurance", "take-shoe", "let-draw", "clear-strike"].map((each) => each.split(" "));
const SOME = { "declare-intent": "insurance", "no-insurance": "insurance", "banker-third-first": "insurance", "take-shoe": "methods", "let-draw": "methods", "clear-strike": "strikes" };

/** A form for one of them, kept while the table changes. */
export function actForPatron(current) {
  const rest = h("div");
  const what = h("select", { class: "field", onchange: () => draw() });
  const draw = () => {
    const [id, ...specs] = ACTS.find(([each]) => each === what.value);
    put(rest, commandForm(current(), id, [specs.includes("name?") ? "patron?" : "patron", ...specs], { words: t("do"), make: ({ name, ...given }) => ({ ...given, ...(name ? { patron: name } : {}) }) }));
  };
  const form = h("div", { class: "col" }, labelled(t("act for"), what), rest);
  let was = "";
  form.show = ({ view, desk }) => {
    const offered = ACTS.map(([id]) => id).filter((id) => !(id in SOME) || desk[SOME[id]] === true || desk[SOME[id]].length > 0);
    const now = JSON.stringify([view.patrons.map((each) => each.name), offered]);
    if (now === was) return;
    was = now;
    const chosen = what.value;
    put(what, offered.map((id) => h("option", { value: id }, t(id))));
    what.value = offered.includes(chosen) ? chosen : view.patrons.length ? "place" : "sit";
    draw();
  };
  return form;
}
