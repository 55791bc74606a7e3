// The editor of rooms. What is wrong with a room, what is drawn of it and what comes of it, the laboratory says.
import { drawFields, drawRanges, drawRows, drawRule } from "./editor_forms.js";
import { ask, button, given, h, line } from "./editor_page.js";
import { pictured, Stage } from "./editor_stage.js";
import { Trial } from "./editor_trial.js";
import { RoomState } from "./room_state.js";

const root = document.querySelector(".editor");
const find = (name) => root.querySelector(`.ed-${name}`);
const DRAFT = `mensura:room:${given.file}`;
const FINE = 0.1;
const HELP = [
  ["Arrow keys", "move what is chosen; with Shift they make it larger or smaller, with Alt they move the view"],
  [", and .", "turn it by 15 degrees; with Shift by 1 degree"],
  ["N, P", "choose the next or the previous thing; with Shift it is added to what is chosen"],
  ["Enter, Escape", "go to the properties of what is chosen; go back to the room, or choose nothing"],
  ["Ctrl+A", "choose everything"],
  ["Ctrl+D, Delete", "duplicate it; remove it"],
  ["Ctrl+G, Ctrl+Shift+G", "group what is chosen; take the group apart"],
  ["S, G", "put it on the grid; switch the grid on or off (without it arrow keys move by a tenth)"],
  ["Page up, Page down", "draw it above or below all others"],
  ["A", "go to what can be added; there, Tab and Enter add it"],
  ["+, −, 0", "come nearer, go away, see all of it"],
  ["R", "see another draw of the ranges"],
  ["Ctrl+Enter", "try it"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
  ["Ctrl+S", "save it"],
  ["?", "show or hide this list"],
];

let state = new RoomState(given.begin, given.rules);
let drawn = {};
let moves = 0;
let asking = 0;
let fitted = false;

export const stage = new Stage(find("stage"), given.look, () => state, {
  choose: (key, more) => choose(key, { more }),
  moved: (by, key) => act(() => state.move(by), { key: `move ${key} ${moves}`, form: false }),
  resized: (by, key) => act(() => state.resize(by, sizes(), [key]), { key: `size ${key} ${moves}`, form: false }),
  turned: (degrees, key) => act(() => state.rotate(degrees, [key]), { key: `turn ${key} ${moves}`, form: false }),
  swept: (keys) => act(() => (state.chosen = keys)),
  done: () => ((moves += 1), drawForm()),
  over: () => trial.stop(),
});
const trial = new Trial(root, { state: () => state, stage, seed: () => Number(find("seed").value) || 0 });

// Changes ---------------------------------------------------------------------------------------------------------------

// Do something to the room: draw it, keep it for undoing, let the laboratory look. Changes with one key count as one.
function act(change, { key = null, form = true } = {}) {
  trial.stop();
  change();
  state.keep(key);
  refresh(form);
}

function refresh(form = true) {
  stage.draw();
  if (form) drawForms();
  else drawList();
  find("json").textContent = JSON.stringify(state.data(), null, 1);
  for (const [name, step] of [["undo", -1], ["redo", 1]]) find(name).setAttribute("aria-disabled", String(!state.has(step)));
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify(state.data()));
  } catch {
    // Without room for a draft a reload begins anew.
  }
  look();
}

function travel(step) {
  trial.stop();
  if (state.go(step)) refresh();
}

// Let the laboratory look, not at every step of a drag but soon after the last.
function look() {
  const mine = (asking += 1);
  root.dataset.state = "asking";
  setTimeout(async () => {
    if (asking !== mine) return;
    const said = await ask(state.data(), "check", { seed: Number(find("seed").value) || 0 });
    if (asking !== mine) return;
    if (said.values) {
      state.values = { ...state.values, ...said.values };
      drawn = said.drawn;
      // What expressions come to is known only now.
      if (!fitted) stage.fit();
      fitted = true;
      redraw(find("ranges"), () => find("ranges").replaceChildren(...drawRanges(state, drawn, changed)));
      if (said.roles.length) trial.offer(said.roles);
    }
    tell(said.fault ? [{ words: said.fault, names: [], refused: true }] : said.faults);
  }, 60);
}

