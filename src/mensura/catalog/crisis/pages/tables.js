// The planner's tables of events and rooms, with the values that stood there from the beginning until someone changed them.
import { h } from "./element.js";
import { cell } from "./cell.js";
import { eventFact, LAYOUTS } from "./event.js";

export function eventTable(desk) {
  const { office } = desk;
  const wanted = desk.value("events:filter").trim().toLowerCase();
  const words = (event) => [event.short, event.title, event.kind, event.track].join(" ").toLowerCase();
  const shown = office.events.filter((event) => words(event).includes(wanted));
  return [
    h("p", { class: "bar" },
      desk.field("input", "events:filter",
        { type: "search", placeholder: "Filter events", "aria-label": "Filter events", changed: () => desk.draw() },
      ),
    ),
    h("div", { class: "scroll fill", "data-scroll": "events" }, h("table", { class: "table" },
      h("thead", {},
        h("tr", {},
          [
            "Event",
            "Title",
            "Kind",
            "Blocks",
            "People",
            "Layout",
            "Needs",
            "Catering",
            "Where and when",
          ].map((words) => h("th", { scope: "col" }, words)),
        ),
      ),
      h("tbody", {}, shown.map((event) => h("tr", {},
        h("th", { scope: "row" },
          h("button",
            { type: "button", class: "link", "data-place": `open:${event.id}`, onclick: () => desk.open("event", event.id) },
            event.short,
          ),
        ),
        h("td", {}, event.title), h("td", {}, event.kind), h("td", {}, String(event.length)),
        ["attendance", "layout", "needs", "catering"].map((fact) => h("td", {}, eventFact(desk, event, fact))),
        h("td", {}, office.raw.sheet[event.id].map((place) => h("div", {}, office.placeWords(place))))))))),
  ];
}

export function roomTable(desk) {
  const { office } = desk;
  return h("div", { class: "scroll fill", "data-scroll": "rooms" }, h("table", { class: "table" },
    h("thead", {},
      h("tr", {},
        ["Room", "Building", ...LAYOUTS, "Equipment", "A block costs"].map((words) => h("th", { scope: "col" }, words)),
      ),
    ),
    h("tbody", {}, office.rooms.map((room) => h("tr", {},
      h("th", { scope: "row" },
        h("button", { type: "button", class: "link", onclick: () => desk.go("rooms", { room: room.id }) }, room.name),
      ),
      h("td", {}, office.name(room.building)),
      LAYOUTS.map((layout) => h("td", {}, roomFact(desk, room, `capacity.${layout}`))),
      h("td", {}, roomFact(desk, room, "equipment")),
      h("td", {}, room.price ? room.price.toFixed(2) : "–"))))));
}

export function roomFact(desk, room, fact) {
  const { office } = desk;
  const seats = fact.startsWith("capacity.") ? office.facts.capacity[room.id]?.[fact.slice("capacity.".length)] ?? "" : null;
  const slots = () => office.lost(room).map((slot) => `${office.dayOf(slot) + 1}.${office.blockOf(slot) + 1}`).join(" ");
  const text = seats !== null ? String(seats) : fact === "lost" ? slots() : (office.facts.equipment[room.id] ?? []).join(", ");
  const value = (given) => given || (seats === null ? "none" : "0");
  const commit = (given, after) => desk.act("set_room_fact", { room: room.id, fact, value: value(given) }, after);
  return cell(
    desk,
    `room.${room.id}.${fact}`,
    text,
    commit,
    { label: `${fact.replace("capacity.", "seats as ")} of ${room.name}`, tool: "set_room_fact" },
  );
}
