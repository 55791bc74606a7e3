// The grid: one row for each room, one column for each block. It knows what the portal knows and marks what does not fit.
import { h } from "./element.js";
import { dragStart } from "./drag.js";
import { faults } from "./faults.js";

const KEY = [["lost", "cannot be used"], ["closed", "closed"], ["held", "reserved"], ["granted", "given up for us"]];

export function grid(desk) {
  const { office } = desk;
  const slots = slotsShown(desk);
  const rooms = office.rooms.filter((room) => room.usable || office.events.some((event) => office.place(event.id)?.[0] === room.id));
  const placing = office.event(desk.memory.get("placing"));
  return h("div", { class: "scroll grid-pane", "data-scroll": "grid" },
    placing ? h("p", { class: "hint bar" },
      `Choose a cell for ${placing.short}. `,
      desk.button("Never mind", () => desk.open("placing", null), { class: "link" }),
    ) : null,
    h("table", { class: slots.length > 5 ? "grid all" : "grid" },
      heads(desk, slots),
      office.buildings.map((building) => rowsOf(
        desk,
        building,
        rooms.filter((room) => room.building === building.id),
        slots,
        placing,
      ))));
}

export function slotsShown(desk) {
  const { office } = desk;
  const day = desk.memory.get("day", 0);
  const days = day === "all" ? office.days.map((_, number) => number) : [Number(day)];
  return days.flatMap((each) => office.blocks.map((_, block) => office.slot(each, block)));
}

export function heads(desk, slots) {
  const { office } = desk;
  const days = [...new Set(slots.map((slot) => office.dayOf(slot)))];
  return h("thead", {},
    days.length > 1 ? h("tr", {},
      h("td", {}),
      days.map((day) => h("th", { colspan: office.blocks.length, scope: "colgroup" }, office.days[day].long)),
    ) : null,
    h("tr", {},
      h("td", {}),
      slots.map((slot) => h("th", { scope: "col" },
        days.length > 1 ? office.blocks[office.blockOf(slot)].slice(0, 5) : office.blocks[office.blockOf(slot)],
      )),
    ));
}

function rowsOf(desk, building, rooms, slots, placing) {
  if (!rooms.length) return null;
  return h("tbody", {},
    h("tr", { class: "building" }, h("th", { colspan: slots.length + 1, scope: "rowgroup" }, building.name)),
    rooms.map((room) => h("tr", {},
      h("th", { scope: "row" }, roomHead(desk, room)),
      slots.map((slot) => cellOf(desk, room, slot, placing)),
    )));
}

export function roomHead(desk, room) {
  const seats = Object.entries(desk.office.facts.capacity[room.id] ?? {}).map(([layout, count]) => `${layout} ${count}`).join(", ");
  return h("button",
    {
      type: "button",
      class: "room-name",
      title: seats,
      "data-place": `row:${room.id}`,
      onclick: () => desk.go("rooms", { room: room.id }),
    },
    room.name,
  );
}

function cellOf(desk, room, slot, placing) {
  const { office } = desk;
  const standing = office.standing(room, slot);
  const here = office.at(room.id, slot);
  // Owners are named; what cannot be had is hatched, and said to those who do not see it.
  const words = standing.status === "free" ? "" : standing.owner ?? standing.words;
  return h("td", {
    class: `at ${standing.status}`,
    "data-drop": `${room.id}:${slot}`,
    title: standing.status === "free" ? null : standing.words,
  },
    here.map((each) => (each.first ? chip(desk, each.event) : h("span", { class: "chip-more" }, `… ${each.event.short}`))),
    words ? h("small", { class: standing.owner ? "state" : "unseen" }, words) : null,
    placing ? put(desk, placing, room, slot) : null);
}

function put(desk, event, room, slot) {
  return h("button", {
    type: "button",
    class: "put",
    "data-place": `put:${room.id}:${slot}`,
    "aria-label": `Put ${event.short} in ${room.name}, ${desk.office.slotWords(slot)}`,
    onclick: () => moveTo(desk, event, `${room.id}:${slot}`), onkeydown: (key) => steer(desk, key, room.id, slot),
  }, "Put here");
}

// Arrow keys go from cell to cell.
function steer(desk, key, room, slot) {
  const rows = [...desk.root.querySelectorAll(".grid tr")].map((row) => [...row.querySelectorAll(".put")]).filter((row) => row.length);
  const down = rows.findIndex((row) => row.some((each) => each.dataset.place === `put:${room}:${slot}`));
  const right = rows[down].findIndex((each) => each.dataset.place === `put:${room}:${slot}`);
  const to = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[key.key];
  if (key.key === "Escape") desk.open("placing", null);
  if (!to) return;
  key.preventDefault();
  rows[down + to[0]]?.[right + to[1]]?.focus();
}

export function chip(desk, event) {
  const wrong = faults(desk.office, event);
  return h("button", {
    type: "button", class: `event k-${event.kind}`, "data-place": `event:${event.id}`, "data-event": event.id,
    "aria-pressed": desk.memory.get("event") === event.id, title: [event.title, ...wrong].join("\n"),
    onpointerdown: dragStart(desk, event, (where) => moveTo(desk, event, where)),
    onclick: () => desk.open("event", event.id),
  }, event.short, wrong.length ? h("b", { class: "warn", "aria-label": wrong.join(" ") }, "!") : null);
}

export function moveTo(desk, event, where) {
  desk.memory.set("placing", null);
  if (where === "tray") {
    if (desk.office.place(event.id)) desk.act("unschedule", { event: event.id });
    return;
  }
  const [room, slot] = splitPlace(where);
  desk.act("move", { event: event.id, room, day: desk.office.dayOf(slot) + 1, block: desk.office.blockOf(slot) + 1 });
}

export function splitPlace(where) {
  const cut = where.lastIndexOf(":");
  return [where.slice(0, cut), Number(where.slice(cut + 1))];
}

export function tray(desk) {
  const waiting = desk.office.unscheduled();
  return h("div", { class: "tray", "data-drop": "tray", "aria-label": "Not scheduled", role: "group" },
    h("span", { class: "tray-name" }, waiting.length ? `Not scheduled (${waiting.length})` : "Not scheduled: none"),
    waiting.map((event) => chip(desk, event)),
    h("span", { class: "key", "aria-hidden": true }, KEY.map(([state, words]) => [h("i", { class: `at ${state}` }), words])));
}
