// Amounts are whole minor units, never fractions.

/** 123450 → "1,234.50"; whole amounts without the noughts unless "exact"; "sign" puts + before what is won. */
export function money(minor, how) {
	if (minor === null || minor === undefined) return "–";
	const whole = Math.trunc(Math.abs(minor) / 100).toLocaleString("en-US");
	const rest = Math.abs(minor) % 100;
	const mark = minor < 0 ? "−" : how === "sign" && minor > 0 ? "+" : "";
	return `${mark}${whole}${rest || how === "exact" ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

/** 1500000 → "15k": for a chip's face and other narrow places. */
export function short(minor) {
	const whole = minor / 100;
	if (whole >= 1e6) return `${+(whole / 1e6).toFixed(2)}M`;
	if (whole >= 1e4 || (whole >= 1000 && whole % 100 === 0)) return `${+(whole / 1000).toFixed(1)}k`;
	return money(minor);
}

/** "50.25" → 5025, or null where it is no amount. */
export function minor(words) {
	const found = /^\s*(\d[\d,]*)(?:\.(\d{1,2}))?\s*$/.exec(words);
	return found ? Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : null;
}

export const total = (some, of = "stake") => some.reduce((sum, each) => sum + each[of], 0);
