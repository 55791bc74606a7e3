// Fields that make a whole together: percents, or amounts of some unit. What was typed is never changed by itself.
import { offer, percentIn, setField, writePercent } from "./percent.js";
import { phrase } from "./phrase.js";

// How far the sum of rounded percents may be off 100.
const ROUNDING = 2;

export function valueIn(field) {
  return field.type === "number" ? field.valueAsNumber : percentIn(field);
}

// What fields say together; the only empty one is offered the rest.
export function together(fields, { whole = 100, unit = "%" } = {}) {
  const values = fields.map(valueIn);
  const empty = fields.filter((field) => field.value.trim() === "" && !field.validity.badInput);
  // A text that cannot be read has its own sentence, and comes first.
  const clear = fields.every((field, i) => !Number.isNaN(values[i]) || empty.includes(field));
  const blank = empty.length === fields.length;
  const sum = values.reduce((all, value) => all + (value || 0), 0);
  const off = sum - whole;
  const exact = Math.abs(off) < 1e-6 * whole;
  const right = clear && Math.abs(off) <= (unit === "%" ? ROUNDING + 1e-9 : 1e-6 * whole);
  const amount = (number) => `${shown(number)} ${unit}`.trim();
  if (unit === "%") for (const field of fields) offer(field, clear && !blank && empty.length === 1 && field === empty[0] && off < 0 && !exact ? writePercent(-off) : "");
  const rule = `${phrase("Together they must be {whole}; they are {sum}.", { whole: amount(whole), sum: amount(sum) })}${unit === "%" ? ` ${phrase("98 to 102 is taken as 100.")}` : ""}`;
  const rest = exact || blank ? "" : right ? phrase(", taken as {whole}", { whole: amount(whole) }) : off < 0 ? phrase(", {rest} missing", { rest: shown(-off) }) : phrase(", {rest} too much", { rest: shown(off) });
  return { sum, right, exact, clear, blank, some: empty.length > 0, rule, words: phrase("Sum {sum}", { sum: amount(sum) }) + rest, shares: right ? values.map((value) => (value || 0) / sum) : null };
}

// The line under such fields: their sum, and a button that scales what is there. What is wrong is said at the first.
export function makeSum(fields, options = {}) {
  const { whole = 100, unit = "%", optional = false } = options;
  const line = document.createElement("div");
  line.className = "sum";
  const said = document.createElement("output");
  said.setAttribute("aria-live", "polite");
  const even = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: phrase("Make it {whole}", { whole: `${shown(whole)} ${unit}` }) });
  even.addEventListener("click", () => {
    const given = fields.filter((field) => !Number.isNaN(valueIn(field)));
    roundedTo(whole, given.map(valueIn)).forEach((value, i) => putAmount(given[i], value));
  });
  line.append(said, even);
  function follow() {
    const read = together(fields, options);
    if (read.clear) fields[0].setCustomValidity(read.right || (optional && read.blank) ? "" : read.rule);
    said.className = read.right ? "right" : read.blank ? "" : "wrong";
    said.textContent = read.words;
    even.hidden = read.exact || !read.clear || fields.filter((field) => valueIn(field) > 0).length < 2;
    return read;
  }
  return { line, follow };
}

export function putAmount(field, value) {
  setField(field, field.type === "number" ? shown(value) : writePercent(value));
}

// Numbers with two decimals that sum to the whole exactly; the largest takes what rounding leaves.
export function roundedTo(whole, values) {
  const total = values.reduce((sum, value) => sum + value, 0);
  const units = values.map((value) => Math.round(100 * (total > 0 ? (whole * value) / total : whole / values.length)));
  units[units.indexOf(Math.max(...units))] += Math.round(100 * whole) - units.reduce((sum, unit) => sum + unit, 0);
  return units.map((unit) => unit / 100);
}

export function shown(number) {
  return String(Number(number.toFixed(2)));
}
