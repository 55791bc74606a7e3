// Forms of the editor: properties, ranges and rules. What is wrong with a value the laboratory says.
import { button, given, h, line, menu } from "./editor_page.js";
import { literal, writtenRange } from "./room_state.js";

const FIRST = { things: 6, agents: 4, joints: 4, questions: 4, room: 4 };
// Which parts have all of their fields open.
const opened = new Set();
const WHETHER = ["", "yes", "no"];
const SIDES = ["left", "right", "balance"];

// The fields of a part of the room; `put(name, value)` hears of what is changed, undefined for what is emptied.
export function drawFields(part, one, state, put) {
  const first = (name, i) => i < FIRST[part] || (part === "things" && needed(one).includes(name));
  const all = given.fields[part].map(([name, sort, hint], i) => ({ name, first: first(name, i), drawn: field({ name, sort, hint, part, one, state }, (value) => put(name, value)) }));
  const more = all.filter((each) => !each.first);
  const shown = all.filter((each) => each.first).map((each) => each.drawn);
  if (!more.length) return shown;
  const box = h("details", { open: opened.has(part) || more.some(({ name }) => name in one), class: "ed-more" }, h("summary", {}, "More properties"), h("div", { class: "ed-fields" }, ...more.map((each) => each.drawn)));
  box.querySelector("summary").addEventListener("click", () => (box.open ? opened.delete(part) : opened.add(part)));
  return [...shown, box];
}

// What a thing of this kind is hardly of use without.
function needed({ kind }) {
  const does = given.kinds[kind]?.does;
  if (["button", "lever", "switch"].includes(does)) return ["target"];
  if (does === "lock" || kind === "link") return ["of", "target"];
  return { trigger: ["events"], hooks: ["hooks"] }[does] ?? (given.kinds[kind]?.of === "" ? [] : ["of"]);
}

function field({ name, sort, hint, part, one, state }, put) {
  const value = one[name];
  if (sort === "events") return events(name, value ?? [], put);
  const labelled = (control) => h("label", { "data-field": name }, h("span", {}, name), control, ...(hint ? [h("small", {}, hint)] : []));
  if (Array.isArray(sort)) return labelled(menu(sort, value ?? sort[0], put));
  if (sort === "flag") return labelled(menu(WHETHER, value === undefined ? "" : value ? "yes" : "no", (word) => put(word ? word === "yes" : undefined)));
  if (sort === "thing") return labelled(menu(["", ...state.things.map((thing) => thing.name || thing.kind)], value ?? "", (word) => put(word || undefined)));
  const usual = part === "things" ? given.kinds[one.kind]?.[name] : undefined;
  const placeholder = [usual ?? ""].flat().join(", ");
  const control = line(written(value, sort, state), (text) => put(read(text, sort, name, one, state)), { placeholder, long: sort === "long", spellcheck: sort === "long" });
  return labelled(control);
}

function written(value, sort, state) {
  if (value === undefined) return "";
  if (["text", "long"].includes(sort)) return String(value);
  if (sort === "texts") return [value].flat().join(", ");
  return sort === "any" ? raw(value, state) : state.shown(value);
}

// What may be words or an expression keeps the brackets that tell them apart.
function raw(value, state) {
  return typeof value === "string" && !state.ownRange(value) ? value : state.shown(value);
}

function read(text, sort, name, one, state) {
  if (["text", "long"].includes(sort)) return text || undefined;
  if (!text.trim()) return undefined;
  if (sort === "texts") return text.split(",").map((part) => part.trim());
  const stem = (one.name || one.kind || one.role || "").replace(/\W+/g, "_");
  const hint = `${stem && `${stem}_`}${name}`;
  if (sort === "number") return state.typed(text, hint, one[name]);
  if (sort === "pair") return state.typedAll(text, name === "at" ? [`${stem}_x`, `${stem}_y`] : [`${hint}_x`, `${hint}_y`], one[name]);
  if (sort === "numbers") return state.typedAll(text, name === "size" ? [`${stem}_wide`, `${stem}_high`] : [hint], one[name]);
  // Anything: numbers, an expression in brackets, or words.
  const all = text.split(",").map((part) => literal(part.trim()));
  if (/\d\s+to\s+/.test(text)) return state.typed(text, hint, one[name]);
  return all.length > 1 && all.every((part) => typeof part === "number") ? all : literal(text.trim());
}

function events(name, value, put) {
  const boxes = given.events.map((event) => {
    const box = h("input", { type: "checkbox", value: event });
    box.checked = value.includes(event);
    box.addEventListener("change", () => {
      const found = boxes.filter((each) => each.checked).map((each) => each.value);
      put(found.length ? found : undefined);
    });
    return box;
  });
  return h("fieldset", { class: "ed-events" }, h("legend", {}, name), ...boxes.map((box) => h("label", {}, box, box.value)));
}

// Ranges ------------------------------------------------------------------------------------------------------------------

