// The builder: a task as blocks with wires. What is wrong with it, and what is found of it, the laboratory says.
import { blank, definition, KINDS, PARTS, replace } from "./blocks.js";
import { Canvas } from "./canvas.js";
import { drawFields } from "./fields.js";
import { Findings } from "./findings.js";
import { given, text } from "./given.js";
import { called, holder, named, Names, remove, removable, rename, starts } from "./names.js";
import { Past } from "./past.js";
import { h, listed } from "./picture.js";
import { Trial } from "./trying.js";

const root = document.querySelector(".builder");
const find = (name) => root.querySelector(`.bl-${name}`);
const DRAFT = "mensura:builder";
const HELP = "Arrow keys move a block, Enter opens it, Delete removes it; Enter on its dot begins a wire, and Ctrl+Z undoes.";
const past = new Past();
let task = { name: "my-task" };
// The system that is open, as the numbers of the systems that lead to it; none: the task itself.
let scope = [];
let chosen = null;

const trial = new Trial(root, () => task);
const findings = new Findings(root, () => task, (said) => {
  const family = said.fault ? "" : listed(said.ranges);
  tell(said.fault ?? `Nothing is wrong with it: task ${said.id}${family && `, a family: ${family}`}.`, Boolean(said.fault));
  if (!said.fault) trial.offer(said);
});
const canvas = new Canvas(find("canvas"), {
  choose: (key, byKey) => (key === "around" ? enter(scope.slice(0, -1)) : choose(key, byKey)),
  open: (key) => key.startsWith("systems.") && enter([...scope, item(key).i]),
  move: moved,
  remove: (key) => key !== "around" && discard(key),
  connect,
  unwire,
  wiring: (key) => {
    find("hint").textContent = key ? "Choose the block to which the wire leads; Escape leaves it." : HELP;
    draw();
  },
  fit: (key) => {
    const names = new Names(task);
    return new Set(shown(names).map((one) => one.key).filter((one) => one !== key && names.choices(item(key), item(one), scope).length));
  },
});

// After every change: draw, keep the state for undoing, and let the laboratory look. Changes with one key count as one.
function changed({ key = null, form = true } = {}) {
  draw();
  if (form) drawForm();
  past.keep(JSON.stringify({ task, scope }), key);
  settle();
}

function settle() {
  find("json").textContent = text(task, 2);
  for (const [name, step] of [["undo", -1], ["redo", 1]]) find(name).setAttribute("aria-disabled", String(!past.has(step)));
  try {
    sessionStorage.setItem(DRAFT, past.states[past.at]);
  } catch {
    // Without room a reload begins with nothing.
  }
  trial.stop("The task has changed.");
  findings.changed();
}

function travel(step) {
  if (!past.has(step)) return;
  // Show where the change was made that is undone or done again, if that place is still there.
  const left = JSON.parse(past.states[past.at]);
  const found = JSON.parse(past.go(step));
  task = found.task;
  scope = step < 0 ? left.scope : found.scope;
  while (!scope.every((_, i) => holder(task, scope.slice(0, i)).systems?.[scope[i]])) scope.pop();
  chosen = null;
  draw();
  drawForm();
  settle();
}

function tell(words, wrong) {
  if (find("fault").textContent !== words) find("fault").textContent = words;
  find("fault").classList.toggle("wrong", wrong);
}

// The blocks of the open system, with those around it as one.
function shown(names) {
  const here = names.all.filter(({ path }) => path.length === scope.length && starts(path, scope));
  const items = here.map((one) => ({ ...one, key: `${one.part}.${one.i}`, at: one.block.at, kind: PARTS[one.part], words: one.block.name ?? one.block.kind }));
  return scope.length ? [{ key: "around", part: "around", kind: "Outside", words: holder(task, scope.slice(0, -1)).name, path: [] }, ...items] : items;
}

function item(key) {
  return shown(new Names(task)).find((one) => one.key === key);
}

function draw() {
  const names = new Names(task);
  // What is inside a system is shown as the system.
  const spot = ({ part, i, path }) => (!starts(path, scope) ? "around" : path.length > scope.length ? `systems.${path[scope.length]}` : `${part}.${i}`);
  const wires = names.references().filter(({ to }) => to).map((one) => ({ ...one, part: one.from.part, ends: [one.from, one.to], from: spot(one.from), to: spot(one.to) }));
  canvas.draw(shown(names), wires.filter(({ from, to }) => from !== to), chosen);
  const steps = scope.map((_, i) => scope.slice(0, i + 1));
  find("path").hidden = !scope.length;
  find("path").replaceChildren(...[[], ...steps].map((path) => action(holder(task, path).name, () => enter(path))));
  find("path").lastChild.setAttribute("aria-current", "true");
  find("add-goals").hidden = scope.length > 0;
}

function enter(path) {
  [scope, chosen] = [path, null];
  canvas.wire(null);
  drawForm();
}

// By key, go on in its fields; by pointer the canvas stays where it is.
function choose(key, byKey) {
  chosen = key;
  draw();
  drawForm();
  if (byKey) find("fields").querySelector("input, select")?.focus();
}

function discard(key) {
  remove(task, item(key));
  chosen = null;
  changed();
  (root.querySelector(".bl-block") ?? find("add").querySelector("button")).focus();
}

