// The player: moves one or two panes through their runs, by message or by cycle, forward and back.
const FRAMES = 60;

export class Player {
  constructor(root, panes, { moved }) {
    Object.assign(this, { root, panes, moved, playing: false, stamps: [] });
    this.find = (name) => root.querySelector(`.nw-${name}`);
    this.stop = new AbortController();
    const on = (element, kind, act) => element.addEventListener(kind, act, { signal: this.stop.signal });
    for (const button of root.querySelectorAll("[data-go]")) on(button, "click", () => this.press(button.dataset.go));
    on(this.find("at"), "input", () => this.jump(Number(this.find("at").value) / 1000));
    for (const pane of panes) on(pane.stage, "keydown", (event) => this.key(event, pane));
    this.show();
  }

  press(what) {
    if (what === "play") return this.play(!this.playing);
    this.play(false);
    const [unit, way] = what.split(" ");
    for (const pane of this.panes) this.step(pane, unit, Number(way));
    this.show();
  }

  step(pane, unit, way) {
    const { course } = pane;
    if (unit === "end") return pane.go(way > 0 ? course.length : 0);
    const [over, last] = way > 0 ? [course.at >= course.length, pane.courses.length - 1] : [course.at === 0, 0];
    if (over && pane.act !== last) {
      pane.enter(pane.act + way);
      return pane.go(way > 0 ? 0 : pane.course.length);
    }
    pane.go(unit === "cycle" ? course.cycle(course.at, way) : course.at + way);
  }

  key(event, pane) {
    const keys = { ArrowRight: "message 1", ArrowLeft: "message -1", ArrowDown: "cycle 1", ArrowUp: "cycle -1", " ": "play", Home: "end -1", End: "end 1" };
    if (event.key === "n" || event.key === "p") return pane.next(event.key === "n" ? 1 : -1);
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.press(keys[event.key]);
  }

  jump(share) {
    for (const pane of this.panes) pane.go(Math.round(share * pane.course.length));
    this.show();
  }

  play(playing) {
    this.playing = playing;
    const button = this.root.querySelector("[data-go=play]");
    button.textContent = playing ? "Pause" : "Play";
    this.root.dataset.playing = playing ? "yes" : "no";
    for (const pane of this.panes) pane.words.setAttribute("aria-live", playing ? "off" : "polite");
    if (!playing) return;
    if (this.panes.every((pane) => this.over(pane))) for (const pane of this.panes) this.rewind(pane);
    [this.last, this.told, this.stamps] = [performance.now(), 0, []];
    requestAnimationFrame((now) => this.frame(now));
  }

  over(pane) {
    return pane.act === pane.courses.length - 1 && pane.time >= pane.course.length;
  }

  rewind(pane) {
    if (pane.act) pane.enter(0);
    pane.go(0);
  }

  frame(now) {
    if (!this.playing || this.stop.signal.aborted) return;
    // A window that was hidden for a while does not leap.
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    const steps = passed * 2 ** Number(this.find("speed").value);
    for (const pane of this.panes) this.forward(pane, steps);
    const words = now - this.told > 250;
    if (words) this.told = now;
    if (words) this.show();
    else for (const pane of this.panes) pane.draw();
    this.count(now);
    if (this.panes.every((pane) => this.over(pane))) {
      this.play(false);
      return this.show();
    }
    requestAnimationFrame((later) => this.frame(later));
  }

  forward(pane, steps) {
    const { course } = pane;
    if (pane.time >= course.length && pane.act < pane.courses.length - 1) {
      pane.enter(pane.act + 1);
      return pane.go(0);
    }
    const at = Math.floor(pane.time);
    // In a cycle all that is sent travels together, however much it is.
    const whole = this.find("unit").value === "cycle" ? course.cycle(at, 1) - course.cycle(at + 1, -1) : 1;
    pane.go(pane.time + steps * Math.max(1, whole));
  }

  // How many frames were drawn in a second, over the last of them.
  count(now) {
    this.stamps.push(now);
    if (this.stamps.length > FRAMES) this.stamps.shift();
    const spent = now - this.stamps[0];
    if (spent > 0) this.root.dataset.frames = (((this.stamps.length - 1) * 1000) / spent).toFixed(1);
  }

  show() {
    for (const pane of this.panes) pane.show();
    const longest = this.panes.reduce((one, other) => (other.course.length > one.course.length ? other : one));
    const share = longest.course.length ? longest.course.at / longest.course.length : 1;
    this.find("at").value = Math.round(share * 1000);
    this.find("at").setAttribute("aria-valuetext", `moment ${longest.course.at} of ${longest.course.length}, cycle ${longest.course.moment?.cycle ?? 0}`);
    this.find("where").textContent = this.panes.map((pane) => `${pane.course.at} of ${pane.course.length}, cycle ${pane.course.moment?.cycle ?? 0}`).join(" · ");
    this.moved();
  }

  end() {
    this.play(false);
    this.stop.abort();
  }
}
