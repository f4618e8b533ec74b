// How numbers are shown. The program computes them.

const GROUPED = new Intl.NumberFormat("en-US");
const NONE = "–";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const count = (value) => (isNumber(value) ? GROUPED.format(value) : NONE);
const plural = (value, one, many) => `${count(value)} ${value === 1 ? one : many || one + "s"}`;
const percent = (share) => (isNumber(share) ? `${(share * 100).toFixed(1)}%` : NONE);
const signed = (share) =>
  share === 0 ? "same" : isNumber(share) ? `${share < -0.00049 ? "−" : share > 0.00049 ? "+" : "±"}${Math.abs(share * 100).toFixed(1)}%` : NONE;

// Dollars are texts with six decimals.
function money(text) {
  const value = Number(text);
  if (text === undefined || text === null || !Number.isFinite(value)) return NONE;
  return `$${value.toFixed(value >= 100 ? 2 : value >= 1 ? 3 : 4)}`;
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
