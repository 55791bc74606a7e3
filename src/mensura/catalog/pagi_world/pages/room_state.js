// The state of the editor: a room as its file has it, what is chosen, and what can be undone. Nothing here draws or asks.
const MOST = 200;
const LEAST = 0.1;
const round = (value) => Math.round(value * 1e4) / 1e4;
const LITERAL = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const NUMBER = "[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?";
const RANGE = new RegExp(`^(?:\\[\\s*(${NUMBER})\\s*,\\s*(${NUMBER})\\s*\\]|(${NUMBER})\\s*(?:to|…|\\.\\.)\\s*(${NUMBER}))$`, "i");
const TAIL = new RegExp(`^(.*\\S) ([-+]) (\\d+(?:\\.\\d+)?)$`);
export const KEYS = /^(things|agents)\.(\d+)$/;

export class RoomState {
  // `shapes` says what each word of a rule needs, as the laboratory tells it.
  constructor(room, shapes = {}) {
    this.room = structuredClone(room);
    this.said = new Set(Object.keys(room));
    this.shapes = shapes;
    this.chosen = [];
    // What every expression comes to in the draw that is shown.
    this.values = {};
    this.past = [];
    this.at = -1;
    this.key = null;
    this.keep();
  }

  // The room as its file has it: what is usual and was not said is not said now.
  data() {
    const room = structuredClone(this.room);
    for (const [part, usual] of [["things", "[]"], ["agents", "[{}]"]]) if (!this.said.has(part) && JSON.stringify(room[part]) === usual) delete room[part];
    return room;
  }

  // Undo and redo ---------------------------------------------------------------------------------------------------

  // Keep the room as it stands, if it has changed. Changes with the same key follow on one another and count as one.
  keep(key = null) {
    if (this.at >= 0) this.sweep();
    const text = JSON.stringify(this.data());
    if (text === this.past[this.at]?.text) return false;
    if (key === null || key !== this.key || this.at < this.past.length - 1) this.at += 1;
    this.past.splice(this.at, Infinity, { text, chosen: [...this.chosen] });
    this.key = key;
    if (this.past.length > MOST) this.at -= this.past.splice(0, this.past.length - MOST).length;
    return true;
  }

  has(step) {
    return this.at + step in this.past;
  }

  go(step) {
    if (!this.has(step)) return false;
    this.key = null;
    this.at += step;
    this.room = JSON.parse(this.past[this.at].text);
    this.chosen = this.past[this.at].chosen.filter((key) => this.item(key));
    return true;
  }

  // Things and agents -----------------------------------------------------------------------------------------------

  get things() {
    return (this.room.things ??= []);
  }

  get agents() {
    return (this.room.agents ??= [{}]);
  }

  item(key) {
    const found = KEYS.exec(key ?? "");
    return found ? this[found[1]][found[2]] : undefined;
  }

  get keys() {
    return [...this.things.map((_, i) => `things.${i}`), ...this.agents.map((_, i) => `agents.${i}`)];
  }

  called(key) {
    const one = this.item(key);
    return key.startsWith("agents") ? (one.role ?? "subject") : one.name || one.kind;
  }

  get names() {
    return this.keys.map((key) => this.called(key));
  }

  // A name that nothing has yet: `block`, `block 2`, `block 3` ...
  fresh(name) {
    const taken = new Set(this.names);
    const stem = name.replace(/ \d+$/, "");
    let found = name;
    for (let i = 2; taken.has(found); i += 1) found = `${stem} ${i}`;
    return found;
  }

  add(kind, at) {
    const name = this.fresh(kind);
    this.things.push({ kind, ...(name === kind ? {} : { name }), at: at.map(round) });
    this.chosen = [`things.${this.things.length - 1}`];
  }

  addAgent(at) {
    this.agents.push({ role: this.fresh("agent"), at: at.map(round) });
    this.chosen = [`agents.${this.agents.length - 1}`];
  }