function tell(faults) {
  stage.faulty = new Set(faults.flatMap(({ names }) => names));
  const refused = faults.some((one) => one.refused);
  const rows = faults.map(({ words, names }) => {
    const keys = state.keys.filter((key) => names.includes(state.called(key)));
    return h("li", {}, words, ...(keys.length ? [" ", button("Show", () => (act(() => (state.chosen = keys)), stage.canvas.focus()))] : []));
  });
  find("fault").replaceChildren(...(rows.length ? [h("ul", {}, ...rows)] : ["This room can be played."]));
  find("fault").className = `ed-fault${refused ? " wrong" : rows.length ? " doubtful" : ""}`;
  root.dataset.state = refused ? "refused" : "ready";
  stage.draw();
}

// What can be done to what is chosen --------------------------------------------------------------------------------------

const sizes = () => Object.fromEntries(state.chosen.filter((key) => key.startsWith("things")).map((key) => [key, stage.size(key)]));
const boxes = () => Object.fromEntries(state.chosen.map((key) => [key, stage.extent(key)]));
const some = (change) => () => state.chosen.length && act(change);
const ACTS = {
  Duplicate: some(() => (state.duplicate(), afterwards(true))),
  Remove: some(() => state.remove()),
  Group: some(() => state.group()),
  Ungroup: some(() => state.ungroup()),
  "Turn left": some(() => state.rotate(15)),
  "Turn right": some(() => state.rotate(-15)),
  "To the grid": some(() => state.snap(stage.grid)),
};

function choose(key, { more = false } = {}) {
  trial.stop();
  state.choose(key, { more });
  stage.draw();
  drawForms();
}

function next(way, more) {
  const { keys } = state;
  const at = keys.indexOf(way > 0 ? state.chosen.at(-1) : state.chosen[0]);
  choose(keys[(at + way + keys.length + (at < 0 && way < 0 ? 1 : 0)) % keys.length], { more });
  find("said").textContent = said();
}

// What was added is named next: the keyboard goes to its first property.
function afterwards(focus) {
  if (focus) queueMicrotask(() => toFields());
}

function toFields() {
  const first = find("chosen").querySelector(".ed-fields input");
  first?.focus();
  first?.select();
}

function add(kind, at = stage.middle) {
  act(() => {
    if (kind === "agent") state.addAgent(at);
    else state.add(kind, at);
  });
  afterwards(true);
}

function toolbar() {
  const align = h("select", { "aria-label": "Align what is chosen" }, h("option", { value: "" }, "Align …"), ...["left", "centre", "right", "top", "middle", "bottom"].map((one) => h("option", { value: one }, one)));
  align.addEventListener("change", () => {
    if (align.value && state.chosen.length > 1) act(() => state.align(align.value, boxes()));
    align.value = "";
  });
  const grid = h("select", { "aria-label": "Grid" }, ...["off", "0.1", "0.25", "0.5", "1", "2.55"].map((one) => h("option", { value: one }, one === "off" ? "Grid off" : `Grid ${one}`)));
  grid.value = "0.5";
  grid.addEventListener("change", () => {
    stage.snaps = grid.value !== "off";
    if (stage.snaps) stage.grid = Number(grid.value);
    stage.draw();
  });
  const views = [button("+", () => stage.zoom(1.3), { "aria-label": "Nearer" }), button("−", () => stage.zoom(1 / 1.3), { "aria-label": "Away" }), button("All", () => stage.fit(), { "aria-label": "See all of it" })];
  find("tools").replaceChildren(...Object.entries(ACTS).map(([name, does]) => button(name, does)), align, grid, ...views);
}

// Forms -------------------------------------------------------------------------------------------------------------------

const changed = () => act(() => {});

function said() {
  if (state.chosen.length > 1) return `${state.chosen.length} are chosen: ${state.chosen.map((key) => state.called(key)).join(", ")}.`;
  const [key] = state.chosen;
  if (!key) return "Nothing is chosen. Drag to move the view; Shift and drag to choose several.";
  const [x, y] = stage.extent(key).map((one) => Number(one.toFixed(3)));
  return `${state.called(key)} at ${x}, ${y}.`;
}

