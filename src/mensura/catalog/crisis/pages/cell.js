// A cell: words that can be changed where they stand. One is open at a time; what is typed in it is kept.
import { h } from "./element.js";

export function cell(desk, name, text, commit, { label, rows = 0, type = "text", list = null, tool = "" } = {}) {
  if (tool && !desk.can(tool)) return h("span", { class: "cell-words" }, text || "–");
  const place = `cell:${name}`;
  if (desk.memory.get("cell") !== name) {
    return h("button", {
      type: "button", class: "cell-words", "data-place": `at:${name}`, "aria-label": `${label}: ${text || "empty"}. Change`,
      onclick: () => desk.open("cell", name, { focus: place }),
    }, text || "–");
  }
  const close = () => {
    desk.memory.drop(place);
    desk.open("cell", null, { focus: `at:${name}` });
  };
  const save = () => {
    const value = desk.value(place, text).trim();
    if (value === (text ?? "").trim()) return close();
    commit(value, { clear: [place], after: (said) => said.ok && desk.memory.set("cell", null) });
  };
  const keys = (event) => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && rows && (event.ctrlKey || event.metaKey)) save();
  };
  const field = rows
    ? desk.field("textarea", place, { rows, "aria-label": label, onkeydown: keys }, text)
    : desk.field("input", place,
      { type, list, "aria-label": label, onkeydown: keys, inputmode: type === "number" ? "numeric" : null },
      text,
    );
  return desk.form(save, { class: "cell-form" }, field,
    h("button", { class: "tiny strong" }, "Save"),
    desk.button("Cancel", close, { class: "tiny" }));
}
