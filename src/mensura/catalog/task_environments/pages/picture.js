// Pictures: elements made of words and numbers only, and a line with the ends of its axes.
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE, MOST] = [400, 120, 6, 3];

export function h(tag, attributes = {}, ...children) {
  const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function written(number) {
  return String(Number(Number(number).toPrecision(4))).replace("-", "−");
}

// The first of many numbers by their places.
export function listed(numbers) {
  const all = Object.entries(numbers).map(([place, number]) => `${place} ${[number].flat().map(written).join(" to ")}`);
  return all.slice(0, MOST).join(", ") + (all.length > MOST ? ` and ${all.length - MOST} more` : "");
}

// `before` is a line to compare with, drawn paler on the same axes.
export function picture(points, { x, y, width = null, before = [] }) {
  const all = [...points, ...before];
  const xs = all.map(([one]) => one);
  const ys = all.map(([, one]) => one);
  const [left, right] = [Math.min(...xs), width ?? Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const place = ([one, other]) => [
    EDGE + ((one - left) / (right - left || 1)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - ((other - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE),
  ];
  const line = (some, name) => h("svg:polyline", { class: name, points: some.map((point) => place(point).map((one) => one.toFixed(1)).join(",")).join(" ") });
  const words = `${y}: ${written(low)} to ${written(high)}; ${x}: ${written(left)} to ${written(right)}`;
  const shown = [...(before.length ? [line(before, "before")] : []), line(points, "now")];
  const svg = h("svg:svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": words }, ...shown);
  return h("figure", { class: "bl-picture" }, svg, h("figcaption", {}, before.length ? `${words}; pale: as it was before` : words));
}
