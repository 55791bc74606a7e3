// Names: what each block is called in the whole task, and what a name means where it is written. A name inside a system
// means a block of the same system, else one of the system around it; from outside, the body x of car is called car.x.
import { PARTS, places, read, replace, slots, wire } from "./blocks.js";

export function holder(task, path) {
  return path.reduce((at, i) => at.systems[i], task);
}

export class Names {
  constructor(task) {
    this.task = task;
    this.all = [...walk(task, [], "")];
    this.found = new Map(this.all.map((one) => [`${one.part}:${one.full}`, one]));
  }

  prefix(path) {
    return path.map((_, i) => `${holder(this.task, path.slice(0, i + 1)).name}.`).join("");
  }

  resolve(path, name, where) {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const full = this.prefix(path.slice(0, depth)) + name;
      for (const part of where) if (this.found.has(`${part}:${full}`)) return this.found.get(`${part}:${full}`);
    }
    return undefined;
  }

  // The shortest name by which a block is known somewhere; none where nearer blocks have all its names.
  brief(path, { part, full }) {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const prefix = this.prefix(path.slice(0, depth));
      const name = full.slice(prefix.length);
      if (full.startsWith(prefix) && this.resolve(path, name, [part])?.full === full) return name;
    }
    return undefined;
  }

  known(path, title, field) {
    const where = places(title, field);
    const near = (one) => (starts(one.path, path) ? 0 : 1);
    const fit = this.all.filter((one) => where.includes(one.part)).sort((a, b) => near(a) - near(b));
    return fit.map((one) => this.brief(path, one)).filter((name) => name !== undefined);
  }

  // All names that blocks write, with the blocks that they mean.
  references() {
    return this.all.flatMap((from) =>
      slots(from.part, from.block).flatMap((slot) =>
        read(slot, from.block).map((name) => ({ from, slot, name, to: this.resolve(from.path, name, slot.places) })),
      ),
    );
  }

  // What stands inside one that is shown: itself, all blocks of a system, or all around the system that is open.
  leaves(one, scope) {
    const blocks = this.all.filter(({ part }) => part !== "systems");
    if (one.part === "around") return blocks.filter(({ path }) => !starts(path, scope));
    return one.part === "systems" ? blocks.filter(({ path }) => starts(path, [...one.path, one.i])) : [one];
  }

  // The wires that two can have, from the first one's fields and from the second one's; those that there are can go.
  choices(one, other, scope) {
    const pairs = this.leaves(one, scope).flatMap((from) => this.leaves(other, scope).map((to) => [from, to]));
    return [...pairs, ...pairs.map(([from, to]) => [to, from])].flatMap(([from, to]) => this.between(from, to));
  }

  between(from, to) {
    const short = from.block === to.block ? undefined : this.brief(from.path, to);
    const fit = slots(from.part, from.block).filter((slot) => short !== undefined && slot.places.includes(to.part));
    return fit.flatMap((slot) => {
      const words = `${called(from)} – ${slot.field} – ${called(to)}`;
      const name = read(slot, from.block).find((each) => this.resolve(from.path, each, slot.places)?.block === to.block);
      if (name === undefined) return [{ words, act: () => wire(slot, from.block, short) }];
      return removable(slot) ? [{ words: `Remove ${words}`, removes: true, act: () => replace(slot, from.block, name) }] : [];
    });
  }
}

export function removable({ many, needed, field }) {
  return many || !needed || field === "target";
}

export function called(one) {
  return one.full || one.block.kind;
}

// Change the name of a block or a system wherever it is written; false where another has that name.
export function rename(task, { part, block, path }, after) {
  const before = new Names(task);
  const old = before.prefix(path) + block.name;
  const next = before.prefix(path) + after;
  // A sensor may read bodies and sensors, so that no two of these have one name.
  const alike = ["bodies", "sensors"].includes(part) ? ["bodies", "sensors"] : [part];
  if (!after || before.all.some((one) => one.full === next && one.block !== block && alike.includes(one.part))) return false;
  const met = before.references().filter(({ to }) => to && means(to, part, old));
  block.name = after;
  const now = new Names(task);
  for (const { from, slot, name, to } of met) {
    const found = now.found.get(`${to.part}:${next}${to.full.slice(old.length)}`);
    replace(slot, from.block, name, now.brief(from.path, found));
  }
  return true;
}

export function remove(task, { part, i, path, full }) {
  const names = new Names(task);
  for (const { from, slot, name, to } of names.references()) if (to && means(to, part, full)) replace(slot, from.block, name);
  const at = holder(task, path);
  at[part].splice(i, 1);
  if (!at[part].length) delete at[part];
}

export function named(task, path, stem) {
  const names = new Names(task);
  const taken = new Set(names.all.map((one) => one.full));
  for (let i = 1; ; i += 1) if (!taken.has(`${names.prefix(path)}${stem}${i}`)) return `${stem}${i}`;
}

export function starts(path, scope) {
  return scope.every((one, i) => path[i] === one);
}

function means(to, part, full) {
  return part === "systems" ? to.full.startsWith(`${full}.`) : to.part === part && to.full === full;
}

function* walk(at, path, prefix) {
  for (const part of Object.keys(PARTS)) {
    for (const [i, block] of (at[part] ?? []).entries()) {
      yield { part, i, block, path, full: part === "transitions" ? "" : `${prefix}${block.name}` };
      if (part === "systems") yield* walk(block, [...path, i], `${prefix}${block.name}.`);
    }
  }
}
