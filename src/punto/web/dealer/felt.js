// The two hands as they lie, and entering faces.

import { attempt, button, cardBack, cardFace, cardName, doing, h, put, readCards, refuse, say, t } from "../base.js";
import { layHand } from "./desk.js";

export const RANKS = [..."A23456789TJQK"];
export const SUITS = { s: "♠", h: "♥", c: "♣", d: "♦" };
const SUIT_NAMES = { s: "spades", h: "hearts", c: "clubs", d: "diamonds" };

/** `target` is the place that a face is entered for; `pick(at)` chooses another. */
export function drawHands({ view, desk }, target, pick) {
	const hand = (area) => {
		const cards = desk.cards.filter((each) => each.area === area), seen = view.round?.[area];
		const down = (at) => button(cardBack(), () => pick(at), { class: "d-down", "aria-pressed": String(at === target), label: t("open this", at + 1) });
		const spots = cards.map(({ at, face }) => ({ art: [face ? cardFace(face) : down(at), h("span.at", at + 1)], mark: at === target && "target" }));
		if (desk.due === area) spots.push({ art: h("span", t("next card")), mark: "due" });
		return layHand(area, spots, {
			total: seen && cards.some((each) => each.face) ? seen.points : null,
			below: seen?.squeezer && h("p.small.waits", t("holds", seen.squeezer)),
		});
	};
	return h("div.d-lay", hand("player"), hand("banker"), desk.cards.some((each) => each.area === "aside") && hand("aside"));
}

/** Where a typed face goes now: {at} an unopened card, {draw} the card that is due, or null. */
export function whereTo({ view, desk }, picked) {
	const down = desk.cards.filter((each) => !each.face);
	if (view.questions.some((each) => each.blocks) || desk.questions.some((each) => each.question.blocks)) return null;
	if (view.round?.phase !== "closed" || desk.shoe_kind === "virtual") return null;
	const chosen = down.find((each) => each.at === picked);
	if (chosen) return chosen;
	if (view.next[0]?.do === "draw" && desk.shoe_kind === "hand" && (!desk.face_down || !down.length) && !desk.shoe?.controller) return { draw: true, area: desk.due };
	const ready = view.next.some((each) => each.do === "expose") || !desk.face_down;
	return (ready && down[0]) || null;
}

/** A field for `6h`, and a pad of ranks and suits for a finger. Kept while the table changes. */
export function cardEntry(current) {
	const field = h("input.field.card-field", { name: "card", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 40, label: t("cards"), placeholder: "6h" });
	const goes = h("p.small.goes", { role: "status" }), read = h("span");
	let rank = null, busy = false, picked = null;

	const open = async (face) => {
		const { table } = current(), to = whereTo(current(), picked);
		if (!to) throw new Error(t("no card expected"));
		picked = null;
		const drawn = to.draw && (await table.do({ do: "draw" })).events.findLast(({ event }) => event.event === "card-drawn");
		if (!to.draw || drawn) await table.do({ do: "expose", faces: [face], at: drawn ? drawn.event.at : to.at });
	};
	const send = async (words) => {
		if (busy) return;
		busy = true;
		await attempt(form, current().view.book, async () => {
			for (const face of readCards(words)) {
				await open(face);
				say(cardName(face));
				field.value = field.value.trim().split(/[\s,]+/).slice(1).join(" ");
				await current().settled();
			}
		});
		busy = false;
		if (!matchMedia("(pointer: coarse)").matches) field.focus();
	};
	const choose = (each) => {
		rank = each;
		for (const key of pad.querySelectorAll("[data-rank]")) key.setAttribute("aria-pressed", key.dataset.rank === rank);
	};
	const suited = (suit) => {
		if (!rank) return void refuse(form, { message: t("card hint") });
		send(rank + suit);
		choose(null);
	};
	const pad = h("div.col.pad", { role: "group", label: t("cards") },
		h("div.ranks", RANKS.map((each) => button(each === "T" ? "10" : each, () => choose(each), { class: "key", "data-rank": each, "aria-pressed": "false" }))),
		h("div.suits", Object.entries(SUITS).map(([suit, sign]) => button(sign, () => suited(suit), { class: `key suit ${suit}`, label: t(SUIT_NAMES[suit]) }))));
	const form = h("form.col.entry", { onsubmit: () => {
		if (field.value.trim()) send(field.value);
	} }, h("div.row", field, h("button.button", t("enter")), read), goes, pad, h("p.tiny.quiet", t("card hint")));
	form.pick = (at) => { picked = at; };
	form.picked = () => picked;
	form.typeHere = () => field.focus();
	form.show = (state) => {
		const { desk, view, table } = state, to = whereTo(state, picked);
		form.hidden = desk.shoe_kind === "virtual" || view.round?.phase !== "closed" || (desk.cards.length > 3 && !desk.due && desk.cards.every((each) => each.face));
		goes.textContent = !to ? t("no card expected") : t(to.draw ? "draws and opens" : "opens", { n: to.at + 1, hand: t(to.area) });
		form.classList.toggle("waiting", !to);
		put(read, desk.shoe_kind === "read" && to && !to.draw && doing(table, t("open with shoe"), { do: "expose", faces: [], at: to.at }));
	};
	return form;
}
