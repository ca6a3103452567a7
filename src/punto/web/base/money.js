// Amounts are whole minor units of a currency, never fractions. How many digits its minor unit has, the house says.

const USUAL = 2;
let digitsHere = USUAL;

/** The amounts on this page are of a currency whose minor unit has so many digits: those of the table that is shown. */
export function useDigits(digits = USUAL) {
  digitsHere = digits;
}

/** How many digits the minor unit here has. */
export function digits() {
  return digitsHere;
}

/** 123450 → "1,234.50". Whole amounts go without the noughts unless "exact"; "sign" puts + before what is won. */
export function money(amount, how, digits = digitsHere) {
  if (amount === null || amount === undefined) return "–";
  const unit = 10 ** digits;
  const whole = Math.trunc(Math.abs(amount) / unit).toLocaleString("en-US");
  const rest = Math.abs(amount) % unit;
  const cents = digits && (rest || how === "exact") ? `.${String(rest).padStart(digits, "0")}` : "";
  return `${signOf(amount, how)}${whole}${cents}`;
}

function signOf(amount, how) {
  if (amount < 0) return "−";
  return how === "sign" && amount > 0 ? "+" : "";
}

/** 1500000 → "15k": for a chip's face and other narrow places. */
export function shortMoney(amount) {
  const whole = amount / 10 ** digitsHere;
  if (whole >= 1e6) return `${Number((whole / 1e6).toFixed(2))}M`;
  if (whole >= 1e4 || (whole >= 1000 && whole % 100 === 0)) return `${Number((whole / 1000).toFixed(1))}k`;
  return money(amount);
}

/** The sum of one field of some items: sumOf(wagers, "stake"). */
export function sumOf(items, field) {
  return items.reduce((sum, item) => sum + item[field], 0);
}

/** "-1.0579" → "−1.06%". */
export function perCent(text) {
  return `${Number(text).toFixed(2).replace("-", "−")}%`;
}