export function drawRanges(state, drawn, changed) {
  const rows = Object.entries(state.room.draws ?? {}).map(([name, range]) => {
    const now = drawn[name];
    const box = line(writtenRange(range), (text) => (state.setRanges(`${name} = ${text}`), changed()), { "aria-label": `Range ${name}` });
    const gone = button("×", () => (delete state.room.draws[name], changed()), { "aria-label": `Remove the range ${name}` });
    const shown = now === undefined ? "" : typeof now === "number" ? `now ${Number(now.toFixed(3))}` : `now ${[now].flat().join(", ")}`;
    return h("li", {}, h("b", {}, name), " = ", box, h("span", { class: "soft" }, shown), gone);
  });
  return rows;
}

// Rules -------------------------------------------------------------------------------------------------------------------

// A rule by menus; a rule that may be absent has the word "–".
export function drawRule(rule, state, put, { label, needed = false }) {
  const word = rule ? Object.keys(rule)[0] : "";
  const words = [...(needed ? [] : [""]), ...Object.keys(given.rules)];
  const head = menu(words, word, (one) => put(one ? { [one]: usual(given.rules[one], state) } : undefined), { "aria-label": label });
  if (!rule) return h("div", { class: "ed-rule" }, head);
  const shape = given.rules[word] ?? ["value"];
  const all = shape.length === 1 ? [rule[word]] : [rule[word]].flat();
  const parts = shape.map((sort, i) => part(sort, all[i], state, `${label}: ${word} ${sort}`, (value) => {
    const made = shape.map((_, k) => (k === i ? value : all[k]));
    put({ [word]: shape.length === 1 ? made[0] : made });
  }));
  return h("div", { class: "ed-rule" }, head, ...parts);
}

function usual(shape, state) {
  const all = shape.map((sort) => usualPart(sort, state));
  return all.length === 1 ? all[0] : all;
}

function usualPart(sort, state) {
  const food = state.things.find((one) => given.kinds[one.kind]?.does === "eaten") ?? state.things.findLast((one) => given.kinds[one.kind]?.mass !== null) ?? state.things[0];
  const thing = food ? food.name || food.kind : "";
  return {
    rule: { eaten: thing }, rules: [{ eaten: thing }], number: 1, thing, place: "body", box: [-1, 0, 1, 2], side: "balance",
    word: "thrown", flag: true, role: state.agents[0]?.role ?? "subject", text: "", texts: [""], question: state.room.questions?.[0]?.key ?? "", value: 1,
  }[sort];
}

function part(sort, value, state, label, put) {
  const named = { "aria-label": label };
  const names = state.things.map((thing) => thing.name || thing.kind);
  const roles = state.agents.map((agent) => agent.role ?? "subject");
  const menus = {
    thing: names,
    place: ["body", ...names, ...roles.flatMap((role) => [role, `${role}.L`, `${role}.R`])],
    role: roles,
    side: SIDES,
    question: (state.room.questions ?? []).map((one) => one.key),
  };
  if (sort === "rule") return drawRule(value, state, put, { label, needed: true });
  if (sort === "rules") return several(value, state, label, put);
  if (menus[sort] && !Array.isArray(value)) return menu(menus[sort], value, put, named);
  if (sort === "flag") return menu(["yes", "no"], value ? "yes" : "no", (word) => put(word === "yes"), named);
  if (sort === "texts") return line([value].flat().join(" | "), (text) => put(text.split("|").map((one) => one.trim())), { ...named, title: "texts between |" });
  if (sort === "number") return line(state.shown(value), (text) => put(state.typed(text, "level", value)), { ...named, class: "ed-short" });
  if (sort === "box" || sort === "place") return line(state.shown(value), (text) => put(state.typedAll(text, ["box"], value)), { ...named, title: "left, low, right, high" });
  return line(raw(value, state), (text) => put(sort === "value" ? literal(text.trim()) : text), named);
}

function several(rules, state, label, put) {
  const all = Array.isArray(rules) ? rules : [];
  const rows = all.map((rule, i) => {
    const changed = (made) => put(made ? all.with(i, made) : all.toSpliced(i, 1));
    return h("li", {}, drawRule(rule, state, changed, { label: `${label} ${i + 1}`, needed: true }), button("×", () => changed(), { "aria-label": `Remove ${label} ${i + 1}` }));
  });
  return h("div", { class: "ed-several" }, h("ul", {}, ...rows), button("One more", () => put([...all, usualPart("rule", state)]), { "aria-label": `One more in ${label}` }));
}

// Rows of joints or questions, each with its fields and a button to remove it.
export function drawRows(part, state, title, changed) {
  return (state.room[part] ?? []).map((one, i) => {
    const put = (name, value) => {
      if (value === undefined) delete one[name];
      else one[name] = value;
      changed();
    };
    const gone = () => {
      state.room[part].splice(i, 1);
      if (!state.room[part].length) delete state.room[part];
      changed();
    };
    const words = title(one, i);
    return h("details", { class: "ed-row", open: true, "data-row": `${part}.${i}` }, h("summary", {}, words), h("div", { class: "ed-fields" }, ...drawFields(part, one, state, put)), button("Remove", gone, { "aria-label": `Remove ${words}` }));
  });
}
