// Frames: what a room was like from tick to tick, put together again from what changed.
import { between } from "./part.js";

export class Frames {
  constructor(given) {
    this.given = given;
    this.first = given.from;
    this.all = [];
    this.words = [];
    this.add(given);
  }

  add({ frames, words, said }) {
    this.said = said + words.length;
    for (const [tick, role, way, text] of words) this.words.push({ tick, role, way, text });
    for (const frame of frames) {
      const before = this.all.at(-1);
      const things = new Map(before?.things.map((thing) => [thing.name, thing]) ?? []);
      for (const thing of frame.whole ?? []) things.set(thing.name, thing);
      for (const [name, [x, y, angle]] of Object.entries(frame.moved ?? {})) things.set(name, { ...things.get(name), at: [x, y], angle });
      for (const name of frame.gone ?? []) things.delete(name);
      const next = { ...before, ...frame, things: [...things.values()] };
      this.all.push(next);
    }
  }

  get end() {
    return this.all.at(-1).tick;
  }

  get start() {
    return this.all[0].tick;
  }

  // The number of the last frame that is not after a tick.
  number(tick) {
    let [low, high] = [0, this.all.length - 1];
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (this.all[mid].tick <= tick) low = mid;
      else high = mid - 1;
    }
    return low;
  }

  at(tick) {
    const i = this.number(tick);
    const [one, other] = [this.all[i], this.all[i + 1]];
    if (!other || tick <= one.tick) return one;
    return { ...between(one, other, (tick - one.tick) / (other.tick - one.tick)), tick: one.tick };
  }
}
