// Blocks: which there are, which fields of theirs name others, and new ones.
import { given } from "./given.js";

export const PARTS = { bodies: "Body", motors: "Motor", sensors: "Sensor", goals: "Goal", systems: "System", transitions: "Transition" };
const { $defs } = given.schema;
export const KINDS = given.schema.properties.transitions.items.discriminator.mapping;
const PLACES = {
  targets: ["bodies"],
  body: ["bodies"],
  speed: ["bodies"],
  orientation: ["bodies"],
  selector: ["bodies"],
  requires: ["goals"],
  motor: ["motors"],
  main: ["motors"],
  motors: ["motors"],
};

export function definition(part, block) {
  return $defs[part === "transitions" ? KINDS[block.kind]?.split("/").pop() : PARTS[part]] ?? { properties: {} };
}

// The definition of a block inside a block, such as a condition; a range is a number.
export function inner(how) {
  const ref = how.$ref ?? how.anyOf?.map((one) => one.$ref).find((one) => one && !one.endsWith("/Range"));
  return ref && $defs[ref.split("/").pop()];
}

// Where the blocks stand that a field may name; none for a field that names no block.
export function places(title, field) {
  return title === "Sensor" && field === "of" ? ["bodies", "sensors"] : PLACES[field] ?? [];
}

// The fields of a block by which it can be wired to others.
export function slots(part, block) {
  if (part === "systems") return [];
  const { title, properties, required = [] } = definition(part, block);
  return Object.entries(properties).flatMap(([field, how]) => {
    const needed = required.includes(field);
    if (inner(how)?.title === "When") return [{ field, within: true, places: ["bodies"], needed }];
    // A goal may have another body for a target.
    const found = field === "target" ? ["bodies"] : places(title, field);
    return found.length ? [{ field, places: found, many: how.type === "array", needed }] : [];
  });
}

export function read({ field, within }, block) {
  return [within ? block[field]?.body : block[field]].flat().filter((one) => typeof one === "string" && one);
}

export function wire({ field, within, many }, block, name) {
  if (many) block[field] = [...(block[field] ?? []), name];
  else if (within) block[field] = block[field] ? { ...block[field], body: name } : { body: name, above: 1 };
  else block[field] = name;
}

// Put another name in place of one; without another, take it out where the block can be without.
export function replace({ field, within, many, needed }, block, before, after) {
  if (many) block[field] = block[field].flatMap((name) => (name !== before ? [name] : after === undefined ? [] : [after]));
  else if (within && after !== undefined) block[field].body = after;
  else if (within && !needed) delete block[field];
  else if (after !== undefined) block[field] = after;
  else if (field === "target") block[field] = 1;
}

// Fill in what a new block must have: the first block that it may name, and the number 1. A motor drives something.
export function blank(block, schema, known) {
  const more = { Motor: ["targets"], Goal: ["tolerance"] }[schema.title] ?? [];
  for (const field of [...(schema.required ?? []), ...more]) {
    if (field in block) continue;
    const how = schema.properties[field];
    const names = known(schema.title, field);
    if (how.type === "array") block[field] = names.slice(0, 1);
    else if (how.enum) block[field] = how.enum[0];
    else if (inner(how)) block[field] = blank({ above: 1 }, inner(how), known);
    else block[field] = how.type === "string" ? names[0] ?? "" : 1;
  }
  return block;
}
