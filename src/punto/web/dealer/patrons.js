// Who is at the table, what lies on the felt, insurance, the squeeze, and acting for a patron.

import { h, put } from "../base/dom.js";
import { minor, money } from "../base/money.js";
import { refuse } from "../base/notes.js";
import { t } from "../base/words.js";
import { doing, give, labelled, select } from "./desk.js";
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
      h("div", { class: "patron-head" }, h("b", {}, each.name), h("span", { class: "small quiet" }, each.box ? t("box", { n: each.box }) : t("standing"), each.away && ` · ${t("is away")}`, each.owed > 0 && ` · ${t("owes", { n: money(each.owed) })}`),
        h("span", { class: "money" }, money(each.balance))),
      own.map((wager) => h("div", { class: "wager", "data-refusals": "" },
        h("span", { class: `mark ${wager.bet}` }, t(wager.bet)), wager.box !== each.box && h("span", { class: "tiny quiet" }, t("box", { n: wager.box })), wager.advised && h("span", { class: "tiny waits" }, t("pulled since")),
        h("span", { class: "money" }, money(wager.stake)),
        view.round.phase === "betting" ? doing(table, t("withdraw"), { do: "withdraw", ...of(wager) }, { class: "bare" }) : [
          doing(table, t("pull"), { do: "pull", ...of(wager) }, { class: "bare" }),
          over.some(([heavier]) => heavier === wager.bet) && doing(table, t("remove"), { do: "remove", ...of(wager), amount: wager.stake }, { class: "bare" })])),
      covers.map((cover) => h("div", { class: "wager" }, h("span", { class: "mark" }, t(`${cover.hand}-insurance`)), h("span", { class: "tiny quiet" }, cover.odds), h("span", { class: "money" }, money(cover.stake)))));
  };
  return [
    h("p", { class: "row small weight" }, h("span", { class: "money" }, t("weight", { p: money(player), b: money(banker) })), limit && h("span", { class: "quiet" }, `${t("differential")} ${money(limit)}`),
      over.map(([heavier, box, amount]) => h("b", { class: "waits" }, t("over", { hand: hand(heavier), n: money(amount) }), box ? ` · ${t("box", { n: box })}` : ""))),
    h("ul", { class: "patrons" }, [...view.patrons].sort((a, b) => (a.box ?? 99) - (b.box ?? 99)).map(row)),
  ];
}

export const insuranceShows = ({ view, desk }) => [view.round?.offer, view.round?.number, desk.covers, desk.intent];

/** The lammer: the odds, who may take how much, who has taken. */
export function drawInsurance({ table, view, desk }) {
  const offer = view.round?.offer;
  if (!offer) return null;
  const rows = Object.entries(offer.most).map(([spot, most]) => {
    const at = spot.lastIndexOf("/");
    const patron = spot.slice(0, at), box = Number(spot.slice(at + 1));
    const taken = desk.covers.filter((each) => each.patron === patron && each.box === box && each.stage === offer.stage && each.hand === offer.hand).reduce((sum, each) => sum + each.stake, 0);
    const field = h("input", { class: "field short", inputmode: "decimal", "aria-label": `${t("insure")} ${patron}`, placeholder: money(most) });
    return h("li", { "data-refusals": "" }, h("b", {}, patron), h("span", { class: "small quiet" }, t("box", { n: box })),
      h("span", { class: "small" }, t("may take", { n: money(most) })), h("span", { class: `small ${taken ? "won" : "quiet"}` }, taken ? t("taken", { n: money(taken) }) : t("not taken")),
      desk.intent.includes(patron) && h("span", { class: "tiny waits" }, t("declare-intent")),
      most > 0 && [field, doing(table, t("insure"), () => {
        const stake = minor(field.value);
        if (stake === null) return void refuse(field.closest("li"), new Error(t("no amount", { n: field.value })), view.book);
        return { do: "insure", patron, hand: offer.hand, stake, box };
      }), doing(table, t("declare-intent"), { do: "declare-intent", patron }, { class: "bare" })]);
  });
  return [h("h2", {}, h("span", { class: "lammer" }, offer.odds.replace(":", " : ")), t("lammer", { hand: hand(offer.hand), odds: offer.odds.replace(":", " to ") })),
    rows.length ? h("ul", { class: "covers" }, rows) : h("p", { class: "quiet" }, t("nobody may insure"))];
}