  remove(keys = this.chosen) {
    const gone = new Set(keys.map((key) => this.item(key)).filter(Boolean));
    const names = new Set(keys.filter((key) => this.item(key)).map((key) => this.called(key)));
    this.room.things = this.things.filter((one) => !gone.has(one));
    // Somebody must act in a room.
    const left = this.agents.filter((one) => !gone.has(one));
    for (const one of left.length ? [] : this.agents.slice(0, 1)) names.delete(one.role ?? "subject");
    this.room.agents = left.length ? left : this.agents.slice(0, 1);
    if (this.room.joints) this.room.joints = this.room.joints.filter(({ first, second }) => !names.has(first) && !names.has(second));
    this.setGroups(this.groups.map((group) => group.filter((name) => !names.has(name))));
    this.chosen = [];
  }

  // Copies lie beside their originals; what held originals together holds the copies too.
  duplicate(by = [1, -1]) {
    const copies = new Map();
    const made = [];
    for (const key of this.chosen) {
      const copy = structuredClone(this.item(key));
      const name = this.fresh(this.called(key));
      copies.set(this.called(key), name);
      if (key.startsWith("things")) {
        copy.name = name;
        made.push(`things.${this.things.push(copy) - 1}`);
      } else {
        copy.role = name;
        made.push(`agents.${this.agents.push(copy) - 1}`);
      }
      copy.at = this.place(copy).map((one, axis) => this.shifted(one, by[axis], true));
    }
    for (const joint of [...(this.room.joints ?? [])]) {
      const ends = [joint.first, joint.second].map((name) => (name ? copies.get(name) : name));
      if (ends.some(Boolean) && ends.every((name, i) => name !== undefined || ![joint.first, joint.second][i])) {
        const copy = { ...structuredClone(joint), at: (joint.at ?? [0, 0]).map((one, axis) => this.shifted(one, by[axis], true)) };
        for (const [i, end] of ["first", "second"].entries()) if (ends[i]) copy[end] = ends[i];
        this.room.joints.push(copy);
      }
    }
    for (const one of made.map((key) => this.item(key))) if (copies.has(one.target)) one.target = copies.get(one.target);
    this.setGroups([...this.groups, ...this.groups.filter((group) => group.every((name) => copies.has(name))).map((group) => group.map((name) => copies.get(name)))]);
    this.chosen = made;
  }

  place(one) {
    return one.at ?? ("kind" in one ? [0, 0] : [-2.7, -3]);
  }

  move(by, keys = this.chosen) {
    for (const key of keys) {
      const one = this.item(key);
      one.at = this.place(one).map((value, axis) => this.shifted(value, by[axis]));
    }
    const names = new Set(keys.map((key) => this.called(key)));
    // A point that holds what is moved moves along, unless the other end stays where it is.
    for (const joint of this.room.joints ?? []) {
      const ends = [joint.first, joint.second].filter(Boolean);
      if (joint.at && ends.length && ends.every((name) => names.has(name))) joint.at = joint.at.map((value, axis) => this.shifted(value, by[axis]));
    }
  }

  rotate(degrees, keys = this.chosen) {
    for (const key of keys) {
      const one = this.item(key);
      const angle = this.shifted(one.angle ?? 0, degrees);
      one.angle = typeof angle === "number" ? round(((((angle + 180) % 360) + 360) % 360) - 180) : angle;
      if (one.angle === 0) delete one.angle;
    }
  }

  // Make things larger by so much across and up; `sizes` are as they are drawn, for those whose kind alone says it.
  resize(by, sizes, keys = this.chosen) {
    for (const key of keys.filter((one) => one.startsWith("things"))) {
      const one = this.item(key);
      const size = one.size ?? sizes[key];
      const more = size.length === 1 ? [(Math.abs(by[0]) > Math.abs(by[1]) ? by[0] : by[1]) / 2] : by;
      one.size = size.map((value, axis) => {
        const made = this.shifted(value, more[axis]);
        return typeof made === "number" ? Math.max(LEAST, made) : made;
      });
    }
  }

