// The felt: the two hands, and exactly the bets of this layout with their odds as the book states them.

import { apart, cardBack, cardFace, h, inChinese, inEnglish, learn, money, move, odds, put, stackArt, t, text, total } from "../base.js";

learn(`
field name | {bet}, pays {odds} | {bet}，賠率 {odds}
insured | {n} insured at {odds} | 已投保 {n}，{odds}
your wager | your wager {n} | 你已下注 {n}
on its way | {n} on its way | {n} 待確認
others | {n} from others | 其他人 {n}
points | {n} points | {n} 點
you hold | you hold these cards | 由你看牌
`);

const MAIN = ["banker", "player"];

/** [["0.95 to 1", when], …]. */
export const paying = (bet) => bet.pays.filter((row) => row.odds).map((row) => [odds(row.odds), row.when]);

function field(id, bet, place) {
	const mine = h("div.mine"), others = h("span.others.tiny"), rows = paying(bet), main = MAIN.includes(id), full = rows.map((each) => each.join(" "));
	const printed = main && rows.length > 1 ? rows.map(([each, when]) => h("span", h("b", each), ` ${when}`)) : h("b", rows.map(([each]) => each).join(" · "));
	const target = h("button.spot", { type: "button", onclick: () => place(id, box) },
		h("span.spot-name", h("b", inChinese(id)), h("span", bet.name)), h("span.spot-odds", { title: full.join(" · ") }, printed), mine, others);
	const box = h(`div.spot-box.${id}`, { "data-bet": id }, target);
	const name = t("field name", { bet: inEnglish(id) ? t(id) : bet.name, odds: (rows.length > 1 ? full : rows.map(([each]) => each)).join(", ") });
	let was = "";
	box.draw = ({ laid, pending, around, insured, chips, ...states }) => {
		const called = [name, laid && t("your wager", money(laid)), pending && t("on its way", money(pending)), ...insured.map((each) => t("insured", { n: money(each.stake), odds: odds(each.odds) }))].filter(Boolean).join("; ");
		if (was !== called) {
			was = called;
			put(mine, insured.map((each) => h("span.lammer.money", h("b", odds(each.odds)), ` ${money(each.stake)}`)), laid + pending > 0 && [
				h("span.stack", { class: !laid && "pending" }, stackArt(laid + pending, chips)),
				h("span.amount.money", money(laid || pending), laid > 0 && pending > 0 && h("i.pending", ` +${money(pending)}`))]);
		}
		text(others, around ? money(around) : "");
		others.title = around ? t("others", money(around)) : "";
		for (const [state, is] of Object.entries(states)) box.classList.toggle(state, is);
		target.setAttribute("aria-disabled", !states.open);
		target.setAttribute("aria-label", called);
	};
	return box;
}

export function felt(menu, place) {
	const fields = new Map(Object.entries(menu).map(([id, bet]) => [id, field(id, bet, place)]));
	const sides = [...fields].filter(([id]) => !MAIN.includes(id)).map(([, each]) => each), rows = sides.length > 5 ? 2 : 1;
	const element = h("div.fields", { vars: { "--cols": Math.ceil(sides.length / rows), "--rows": rows } }, fields.get("banker"), h("div.between", sides), fields.get("player"));
	element.field = (bet) => fields.get(bet) ?? element;
	element.draw = ({ round }, betting, chips, you, covers) => {
		const wagers = round && round.phase !== "void" ? round.wagers : [], over = round?.phase === "settled", pending = betting?.pending();
		for (const [id, box] of fields) {
			const sum = (own) => total(wagers.filter((each) => each.bet === id && (each.patron === you) === own));
			const line = round?.lines?.[you]?.findLast((each) => each.bet === id);
			box.draw({
				laid: sum(true),
				pending: pending?.get(id) ?? 0,
				around: sum(false),
				insured: wagers.length ? covers.filter((each) => each.bet === id) : [],
				chips,
				open: Boolean(betting) && round?.phase === "betting" && !round.free,
				won: over && (line ? line.result === "win" : round.result?.winner === id),
				lost: over && line?.result === "lose",
			});
		}
	};
	return element;
}

const DEAL = 280;
const TURN = 220;

function card(third) {
	const art = h("div.card", cardBack());
	const slot = h("div.slot", { class: third && "third" }, art);
	let work = Promise.resolve(), face = null;
	slot.from = (shoe) => {
		const [x, y] = apart(slot, shoe);
		work = move(slot, [{ transform: `translate(${x}px, ${y}px) rotate(24deg) scale(.7)`, opacity: 0.4 }, { transform: "none", opacity: 1 }], { duration: DEAL });
	};
	slot.open = (code, quick) => {
		if (face === code) return work;
		face = code;
		work = work.then(async () => {
			const lying = third ? "rotate(90deg) " : "", wide = { transform: `${lying}scaleX(1)` }, thin = { transform: `${lying}scaleX(0)` };
			if (!quick) await move(art, [wide, thin], { duration: TURN / 2, easing: "ease-in" });
			put(art, cardFace(code));
			if (!quick) await move(art, [thin, wide], { duration: TURN / 2, easing: "ease-out" });
		});
		return work;
	};
	slot.ready = () => work;
	return slot;
}

function oneHand(name, shoe) {
	const cards = h("div.cards");
	const printed = h("div.cards.printed", { "aria-hidden": "true" }, h("i"), h("i"), h("i.third"));
	const points = h("output.points"), holder = h("span.holder.tiny");
	const hand = h(`section.hand.${name}`, { label: t(name) },
		h("header", h("span.hand-name", h("b", inChinese(name)), " ", inEnglish(name)), points, holder), h("div.lay", printed, cards));
	let round = null;
	hand.draw = (seen, number, you, quick) => {
		if (round !== number || seen.cards.length < cards.children.length) {
			cards.replaceChildren();
			round = number;
		}
		seen.cards.forEach((face, at) => {
			let slot = cards.children[at];
			if (!slot) {
				slot = card(at === 2);
				cards.append(slot);
				if (!quick) slot.from(shoe);
			}
			if (face) slot.open(face, quick).then(() => hand.tell(seen));
		});
		if (!seen.cards.length) hand.tell(seen);
		text(holder, seen.squeezer ? (seen.squeezer === you ? t("you hold") : t("holds", seen.squeezer)) : "");
	};
	hand.tell = (seen) => {
		const open = seen.cards.some(Boolean);
		text(points, open ? String(seen.points) : "");
		points.setAttribute("aria-label", open ? t("points", seen.points) : "");
	};
	return hand;
}

const NONE = { cards: [], points: 0, squeezer: null };

/** Both hands, drawn without motion where `quick`; `ready()` resolves when no card moves. */
export function hands(shoe) {
	const both = Object.entries({ player: oneHand("player", shoe), banker: oneHand("banker", shoe) });
	const element = h("div.hands", both.map(([, hand]) => hand));
	element.draw = (round, you, quick) => both.forEach(([name, hand]) => hand.draw(round?.[name] ?? NONE, round?.number, you, quick));
	element.ready = () => Promise.all([...element.querySelectorAll(".slot")].map((slot) => slot.ready()));
	element.glow = (winner) => both.forEach(([name, hand]) => hand.classList.toggle("wins", name === winner));
	return element;
}