function moved(places, key = null) {
  for (const one of shown(new Names(task))) if (one.block) one.block.at = places.get(one.key);
  changed({ key: key && `move ${key}`, form: false });
}

function connect(from, to) {
  const choices = new Names(task).choices(item(from), item(to), scope).map(({ act, ...one }) => ({ ...one, act: () => (act(), changed()) }));
  if (choices.length === 1 && !choices[0].removes) choices[0].act();
  else if (choices.length) canvas.offer("Which wire?", choices, to);
  else find("hint").textContent = `No wire leads from ${item(from).words} to ${item(to).words}.`;
}

function unwire({ ends: [from, to], slot, name, to: key }) {
  const words = `${called(from)} – ${slot.field} – ${called(to)}`;
  const act = () => (replace(slot, from.block, name), changed());
  if (removable(slot)) canvas.offer("This wire", [{ words: `Remove ${words}`, act }], key);
  else find("hint").textContent = `${words}: it needs this wire; draw one to another block instead.`;
}

function drawForm() {
  const one = chosen && item(chosen);
  const block = one ? one.block : holder(task, scope);
  const schema = one ? definition(one.part, block) : scope.length ? definition("systems") : given.schema;
  root.querySelector("#bl-form-title").textContent = `${schema.title} ${block.name ?? ""}`;
  find("about").textContent = one || scope.length ? schema.description.split("\n\n")[0].replaceAll("\n", " ") : "";
  const names = new Names(task);
  const known = (title, field) => names.known(scope, title, field);
  const drawn = drawFields({ block, schema, known, skip: ["kind", ...Object.keys(PARTS)] }, (name, before) => {
    if (name === "name" && block !== task) {
      const after = block.name;
      block.name = before;
      const part = one?.part ?? "systems";
      const path = one?.path ?? scope.slice(0, -1);
      if (!rename(task, { part, block, path }, after)) return (drawForm(), tell(`The name ${after || "''"} is taken or empty; it stays ${before}.`, true));
    }
    changed({ key: `${scope} ${chosen} ${name}`, form: false });
  });
  find("fields").replaceChildren(...drawn);
  const acts = one
    ? [action("Remove this block", () => discard(chosen)), action("Back to the whole", () => choose(null))]
    : scope.length ? [action("Leave this system", () => enter(scope.slice(0, -1)))] : [];
  if (one?.part === "systems") acts.unshift(action("Open this system", () => enter([...scope, one.i])));
  find("acts").replaceChildren(...acts);
}

function action(words, act) {
  const made = h("button", { type: "button", class: "light" }, words);
  made.addEventListener("click", act);
  return made;
}

function add(part, kind) {
  const at = holder(task, scope);
  const block = part === "transitions" ? { kind } : { name: named(task, scope, PARTS[part].toLowerCase()) };
  const names = new Names(task);
  blank(block, definition(part, block), (title, field) => names.known(scope, title, field));
  at[part] = [...(at[part] ?? []), block];
  chosen = `${part}.${at[part].length - 1}`;
  changed();
  find("fields").querySelector("input, select")?.focus();
}

function begin(data) {
  [task, scope, chosen] = [data, [], null];
  findings.forget();
  changed();
}

function save() {
  const url = URL.createObjectURL(new Blob([`${text(task, 2)}\n`], { type: "application/json" }));
  const safe = String(task.name).replace(/[^\w.-]+/g, "-") || "task";
  h("a", { href: url, download: `${safe}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function open(event) {
  try {
    const data = JSON.parse(await event.target.files[0].text());
    if (typeof data !== "object" || data === null || Array.isArray(data)) throw new Error("no task");
    begin(data);
  } catch {
    ({ task, scope } = JSON.parse(past.states[past.at]));
    draw();
    drawForm();
    tell("This file holds no task as JSON.", true);
  }
  event.target.value = "";
}

for (const name of Object.keys(given.tasks)) find("begin").append(h("option", { value: name }, name));
for (const part of Object.keys(PARTS)) {
  if (part === "transitions") continue;
  const made = action(`Add a ${PARTS[part].toLowerCase()}`, () => add(part));
  made.classList.add(`bl-add-${part}`);
  find("add").append(made);
}
const kinds = h("select", {}, ...Object.keys(KINDS).map((kind) => h("option", { value: kind }, kind)));
find("add").append(h("label", {}, "Kind of transition ", kinds), action("Add a transition", () => add("transitions", kinds.value)));
find("begin").addEventListener("change", (event) => begin(structuredClone(given.tasks[event.target.value] ?? { name: "my-task" })));
find("open").addEventListener("change", open);
find("form").addEventListener("submit", (event) => event.preventDefault());
find("save").addEventListener("click", save);
find("undo").addEventListener("click", () => travel(-1));
find("redo").addEventListener("click", () => travel(1));
root.addEventListener("keydown", (event) => {
  const key = (event.ctrlKey || event.metaKey) && event.key.toLowerCase();
  // In a field the browser undoes what was typed.
  if (!["z", "y"].includes(key) || event.target.matches("input:not([type=checkbox], [type=range]), textarea")) return;
  event.preventDefault();
  travel(key === "y" || event.shiftKey ? 1 : -1);
});
const draft = sessionStorage.getItem(DRAFT);
if (draft) ({ task, scope } = JSON.parse(draft));
find("hint").textContent = HELP;
changed();
