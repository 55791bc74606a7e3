// Faults: what the schedule can see is wrong with an event's place, by the planner's own tables, right or wrong.
export function faults(office, event) {
  if (!office.checks) return [];
  const place = office.place(event.id);
  if (!place) return ["It has no room and time."];
  const [roomId, slot] = place;
  const room = office.room(roomId);
  return [
    ...taken(office, event, room, slot),
    ...seats(office, event, room),
    ...lacking(office, event, room, slot),
    ...busy(office, event, slot),
  ];
}

function taken(office, event, room, slot) {
  const found = [];
  for (let block = slot; block < slot + event.length; block += 1) {
    const standing = office.standing(room, block);
    const words = standing.status === "held" ? `is reserved by ${standing.owner}` : standing.words;
    if (["lost", "closed", "held", "unusable"].includes(standing.status)) found.push(`${room.name} ${words} at that time.`);
    for (const other of office.at(room.id, block)) if (other.event !== event) found.push(`${other.event.short} is in the same room.`);
  }
  return [...new Set(found)];
}

function seats(office, event, room) {
  const layout = office.facts.layout[event.id];
  const wanted = office.facts.attendance[event.id];
  const held = office.facts.capacity[room.id]?.[layout];
  if (held === undefined) return [`By the table ${room.name} cannot be set up as ${layout}.`];
  return held < wanted ? [`By the table it seats ${held}; ${wanted} are expected.`] : [];
}

function lacking(office, event, room, slot) {
  const builtIn = office.facts.equipment[room.id] ?? [];
  const ordered = office.orders.filter((order) => order.room === room.id && order.slot === slot);
  const brought = ordered.map((order) => office.item(order.vendor, order.item)?.gives);
  const missing = office.facts.needs[event.id].filter((item) => !builtIn.includes(item) && !brought.includes(item));
  const found = missing.length ? [`It lacks ${missing.join(", ")} there.`] : [];
  const meals = ordered.filter((order) => order.event === event.id && office.item(order.vendor, order.item)?.gives === "catering");
  const portions = meals.reduce((sum, order) => sum + order.quantity, 0);
  const wanted = office.facts.catering[event.id];
  if (wanted && portions < wanted) found.push(`Catering for ${portions} of ${wanted} comes to this place and time.`);
  return found;
}

function busy(office, event, slot) {
  const mine = peopleOf(event);
  const found = [];
  for (const other of office.events) {
    const place = office.place(other.id);
    if (other === event || !place || place[1] >= slot + event.length || slot >= place[1] + other.length) continue;
    const both = [...peopleOf(other)].filter((person) => mine.has(person));
    found.push(...both.map((person) => `${office.name(person)} is in ${other.short} at the same time.`));
  }
  return found;
}

const known = new WeakMap();

export function peopleOf(event) {
  if (!known.has(event)) known.set(
    event,
    new Set([...event.talks.map((talk) => talk.speaker), ...(event.chair ? [event.chair] : [])]),
  );
  return known.get(event);
}
