// Rooms: the reservation portal room by room, specifications, the planner's own table, and the map.
import { arrows } from "./arrows.js";
import { h, money } from "./element.js";
import { choice } from "./schedule.js";
import { LAYOUTS } from "./event.js";
import { roomFact } from "./tables.js";
import { lookPane } from "./look.js";
import { map } from "./map.js";

export const rooms = { name: "rooms", title: "Rooms", draw };

function draw(desk) {
  const { office, memory } = desk;
  const part = memory.get("rooms", "portal");
  const room = office.room(memory.get("room")) ?? office.rooms[0];
  return h("div", { class: "rooms" },
    h("div", { class: "bar" }, h("div", { class: "switch", role: "group", "aria-label": "Rooms" },
      [
        ["portal", "Room by room"],
        ["day", "All rooms of a day"],
        ["map", "Map"],
      ].map(([name, words]) => choice(desk, "rooms", name, words, part)))),
    part === "map" ? map(desk) : part === "day" ? byDay(desk) : byRoom(desk, room));
}

function byRoom(desk, room) {
  const { office } = desk;
  return h("div", { class: "two" },
    h("nav", {
      class: "side-list",
      onkeydown: arrows,
      "aria-label": "All rooms",
      "data-scroll": "room-list",
    }, office.buildings.map((building) => h("div", {},
      h("h3", {}, building.name),
      office.rooms.filter((each) => each.building === building.id).map((each) => h("button", {
        type: "button",
        class: each.usable ? "pick" : "pick soft",
        "aria-current": each === room ? "true" : null,
        "data-place": `room:${each.id}`,
        onclick: () => desk.open("room", each.id),
      }, each.name))))),
    h("div", { class: "page", "data-scroll": `room:${room.id}` },
      h("h3", {}, room.name),
      h("p", { class: "soft" }, aboutRoom(office, room)),
      desk.can("suggest") ? h("p", { class: "soft" }, "The assistant marks lost rooms, as it reads the mail; it may misread.") : null,
      room.usable ? portal(desk, room) : null,
      h("h4", {}, "Specification, as the building publishes it"),
      h("div", { class: "spec" }, lookPane(desk, "room", room.id, { name: "Open the specification" })),
      h("h4", {}, "In the planner's table"),
      h("dl", { class: "facts" }, LAYOUTS.flatMap((layout) => [
        h("dt", {}, `Seats as ${layout}`),
        h("dd", {}, roomFact(desk, room, `capacity.${layout}`)),
      ]),
        h("dt", {}, "Equipment"), h("dd", {}, roomFact(desk, room, "equipment")),
        h("dt", {}, "Lost, as day.block"), h("dd", {}, roomFact(desk, room, "lost")))));
}

function aboutRoom(office, room) {
  const price = room.price ? `${money(room.price)} a block` : "";
  return [
    office.name(room.building),
    `floor ${room.floor}`,
    price,
    room.usable ? "" : "not let to conferences",
  ].filter(Boolean).join(", ");
}

function portal(desk, room) {
  const { office } = desk;
  return h("div", { class: "scroll" }, h("table", { class: "portal" },
    h("thead", {}, h("tr", {}, h("td", {}), office.days.map((day) => h("th", { scope: "col" }, day.short)))),
    h("tbody", {}, office.blocks.map((block, number) => h("tr", {}, h("th", { scope: "row" }, block),
      office.days.map((_, day) => reserved(desk, room, office.slot(day, number))))))));
}

function byDay(desk) {
  const { office } = desk;
  const day = Number(desk.memory.get("portal-day", 0));
  return [
    h("div", { class: "bar" },
      h("div", { class: "switch days", role: "group", "aria-label": "Days" },
        office.days.map((each, number) => choice(desk, "portal-day", number, each.short, day)),
      ),
    ),
    h("div", { class: "scroll fill", "data-scroll": "portal" }, h("table", { class: "portal" },
      h("thead", {}, h("tr", {}, h("td", {}), office.blocks.map((block) => h("th", { scope: "col" }, block)))),
      h("tbody", {}, office.rooms.filter((room) => room.usable).map((room) => h("tr", {},
        h("th", { scope: "row" },
          h("button",
            {
              type: "button",
              class: "link",
              onclick: () => { desk.memory.set("rooms", "portal"); desk.open("room", room.id); },
            },
            room.name,
          ),
        ),
        office.blocks.map((_, block) => reserved(desk, room, office.slot(day, block)))))))),
  ];
}

// One slot as the portal has it, with the way to ask for it.
function reserved(desk, room, slot) {
  const { office } = desk;
  const standing = office.standing(room, slot);
  const ours = office.at(room.id, slot).map((each) => each.event.short);
  const asked = office.asked(room.id, slot);
  const state = asked && standing.status === "held" ? (asked.answer === null ? "asked, no answer yet" : "asked: no") : "";
  return h("td", { class: `at ${standing.status}` },
    ours.length ? h("b", { class: "ours" }, ours.join(", ")) : null,
    standing.status === "free" && ours.length ? null : h("span", {}, standing.words),
    state ? h("small", { class: "state" }, state) : null,
    standing.status === "held" && !asked && desk.can("ask_room") ? askFor(desk, room, slot, standing) : null);
}

function askFor(desk, room, slot, standing) {
  const { office } = desk;
  const key = `${room.id}:${slot}`;
  if (desk.memory.get("asking") !== key) {
    return h("button", {
      type: "button",
      class: "tiny",
      "data-place": `ask:${key}`,
      "aria-label": `Ask for ${room.name}, ${office.slotWords(slot)}`,
      onclick: () => desk.open("asking", key, { focus: `ask:${key}:text` }),
    }, "Ask for it");
  }
  const name = `ask:${key}:text`;
  const send = () => {
    const text = desk.value(name).trim();
    desk.act("ask_room", {
      room: room.id,
      day: office.dayOf(slot) + 1,
      block: office.blockOf(slot) + 1,
      ...(text ? { text } : {}),
    },
      { clear: [name], after: () => desk.memory.set("asking", null) });
  };
  return desk.form(send, { class: "ask-form" },
    desk.field("input", name,
      { type: "text", placeholder: `A word to ${standing.owner}`, "aria-label": `A word to ${standing.owner}` },
    ),
    h("button", { class: "tiny strong" }, "Ask"), desk.button("Cancel", () => desk.open("asking", null), { class: "tiny" }));
}