// A form is drawn anew after each change; the keyboard stays in the field where it was. Where something is being typed
// the form waits: leaving the field is the next change.
function redraw(form, draw) {
  const before = document.activeElement;
  if (!form.contains(before)) return draw();
  if (before.defaultValue !== undefined && before.value !== before.defaultValue && before.matches("input[type=text], textarea")) return undefined;
  const controls = () => [...form.querySelectorAll("input, select, textarea, button, summary")];
  const mark = controls().indexOf(before);
  const chosen = before.matches("input[type=text], textarea") ? [before.selectionStart, before.selectionEnd] : null;
  draw();
  if (before.isConnected) return undefined;
  const after = controls();
  const field = after[Math.min(mark, after.length - 1)];
  field?.focus();
  if (chosen && field?.matches("input[type=text], textarea")) field.setSelectionRange(...chosen);
  return undefined;
}

function drawForm() {
  drawList();
  redraw(find("chosen").querySelector(".ed-fields"), () => {
    const [key, other] = state.chosen;
    const one = !other && state.item(key);
    root.querySelector("#ed-title").textContent = one ? state.called(key) : other ? `${state.chosen.length} things` : "Nothing is chosen";
    if (!one) find("chosen").querySelector(".ed-fields").replaceChildren(h("p", { class: "soft" }, other ? "Move, turn, group or align them; choose one alone for its properties." : "Choose a thing in the room or in the list below, or add one."));
    else {
      const part = key.split(".")[0];
      const put = (name, value) => act(() => {
        if (name === "name" || name === "role") state.rename(key, value ?? "");
        else if (value === undefined) delete one[name];
        else one[name] = value;
      });
      const kind = part === "things" ? given.kinds[one.kind] : null;
      const about = kind ? [one.kind, kind.does && `it ${DOES[kind.does] ?? kind.does}`, kind.about].filter(Boolean).join("; ") : "the body of an agent";
      find("chosen").querySelector(".ed-fields").replaceChildren(h("p", { class: "soft ed-about" }, `${about}.`), ...drawFields(part, one, state, put));
    }
  });
}

const DOES = {
  eaten: "is eaten", heals: "heals", "needs-healing": "needs healing", bursts: "bursts with its dynamite", button: "is pressed", lever: "is thrown", switch: "is gripped",
  lock: "opens with its key", breaks: "breaks", dispenses: "dispenses", moves: "moves to and fro", hangs: "hangs on hooks", hooks: "has hooks", trigger: "tells who is in it", pours: "pours water", drains: "drains water", attracts: "attracts metal",
};

function drawList() {
  find("said").textContent = said();
  const rows = state.keys.map((key) => {
    const made = button(state.called(key), (event) => choose(key, { more: event.shiftKey || event.ctrlKey }), { "aria-pressed": String(state.chosen.includes(key)), "data-key": key });
    return h("li", {}, made);
  });
  const at = document.activeElement?.dataset?.key;
  find("list").replaceChildren(...rows);
  if (at) find("list").querySelector(`[data-key="${at}"]`)?.focus();
}

function drawForms() {
  drawForm();
  const { room } = state;
  const put = (name, value) => act(() => {
    if (value === undefined) delete room[name];
    else room[name] = value;
  });
  const fill = (element, made) => redraw(element, () => element.replaceChildren(...made()));
  fill(find("room").querySelector(".ed-fields"), () => drawFields("room", room, state, put));
  fill(find("ranges"), () => drawRanges(state, drawn, changed));
  for (const which of ["success", "failure"]) {
    fill(find(which), () => [drawRule(room[which], state, (rule) => put(which, rule), { label: which === "success" ? "Solved when" : "Lost when" })]);
  }
  const more = (part, words, one) => button(words, () => act(() => (room[part] ??= []).push(one())));
  const [key] = state.chosen;
  const held = () => (key ? { second: state.called(key), at: state.place(state.item(key)) } : { second: state.names[0], at: [0, 0] });
  const question = () => ({ key: `q${(room.questions?.length ?? 0) + 1}`, text: "", options: ["yes", "no"], truth: "yes" });
  fill(find("questions"), () => [...drawRows("questions", state, (one, i) => `Question ${one.key ?? i + 1}`, changed), more("questions", "Add a question", question)]);
  fill(find("joints"), () => [...drawRows("joints", state, (one, i) => `Joint ${i + 1}: ${one.kind}`, changed), more("joints", "Add a joint", () => ({ kind: "pivot", ...held() }))]);
  fill(find("others"), () => given.parts.map(other));
}

