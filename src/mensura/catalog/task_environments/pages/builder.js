// The builder: a task as blocks with wires. What is wrong with it, and what is found of it, the laboratory says.
import { drawFields } from "./fields.js";
import { h, picture, written } from "./picture.js";
import { blank, named, references, rename } from "./blocks.js";

const root = document.querySelector(".builder");
const own = root.closest(".own");
const given = JSON.parse(own.querySelector(".own-data").textContent);
const find = (name) => root.querySelector(`.bl-${name}`);
const COLUMNS = [["motors", "transitions"], ["bodies"], ["sensors", "goals"]];
const PARTS = { bodies: "Body", motors: "Motor", sensors: "Sensor", goals: "Goal", transitions: "" };
const KINDS = given.schema.properties.transitions.items.discriminator.mapping;
const PATIENCE = 250;
let task = { name: "my-task" };
let chosen = null;
let turn = 0;
let timer = 0;

async function ask(want, more = {}) {
  const body = new URLSearchParams({ csrf: own.dataset.csrf, asked: JSON.stringify({ task, want, ...more }) });
  try {
    const said = await fetch(own.dataset.address, { method: "POST", body, credentials: "same-origin" });
    return await said.json();
  } catch {
    return { fault: "The laboratory does not answer; the task stays as it is here." };
  }
}

// Whatever changes is checked after a moment; what was found of an earlier state is dropped.
function changed({ fields = false } = {}) {
  drawCanvas();
  drawSliders();
  if (fields) drawForm();
  find("json").textContent = JSON.stringify(task, null, 2);
  root.dataset.state = "looking";
  turn += 1;
  clearTimeout(timer);
  timer = setTimeout(look, PATIENCE);
}

async function look() {
  const mine = turn;
  const said = await ask("check");
  if (mine !== turn) return;
  tell(said.fault ?? `Nothing is wrong with it: task ${said.id}.`, Boolean(said.fault));
  const parts = said.fault ? [] : [["curve", drawCurve], ["properties", drawProperties]];
  drawCurve({});
  drawProperties({});
  for (const [want, draw] of parts) {
    const found = await ask(want);
    if (mine !== turn) return;
    draw(found);
  }
  root.dataset.state = said.fault ? "refused" : "ready";
}

function tell(words, wrong) {
  const place = find("fault");
  if (place.textContent !== words) place.textContent = words;
  place.classList.toggle("wrong", wrong);
}

function drawCanvas() {
  const columns = COLUMNS.map((parts) =>
    h("div", { class: "bl-column" }, ...parts.flatMap((part) => (task[part] ?? []).map((block, i) => button(part, block, i)))),
  );
  const had = document.activeElement?.dataset?.block;
  find("columns").replaceChildren(...columns);
  if (had) root.querySelector(`[data-block="${CSS.escape(had)}"]`)?.focus();
  drawWires();
}

function button(part, block, i) {
  const words = part === "transitions" ? block.kind : block.name;
  const pressed = chosen?.part === part && chosen.i === i;
  const made = h("button", { type: "button", class: `bl-block ${part}`, "aria-pressed": String(pressed), "data-block": `${part}.${i}` }, h("small", {}, PARTS[part] || "Transition"), words || "?");
  made.addEventListener("click", () => choose(part, i));
  made.addEventListener("keydown", (event) => event.key === "Delete" && remove(part, i));
  return made;
}

function drawWires() {
  const svg = find("wires");
  const frame = find("canvas").getBoundingClientRect();
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
  };
  const lines = [];
  for (const part of Object.keys(PARTS)) {
    (task[part] ?? []).forEach((block, i) => {
      for (const [other, j] of references(task, part, block)) {
        const ends = [`${part}.${i}`, `${other}.${j}`].map((key) => root.querySelector(`[data-block="${key}"]`));
        if (!ends[0] || !ends[1]) continue;
        const [[x1, y1], [x2, y2]] = ends.map(middle);
        lines.push(h("svg:line", { x1, y1, x2, y2, class: part }));
      }
    });
  }
  svg.replaceChildren(...lines);
}

function choose(part, i) {
  chosen = part === null ? null : { part, i };
  drawCanvas();
  drawForm();
  if (chosen) find("fields").querySelector("input, select")?.focus();
}

function remove(part, i) {
  task[part].splice(i, 1);
  if (!task[part].length) delete task[part];
  chosen = null;
  changed({ fields: true });
  root.querySelector(".bl-block")?.focus();
}

function drawForm() {
  const block = chosen ? task[chosen.part][chosen.i] : task;
  const schema = chosen ? definition(chosen.part, block) : given.schema;
  root.querySelector("#bl-form-title").textContent = chosen ? `${schema.title} ${block.name ?? ""}` : "Task";
  const drawn = drawFields({ block, schema, task, defs: given.schema.$defs, skip: ["kind", ...Object.keys(PARTS), "systems"] }, (name, before) => {
    if (chosen && name === "name") rename(task, chosen.part, before, block.name);
    changed();
  });
  const others = chosen
    ? [action("Remove this block", () => remove(chosen.part, chosen.i)), action("Back to the task", () => choose(null))]
    : [];
  find("fields").replaceChildren(...drawn, h("p", { class: "bl-bar" }, ...others));
}

