// Pages that are looked up: fetched by an act when they are first opened, kept in this window afterwards.
import { h } from "./element.js";
import { markdown } from "./markdown.js";

export function lookUp(desk, page, item = "") {
  if (lookedUp(desk, page, item) !== undefined) return;
  desk.act("look", item ? { page, item } : { page }, { quiet: true, after: (said) => keep(desk, page, item, said) });
}

export function lookedUp(desk, page, item = "") {
  const kept = desk.memory.had(`page:${page}:${item}`);
  const { said } = desk.office;
  if (kept !== undefined) return kept;
  return said?.ok && said.data?.page === page && (said.data.item ?? "") === item ? said.words : undefined;
}

function keep(desk, page, item, said) {
  if (said.ok) desk.memory.fetch(`page:${page}:${item}`, said.words);
}

export function lookPane(desk, page, item, { name = "Open the page" } = {}) {
  const words = lookedUp(desk, page, item);
  if (words === undefined) return desk.can("look") ? h("p", {},
    desk.button(name, () => lookUp(desk, page, item), { class: "small", "data-place": `look:${page}:${item}` }),
  ) : null;
  return markdown(words);
}
