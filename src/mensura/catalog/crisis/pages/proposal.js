// A proposal of the assistant: each act in words with a box before it, and one button that carries out what is ticked.
import { h, money } from "./element.js";
import { lookUp } from "./look.js";

// Put a question to the assistant, and remember what it was about.
export function ask(desk, call, about = {}) {
  desk.act(call, about, {
    quiet: true,
    after: (said) => {
      const id = said.data?.proposal?.id;
      if (!id) return desk.say(said.words, said.ok);
      desk.memory.set("asked", { ...desk.memory.get("asked", {}), [id]: about });
      // On a phone it stands below what was asked.
      const block = matchMedia("(max-width: 760px)").matches ? "start" : "nearest";
      setTimeout(() => desk.root.querySelector(`[data-proposal="${id}"]`)?.scrollIntoView({ block }));
    },
  });
}

export function proposalsFor(desk, about) {
  const asked = desk.memory.get("asked", {});
  const [name, value] = Object.entries(about)[0];
  return desk.office.proposals.filter((each) => asked[each.id]?.[name] === value).reverse();
}

export function proposalCard(desk, proposal) {
  const name = (part) => `part:${proposal.id}:${part}`;
  const parts = proposal.acts.map((act, place) => ({ act, part: place + 1, done: proposal.accepted.includes(place + 1) }));
  const open = parts.filter((each) => !each.done);
  const accept = () => {
    const chosen = open.filter((each) => desk.value(name(each.part), true)).map((each) => each.part);
    if (!chosen.length) return desk.say("Nothing is ticked.", false);
    const whole = chosen.length === parts.length ? {} : { parts: chosen.join(" ") };
    desk.act("accept", { proposal: proposal.id, ...whole }, { clear: chosen.map(name) });
  };
  return h("section", { class: "proposal", "data-proposal": proposal.id, "aria-label": `Proposal ${proposal.id}` },
    h("p", { class: "proposal-words" }, h("b", { class: "who" }, "Assistant"), ` ${wordsOf(proposal)}`),
    parts.length ? desk.form(accept, { class: "proposal-form" },
      h("ol", { class: "parts" }, parts.map(({ act, part, done }) => h("li", {},
        h("label", { class: done ? "done" : null },
          done ? h("span", { class: "tick", role: "img", "aria-label": "done" },
            "✓",
          ) : desk.field("input", name(part), { type: "checkbox" }, true),
          h("span", {}, actWords(desk.office, act))), opener(desk, act)))),
      open.length && desk.can("accept") ? h("p", { class: "row" },
        h("button", { class: "small strong", "data-place": `accept:${proposal.id}` },
          open.length === 1 ? "Accept" : "Accept what is ticked",
        ),
        open.length > 2 ? desk.button(
          "Tick none",
          () => { for (const each of open) desk.memory.write(name(each.part), false); desk.draw(); },
          { class: "small" },
        ) : null,
        open.length > 2 ? desk.button(
          "Tick all",
          () => { desk.memory.drop(...open.map((each) => name(each.part))); desk.draw(); },
          { class: "small" },
        ) : null) : null) : null,
    ranking(desk, proposal));
}

// The text of a draft stands with the act that would send it.
function wordsOf(proposal) {
  const words = proposal.words || "has nothing to propose.";
  return proposal.acts.some((act) => act.call === "brief") ? words.split("\n")[0] : words;
}

// Looking something up is done by opening it.
function opener(desk, { call, arguments: given }) {
  if (call !== "look" || given.page !== "room" || !desk.office.room(given.item)) return null;
  return desk.button(
    "Open it",
    () => { desk.go("rooms", { rooms: "portal", room: given.item }); lookUp(desk, "room", given.item); },
    { class: "link" },
  );
}

function ranking(desk, proposal) {
  if (!proposal.ranked?.length) return null;
  return h("details", { "data-place": `ranked:${proposal.id}` }, h("summary", {}, "What else was considered"),
    h("ol", {}, proposal.ranked.slice(0, 12).map((each) => h("li", {}, rankWords(desk.office, each)))));
}

