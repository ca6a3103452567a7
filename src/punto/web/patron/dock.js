// Under the thumb: the purse, the chips, undo, clear, rebet and double; and what flies to them over the felt.

import { apart, button, chipArt, h, learn, money, move, still, t, text, typing } from "../base.js";

learn(`
chip | Chip of {n} | {n} 籌碼
chips | 籌碼
undo | 撤回
rebet | 重複
double | 加倍
balance | 餘額
at stake | 在注
owed | Owed to the house | 欠款
`);

const kept = new Map(); // the chip chosen at each table

export function dockOf(table, chips, act) {
	let chosen = kept.get(table) ?? 1, balance = null, counting = 0;
	const purse = h("output.balance.money", "–"), staked = h("span.small.quiet.money");
	const chip = (amount, kind) => button(chipArt(amount, kind), () => choose(kind), { class: "chip", role: "radio", label: t("chip", money(amount)) });
	const rack = h("div.rack", { role: "radiogroup", label: t("chips"), onkeydown: (event) => {
		const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
		if (!step) return;
		event.preventDefault();
		choose((chosen + step + chips.length) % chips.length);
		rack.children[chosen].focus();
	} }, chips.map(chip));
	const acts = ["undo", "clear", "rebet", "double"].map((key) => button(t(key), (event) => act(key, event.currentTarget), { class: "button act", "data-act": key }));
	const choose = (kind) => {
		chosen = kind;
		kept.set(table, kind);
		[...rack.children].forEach((each, at) => {
			each.setAttribute("aria-checked", at === kind);
			each.tabIndex = at === kind ? 0 : -1;
		});
	};
	/** Money that a round brings counts up to what it is; else it is shown at once. */
	const count = (from, to, quick) => {
		cancelAnimationFrame(counting);
		const show = (amount) => text(purse, money(amount, "exact"));
		if (quick || still() || from === null || to === null || to < from) return show(to);
		const began = performance.now();
		const step = (now) => {
			const part = Math.min(1, Math.max(0, now - began) / 900);
			show(Math.round(from + (to - from) * part));
			if (part < 1) counting = requestAnimationFrame(step);
		};
		counting = requestAnimationFrame(step);
	};
	choose(chosen);
	return {
		element: h("div.dock", h("div.purse", h("span.small.quiet", t("balance")), purse, staked), rack, h("div.acts", acts)),
		purse,
		rack,
		chip: () => chips[chosen],
		/** Keys: 1 to 5 choose a chip; u, c, r and d act. */
		key(event) {
			if (typing(event)) return;
			if (chips[Number(event.key) - 1]) choose(Number(event.key) - 1);
			acts.find((each) => each.dataset.act[0] === event.key && !each.disabled)?.click();
		},
		draw(mine, can, quick) {
			const now = mine?.balance ?? null;
			if (now !== balance) count(balance, now, quick);
			balance = now;
			text(staked, mine?.held ? `${t("at stake")} ${money(mine.held)}${mine.owed ? ` · ${t("owed")} ${money(mine.owed)}` : ""}` : "");
			for (const each of acts) each.disabled = !can?.[each.dataset.act];
		},
	};
}

function fly(thing, from, to, frames, options) {
	if (still()) return;
	document.body.append(thing);
	const [x, y] = apart(thing, from), [right, down] = apart(from, to);
	thing.style.translate = `${x}px ${y}px`;
	move(thing, frames(`translate(${right}px, ${down}px)`), options).then(() => thing.remove());
}

export const slideBack = (amount, kind, field, rack) =>
	fly(h("div.flying.chip-size", chipArt(amount, kind)), field, rack, (there) => [{}, { transform: there, opacity: 0.2 }], { duration: 420 });

export const flyHome = (amount, field, purse) => {
	const large = { transform: "translateY(-40%) scale(1.15)", opacity: 1 };
	fly(h("div.flying.won.money", money(amount, "sign")), field, purse,
		(there) => [{ transform: "scale(.6)", opacity: 0 }, { ...large, offset: 0.3 }, { ...large, offset: 0.55 }, { transform: `${there} scale(.7)`, opacity: 0.2 }], { duration: 1500, easing: "ease-in-out" });
};