  // Order: what comes later is drawn above.
  raise(way) {
    for (const key of this.chosen.filter((one) => one.startsWith("things"))) {
      const one = this.item(key);
      this.things.splice(this.things.indexOf(one), 1);
      if (way > 0) this.things.push(one);
      else this.things.unshift(one);
      this.chosen = this.chosen.map((other) => (other === key ? `things.${this.things.indexOf(one)}` : other));
    }
  }

  // Grid: what is a number is put on the grid; what an expression says stays.
  snap(grid, keys = this.chosen) {
    for (const key of keys) {
      const one = this.item(key);
      one.at = this.place(one).map((value) => (typeof value === "number" ? round(Math.round(value / grid) * grid) : value));
    }
  }

  // Align by the boxes around things: [middle x, middle y, half width, half height] by key.
  align(side, boxes) {
    const axis = ["left", "right", "centre"].includes(side) ? 0 : 1;
    const edge = { left: -1, right: 1, bottom: -1, top: 1 }[side] ?? 0;
    const spots = this.chosen.map((key) => boxes[key][axis] + edge * boxes[key][axis + 2]);
    const goal = edge ? Math[edge < 0 ? "min" : "max"](...spots) : (Math.min(...spots) + Math.max(...spots)) / 2;
    this.chosen.forEach((key, i) => this.move(axis ? [0, goal - spots[i]] : [goal - spots[i], 0], [key]));
  }

  // Groups ----------------------------------------------------------------------------------------------------------

  get groups() {
    return this.room.groups ?? [];
  }

  setGroups(groups) {
    const kept = groups.filter((group) => group.length > 1);
    if (kept.length) this.room.groups = kept;
    else delete this.room.groups;
  }

  group() {
    const names = this.chosen.map((key) => this.called(key));
    this.setGroups([...this.groups.map((group) => group.filter((name) => !names.includes(name))), names]);
  }

  ungroup() {
    const names = this.chosen.map((key) => this.called(key));
    this.setGroups(this.groups.filter((group) => !group.some((name) => names.includes(name))));
  }

  // What belongs together is chosen together; `more` adds it to, or takes it from, what is chosen.
  choose(key, { more = false, alone = false } = {}) {
    const name = key && this.called(key);
    const group = (!alone && this.groups.find((one) => one.includes(name))) || [name];
    const keys = key ? this.keys.filter((one) => group.includes(this.called(one))) : [];
    if (!more) this.chosen = keys;
    else if (this.chosen.includes(key)) this.chosen = this.chosen.filter((one) => !keys.includes(one));
    else this.chosen = [...new Set([...this.chosen, ...keys])];
  }

  // Names -----------------------------------------------------------------------------------------------------------

  // Give a thing or an agent another name, wherever the room says it. One that is taken is left for the check to refuse.
  rename(key, name) {
    const one = this.item(key);
    const before = this.called(key);
    const unique = this.names.filter((other) => other === before).length === 1 && !this.names.includes(name);
    if (key.startsWith("agents")) one.role = name;
    else if (name) one.name = name;
    else delete one.name;
    const after = this.called(key);
    if (!unique || after === before) return;
    const named = (text) => (text === before ? after : typeof text === "string" && text.startsWith(`${before}.`) ? after + text.slice(before.length) : text);
    const { room } = this;
    for (const part of ["success", "failure"]) if (room[part]) room[part] = this.renamed(room[part], named);
    for (const part of ["moves", "praises"]) if (room[part]) room[part] = room[part].map((rule) => this.renamed(rule, named));
    for (const measure of Object.values(room.measures ?? {})) {
      if (measure.rule) measure.rule = this.renamed(measure.rule, named);
      if (measure.rules) measure.rules = measure.rules.map((rule) => this.renamed(rule, named));
      if (measure.between) measure.between = measure.between.map(named);
      if (measure.of) measure.of = [named(measure.of[0]), ...measure.of.slice(1)];
    }
    if (room.groups) room.groups = room.groups.map((group) => group.map(named));
    if (room.silenced) room.silenced = room.silenced.map(named);
    for (const joint of room.joints ?? []) for (const end of ["first", "second"]) if (joint[end]) joint[end] = named(joint[end]);
    for (const push of room.foreign ?? []) if (push.role) push.role = named(push.role);
    for (const thing of this.things) if (thing.target) thing.target = named(thing.target);
  }