// A part that is written as JSON; what is no JSON goes as it is, and is refused in words.
function other(part) {
  const value = state.room[part];
  const put = (text) => act(() => {
    if (!text.trim()) delete state.room[part];
    else state.room[part] = parsed(text);
  });
  return h("label", {}, part, line(value === undefined ? "" : JSON.stringify(value), put, { long: true, rows: value === undefined ? 1 : 3, spellcheck: "false" }));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// Files -------------------------------------------------------------------------------------------------------------------

function begin(room) {
  trial.stop();
  const before = state;
  state = new RoomState(room, given.rules);
  // What was there before can be had again.
  state.past.unshift(...before.past.slice(0, before.at + 1));
  state.at = state.past.length - 1;
  fitted = false;
  refresh();
}

async function open(event) {
  const [file] = event.target.files;
  try {
    const room = JSON.parse(await file.text());
    if (typeof room !== "object" || room === null || Array.isArray(room)) throw new Error("no room");
    begin(room);
  } catch {
    asking += 1;
    tell([{ words: `${file.name} holds no room as JSON; the room stays as it is.`, names: [], refused: true }]);
  }
  event.target.value = "";
}

async function save() {
  if (!given.file) return download();
  const said = await ask(state.data(), "save", { seed: Number(find("seed").value) || 0 });
  if (said.fault) return tell([{ words: said.fault, names: [], refused: true }]);
  find("said").textContent = `Saved to ${said.saved}.`;
  return undefined;
}

function download() {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(state.data(), null, 1)}\n`], { type: "application/json" }));
  h("a", { href: url, download: `${String(state.room.name ?? "room").replace(/[^\w.-]+/g, "-") || "room"}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  find("said").textContent = "Downloaded.";
}

// What stands in a field counts, even if one has not left it yet.
function commit() {
  const field = document.activeElement;
  if (field?.matches?.("input, textarea") && root.contains(field)) {
    field.blur();
    if (field.isConnected) field.focus();
  }
}

function range() {
  const words = state.setRanges(find("range").value);
  if (words) return tell([{ words, names: [], refused: true }]);
  find("range").value = "";
  changed();
  return undefined;
}

function again() {
  trial.stop();
  find("seed").value = Number(find("seed").value) + 1;
  look();
}

// Keys --------------------------------------------------------------------------------------------------------------------

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// With Ctrl, wherever the keyboard is: what stands in a field counts first.
const CONTROL = {
  s: () => save(),
  enter: () => trial.run(),
  d: () => ACTS.Duplicate(),
  g: (shift) => ACTS[shift ? "Ungroup" : "Group"](),
};

function anywhere(event) {
  const key = event.key.toLowerCase();
  const typing = event.target.matches("input:not([type=checkbox], [type=range]), textarea");
  const control = event.ctrlKey || event.metaKey;
  if (control && CONTROL[key]) {
    commit();
    setTimeout(() => CONTROL[key](event.shiftKey));
  } else if (control && (key === "z" || key === "y") && !typing) {
    // In a field the browser undoes what was typed.
    travel(key === "y" || event.shiftKey ? 1 : -1);
  } else if (key === "escape") {
    trial.stop();
    if (event.target === stage.canvas) choose(null);
    else stage.canvas.focus();
  } else if (!typing && !control && key === "?") help();
  else return;
  event.preventDefault();
}

function onStage(event) {
  const { key, shiftKey, altKey } = event;
  const grid = stage.snaps ? stage.grid : FINE;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() !== "a") return;
    act(() => (state.chosen = state.keys));
  } else if (ARROWS[key]) {
    const by = ARROWS[key].map((one) => one * grid);
    if (altKey || !state.chosen.length) stage.pan(...by);
    else if (shiftKey) act(() => state.resize(by, sizes()), { key: `size ${state.chosen}` });
    else act(() => state.move(by), { key: `move ${state.chosen}` });
  } else if ([",", ".", "<", ">", ";", ":"].includes(key)) {
    const way = [",", "<", ";"].includes(key) ? 1 : -1;
    if (state.chosen.length) act(() => state.rotate(way * (shiftKey ? 1 : 15)), { key: `turn ${state.chosen}` });
  } else if (PLAIN[key.toLowerCase()]) PLAIN[key.toLowerCase()](shiftKey);
  else return;
  event.preventDefault();
}

