// The sheet: a schedule that takes anything. Cells are typed into, cut, copied and pasted; nothing is checked.
import { h } from "./element.js";
import { dragStart } from "./drag.js";
import { heads, roomHead, slotsShown, splitPlace } from "./grid.js";

export function sheet(desk) {
  const { office } = desk;
  const slots = slotsShown(desk);
  const rooms = office.rooms.filter((room) => room.usable);
  return [
    entry(desk),
    h("div", {
      class: "scroll grid-pane",
      "data-scroll": "sheet",
    }, h("table", { role: "grid", "aria-label": "Schedule", class: slots.length > 5 ? "grid loose all" : "grid loose" },
      heads(desk, slots),
      h("tbody", {},
        rooms.map((room) => h("tr", {},
          h("th", { scope: "row" }, roomHead(desk, room)),
          slots.map((slot) => cellOf(desk, room, slot)),
        )),
      ))),
  ];
}

const contents = (office, where) => office.at(...splitPlace(where)).filter((each) => each.first).map((each) => each.event);

function cellOf(desk, room, slot) {
  const where = `${room.id}:${slot}`;
  const here = desk.office.at(room.id, slot);
  return h("td", {
    class: "at",
    "data-drop": where,
    "data-place": `sheet:${where}`,
    tabindex: 0,
    "aria-selected": desk.memory.get("at") === where,
    onclick: () => desk.memory.get("at") !== where && desk.open("at", where, { focus: `sheet:${where}` }),
    onkeydown: (key) => keys(desk, key, where),
  }, here.map((each) => (each.first ? chip(desk, each.event, where) : h("span", { class: "chip-more" },
    `… ${each.event.short}`,
  ))));
}

function chip(desk, event, where) {
  const drop = (to, point) => (point.ctrlKey && desk.can("copy") ? place(desk, "copy", event, to) : shift(desk, event, where, to));
  return h("span",
    {
      class: `event k-${event.kind}`,
      "data-event": event.id,
      title: event.title,
      onpointerdown: dragStart(desk, event, (to, point) => to !== where && drop(to, point)),
    },
    event.short,
  );
}

function place(desk, call, event, where, after = {}) {
  const [room, slot] = splitPlace(where);
  desk.act(call, { event: event.id, room, day: desk.office.dayOf(slot) + 1, block: desk.office.blockOf(slot) + 1 }, after);
}

// Of several entries of an event the one that is taken moves; the others stay.
function shift(desk, event, from, to, after = {}) {
  if (desk.office.raw.sheet[event.id].length < 2) return place(desk, "move", event, to, after);
  place(desk, "copy", event, to, { after: (said) => said.ok && clear(desk, event, from, after) });
}

// The line above the sheet: what is in the chosen cell, and what can be done with it.
function entry(desk) {
  const { office, memory } = desk;
  const where = memory.get("at");
  if (!where) return h("p", { class: "entry hint" },
    "Choose a cell to type into it. Events can be dragged; with Ctrl they are copied.",
  );
  const [room, slot] = splitPlace(where);
  const here = contents(office, where);
  const text = here.map((event) => event.short).join("; ");
  const name = `sheet:${where}:text`;
  const clip = memory.get("clip");
  return desk.form(() => write(desk, where, desk.value(name, text), name), { class: "entry" },
    h("label", { class: "at-name", for: "desk-entry" }, `${office.name(room)}, ${office.slotWords(slot, { short: true })}`),
    desk.field("input", name, { id: "desk-entry", type: "text", list: "desk-events", placeholder: "empty" }, text),
    h("datalist", { id: "desk-events" }, office.events.map((event) => h("option", { value: event.short }, event.title))),
    h("button", { class: "small strong" }, "Enter"),
    desk.button("Cut", () => take(desk, where, true), { class: "small" }),
    desk.button("Copy", () => take(desk, where, false), { class: "small" }),
    desk.button("Paste", () => paste(desk, where), { class: "small", disabled: !clip }),
    desk.button("Clear", () => write(desk, where, "", name), { class: "small" }),
    here.map((event) => desk.button(`About ${event.short}`, () => desk.open("event", event.id), { class: "link" })));
}

// Typing works as in any sheet: what is typed is entered here, and stays wherever else it is.
function write(desk, where, text, name) {
  const { office } = desk;
  const before = contents(office, where);
  const wanted = [];
  for (const words of text.split(";").map((each) => each.trim().toLowerCase()).filter(Boolean)) {
    const event = office.events.find((each) => [each.short, each.id, each.title].some((called) => called.toLowerCase() === words));
    if (!event) return desk.say(`The table of events has no “${words}”.`, false);
    wanted.push(event);
  }
  const steps = [
    ...before.filter((event) => !wanted.includes(event)).map((event) => () => clear(desk, event, where, after)),
    ...wanted.filter((event) => !before.includes(event)).map((event) => () => place(
      desk,
      office.raw.sheet[event.id].length && desk.can("copy") ? "copy" : "move",
      event,
      where,
      after,
    )),
  ];
  const after = { clear: [name], after: (said) => said.ok && steps.shift()?.() };
  if (steps.length) steps.shift()();
  else desk.memory.drop(name);
}

function clear(desk, event, where, after) {
  const several = desk.office.raw.sheet[event.id].length > 1;
  const [room, slot] = splitPlace(where);
  const which = several ? { room, day: desk.office.dayOf(slot) + 1, block: desk.office.blockOf(slot) + 1 } : {};
  desk.act("unschedule", { event: event.id, ...which }, after);
}

function take(desk, where, cut) {
  const [event] = contents(desk.office, where);
  if (event) desk.open("clip", { event: event.id, cut, where });
  desk.say(
    event ? `${event.short} ${cut ? "is cut" : "is copied"}; choose a cell and paste it.` : "The cell is empty.",
    Boolean(event),
  );
}

function paste(desk, where) {
  const clip = desk.memory.get("clip");
  if (!clip) return;
  const event = desk.office.event(clip.event);
  if (!clip.cut && desk.can("copy")) return place(desk, "copy", event, where);
  shift(desk, event, clip.where, where, { after: (said) => said.ok && desk.memory.set("clip", null) });
}

function keys(desk, key, where) {
  if (key.target !== key.currentTarget || !desk.idle) return;
  const held = key.ctrlKey || key.metaKey;
  const turn = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[key.key];
  if (turn) {
    const rows = [...key.currentTarget.closest("tbody").rows];
    const row = rows.indexOf(key.currentTarget.parentElement) + turn[0];
    const next = rows[row]?.cells[key.currentTarget.cellIndex + turn[1]];
    if (next?.dataset.drop) desk.open("at", next.dataset.drop, { focus: `sheet:${next.dataset.drop}` });
  } else if (held && key.key === "x") take(desk, where, true);
  else if (held && key.key === "c") take(desk, where, false);
  else if (held && key.key === "v") paste(desk, where);
  else if (key.key === "Delete" || key.key === "Backspace") write(desk, where, "", `sheet:${where}:text`);
  else if (key.key === "Enter" || (key.key.length === 1 && !held)) {
    desk.open("at", where, { focus: `sheet:${where}:text` });
    if (key.key.length === 1) return desk.root.querySelector("#desk-entry").select();
  } else return;
  key.preventDefault();
}
