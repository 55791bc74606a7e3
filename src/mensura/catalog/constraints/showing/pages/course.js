// A course: one problem being solved, moment by moment, forward and back. Each letter that is sent is a moment, and so is
// each waking that sends none. Positions count the moments that have passed.
export const ASSIGN = -1;
const STOP = -2;

export class Course {
  constructor(act) {
    this.act = act;
    this.moments = [];
    this.letters = [];
    // Positions at which a cycle is over.
    this.ends = [];
    act.wakings.forEach((waking, number) => this.unfold(waking, number));
    this.reset();
  }

  unfold([cycle, agent, read, calls], number) {
    const last = this.moments.at(-1);
    if (last && last.cycle !== cycle) this.ends.push(this.moments.length);
    const begun = this.moments.length + 1;
    let since = 0;
    const add = (upto) => {
      const moment = { number, cycle, agent, read: since ? [] : read, calls: calls.slice(since, upto), first: !since, letter: null, last: upto === calls.length };
      this.moments.push(moment);
      since = upto;
      return moment;
    };
    calls.forEach(([to, kind, text], i) => {
      if (to < 0) return;
      const moment = add(i + 1);
      moment.letter = this.letters.length;
      this.letters.push({ from: agent, to, kind, text, sent: this.moments.length, read: Infinity });
    });
    if (since < calls.length || !calls.length) add(calls.length);
    for (const id of read) if (id !== null) this.letters[id].read = begun;
  }

  get length() {
    return this.moments.length;
  }

  reset() {
    const { act } = this;
    this.at = 0;
    this.values = new Int32Array(act.variables.length).fill(-1);
    this.broken = new Uint8Array(act.links.length);
    this.flying = new Set();
    [this.cost, this.violated, this.stopped] = [null, 0, ""];
    this.agents = act.agents.map(() => ({ sent: act.kinds.map(() => 0), received: 0, wakings: 0, checks: 0, obsolete: 0, nogoods: 0, links: 0, size: 0, clock: 0, known: null }));
    this.totals = { messages: 0, kinds: act.kinds.map(() => 0), checks: 0, obsolete: 0, size: 0, nogoods: 0, links: 0, clock: 0, woken: 0 };
  }

  // Go to a position; going back begins anew, which is quick enough to be done while a slider is dragged.
  seek(position) {
    const wanted = Math.max(0, Math.min(this.length, position));
    if (wanted < this.at) this.reset();
    while (this.at < wanted) this.pass(this.moments[this.at]);
  }

  pass(moment) {
    const [mine, totals] = [this.agents[moment.agent], this.totals];
    if (moment.first) {
      mine.wakings += 1;
      totals.woken += 1;
      mine.received += moment.read.length;
      for (const id of moment.read) this.flying.delete(id);
    }
    for (const call of moment.calls) {
      if (call[0] === ASSIGN) {
        this.values[call[1]] = call[2];
        for (const link of call[3]) this.broken[link] ^= 1;
        [this.cost, this.violated] = [call[4], call[5]];
      } else if (call[0] === STOP) {
        this.stopped = call[1];
      } else {
        mine.sent[call[1]] += 1;
        totals.kinds[call[1]] += 1;
        totals.messages += 1;
        this.flying.add(moment.letter);
      }
    }
    this.at += 1;
    if (!moment.last) return;
    const waking = this.act.wakings[moment.number];
    const [checks, obsolete, nogoods, links, size, clock] = waking[4];
    for (const one of [mine, totals]) {
      one.checks += checks;
      one.obsolete += obsolete;
      one.size += size;
      one.clock = Math.max(one.clock, clock);
    }
    totals.nogoods += (nogoods ?? mine.nogoods) - mine.nogoods;
    totals.links += (links ?? mine.links) - mine.links;
    mine.nogoods = nogoods ?? mine.nogoods;
    mine.links = links ?? mine.links;
    mine.known = waking[5] ?? null;
  }

  // The position at which the cycle after a position is over, or the one before.
  cycle(position, way) {
    if (way > 0) return this.ends.find((end) => end > position) ?? this.length;
    return this.ends.findLast((end) => end < position) ?? 0;
  }

  get moment() {
    return this.at ? this.moments[this.at - 1] : null;
  }

  valueOf(agent) {
    const held = this.act.variables.map((variable, i) => [variable, i]).filter(([variable]) => variable[2] === agent);
    const text = ([[name, domain], i]) => (this.values[i] < 0 ? "–" : this.act.domains[domain][this.values[i]]) + (held.length > 1 ? ` (${name})` : "");
    return held.map(text).join(", ");
  }

  textOf(letter) {
    return `${this.act.kinds[letter.kind]} ${this.act.texts[letter.text]}`.trim();
  }

  // Every measure at the end of every cycle, for plots; the course stays where it is.
  measures() {
    const other = new Course(this.act);
    const rows = [];
    for (const end of [...other.ends, other.length]) {
      other.seek(end);
      const { totals, act } = other;
      const row = { cycle: other.moment?.cycle ?? 0, Messages: totals.messages };
      act.kinds.forEach((kind, i) => (row[`Messages: ${kind}`] = totals.kinds[i]));
      Object.assign(row, { "On the way": other.flying.size, Obsolete: totals.obsolete, "Size sent": totals.size, Checks: totals.checks, "Concurrent checks": totals.clock, Violated: other.violated });
      if (act.objective !== "satisfy") row.Cost = other.cost;
      rows.push(Object.assign(row, { "Nogoods kept": totals.nogoods, "Links added": totals.links, Wakings: totals.woken }));
    }
    return rows;
  }
}