  // A rule with other names, where its words name things, places or roles.
  renamed(rule, named) {
    const [word, given] = Object.entries(rule ?? {})[0] ?? [];
    const shape = this.shapes[word];
    if (!shape) return rule;
    const one = (sort, value) => {
      if (sort === "rule") return this.renamed(value, named);
      if (sort === "rules") return Array.isArray(value) ? value.map((part) => this.renamed(part, named)) : value;
      return ["thing", "place", "role"].includes(sort) ? named(value) : value;
    };
    if (shape.length === 1) return { [word]: one(shape[0], given) };
    return { [word]: Array.isArray(given) ? given.map((value, i) => one(shape[i], value)) : given };
  }

  // Values: a number, or an expression of what is drawn -----------------------------------------------------------------

  number(value) {
    return typeof value === "number" ? value : (this.values[value] ?? 0);
  }

  // A value that is so much more. A range that nothing else uses is shifted whole, unless a copy must leave it alone.
  shifted(value, by, copied = false) {
    if (!by) return value;
    if (typeof value === "number") return round(value + by);
    const own = this.ownRange(value);
    if (own && !copied) {
      for (const end of ["from", "to"]) this.room.draws[own][end] = round(this.room.draws[own][end] + by);
      this.values[value] = this.number(value) + by;
      return value;
    }
    const text = value.slice(1, -1);
    const found = TAIL.exec(text);
    const tail = found && !/[-+*/%^(]$/.test(found[1]) ? found : null;
    const plus = round(by + (tail ? Number(tail[2] + tail[3]) : 0));
    const stem = tail ? tail[1] : text;
    const made = plus ? `[${stem} ${plus < 0 ? "-" : "+"} ${Math.abs(plus)}]` : `[${stem}]`;
    this.values[made] = this.number(value) + by;
    return made;
  }

  // The name of the range that a value is, where the value alone uses it and both its ends are numbers.
  ownRange(value) {
    const name = typeof value === "string" && /^\[([A-Za-z]\w*)\]$/.exec(value)?.[1];
    const range = name && this.room.draws?.[name];
    return range && typeof range.from === "number" && typeof range.to === "number" && this.uses(name) === 1 ? name : null;
  }

  uses(name) {
    const { draws = {}, ...rest } = this.room;
    const others = Object.entries(draws).map(([other, range]) => (other === name ? null : range));
    const said = [...JSON.stringify([rest, others]).matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]) => text);
    const word = new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`, "g");
    return said.filter((text) => /^"\[|\{/.test(text) || text === `"${name}"`).reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0);
  }

  // What is shown of a value in a field, and what is read from it.
  shown(value) {
    if (Array.isArray(value)) return value.map((one) => this.shown(one)).join(", ");
    const own = this.ownRange(value);
    if (own) return `${this.room.draws[own].from} to ${this.room.draws[own].to}`;
    if (value && typeof value === "object") return JSON.stringify(value);
    return typeof value === "string" && value.startsWith("[") ? value.slice(1, -1).trim() : String(value ?? "");
  }

  // Read a number, `2 to 6` or `[2, 6]` for a range of its own, or an expression of what is drawn. `hint` names the range.
  typed(text, hint, before) {
    const own = this.ownRange(before);
    const range = RANGE.exec(text.trim());
    if (range) {
      const [from, to] = [range[1] ?? range[3], range[2] ?? range[4]].map(Number);
      const name = own ?? this.freshRange(hint);
      (this.room.draws ??= {})[name] = { from, to };
      this.values[`[${name}]`] ??= (from + to) / 2;
      return `[${name}]`;
    }
    return LITERAL.test(text.trim()) ? Number(text) : `[${text.trim().replace(/^\[|\]$/g, "")}]`;
  }

  // As `typed`, for several between commas.
  typedAll(text, hints, before = []) {
    return split(text).map((part, i) => this.typed(part, hints[i] ?? `${hints[0]}_${i + 1}`, before[i]));
  }

  freshRange(hint) {
    const stem = hint.replace(/\W+/g, "_").replace(/^[^A-Za-z]+/, "") || "x";
    let name = stem;
    for (let i = 2; this.room.draws && name in this.room.draws; i += 1) name = `${stem}_${i}`;
    return name;
  }

  // A range that a field had made for itself goes with what the field said.
  sweep() {
    const before = JSON.parse(this.past[this.at].text);
    const uses = (room, name) => this.uses.call({ room }, name);
    for (const name of Object.keys(this.room.draws ?? {})) {
      if (name.includes("_") && name in (before.draws ?? {}) && uses(before, name) && !this.uses(name)) delete this.room.draws[name];
    }
    if (before.draws && this.room.draws && !Object.keys(this.room.draws).length) delete this.room.draws;
  }

  // Ranges by name ----------------------------------------------------------------------------------------------------

  // `gap = 4 to 7`, `n = whole 1 to 6`, `side = one of left, right`, `order = shuffle a, b, c`, `twice = 2 * gap`.
  // Several stand between semicolons; what is wrong is said, and then nothing is changed.
  setRanges(text) {
    const lines = text.split(";").filter((line) => line.trim());
    const found = lines.map((line) => /^\s*([A-Za-z]\w*)\s*=\s*(\S.*)$/.exec(line));
    if (!found.length || found.includes(null)) return "A range is written as a name and what is drawn: gap = 4 to 7.";
    for (const [, name, range] of found) (this.room.draws ??= {})[name] = readRange(range.trim());
    return "";
  }
}

export function readRange(text) {
  const words = (rest) => rest.split(",").map((one) => literal(one.trim()));
  const whole = /^whole\s+(.*)$/i.exec(text);
  const ends = RANGE.exec(whole ? whole[1] : text);
  if (ends) {
    const [from, to] = [ends[1] ?? ends[3], ends[2] ?? ends[4]].map(Number);
    return whole ? { whole: [from, to] } : { from, to };
  }
  const listed = /^(one|shuffle)(?:\s+of)?\s+(.*)$/i.exec(text);
  if (listed) return { [listed[1].toLowerCase()]: words(listed[2]) };
  const chosen = /^(pick|sign)\s+([A-Za-z]\w*)\s*:\s*(.*)$/i.exec(text);
  if (chosen) return { [chosen[1].toLowerCase()]: chosen[2], values: words(chosen[3]) };
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return LITERAL.test(text) ? Number(text) : `[${text.replace(/^\[|\]$/g, "")}]`;
}

export function writtenRange(range) {
  if (typeof range === "string") return range.replace(/^\[|\]$/g, "");
  if (range === null || typeof range !== "object") return String(range);
  const plain = Object.keys(range).join();
  const simple = (all) => Array.isArray(all) && all.every((one) => ["string", "number"].includes(typeof one) && !String(one).includes(","));
  const ends = (all) => all.every((one) => typeof one === "number");
  if (plain === "from,to" && ends([range.from, range.to])) return `${range.from} to ${range.to}`;
  if (plain === "whole" && range.whole.length === 2 && ends(range.whole)) return `whole ${range.whole.join(" to ")}`;
  for (const word of ["one", "shuffle"]) if (plain === word && simple(range[word])) return `${word} of ${range[word].join(", ")}`;
  for (const word of ["pick", "sign"]) if (plain === `${word},values` && simple(range.values)) return `${word} ${range[word]}: ${range.values.join(", ")}`;
  return JSON.stringify(range);
}

// A word that is a number is one; what looks like JSON is read as such.
export function literal(text) {
  if (LITERAL.test(text)) return Number(text);
  if (/^[[{]|^(true|false|null)$/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return text;
}

// Split at commas that lie in no brackets.
function split(text) {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    depth += "[(".includes(sign) ? 1 : ")]".includes(sign) ? -1 : 0;
    if (sign === "," && depth <= 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}
