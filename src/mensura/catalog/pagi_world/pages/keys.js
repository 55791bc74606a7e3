// Keys of the program of 2018: which key pushes what, what is held down, and the calls that come of it.
const HAND = 50;
const STRONG = 500;
const MOVE = 500;
const PUSHES = {
  KeyA: ["LHvec", [-1, 0]], KeyD: ["LHvec", [1, 0]], KeyW: ["LHvec", [0, 1]], KeyS: ["LHvec", [0, -1]],
  ArrowLeft: ["RHvec", [-1, 0]], ArrowRight: ["RHvec", [1, 0]], ArrowUp: ["RHvec", [0, 1]], ArrowDown: ["RHvec", [0, -1]],
  KeyF: ["BMH", -MOVE], KeyG: ["BMH", MOVE], KeyR: ["BR", 1], KeyT: ["BR", -1],
};
const GRIPS = { ShiftLeft: "L", ShiftRight: "R" };
export const GAME_KEYS = new Set([...Object.keys(PUSHES), ...Object.keys(GRIPS), "Space", "KeyP"]);

export class HeldKeys {
  constructor() {
    this.held = new Set();
    // What was pressed since the last answer counts, though it may be let go already.
    this.tapped = new Set();
    this.acts = [];
    this.strong = false;
  }

  press(code) {
    if (this.held.has(code)) return;
    this.held.add(code);
    this.tapped.add(code);
    if (code === "Space") this.acts.push(["addForce", "J", null]);
    if (code in GRIPS) this.grip(GRIPS[code], true);
  }

  release(code) {
    if (this.held.delete(code) && code in GRIPS) this.grip(GRIPS[code], false);
  }

  grip(side, holds) {
    this.acts.push(["addForce", `${side}H${holds ? "G" : "R"}`, null]);
  }

  clear() {
    for (const code of [...this.held]) this.release(code);
    this.tapped.clear();
  }

  // The calls of so many ticks, each of which lets time pass by one: a force lasts for a tick.
  script(ticks) {
    const pushes = this.pushes(new Set([...this.held, ...this.tapped]));
    const later = this.pushes(this.held);
    const rows = [...this.acts, ...pushes, ["step", 1]];
    this.tapped.clear();
    this.acts = [];
    if (later.length) for (let i = 1; i < ticks; i += 1) rows.push(...later, ["step", 1]);
    else if (ticks > 1) rows.push(["step", ticks - 1]);
    return rows;
  }

  pushes(codes) {
    const newtons = this.strong || codes.has("KeyP") ? STRONG : HAND;
    const sums = new Map();
    for (const code of codes) {
      const [effector, push] = PUSHES[code] ?? [];
      if (!effector) continue;
      const before = sums.get(effector);
      if (Array.isArray(push)) sums.set(effector, push.map((one, axis) => one * newtons + (before?.[axis] ?? 0)));
      else sums.set(effector, push + (before ?? 0));
    }
    return [...sums].filter(([, sum]) => [sum].flat().some(Boolean)).map(([effector, sum]) => ["addForce", effector, sum]);
  }
}
