// Blocks: what names what, new ones, and names that change everywhere at once.
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

// Where the blocks stand that a field may name; none for a field that names no block.
export function places(part, field) {
  return part === "Sensor" && field === "of" ? ["bodies", "sensors"] : PLACES[field] ?? [];
}

export function names(task, part, field) {
  return places(part, field).flatMap((place) => (task[place] ?? []).map((block) => block.name));
}

const TITLES = { sensors: "Sensor" };

// The blocks that a block names, as part and number.
export function references(task, part, block) {
  const found = [];
  for (const [field, value] of Object.entries(block)) {
    if (value && typeof value === "object" && !Array.isArray(value)) found.push(...references(task, part, value));
    // A goal may have another body for a target.
    const where = field === "target" ? ["bodies"] : places(TITLES[part], field);
    for (const name of [value].flat()) {
      for (const place of where) {
        const i = (task[place] ?? []).findIndex((one) => one.name === name);
        if (i >= 0) found.push([place, i]);
      }
    }
  }
  return found;
}

export function rename(task, part, before, after) {
  const walk = (block, title) => {
    for (const [field, value] of Object.entries(block)) {
      const where = field === "target" ? ["bodies"] : places(title, field);
      if (where.includes(part)) block[field] = Array.isArray(value) ? value.map((name) => (name === before ? after : name)) : value === before ? after : value;
      else if (value && typeof value === "object" && !Array.isArray(value)) walk(value, title);
    }
  };
  for (const place of ["motors", "sensors", "transitions", "goals"]) for (const block of task[place] ?? []) walk(block, TITLES[place]);
}

export function named(task, stem) {
  const taken = new Set(["bodies", "motors", "sensors", "goals"].flatMap((part) => (task[part] ?? []).map((block) => block.name)));
  for (let i = 1; ; i += 1) if (!taken.has(`${stem}${i}`)) return `${stem}${i}`;
}

// Fill in what a new block must have: the first block that it may name, and the number 1. A motor drives something.
export function blank(task, block, schema, defs) {
  for (const field of [...(schema.required ?? []), ...(schema.title === "Motor" ? ["targets"] : []), ...(schema.title === "Goal" ? ["tolerance"] : [])]) {
    if (field in block) continue;
    const how = schema.properties[field];
    const known = names(task, schema.title, field);
    if (how.type === "array") block[field] = known.slice(0, 1);
    else if (how.enum) block[field] = how.enum[0];
    else if (how.$ref) block[field] = blank(task, { above: 1 }, defs[how.$ref.split("/").pop()], defs);
    else block[field] = how.type === "string" ? known[0] ?? "" : 1;
  }
  return block;
}
