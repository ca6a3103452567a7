// Chips: five denominations with edge spots. Which ones a table has follows from its limits.

import { s } from "./dom.js";
import { short } from "./money.js";

const PAINT = [
	["#efe9da", "#1f5fbf", "#15181c"],
	["#b3191f", "#f6f1e4", "#ffffff"],
	["#1b7a43", "#f6f1e4", "#ffffff"],
	["#1d1f24", "#d9c48f", "#f0dfb4"],
	["#5b2d82", "#f1c8e9", "#ffffff"],
];
const STEPS = [1, 5, 10, 50, 100];

export function denominations(limits) {
	const least = Math.max(limits.minimum ?? limits.unit ?? 100, limits.unit ?? 1);
	return STEPS.map((step) => least * step);
}

const spots = (r, width, colour) => {
	const around = 2 * Math.PI * r;
	return s("circle", { r, fill: "none", stroke: colour, "stroke-width": width, "stroke-dasharray": `${around / 16} ${around / 16}`, "stroke-dashoffset": around / 32 });
};

export function chipArt(amount, kind) {
	const [body, spot, ink] = PAINT[kind % PAINT.length];
	const face = short(amount);
	return s("svg.chip-art", { viewBox: "-50 -50 100 100", "aria-hidden": "true" },
		s("circle", { r: 48, fill: body, stroke: "#000", "stroke-opacity": 0.35, "stroke-width": 1.5 }),
		spots(41.5, 12, spot),
		s("circle", { r: 34, fill: body, stroke: spot, "stroke-width": 1.5 }),
		s("circle", { r: 29, fill: "none", stroke: spot, "stroke-width": 0.8, "stroke-dasharray": "2 2.5" }),
		s("text", { y: 9, "font-size": face.length > 3 ? 20 : 26, fill: ink }, face));
}

/** A stack seen from a little above, the largest chips below; at most nine are drawn. */
export function stackArt(amount, chips) {
	const kinds = [];
	let rest = amount;
	for (let kind = chips.length - 1; kind >= 0; kind--) for (; rest >= chips[kind] && kinds.length < 9; rest -= chips[kind]) kinds.push(kind);
	if (rest && kinds.length < 9) kinds.push(0);
	const high = 14 + kinds.length * 6 + 18;
	const group = kinds.map((kind, at) => {
		const [body, spot] = PAINT[kind];
		const x = 30 + ((at * 7919) % 5) - 2 + at * 0.5, y = high - 15 - at * 6;
		return s("g", { transform: `translate(${x} ${y})` },
			s("ellipse", { rx: 25, ry: 11, cy: 5, fill: body, stroke: "#000", "stroke-opacity": 0.45, "stroke-width": 0.8 }),
			s("path", { d: "M-12 14.5v-5M12 14.5v-5M0 16v-5M-21 10v-4M21 10v-4", stroke: spot, "stroke-width": 4 }),
			s("ellipse", { rx: 25, ry: 11, fill: body, stroke: spot, "stroke-width": 1.2 }),
			s("ellipse", { rx: 17, ry: 7, fill: "none", stroke: spot, "stroke-width": 1 }));
	});
	return s("svg.stack-art", { viewBox: `0 0 66 ${high + 4}`, "aria-hidden": "true", vars: { "--high": high + 4 } }, ...group);
}