const PLAIN = {
  n: (more) => next(1, more),
  p: (more) => next(-1, more),
  enter: () => toFields(),
  delete: () => ACTS.Remove(),
  backspace: () => ACTS.Remove(),
  s: () => ACTS["To the grid"](),
  g: () => {
    stage.snaps = !stage.snaps;
    find("tools").querySelector("[aria-label=Grid]").value = stage.snaps ? String(stage.grid) : "off";
    stage.draw();
  },
  a: () => find("kinds").querySelector("button").focus(),
  r: () => again(),
  pageup: () => act(() => state.raise(1)),
  pagedown: () => act(() => state.raise(-1)),
  "+": () => stage.zoom(1.3),
  "=": () => stage.zoom(1.3),
  "-": () => stage.zoom(1 / 1.3),
  0: () => stage.fit(),
};

function help() {
  find("help").hidden = !find("help").hidden;
  find("keys").setAttribute("aria-expanded", String(!find("help").hidden));
}

// Palette -----------------------------------------------------------------------------------------------------------------

function palette() {
  const kinds = ["agent", ...Object.keys(given.look.kinds)];
  find("kinds").replaceChildren(...kinds.map((kind) => {
    const canvas = h("canvas", { width: 44, height: 30, "aria-hidden": "true" });
    const made = button("", () => {}, { class: "ed-kind", "data-kind": kind });
    made.append(canvas, h("span", {}, spaced(kind)));
    if (kind !== "agent") pictured(canvas, given.look, kind);
    else dot(canvas);
    dragged(made, kind);
    return made;
  }));
}

const spaced = (kind) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function dot(canvas) {
  const paint = canvas.getContext("2d");
  paint.arc(22, 15, 12, 0, 7);
  paint.fillStyle = "#f2cc4c";
  paint.fill();
}

// A kind is put into the middle by a press, and elsewhere by dragging it there.
function dragged(made, kind) {
  let from = null;
  made.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    if (event.pointerType === "mouse") made.setPointerCapture(event.pointerId);
  });
  made.addEventListener("click", (event) => {
    const far = from && event.detail && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 6;
    from = null;
    if (!far) add(kind);
  });
  made.addEventListener("pointerup", (event) => {
    if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) <= 6) return;
    const at = stage.dropped(event.clientX, event.clientY);
    if (at) add(kind, at);
  });
}

palette();
toolbar();
for (const name of Object.keys(given.rooms)) find("begin").append(h("option", { value: name }, name));
find("help").append(h("h2", {}, "Keys in the room"), h("dl", {}, ...HELP.flatMap(([keys, words]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, words)])));
find("begin").addEventListener("change", (event) => given.rooms[event.target.value] && begin(given.rooms[event.target.value]));
find("open").addEventListener("change", open);
find("save").addEventListener("click", save);
find("save").textContent = given.file ? "Save" : "Download";
find("download").hidden = !given.file;
find("download").addEventListener("click", download);
find("undo").addEventListener("click", () => travel(-1));
find("redo").addEventListener("click", () => travel(1));
find("keys").addEventListener("click", help);
find("again").addEventListener("click", again);
find("seed").addEventListener("change", () => (trial.stop(), look()));
find("range").addEventListener("keydown", (event) => event.key === "Enter" && range());
find("search").addEventListener("input", () => {
  const wanted = find("search").value.toLowerCase();
  for (const one of find("kinds").children) one.hidden = !one.textContent.toLowerCase().includes(wanted);
});
for (const form of root.querySelectorAll("form")) form.addEventListener("submit", (event) => event.preventDefault());
root.addEventListener("keydown", anywhere);
stage.canvas.addEventListener("keydown", onStage);
find("list").addEventListener("keydown", (event) => event.key !== "Enter" && onStage(event));
const draft = sessionStorage.getItem(DRAFT);
if (draft) state = new RoomState(JSON.parse(draft), given.rules);
refresh();
