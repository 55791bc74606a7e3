// The schedule: rooms and blocks of a day, or of all days. Events are dragged, or chosen and put somewhere by keys.
import { h } from "./element.js";
import { eventPanel } from "./event.js";
import { grid, tray } from "./grid.js";
import { sheet } from "./sheet.js";
import { eventTable, roomTable } from "./tables.js";

export const schedule = {
  name: "schedule", title: "Schedule", draw,
  count: (desk) => (desk.office.checks ? desk.office.unscheduled().length : 0),
};

const PARTS = [["grid", "Schedule"], ["events", "Events"], ["rooms", "Rooms"]];

function draw(desk) {
  const { office, memory } = desk;
  const part = memory.get("schedule", "grid");
  const event = office.event(memory.get("event"));
  const body = part === "events" ? eventTable(desk) : part === "rooms" ? roomTable(desk) : plan(desk);
  return h("div", { class: "schedule", "data-open": event && part !== "rooms" ? "" : null },
    h("div", { class: "schedule-main" },
      h("div", { class: "bar" },
        h("div", { class: "switch", role: "group", "aria-label": "Tables" },
          PARTS.map(([name, words]) => choice(desk, "schedule", name, words, part)),
        ),
        part === "grid" ? days(desk) : null),
      body),
    event && part !== "rooms" ? eventPanel(desk, event) : null);
}

function plan(desk) {
  return desk.office.checks ? [tray(desk), grid(desk)] : sheet(desk);
}

export function choice(desk, name, value, words, now, attributes = {}) {
  return h("button", {
    type: "button",
    class: "option",
    "aria-pressed": String(value) === String(now),
    "data-place": `${name}:${value}`,
    ...attributes,
    onclick: () => desk.open(name, value),
  }, words);
}

function days(desk) {
  const day = desk.memory.get("day", 0);
  return h("div", { class: "switch days", role: "group", "aria-label": "Days" },
    desk.office.days.map((each, number) => choice(desk, "day", number, each.short, day, { "data-day": number })),
    choice(desk, "day", "all", "All days", day, { "data-day": "all" }));
}
