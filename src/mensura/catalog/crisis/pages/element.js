// Elements: made from words and numbers only. Nothing that a letter holds is ever read as HTML.
const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || (value === false && !name.startsWith("aria-"))) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "checked" || name === "selected") element[name] = Boolean(value);
    else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  // A select takes its value only once its options are there.
  if (element.tagName === "SELECT" && attributes.value !== undefined) element.value = attributes.value;
  return element;
}

export function options(pairs, chosen, { none = "" } = {}) {
  const first = none ? [h("option", { value: "" }, none)] : [];
  return [
    ...first,
    ...pairs.map(([value, words]) => h("option", { value, selected: String(value) === String(chosen ?? "") }, words)),
  ];
}

export function labelled(words, control, hint = "") {
  return h("label", { class: "labelled" }, h("span", {}, words), control, hint ? h("small", {}, hint) : null);
}

export function money(amount) {
  if (amount === null || amount === undefined) return "–";
  const whole = Math.abs(amount - Math.round(amount)) < 0.005;
  const digits = { minimumFractionDigits: whole ? 0 : 2, maximumFractionDigits: 2 };
  return `$${amount.toLocaleString("en-US", digits)}`.replace("$-", "−$");
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
