// Fields that write hypotheses as lines of JSON into the text area that carries the answer.
const SHORT = { VulnerabilityExploitationCase: "attack", ThreatGroup: "group", ThreatIndividualEC: "person" };

export function record(parts, number) {
  // parts: [name, text, {number, many}] of the fields that are shown.
  const [type] = parts.filter(([name]) => name === "type").map(([, text]) => text);
  const made = { type, uid: `${SHORT[type]}-${number}` };
  for (const [name, text, how] of parts) {
    const given = text.trim();
    if (name === "type" || !given) continue;
    if (how.number) {
      const value = Number(given.replace(",", "."));
      if (!Number.isFinite(value)) throw new Error(`${given} is not a number`);
      made[name] = value;
    } else made[name] = how.many ? given.split(/[\s,;]+/).filter(Boolean) : given;
  }
  if (Object.keys(made).length === 2) throw new Error("fill in at least one field");
  return made;
}

export function lines(text) {
  const trimmed = text.trim();
  if (!trimmed) return [];
  if (trimmed.startsWith("[")) return JSON.parse(trimmed);
  return trimmed.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
}

export default function enhance(element) {
  const set = element.querySelector(".dt-hypotheses");
  const area = set.querySelector("textarea");
  const list = set.querySelector(".dt-list");
  const note = set.querySelector(".dt-note");
  const type = set.querySelector('[data-part="type"]');
  set.querySelector(".dt-builder").hidden = false;

  function fields() {
    return [...set.querySelectorAll("[data-part]")].filter((field) => {
      const only = field.closest("[data-for]")?.dataset.for;
      return !only || only === type.value;
    });
  }

  function write(records) {
    area.value = records.map((each) => JSON.stringify(each)).join("\n");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    show();
  }

  function show() {
    for (const label of set.querySelectorAll("[data-for]")) label.hidden = label.dataset.for !== type.value;
    let records = [];
    try { records = lines(area.value); note.textContent = ""; } catch { note.textContent = "The JSON cannot be read yet."; }
    list.replaceChildren(...records.map((each, place) => {
      const item = document.createElement("li");
      const rest = Object.entries(each).filter(([name]) => name !== "type" && name !== "uid");
      item.textContent = `${each.uid}: ${rest.map(([name, value]) => `${name} ${[value].flat().join(" ")}`).join(", ")} `;
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Remove" });
      button.addEventListener("click", () => write(records.filter((_, other) => other !== place)));
      item.append(button);
      return item;
    }));
    return records;
  }

  set.querySelector(".dt-add").addEventListener("click", () => {
    try {
      const records = lines(area.value);
      const used = new Set(records.map((each) => each.uid));
      let number = 1;
      while (used.has(`${SHORT[type.value]}-${number}`)) number += 1;
      const parts = fields().map((field) => [
        field.dataset.part, field.value, { number: "number" in field.dataset, many: "many" in field.dataset },
      ]);
      write([...records, record(parts, number)]);
      for (const field of fields()) if (field !== type) field.value = "";
    } catch (error) { note.textContent = `Not added: ${error.message}.`; }
  });
  type.addEventListener("change", show);
  area.addEventListener("change", show);
  show();
}
