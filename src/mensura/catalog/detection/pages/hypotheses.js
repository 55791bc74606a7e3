// Fields that write hypotheses as lines of JSON into the text area that carries the answer.
const SHORT = { VulnerabilityExploitationCase: "attack", ThreatGroup: "group", ThreatIndividualEC: "person" };
const SAID = {
  targetInExploitation: "target", modeInExploitation: "mode", startingDate: "from day", endingDate: "to day",
  directingAgent: "led by", deliberateActors: "by", performedBy: "of", memberAgents: "members",
  exploitsVulnerabilities: "modes", hasMember: "names", confidence: "confidence",
};
// Where a picked name or target can go.
const PLACES = {
  I: [["deliberateActors", "actor"], ["directingAgent", "leader"], ["memberAgents", "member"], ["hasMember", "name"]],
  T: [["targetInExploitation", "target"]],
};

export function record(parts, number) {
  // parts: [name, text, {number, many, percent}] of the fields that are shown.
  const [type] = parts.filter(([name]) => name === "type").map(([, text]) => text);
  const made = { type, uid: `${SHORT[type]}-${number}` };
  for (const [name, text, how] of parts) {
    const given = text.trim();
    if (name === "type" || !given) continue;
    if (how.percent) {
      const { wrong } = how.percent(given);
      if (wrong) throw new Error(wrong.replace(/\.$/, ""));
      made[name] = given;
    } else if (how.number) {
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

// Alerts given before, so that they need not be typed again at the end; kept in this tab only.
function memory(key) {
  try { return JSON.parse(sessionStorage.getItem(key) ?? "[]"); } catch { return []; }
}

export default function enhance(element, context) {
  const set = element.querySelector(".dt-hypotheses");
  const area = set.querySelector("textarea");
  const list = set.querySelector(".dt-list");
  const note = set.querySelector(".dt-note");
  const type = set.querySelector('[data-part="type"]');
  const earlier = set.querySelector(".dt-earlier");
  const key = `detection:${location.pathname}`;
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
    set.querySelector("#dt-groups").replaceChildren(...records.filter((each) => each.type === "ThreatGroup").map(
      (each) => Object.assign(document.createElement("option"), { value: each.uid }),
    ));
    list.replaceChildren(...records.map((each, place) => {
      const item = document.createElement("li");
      const rest = Object.entries(each).filter(([name]) => name !== "type" && name !== "uid");
      const said = rest.map(([name, value]) => `${SAID[name] ?? name} ${[value].flat().join(" ")}${name === "confidence" && !/%|cent/i.test(value) ? " %" : ""}`).join(", ");
      item.append(Object.assign(document.createElement("b"), { textContent: each.uid }), `: ${said} `);
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Remove" });
      button.addEventListener("click", () => write(records.filter((_, other) => other !== place)));
      item.append(button);
      return item;
    }));
    const fresh = memory(key).filter((old) => !records.some((each) => each.uid === old.uid));
    earlier.hidden = fresh.length === 0;
    earlier.textContent = `Add what I said before (${fresh.length})`;
    return records;
  }

  set.querySelector(".dt-add").addEventListener("click", () => {
    try {
      const records = lines(area.value);
      const used = new Set([...records, ...memory(key)].map((each) => each.uid));
      let number = 1;
      while (used.has(`${SHORT[type.value]}-${number}`)) number += 1;
      const parts = fields().map((field) => [
        field.dataset.part, field.value,
        { number: "number" in field.dataset, many: "many" in field.dataset, percent: "percent" in field.dataset && context.readPercent },
      ]);
      write([...records, record(parts, number)]);
      for (const field of fields()) if (field !== type) {
        field.value = "";
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    } catch (error) { note.textContent = `Not added: ${error.message}.`; }
  });

  earlier.addEventListener("click", () => {
    try {
      const records = lines(area.value);
      const used = new Set(records.map((each) => each.uid));
      write([...records, ...memory(key).filter((each) => !used.has(each.uid))]);
    } catch { note.textContent = "The JSON cannot be read yet."; }
  });

  // What was filled in and not added must not be lost, also not under another type.
  function reveal(field) {
    type.value = field.closest("[data-for]")?.dataset.for ?? type.value;
    show();
  }
  for (const field of set.querySelectorAll("input[data-part]")) field.addEventListener("invalid", () => reveal(field));

  context.form?.addEventListener("submit", (event) => {
    const left = [...set.querySelectorAll("input[data-part]")].find((field) => field.value.trim());
    if (left) {
      event.preventDefault();
      event.stopImmediatePropagation();
      reveal(left);
      note.textContent = "This is not added yet: add it, or empty its fields.";
      return;
    }
    try {
      const given = lines(area.value);
      const kept = memory(key).filter((old) => !given.some((each) => each.uid === old.uid));
      sessionStorage.setItem(key, JSON.stringify([...kept, ...given]));
    } catch { /* Without storage it has to be typed again. */ }
  }, { capture: true });

  const picked = set.querySelector(".dt-picked");
  (element.closest("main") ?? document).addEventListener("detection-pick", (event) => {
    const word = event.detail;
    const places = (PLACES[word[0]] ?? []).map(([name, said]) => [fields().find((field) => field.dataset.part === name), said]);
    const open = places.filter(([field]) => field);
    picked.hidden = open.length === 0;
    picked.replaceChildren(`${word}: put in as `, ...open.map(([field, said]) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: said });
      button.addEventListener("click", () => {
        const already = field.value.trim().split(/[\s,;]+/).filter(Boolean);
        field.value = "many" in field.dataset ? [...new Set([...already, word])].join(" ") : word;
      });
      return button;
    }));
  });
  type.addEventListener("change", show);
  area.addEventListener("change", show);
  show();
}
