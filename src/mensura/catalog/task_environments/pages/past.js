// The past: states that can be come back to. Changes with the same key follow on one another and count as one.
const MOST = 200;

export class Past {
  constructor() {
    this.states = [];
    this.at = -1;
    this.key = null;
  }

  keep(state, key = null) {
    if (state === this.states[this.at]) return;
    if (key === null || key !== this.key || this.at < this.states.length - 1) this.at += 1;
    this.states.splice(this.at, Infinity, state);
    this.key = key;
    if (this.states.length > MOST) this.at -= this.states.splice(0, this.states.length - MOST).length;
  }

  has(step) {
    return this.at + step in this.states;
  }

  go(step) {
    this.key = null;
    return this.states[(this.at += step)];
  }
}
