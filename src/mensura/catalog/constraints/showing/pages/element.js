// Elements made of words and numbers only.
const SVG = "http://www.w3.org/2000/svg";

export function h(tag, attributes = {}, ...children) {
  const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function written(number) {
  if (number === null || number === undefined) return "–";
  return String(Number(Number(number).toPrecision(6))).replace("-", "−");
}
