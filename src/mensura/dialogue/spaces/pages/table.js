// Rows can be added and removed.
import { phrase } from "./phrase.js";

export default function enhance(element, { draft }) {
  const template = element.querySelector("template");
  const lines = element.querySelector(".lines");
  const most = Number(element.dataset.most);
  const least = Number(element.dataset.least);
  const name = element.dataset.name;
  let next = lines.children.length;

  const more = document.createElement("button");
  Object.assign(more, { type: "button", textContent: phrase("Add a row"), className: "small" });
  lines.after(more);

  function add() {
    const row = String(next);
    next += 1;
    const line = template.content.firstElementChild.cloneNode(true);
    for (const part of [line, ...line.querySelectorAll("*")]) {
      for (const attribute of [...part.attributes]) {
        const value = attribute.value.replaceAll(`${name}.ROW`, `${name}.${row}`).replaceAll("-ROW-", `-${row}-`);
        if (value !== attribute.value) part.setAttribute(attribute.name, value);
      }
    }
    line.setAttribute("aria-label", phrase("Row {number}", { number: Number(row) + 1 }));
    lines.append(line);
    removable(line);
    show();
    return line;
  }

  function removable(line) {
    const remove = document.createElement("button");
    Object.assign(remove, { type: "button", textContent: phrase("Remove"), className: "small remove" });
    remove.setAttribute("aria-label", phrase("Remove row {number}", { number: line.getAttribute("aria-label").match(/\d+/)?.[0] ?? "" }));
    remove.addEventListener("click", () => {
      line.remove();
      show();
      more.focus();
      element.dispatchEvent(new Event("input", { bubbles: true }));
    });
    line.append(remove);
  }

  function show() {
    more.hidden = lines.children.length >= most;
    for (const remove of lines.querySelectorAll(".remove")) remove.hidden = lines.children.length <= Math.max(least, 1);
  }

  [...lines.children].forEach(removable);
  const drafted = Object.keys(draft).map((key) => (key.startsWith(`${name}.`) ? Number(key.slice(name.length + 1).split(".")[0]) : NaN));
  while (next <= Math.max(-1, ...drafted.filter(Number.isInteger)) && next < 1000) {
    for (const field of add().querySelectorAll("[name]")) {
      if (!(field.name in draft)) continue;
      if (field.type === "radio") field.checked = field.value === draft[field.name];
      else field.value = draft[field.name];
    }
  }
  more.addEventListener("click", () => add().querySelector("input, select, textarea")?.focus());
  show();
}
