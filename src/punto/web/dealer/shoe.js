// The shoe and the calls: what may be done now besides what comes next.

import { h } from "../base/dom.js";
import { t } from "../base/words.js";
import { doing } from "./desk.js";
import { hand } from "./words.js";

const CALLS = ["burn", "announce-points", "last-hand", "end-shoe", "load-shoe", "give-back-shoe", "close-table"];

export const shoeShows = ({ view, desk }) => [desk.shoe, desk.may, desk.methods, view.method, view.round?.phase, view.round?.number, desk.cards.length, desk.shoe_kind];

/** Facts about the shoe, and buttons for what the table allows now. */
export function drawShoe({ table, view, desk }) {
  const shoe = desk.shoe;
  const say = [
    shoe && t("shoe n", { n: shoe.number }), shoe && t("cards left", { n: shoe.left }), t(`${desk.shoe_kind} shoe`), desk.face_down ? t("face down") : t("face up"),
    view.method && `${t("method")} ${view.method}`, shoe?.last && t("last hand on"), shoe?.must_change && t("must change"), shoe?.free_next && t("free next"), shoe?.controller && t("has the cards", { who: shoe.controller })].filter(Boolean);
  const virtual = desk.shoe_kind === "virtual";
  const calls = CALLS.filter((each) => desk.may[each] === null && !(virtual && ["burn", "end-shoe", "load-shoe"].includes(each)));
  const command = (each) => (each === "announce-points" ? { do: "announce", what: "points" } : { do: each });
  const dealt = view.round?.phase === "closed" && !virtual && desk.cards.length > 0;
  return [
    h("p", { class: "small quiet" }, say.join(" · ")),
    calls.length > 0 && h("div", { class: "row" }, calls.map((each) => doing(table, t(each), command(each)))),
    desk.may.announce === null && h("div", { class: "row" }, h("span", { class: "small" }, t("called")), ["player", "banker", "tie"].map((winner) => doing(table, hand(winner), { do: "announce", what: "result", winner }))),
    dealt && desk.due && h("div", { class: "row" }, h("span", { class: "small" }, t("drawn elsewhere")), ["player", "banker"].map((each) => doing(table, hand(each), { do: "draw", to: each }))),
    desk.methods.length > 0 && ["settled", "void", undefined].includes(view.round?.phase) && h("div", { class: "row" }, desk.methods.map((method) => doing(table, `${t("method")} ${method}`, { do: "set-method", method }, { "aria-pressed": String(view.method === method) }))),
    desk.methods.includes("A") && view.method === "A" && desk.cards.length >= 4 && view.round?.phase === "closed" && h("div", { class: "row" }, h("span", { class: "small" }, t("open-first")), ["player", "banker"].map((each) => doing(table, hand(each), { do: "open-first", hand: each }))),
  ];
}
