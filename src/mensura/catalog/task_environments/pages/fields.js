// Fields: the form of a block, made from its schema. An empty field leaves the number as it usually is.
import { inner } from "./blocks.js";
import { h } from "./picture.js";

const RANGE = /^\s*(-?[\d.]+(?:e[+-]?\d+)?)\s*(?:to|…|\.\.)\s*(-?[\d.]+(?:e[+-]?\d+)?)\s*$/i;
let count = 0;

// `known` gives the names that a field may hold, `changed` hears of a field with what it was before.
export function drawFields({ block, schema, known, skip = [] }, changed) {
  return Object.entries(schema.properties)
    .filter(([name]) => !skip.includes(name))
    .map(([name, how]) => field({ name, how, block, schema, known }, changed));
}

function field({ name, how, block, schema, known }, changed) {
  const put = (value) => {
    const before = block[name];
    if (value === undefined) delete block[name];
    else block[name] = value;
    changed(name, before);
  };
  const part = inner(how);
  if (part) return group({ name, block, schema: part, known, needed: !how.anyOf }, put, changed);
  // Nothing reads or requires itself.
  const names = known(schema.title, name).filter((one) => one !== block.name);
  if (how.type === "array" && names.length) return checks(name, names, block[name] ?? [], put);
  if (how.enum || (how.type === "string" && names.length)) return select(name, how.enum ?? names, block[name] ?? how.default, put);
  if (how.type === "boolean") {
    const box = h("input", { type: "checkbox" });
    box.checked = block[name] ?? how.default;
    box.addEventListener("change", () => put(box.checked === how.default ? undefined : box.checked));
    return h("label", { class: "bl-check" }, box, name);
  }
  return line(name, how, block[name], put);
}

// A name is taken when it is whole: while it is typed it may be that of another block.
function line(name, how, value, put) {
  const input = h("input", { type: "text", autocomplete: "off", placeholder: placeholder(how) });
  input.value = text(value);
  input.addEventListener(name === "name" ? "change" : "input", () => put(read(input.value, how)));
  return h("label", { "data-field": name }, name, input);
}

function placeholder({ default: usual, anyOf }) {
  const shown = [usual ?? []].flat().join(", ");
  return anyOf?.some((one) => one.$ref?.endsWith("/Range")) ? `${shown || "a number"}, or a range` : shown;
}

function text(value) {
  // Agents are "subject" where nothing stands.
  if (Array.isArray(value)) return value.join(", ") || "none";
  return value && typeof value === "object" ? `${value.low} to ${value.high}` : String(value ?? "");
}

// What is no number goes as it is: the laboratory says what is wrong with it.
function read(typed, how) {
  if (!typed.trim()) return how.type === "string" ? typed : undefined;
  if (how.type === "string") return typed;
  if (how.type === "array" && typed.trim() === "none") return [];
  if (how.type === "array") return typed.split(",").map((part) => (how.items?.type === "number" ? Number(part) : part.trim()));
  const range = RANGE.exec(typed);
  if (range) return { low: Number(range[1]), high: Number(range[2]) };
  const number = Number(typed.replace("−", "-"));
  return Number.isFinite(number) ? number : typed;
}

function checks(name, known, given, put) {
  const boxes = known.map((one) => {
    const box = h("input", { type: "checkbox", value: one });
    box.checked = given.includes(one);
    box.addEventListener("change", () => put(boxes.filter((each) => each.checked).map((each) => each.value)));
    return box;
  });
  return h("fieldset", {}, h("legend", {}, name), ...boxes.map((box) => h("label", { class: "bl-check" }, box, box.value)));
}

function select(name, known, given, put) {
  const all = known.includes(given) ? known : [given ?? "", ...known];
  const list = h("select", {}, ...all.map((one) => h("option", { value: one }, one)));
  list.value = given ?? "";
  list.addEventListener("change", () => put(list.value));
  return h("label", {}, name, list);
}

// A block inside a block, such as a condition; one that may be left out has a box to switch it on.
function group({ name, block, schema, known, needed }, put, changed) {
  const id = `bl-group-${(count += 1)}`;
  const fields = h("div", { id, class: "bl-fields" });
  const draw = () => {
    const part = block[name] ?? (needed ? {} : null);
    const made = part && drawFields({ block: part, schema, known }, (field) => {
      block[name] = part;
      changed(`${name}.${field}`);
    });
    fields.replaceChildren(...(made ?? []));
  };
  const box = h("input", { type: "checkbox", "aria-controls": id });
  box.checked = Boolean(block[name]);
  box.addEventListener("change", () => {
    put(box.checked ? { body: known(schema.title, "body")[0] ?? "", above: 1 } : undefined);
    draw();
  });
  draw();
  return h("fieldset", {}, h("legend", {}, name), ...(needed ? [] : [h("label", { class: "bl-check" }, box, "has one")]), fields);
}
