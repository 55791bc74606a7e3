// One event beside the schedule: who, where, what it needs, and the ways to move it.
import { h, labelled, options } from "./element.js";
import { cell } from "./cell.js";
import { faults } from "./faults.js";
import { ask, proposalCard, proposalsFor } from "./proposal.js";

export const LAYOUTS = ["theatre", "classroom", "banquet", "boardroom", "open"];
const FACTS = [
  ["attendance", "People expected"],
  ["layout", "Layout"],
  ["needs", "Needs"],
  ["catering", "Catering portions"],
];

export function eventPanel(desk, event) {
  const { office } = desk;
  const places = office.raw.sheet[event.id];
  const wrong = faults(office, event);
  const latest = proposalsFor(desk, { event: event.id }).slice(0, 1);
  return h("aside", { class: "panel", "aria-label": event.short, "data-scroll": `event:${event.id}` },
    h("p", { class: "panel-head" },
      h("span", { class: `kind k-${event.kind}` }, event.kind),
      desk.button("Close", () => desk.open("event", null), { class: "link" }),
    ),
    h("h3", {}, event.title),
    h("p", { class: "soft" },
      [event.short, event.track && `track ${event.track}`, lengthWords(event)].filter(Boolean).join(" · "),
    ),
    h("p", { class: "where" },
      places.length ? places.map((place) => h("span", {}, office.placeWords(place))) : "Not scheduled",
    ),
    wrong.length ? h("ul", { class: "faults" }, wrong.map((each) => h("li", {}, each))) : null,
    desk.can("move") ? moveForm(desk, event) : null,
    latest.map((each) => proposalCard(desk, each)),
    h("h4", {}, "In the planner's table"),
    h("dl", { class: "facts" },
      FACTS.flatMap(([fact, words]) => [h("dt", {}, words), h("dd", {}, eventFact(desk, event, fact))]),
    ),
    people(desk, event),
    orders(desk, event));
}

function lengthWords(event) {
  return event.length === 1 ? "one block" : `${event.length} blocks in a row`;
}

export function eventFact(desk, event, fact) {
  const value = desk.office.facts[fact][event.id];
  const text = Array.isArray(value) ? value.join(", ") : value === 0 && fact === "catering" ? "" : String(value ?? "");
  const commit = (given, after) => desk.act("set_event_fact", { event: event.id, fact, value: given || "none" }, after);
  return cell(
    desk,
    `event.${event.id}.${fact}`,
    text,
    (given, after) => commit(fact === "catering" && !given ? "0" : given, after),
    { label: `${fact} of ${event.short}`, tool: "set_event_fact" },
  );
}

function moveForm(desk, event) {
  const { office } = desk;
  const now = office.place(event.id);
  const names = ["room", "day", "block"].map((part) => `move:${event.id}:${part}`);
  const starts = now ? [now[0], office.dayOf(now[1]) + 1, office.blockOf(now[1]) + 1] : ["", "", ""];
  const move = () => {
    const [room, day, block] = names.map((name, part) => desk.value(name, starts[part]));
    if (!room || !day || !block) return desk.say("Choose a room, a day and a block.", false);
    desk.act("move", { event: event.id, room, day: Number(day), block: Number(block) }, { clear: names });
  };
  const rooms = office.rooms.filter((room) => room.usable).map((room) => [room.id, room.name]);
  const select = (part, words, pairs) => labelled(
    words,
    desk.field("select", names[part],
      {},
      String(starts[part]),
      options(pairs, desk.value(names[part], starts[part]), { none: "–" }),
    ),
  );
  return desk.form(move, { class: "move-form", "aria-label": `Move ${event.short}` },
    select(0, "Room", rooms),
    select(1, "Day", office.days.map((day, number) => [number + 1, day.short])),
    select(2, "Block", office.blocks.map((block, number) => [number + 1, block])),
    h("p", { class: "row" },
      h("button", { class: "small strong" }, now ? "Move" : "Schedule"),
      office.checks ? desk.button(
        "Choose a cell",
        () => choosing(desk, event, now),
        { class: "small", "data-place": "placing" },
      ) : null,
      now ? desk.button("Take off", () => desk.act("unschedule", { event: event.id }), { class: "small" }) : null,
      desk.can("find_room") ? desk.button(
        "Find a room",
        () => ask(desk, "find_room", { event: event.id }),
        { class: "small" },
      ) : null));
}

// The keyboard goes to the event's own cell, or to the first, from where arrows and Escape work.
function choosing(desk, event, now) {
  desk.memory.set("schedule", "grid");
  if (now && desk.memory.get("day", 0) !== "all") desk.memory.set("day", desk.office.dayOf(now[1]));
  desk.open("placing", event.id, { focus: now ? `put:${now[0]}:${now[1]}` : "" });
  if (!now) desk.root.querySelector(".put")?.focus();
}

function people(desk, event) {
  const { office } = desk;
  if (!event.talks.length && !event.chair) return null;
  return h("div", {}, h("h4", {}, "People"),
    h("ul", { class: "talks" },
      event.chair ? h("li", {}, h("b", {}, office.name(event.chair)), " (chair)") : null,
      event.talks.map((talk) => h("li", {}, h("b", {}, office.name(talk.speaker)), ` ${talk.title}`))));
}

function orders(desk, event) {
  const { office } = desk;
  const mine = office.orders.filter((order) => order.event === event.id);
  return h("div", {}, h("h4", {}, "Orders"),
    mine.length ? h("ul", { class: "talks" }, mine.map((order) => h("li", {},
      desk.button(
        `${order.quantity} × ${office.item(order.vendor, order.item)?.name}`,
        () => desk.go("orders", { order: order.id }),
        { class: "link" },
      ),
      ` to ${office.placeWords([order.room, order.slot])}`))) : h("p", { class: "soft" }, "None."),
    desk.can("order") ? h("p", { class: "row" },
      desk.button(
        "Order something for it",
        () => { desk.memory.write("order:event", event.id); desk.go("vendors"); },
        { class: "small" },
      ),
    ) : null);
}
