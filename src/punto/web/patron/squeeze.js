// The squeeze: a corner is dragged, the card bends along a fold, and the pips show before the index.

import { cardBack, cardFace, doing, h, learn, put, t } from "../base.js";

learn(`
squeeze | Squeeze: drag a corner | 看牌：拖動牌角
open card | Open | 開牌
`);

const FAR = 2000; // more than a card is long, in pixels

/** One side of the fold, which runs through `middle` across `normal`, as a polygon. */
function side([x, y], [right, down], sign) {
	const points = [[-1, 0], [1, 0], [1, sign], [-1, sign]].map(([along, off]) => `${x + FAR * (off * right - along * down)}px ${y + FAR * (off * down + along * right)}px`);
	return `polygon(${points})`;
}

/** One card; `open()` is called once, when it is turned far enough. */
function squeezed(face, open) {
	const back = h("div.sq-back", cardBack());
	const under = h("div.sq-flap", h("div.sq-mirror", cardFace(face, { index: false })));
	const card = h("div.sq-card", back, under);
	let corner = null, start = null, opened = false;
	const flat = () => {
		back.style.clipPath = "";
		under.style.visibility = "hidden";
	};
	const fold = (to) => {
		const away = [to[0] - corner[0], to[1] - corner[1]], long = Math.hypot(...away);
		if (long < 4) return flat();
		const normal = [away[0] / long, away[1] / long], middle = [(corner[0] + to[0]) / 2, (corner[1] + to[1]) / 2];
		back.style.clipPath = side(middle, normal, 1);
		under.style.clipPath = side(middle, normal, -1);
		under.style.visibility = "visible";
		// Reflection in the fold: x' = x - 2((x - m)·n)n.
		const [nx, ny] = normal, shift = 2 * (middle[0] * nx + middle[1] * ny);
		under.style.transform = `matrix(${1 - 2 * nx * nx}, ${-2 * nx * ny}, ${-2 * nx * ny}, ${1 - 2 * ny * ny}, ${shift * nx}, ${shift * ny})`;
		if (long > Math.hypot(card.clientWidth, card.clientHeight) * 0.82 && !opened) {
			opened = true;
			flat();
			put(back, cardFace(face));
			open();
		}
	};
	const at = (event) => {
		const box = card.getBoundingClientRect();
		return [event.clientX - box.x, event.clientY - box.y];
	};
	card.onpointerdown = (event) => {
		if (opened) return;
		card.setPointerCapture(event.pointerId);
		start = at(event);
		corner = [start[0] < card.clientWidth / 2 ? 0 : card.clientWidth, start[1] < card.clientHeight / 2 ? 0 : card.clientHeight];
	};
	card.onpointermove = (event) => {
		if (!start || opened) return;
		const [x, y] = at(event);
		fold([corner[0] + x - start[0], corner[1] + y - start[1]]);
	};
	card.onpointerup = card.onpointercancel = () => {
		start = null;
		if (!opened) flat();
	};
	flat();
	return card;
}

export function squeezeCard(held, store, time) {
	const one = ([at, face]) => {
		const open = doing(store, t("open card"), { do: "expose", faces: [], at: Number(at) });
		return h("div.sq", squeezed(face, () => open.click()), open);
	};
	return h("section.question.squeeze", { label: t("squeeze") }, h("header", h("p.lead", t("squeeze"))), h("div.row.sq-row", Object.entries(held).map(one)), time);
}