/** What can be done for a patron: a form that is kept while the table changes. */
export function actForPatron(current, bets) {
  const who = h("select", { class: "field", "aria-label": t("detail patron") });
  const what = h("select", { class: "field", "aria-label": t("act for") });
  const rest = h("div", { class: "row" });
  const fields = {
    name: () => h("input", { class: "field", name: "name", maxlength: 40, autocapitalize: "none", autocomplete: "off", placeholder: t("new patron"), "aria-label": t("new patron") }),
    box: () => select(Array.from({ length: current().desk.positions }, (_, n) => [n + 1, t("box", { n: n + 1 })]), { name: "box", "aria-label": t("box", { n: "" }) }),
    anybox: () => select([["", "–"], ...Array.from({ length: current().desk.positions }, (_, n) => [n + 1, t("box", { n: n + 1 })])], { name: "box", "aria-label": t("box", { n: "" }) }),
    bet: () => select(Object.keys(bets).map((each) => [each, t(each)]), { name: "bet", "aria-label": t("bet") }),
    amount: () => h("input", { class: "field", name: "amount", inputmode: "decimal", autocomplete: "off", placeholder: t("amount"), "aria-label": t("amount") }),
    hand: () => select(["player", "banker"].map((each) => [each, hand(each)]), { name: "hand", "aria-label": t("detail hand") }),
    how: () => select([["squeeze", t("squeeze")], ["expose", t("do expose")]], { name: "how", "aria-label": t("squeeze") }),
  };
  const ACTS = {
    place: ["bet", "amount", "anybox"], find: ["bet", "amount", "anybox"], "buy-in": ["amount"], "cash-out": ["amount"], "pay-owed": ["amount"], sit: ["name", "box"], stand: ["name"], leave: [],
    "ask-squeeze": ["hand"], "grant-squeeze": ["hand"], "decline-squeeze": ["hand"], "bar-squeeze": [], "banker-third-first": ["how"], "declare-intent": [], "no-insurance": [], "take-shoe": [], "let-draw": [], "clear-strike": [],
  };
  const later = { "no-insurance": "insurance" };
  const offered = () => {
    const { desk } = current();
    return Object.keys(ACTS).filter((each) => !(["declare-intent", "no-insurance", "banker-third-first"].includes(each) && !desk.insurance) && !(["take-shoe", "let-draw"].includes(each) && !desk.methods.includes("C")) && !(each === "clear-strike" && !desk.strikes.length) && !(/squeeze/.test(each) && !desk.face_down && !desk.methods.length));
  };
  const draw = () => put(rest, ACTS[what.value].map((each) => fields[each]()));
  what.addEventListener("change", draw);
  const form = h("form", { class: "col act-for", "data-refusals": "", onsubmit: async (event) => {
    event.preventDefault();
    form.querySelector(":scope > .refusal")?.remove();
    const { table, view } = current();
    const of = (name) => rest.querySelector(`[name=${name}]`)?.value;
    const given = { do: what.value, patron: of("name")?.trim() || who.value };
    if (ACTS[what.value].includes("amount") && !(what.value === "cash-out" && !of("amount"))) {
      const amount = minor(of("amount"));
      if (amount === null) return void refuse(form, new Error(t("no amount", { n: of("amount") })), view.book);
      given[["place", "find"].includes(what.value) ? "stake" : "amount"] = amount;
    }
    for (const each of ["bet", "hand", "how"]) if (of(each)) given[each] = of(each);
    if (of("box")) given.box = Number(of("box"));
    if (await give(table, given, form)) for (const each of rest.querySelectorAll("input")) each.value = "";
  } }, h("div", { class: "row" }, labelled(t("detail patron"), who), labelled(t("act for"), what)), rest, h("div", {}, h("button", { class: "button small" }, t("do"))));
  let was = "";
  form.show = ({ view }) => {
    const now = JSON.stringify([view.patrons.map((each) => each.name), offered()]);
    if (now === was) return;
    was = now;
    const chosen = [who.value, what.value];
    put(who, view.patrons.map((each) => h("option", { value: each.name }, each.name)));
    put(what, offered().map((each) => h("option", { value: each }, t(later[each] ?? each))));
    if (view.patrons.some((each) => each.name === chosen[0])) who.value = chosen[0];
    what.value = offered().includes(chosen[1]) ? chosen[1] : view.patrons.length ? "place" : "sit";
    draw();
  };
  return form;
}