function action(words, act) {
  const made = h("button", { type: "button", class: "light" }, words);
  made.addEventListener("click", act);
  return made;
}

function definition(part, block) {
  const name = part === "transitions" ? KINDS[block.kind].split("/").pop() : PARTS[part];
  return given.schema.$defs[name];
}

function add(part, kind) {
  const block = part === "transitions" ? { kind } : { name: named(task, PARTS[part].toLowerCase()) };
  blank(task, block, definition(part, block), given.schema.$defs);
  task[part] = [...(task[part] ?? []), block];
  chosen = { part, i: task[part].length - 1 };
  changed({ fields: true });
  find("fields").querySelector("input, select")?.focus();
}

function drawSliders() {
  const motors = (task.motors ?? []).filter((motor) => motor.agents?.length !== 0);
  const kept = [...find("sliders").querySelectorAll("input")].map((slider) => slider.dataset.held);
  find("sliders").replaceChildren(
    ...motors.map((motor, i) => {
      const most = Number(motor.power?.low ?? motor.power ?? 1);
      const slider = h("input", { type: "range", min: -most * (motor.reverse ?? 1), max: most, step: "any" });
      // What a hand has set stays; else it is full power, whatever that is now.
      slider.value = kept[i] ?? most;
      if (kept[i] !== undefined) slider.dataset.held = kept[i];
      const shown = h("output", {}, `${written(slider.value)} W`);
      slider.addEventListener("input", () => {
        slider.dataset.held = slider.value;
        shown.textContent = `${written(slider.value)} W`;
      });
      return h("label", { class: "bl-slider" }, motor.name, slider, shown);
    }),
  );
}

async function run() {
  const powers = [...find("sliders").querySelectorAll("input")].map((slider) => Number(slider.value));
  const said = await ask("run", { subject: find("who").value, seed: Number(find("seed").value), powers });
  find("trace").replaceChildren();
  if (said.fault) return void (find("result").textContent = said.fault);
  const how = said.solved ? "Solved" : said.cut ? "Not over yet" : "Not solved";
  find("result").textContent = `${how} after ${written(said.time)} s, with ${written(said.energy)} J.`;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const step = Math.max(1, Math.ceil(said.times.length / 60));
  let shown = still ? said.times.length : step;
  const draw = () => {
    const points = (i) => said.times.slice(0, shown).map((time, k) => [time, said.trace[k][i]]);
    find("trace").replaceChildren(...said.names.map((name, i) => picture(points(i), { x: "seconds", y: name, width: said.time })));
    if (shown < said.times.length) {
      shown += step;
      requestAnimationFrame(draw);
    }
  };
  draw();
}

function drawCurve(found) {
  const least = find("least");
  find("curve").replaceChildren();
  least.textContent = found.fault ?? "–";
  if (!found.kind) return;
  const which = found.family ? " The task is a family; these are the figures of its middle instance." : "";
  const cheapest = found.t_at_e_min === null ? "" : `, in ${written(found.t_at_e_min)} s`;
  least.textContent = `${found.kind}: at least ${written(found.t_min)} s, with ${written(found.e_at_t_min)} J; at least ${written(found.e_min)} J${cheapest}.${which}`;
  find("curve").replaceChildren(picture(found.curve.map((one) => [one.energy, one.time]), { x: "joules", y: "seconds" }));
}

function drawProperties(found) {
  const rows = (found.properties ?? []).map((one) =>
    h("tr", {}, h("th", { scope: "row" }, one.name), h("td", {}, one.value === null ? "–" : one.value.toFixed(3)), h("td", {}, one.definition)),
  );
  find("properties").replaceChildren(...(found.fault ? [h("tr", {}, h("td", { colspan: 3 }, found.fault))] : rows));
}

function begin(data) {
  task = data;
  chosen = null;
  changed({ fields: true });
}

function save() {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(task, null, 2)}\n`], { type: "application/json" }));
  const safe = String(task.name).replace(/[^\w.-]+/g, "-") || "task";
  h("a", { href: url, download: `${safe}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

for (const name of Object.keys(given.tasks)) find("begin").append(h("option", { value: name }, name));
for (const name of given.subjects) find("who").append(h("option", { value: name }, name));
for (const part of Object.keys(PARTS)) {
  if (part !== "transitions") find("add").append(action(`Add a ${PARTS[part].toLowerCase()}`, () => add(part)));
}
const kinds = h("select", {}, ...Object.keys(KINDS).map((kind) => h("option", { value: kind }, kind)));
find("add").append(h("label", {}, "Transition ", kinds), action("Add it", () => add("transitions", kinds.value)));
find("begin").addEventListener("change", (event) => begin(structuredClone(given.tasks[event.target.value] ?? { name: "my-task" })));
find("open").addEventListener("change", async (event) => {
  try {
    begin(JSON.parse(await event.target.files[0].text()));
  } catch {
    tell("This file holds no JSON.", true);
  }
});
find("form").addEventListener("submit", (event) => event.preventDefault());
find("save").addEventListener("click", save);
find("run").addEventListener("click", run);
new ResizeObserver(drawWires).observe(find("canvas"));
changed({ fields: true });
