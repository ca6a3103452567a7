// Amounts are whole minor units, never fractions.

/** 123450 → "1,234.50". Whole amounts go without the noughts unless "exact"; "sign" puts + before what is won. */
export function money(amount, how) {
  if (amount === null || amount === undefined) return "–";
  const whole = Math.trunc(Math.abs(amount) / 100).toLocaleString("en-US");
  const rest = Math.abs(amount) % 100;
  const cents = rest || how === "exact" ? `.${String(rest).padStart(2, "0")}` : "";
  return `${signOf(amount, how)}${whole}${cents}`;
}

function signOf(amount, how) {
  if (amount < 0) return "−";
  return how === "sign" && amount > 0 ? "+" : "";
}

/** 1500000 → "15k": for a chip's face and other narrow places. */
export function shortMoney(amount) {
  const whole = amount / 100;
  if (whole >= 1e6) return `${Number((whole / 1e6).toFixed(2))}M`;
  if (whole >= 1e4 || (whole >= 1000 && whole % 100 === 0)) return `${Number((whole / 1000).toFixed(1))}k`;
  return money(amount);
}

/** "1,050.25" → 105025, or null where it is no amount. */
export function parseMoney(text) {
  const found = /^\s*(\d[\d,]*)(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!found) return null;
  const [, whole, cents = ""] = found;
  return Number(whole.replaceAll(",", "")) * 100 + Number(cents.padEnd(2, "0"));
}

/** What odds like "1.5:1" make of an amount. */
export function winnings(amount, odds) {
  const [win, stake] = odds.split(":").map(Number);
  return Math.round((amount * win) / stake);
}

/** The sum of one field of some items: sumOf(wagers, "stake"). */
export function sumOf(items, field) {
  return items.reduce((sum, item) => sum + item[field], 0);
}
