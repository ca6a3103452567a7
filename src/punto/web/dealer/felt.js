// The two hands as they lie, the slot where the next card is expected, and entering faces.

import { button, h, put } from "../base/dom.js";
import { cardBack, cardFace, cardName } from "../base/cards.js";
import { say } from "../base/notes.js";
import { t, inChinese, inEnglish } from "../base/words.js";
import { doing, give } from "./desk.js";
import { readCards } from "./forms.js";
import { hand as handName } from "./words.js";

const RANKS = "A23456789TJQK";
const SUITS = [["s", "♠"], ["h", "♥"], ["c", "♣"], ["d", "♦"]];

/** Both hands. `target` is the place that a face is entered for; `pick(at)` chooses another. */
export function drawHands({ view, desk }, target, pick) {
  const round = view.round;
  const spot = (area) => {
    const cards = desk.cards.filter((each) => each.area === area);
    const seen = area === "aside" ? null : round?.[area];
    const slots = cards.map((each, at) =>
      h("li", { class: `d-spot${at === 2 ? " d-sideways" : ""}${each.at === target ? " target" : ""}` },
        each.face
          ? cardFace(each.face)
          : h("button", { type: "button", class: "d-down", "aria-pressed": String(each.at === target), "aria-label": t("open this", { n: each.at }), onclick: () => pick(each.at) }, cardBack()),
        h("span", { class: "at" }, String(each.at))));
    const due = desk.due === area;
    if (due) slots.push(h("li", { class: `d-spot due${cards.length === 2 ? " d-sideways" : ""}` }, h("span", {}, t("next card"))));
    return h("div", { class: `d-lay-hand ${area}` },
      h("h2", {}, area === "aside" ? t(area) : [inEnglish(area), " ", h("span", { lang: "zh-Hant" }, inChinese(area))],
        seen && cards.some((each) => each.face) && h("b", { class: "d-total" }, String(seen.points))),
      h("ul", { class: "d-spots", "aria-label": handName(area) }, slots),
      seen?.squeezer && h("p", { class: "small holds" }, t("has the cards", { who: seen.squeezer })));
  };
  const aside = desk.cards.some((each) => each.area === "aside");
  return h("div", { class: "d-lay" }, spot("player"), spot("banker"), aside && spot("aside"));
}

/** Where a typed face goes now: {at} an unopened card, {draw} the card that is due, or null. */
export function whereTo({ view, desk }, picked) {
  const down = desk.cards.filter((each) => !each.face);
  if (view.questions.some((each) => each.blocks) || desk.questions.some((each) => each.question.blocks)) return null;
  if (view.round?.phase !== "closed" || desk.shoe_kind === "virtual") return null;
  const chosen = down.find((each) => each.at === picked);
  if (chosen) return { at: chosen.at, area: chosen.area };
  const next = view.next[0];
  if (next?.do === "draw" && desk.shoe_kind === "hand" && (!desk.face_down || !down.length) && !desk.shoe?.controller) return { draw: true, area: desk.due };
  const ready = view.next.some((each) => each.do === "expose") || (!desk.face_down && down.length);
  return down.length && ready ? { at: down[0].at, area: down[0].area } : null;
}

/** The entry: a field for `6h`, and a pad of ranks and suits for a finger. Kept while the table changes. */
export function cardEntry(current) {
  const field = h("input", { class: "field card-field", name: "card", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 40, "aria-label": t("cards"), placeholder: "6h" });
  const goes = h("p", { class: "small goes", role: "status" });
  const read = h("span", {});
  let rank = null, busy = false, picked = null;

  const one = async (face) => {
    const state = current();
    const to = whereTo(state, picked);
    if (!to) throw new Error(t("no card expected"));
    if (to.draw) {
      const drawn = await give(state.table, { do: "draw" }, form);
      if (!drawn) return false;
      const [card] = drawn.events.map((each) => each.event).filter((each) => each.event === "card-drawn").slice(-1);
      if (!card) return true;
      return Boolean(await give(state.table, { do: "expose", faces: [face], at: card.at }, form));
    }
    picked = null;
    return Boolean(await give(state.table, { do: "expose", faces: [face], at: to.at }, form));
  };
  const send = async (words) => {
    if (busy) return;
    form.querySelector(":scope > .refusal")?.remove();
    let faces;
    try {
      faces = readCards(words);
    } catch (wrong) {
      return complain(wrong.message);
    }
    busy = true;
    try {
      for (const face of faces) {
        if (!(await one(face))) break;
        say(cardName(face));
        field.value = field.value.trim().split(/[\s,]+/).slice(1).join(" ");
        await current().settled();
      }
    } catch (error) {
      complain(error.message);
    }
    busy = false;
    if (!matchMedia("(pointer: coarse)").matches) field.focus();
  };
  const complain = (message) => {
    form.querySelector(":scope > .refusal")?.remove();
    form.append(h("div", { class: "refusal", role: "alert" }, message));
  };
  const choose = (each) => {
    rank = each;
    for (const key of pad.querySelectorAll("[data-rank]")) key.setAttribute("aria-pressed", String(key.dataset.rank === rank));
  };
  const pad = h("div", { class: "pad", role: "group", "aria-label": t("cards") },
    h("div", { class: "ranks" }, [...RANKS].map((each) => button(each === "T" ? "10" : each, () => choose(each), { class: "key", "data-rank": each, "aria-pressed": "false" }))),
    h("div", { class: "suits" }, SUITS.map(([suit, sign]) =>
      button(sign, () => {
        if (!rank) return complain(t("card hint"));
        send(rank + suit);
        choose(null);
      }, { class: `key suit ${suit}`, "aria-label": t({ s: "spades", h: "hearts", c: "clubs", d: "diamonds" }[suit]) }))));
  const form = h("form", { class: "entry", "data-refusals": "", onsubmit: (event) => {
    event.preventDefault();
    if (field.value.trim()) send(field.value);
  } },
    h("div", { class: "row" }, field, h("button", { class: "button" }, t("enter")), read),
    goes, pad, h("p", { class: "tiny quiet" }, t("card hint")));
  form.pick = (at) => { picked = at; };
  form.picked = () => picked;
  form.typeHere = () => field.focus();
  form.show = (state) => {
    const to = whereTo(state, picked);
    const { desk } = state;
    form.hidden = desk.shoe_kind === "virtual" || state.view.round?.phase !== "closed" || (desk.cards.length > 3 && !desk.due && desk.cards.every((each) => each.face));
    goes.textContent = !to ? t("no card expected") : to.draw ? t("draws and opens", { hand: handName(to.area) }) : t("opens", { n: to.at, hand: handName(to.area) });
    form.classList.toggle("waiting", !to);
    put(read, desk.shoe_kind === "read" && to && !to.draw && doing(state.table, t("open with shoe"), { do: "expose", faces: [], at: to.at }));
  };
  return form;
}
