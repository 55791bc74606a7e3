// The office as its pages read it: things by their ids, what stands where, times in words.
const OPENS = 9 * 3600;
const DAY = 86400000;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
// What the pages read by the name that it has in the office's data.
const THINGS = ["buildings", "rooms", "people", "events", "vendors"];
const SHOWN = [
  ...THINGS, "title", "budget", "spent", "checks", "blocks", "orders", "cancelled", "payments", "site", "entries",
  "constraints", "notes", "briefing", "bumps", "facts", "pages", "boss", "proposals",
];

export class Office {
  constructor(data) {
    const office = data.office ?? {};
    this.said = data.said;
    this.now = data.now ?? 0;
    this.seconds = this.now + (data.left ?? 0);
    this.condition = data.condition;
    this.role = data.role ?? "subject";
    this.raw = office;
    for (const name of SHOWN) this[name] = office[name];
    this.byId = {};
    for (const kind of THINGS) for (const each of office[kind]) this.byId[`${kind}:${each.id}`] = each;
    this.days = Array.from({ length: office.days }, (_, number) => dayOf(office.first, number));
    this.granted = new Set(office.granted.map(([room, slot]) => `${room}:${slot}`));
    this.taken = this.places();
    this.messages = office.mailbox.map((each) => this.header(each));
    this.sent = office.sent.map((each) => ({
      ...each,
      to: this.name(each.to),
      replyTo: each.reply_to,
      body: each.text,
      by: this.by(each.role),
    }));
  }

  header(each) {
    const person = this.person(each.sender);
    const label = this.raw.labels[each.id];
    return {
      ...each,
      // What lay there before the subject came is not what keeps coming in.
      folder: each.tick < 0 && each.folder === "inbox" ? "before today" : each.folder,
      read: each.read !== undefined,
      sender: this.name(each.sender),
      address: person?.mail ?? "",
      labels: label ? [label].flat().map((each) => String(each).replaceAll("_", " ")) : [],
    };
  }

  // Room and slot → what of ours is there; events of several blocks are there in each.
  places() {
    const taken = new Map();
    for (const [id, places] of Object.entries(this.raw.sheet)) {
      const { length } = this.event(id);
      for (const [room, slot] of places) {
        for (let more = 0; more < length; more += 1) {
          const key = `${room}:${slot + more}`;
          if (!taken.has(key)) taken.set(key, []);
          taken.get(key).push({ event: this.event(id), first: more === 0, begins: slot });
        }
      }
    }
    return taken;
  }

  at(room, slot) {
    return this.taken.get(`${room}:${slot}`) ?? [];
  }

  building(id) { return this.byId[`buildings:${id}`]; }
  room(id) { return this.byId[`rooms:${id}`]; }
  person(id) { return this.byId[`people:${id}`]; }
  event(id) { return this.byId[`events:${id}`]; }
  vendor(id) { return this.byId[`vendors:${id}`]; }
  message(id) { return this.messages.find((each) => each.id === id); }

  // Who did something, as the person who looks at it would say; empty where it was they themselves.
  by(role) {
    const others = { helper: "your helper", subject: "your colleague" };
    return role === this.role ? "" : others[role] ?? role;
  }

  name(id) {
    return (this.person(id) ?? this.vendor(id) ?? this.room(id) ?? this.building(id))?.name ?? this.event(id)?.short ?? id;
  }

  order(id) {
    const standing = this.orders.find((each) => each.id === id);
    if (standing) return { ...standing, cancelled: false };
    const gone = this.cancelled.find((each) => each.id === id);
    return gone ? { ...gone, cancelled: true } : null;
  }

  item(vendor, id) {
    return this.vendor(vendor)?.items.find((each) => each.id === id);
  }

  place(event) {
    return this.raw.place[event];
  }

  unscheduled() {
    return this.events.filter((event) => this.place(event.id) === null);
  }

  // The slots at which the portal marks a room as lost.
  lost(room) {
    return this.raw.lost.filter(([id]) => id === room.id).map(([, slot]) => slot);
  }

  // How the portal shows a room at a time, our own events left aside.
  standing(room, slot) {
    if (!room.usable) return { status: "unusable", words: "not let to conferences" };
    if (this.lost(room).includes(slot)) return { status: "lost", words: "cannot be used" };
    if (room.closed.includes(slot)) return { status: "closed", words: "closed" };
    const held = room.reservations.find((each) => each.slot === slot);
    if (!held) return { status: "free", words: "free" };
    const who = { owner: this.name(held.owner), purpose: held.purpose, ownerId: held.owner };
    if (this.granted.has(`${room.id}:${slot}`)) return { status: "granted", words: `given up by ${who.owner}`, ...who };
    return { status: "held", words: `${who.owner}: ${held.purpose}`, ...who };
  }

  asked(room, slot) {
    return this.bumps.find((each) => each.room === room && each.slot === slot);
  }

  slot(day, block) {
    return day * this.blocks.length + block;
  }

  dayOf(slot) { return Math.floor(slot / this.blocks.length); }
  blockOf(slot) { return slot % this.blocks.length; }

  slotWords(slot, { short = false } = {}) {
    const day = this.days[this.dayOf(slot)];
    return `${short ? day.short : day.long}, ${this.blocks[this.blockOf(slot)]}`;
  }

  placeWords(place) {
    if (!place) return "not scheduled";
    // Joined, so that no line breaks between the hours.
    return `${this.name(place[0])}, ${this.slotWords(place[1], { short: true }).replace("–", "\u2060–\u2060")}`;
  }

  clock(now) {
    return `${dayOf(this.raw.today, 0).short} ${hours(OPENS + now)}`;
  }

  // When a message came; what lay there before has earlier dates.
  when(tick, { long = false } = {}) {
    const seconds = OPENS + tick;
    const back = Math.floor(seconds / 86400);
    const day = dayOf(this.raw.today, back);
    const time = hours(seconds - back * 86400);
    if (long) return `${day.long}, ${time}`;
    return back === 0 ? time : day.date;
  }
}

function hours(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor((seconds % 3600) / 60))}`;
}

function dayOf(first, after) {
  const day = new Date(Date.parse(`${first}T00:00:00Z`) + after * DAY);
  const [weekday, month] = [WEEKDAYS[day.getUTCDay()], MONTHS[day.getUTCMonth()]];
  return {
    weekday,
    long: `${weekday} ${day.getUTCDate()} ${month}`,
    short: `${weekday.slice(0, 3)} ${day.getUTCDate()} ${month.slice(0, 3)}`,
    date: `${day.getUTCDate()} ${month.slice(0, 3)}`,
  };
}