function rankWords(office, each) {
  if (each === null || typeof each !== "object") return String(each);
  const value = (part) => (typeof part === "number" ? String(Math.round(part * 100) / 100) : office.name(String(part)));
  if (Array.isArray(each)) return each.map(value).join(" · ");
  if (each.words) return each.words;
  const place = each.room !== undefined && each.slot !== undefined ? office.placeWords([each.room, each.slot]) : "";
  const more = Object.entries(each).filter(([name]) => !place || (name !== "room" && name !== "slot"));
  const words = more.map(([name, part]) => `${name.replaceAll("_", " ")} ${value(part)}`);
  return [place, ...words].filter(Boolean).join(" · ");
}

// An act in words, as someone would tell a colleague.
export function actWords(office, { call, arguments: given }) {
  const when = given.day ? office.slotWords(office.slot(given.day - 1, given.block - 1), { short: true }) : "";
  const name = (id) => office.name(id);
  const order = () => office.order(given.order);
  const ordered = () => `order ${given.order}${order() ? ` (${office.item(order().vendor, order().item)?.name})` : ""}`;
  const goods = () => `${given.quantity} × ${office.item(given.vendor, given.item)?.name ?? given.item}`;
  const said = {
    move: () => `Move ${name(given.event)} to ${name(given.room)}, ${when}`,
    unschedule: () => `Take ${name(given.event)} off the schedule`,
    ask_room: () => `Ask for ${name(given.room)}, ${when}${holder(office, given)}`,
    set_room_fact: () => `Table of rooms: ${name(given.room)}, ${given.fact.replace("capacity.", "seats as ")}: ${given.value}`,
    set_event_fact: () => `Table of events: ${name(given.event)}, ${given.fact}: ${given.value}`,
    order: () => `Order ${goods()} from ${name(given.vendor)} for ${name(given.event)}${priceWords(office, given)}`,
    change_order: () => {
      const event = name(given.event ?? order()?.event ?? "the event");
      return `Change ${ordered()}${given.quantity ? ` to ${given.quantity}` : ""}, sent to where ${event} is now`;
    },
    cancel_order: () => `Cancel ${ordered()}${order() ? ` for ${name(order().event)}` : ""}`,
    edit_entry: () => `Web site: ${titleOf(office, given.entry)}, ${given.field}: ${given.value}`,
    brief: () => `Send this as the briefing:\n${given.text}`,
    reply: () => `Reply: ${given.text}`,
    send: () => `Write to ${name(given.to)}: ${given.text}`,
    constrain: () => `Constraint: ${constraintWords(office, given)}`,
    note: () => `Note: ${given.text}`,
    look: () => `Look at the page of ${given.item ? name(given.item) : given.page}`,
  }[call];
  return said ? said() : `${call.replaceAll("_", " ")} ${Object.values(given).map((each) => name(String(each))).join(", ")}`;
}

function holder(office, given) {
  const room = office.room(given.room);
  const standing = room && office.standing(room, office.slot(given.day - 1, given.block - 1));
  return standing?.owner ? ` (held by ${standing.owner}, ${standing.purpose})` : "";
}

function priceWords(office, given) {
  const [vendor, item, event] = [
    office.vendor(given.vendor),
    office.item(given.vendor, given.item),
    office.event(given.event),
  ];
  return vendor && item && event ? `, ${money(item.price * given.quantity * event.length + vendor.delivery)}` : "";
}

export function titleOf(office, entry) {
  const fields = office.site[entry] ?? {};
  return fields.title ?? fields.name ?? Object.values(fields)[0] ?? entry;
}

export function constraintWords(office, rule) {
  const slots = Array.isArray(rule.slots) ? rule.slots.map((slot) => office.slotWords(slot, { short: true })).join("; ") : rule.slots;
  const things = [rule.event, rule.other, rule.person, rule.place].map((id) => id && office.name(id));
  return [rule.kind.replaceAll("_", " "), ...things, rule.item, slots].filter(Boolean).join(" · ");
}
