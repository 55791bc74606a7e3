// The web site: its pages of entries, every field changed where it stands, and what the schedule says instead.
import { h } from "./element.js";
import { cell } from "./cell.js";
import { choice } from "./schedule.js";
import { titleOf } from "./proposal.js";

export const site = { name: "site", title: "Web site", draw };

function draw(desk) {
  const { office, memory } = desk;
  const pages = [...new Set(office.entries.map((entry) => entry.page))];
  const page = pages.includes(memory.get("page")) ? memory.get("page") : pages[0];
  const wanted = desk.value("site:filter").trim().toLowerCase();
  const onlyOld = office.checks && memory.get("differs", false);
  const holds = (entry) => [nameOf(office, entry), ...Object.values(office.site[entry.id])].join(" ").toLowerCase().includes(wanted);
  const old = (entry) => Object.keys(differences(office, entry)).length > 0;
  const shown = office.entries.filter((entry) => entry.page === page && holds(entry) && (!onlyOld || old(entry)));
  return h("div", { class: "site" },
    h("div", { class: "bar" },
      h("div", { class: "switch", role: "group", "aria-label": "Pages of the site" },
        pages.map((name) => choice(desk, "page", name, name[0].toUpperCase() + name.slice(1), page)),
      ),
    ),
    h("p", { class: "bar" },
      desk.field("input", "site:filter",
        { type: "search", placeholder: "Filter entries", "aria-label": "Filter entries", changed: () => desk.draw() },
      ),
      office.checks ? desk.button(
        onlyOld ? "Show all entries" : "Only what differs from the schedule",
        () => desk.open("differs", !onlyOld),
        { class: "small" },
      ) : null,
      desk.can("batch") ? desk.button(
        "Ask the assistant for all changes",
        () => desk.go("assistant"),
        { class: "small" },
      ) : null),
    h("div", { class: "entries fill", "data-scroll": `site:${page}` },
      shown.length ? shown.map((entry) => card(desk, entry)) : h("p", { class: "empty" }, "Nothing here."),
    ));
}

function card(desk, entry) {
  const { office } = desk;
  const fields = office.site[entry.id];
  const wrong = office.checks ? differences(office, entry) : {};
  const save = (field) => (value, after) => desk.act("edit_entry", { entry: entry.id, field, value }, after);
  return h("section", {
    class: "entry-card",
    "aria-label": titleOf(office, entry.id),
  }, entry.event ? h("h3", {}, nameOf(office, entry)) : null, h("dl", { class: "facts" }, Object.entries(fields).flatMap(([field, value]) => [
    h("dt", {}, field),
    h("dd", {}, cell(
      desk,
      `site.${entry.id}.${field}`,
      value,
      save(field),
      { label: `${field} of ${titleOf(office, entry.id)}`, rows: value.length > 70 ? 4 : 0, tool: "edit_entry" },
    ),
      wrong[field] ? h("p", { class: "differs" },
        `The schedule says: ${wrong[field]} `,
        desk.can("edit_entry") ? desk.button(
          "Write this",
          () => desk.act("edit_entry", { entry: entry.id, field, value: wrong[field] }),
          { class: "tiny", "data-place": `write:${entry.id}:${field}` },
        ) : null,
      ) : null),
  ])));
}

// What the schedule calls the event of an entry.
function nameOf(office, entry) {
  return entry.event ? office.name(entry.event) : "";
}

// Room and time of an event's entry, where they are not as the schedule has them now.
function differences(office, entry) {
  if (!entry.event) return {};
  const place = office.place(entry.event);
  const fields = office.site[entry.id];
  const says = place ? {
    room: office.name(place[0]),
    time: office.slotWords(place[1]),
  } : { room: "not scheduled", time: "not scheduled" };
  return Object.fromEntries(Object.entries(says).filter(([field, value]) => field in fields && fields[field] !== value));
}
