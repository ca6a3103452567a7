// The ring that shows how long bets are open. The house's clock rules it.

import { h, s } from "./dom.js";
import { learn, t } from "./words.js";

learn(`
seconds left | {n} seconds left to bet | 尚餘 {n} 秒下注
`);

const AROUND = 2 * Math.PI * 22;

export function timerRing() {
	const arc = s("circle.timer-arc", { r: 22, "stroke-dasharray": AROUND, transform: "rotate(-90)" }), figure = s("text", { y: 7 });
	const ring = h("div.timer", { role: "timer", hidden: true }, s("svg", { viewBox: "-26 -26 52 52", "aria-hidden": "true" }, s("circle.timer-track", { r: 22 }), arc, figure));
	let timer = 0;
	ring.draw = ({ snapshot: { closes_at: closes, opened_at: opens }, now }) => {
		clearInterval(timer);
		ring.hidden = !(closes > now());
		if (ring.hidden) return;
		let shown = null;
		const tick = () => {
			const left = Math.max(0, closes - now()), seconds = Math.ceil(left / 1000);
			arc.setAttribute("stroke-dashoffset", AROUND * (1 - Math.min(1, left / Math.max(1, closes - opens))));
			if (!left || !(ring.isConnected || shown === null)) clearInterval(timer);
			if (seconds === shown) return;
			shown = seconds;
			figure.textContent = String(seconds);
			ring.classList.toggle("late", seconds <= 5);
			ring.setAttribute("aria-label", t("seconds left", seconds));
		};
		timer = setInterval(tick, 60); // often enough for the eye
		tick();
	};
	return ring;
}
