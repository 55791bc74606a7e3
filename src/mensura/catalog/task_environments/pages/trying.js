// Trying a task: each role is played by a subject or by hand. A hand moves its sliders while time passes; the laboratory
// makes the run again from its start with all that was set, so that what is seen is what anyone would see again.
import { ask, given } from "./given.js";
import { h, listed, picture, written } from "./picture.js";

const HELD = "held";

export class Trial {
  constructor(root, task) {
    this.find = (name) => root.querySelector(`.bl-${name}`);
    this.task = task;
    this.roles = {};
    this.going = 0;
    this.find("run").addEventListener("click", () => (this.going ? this.stop() : this.run()));
  }

  // Draw who plays which role; what hands have set stays.
  offer({ roles, tick }) {
    this.tick = tick;
    if (JSON.stringify(roles) === JSON.stringify(this.roles)) return;
    this.roles = roles;
    const who = new Map([...this.find("roles").querySelectorAll("select")].map((list) => [list.dataset.role, list.value]));
    const kept = new Map([...this.find("roles").querySelectorAll("input[data-set]")].map((slider) => [slider.dataset.motor, slider.value]));
    const many = Object.keys(roles).length > 1;
    this.find("roles").replaceChildren(
      ...Object.entries(roles).map(([role, motors]) => {
        const list = h("select", { "data-role": role }, h("option", { value: HELD }, "these sliders"), ...given.subjects.map((name) => h("option", { value: name }, name)));
        list.value = who.get(role) ?? HELD;
        const sliders = h("div", {}, ...motors.map((motor) => slider(role, motor, kept)));
        list.addEventListener("change", () => (sliders.hidden = list.value !== HELD));
        sliders.hidden = list.value !== HELD;
        return h("div", { class: "bl-role" }, h("label", {}, many ? `Who plays ${role}` : "Who", list), sliders);
      }),
    );
  }

  get subjects() {
    return Object.fromEntries([...this.find("roles").querySelectorAll("select")].map((list) => [list.dataset.role, list.value]));
  }

  get powers() {
    const set = {};
    for (const one of this.find("roles").querySelectorAll("input")) (set[one.dataset.role] ??= []).push(Number(one.value));
    return set;
  }

  stop(words = "Stopped.") {
    if (!this.going) return;
    this.going = 0;
    this.find("run").textContent = "Run";
    this.find("result").textContent = words;
  }

  async run() {
    const mine = (this.going = performance.now());
    const asked = { seed: Number(this.find("seed").value), subjects: this.subjects };
    const speed = Number(this.find("speed").value);
    this.find("run").textContent = "Stop";
    this.find("result").textContent = "";
    if (!speed || !Object.values(asked.subjects).includes(HELD)) {
      const said = await ask(this.task(), "run", { ...asked, powers: [this.powers] });
      return this.going === mine && (said.fault ? this.stop(said.fault) : this.play(said, speed, mine));
    }
    const powers = [];
    for (let due = mine; ; due = Math.max(due + (1000 * this.tick) / speed, performance.now())) {
      await new Promise((done) => setTimeout(done, due - performance.now()));
      if (this.going !== mine) return;
      powers.push(this.powers);
      const said = await ask(this.task(), "run", { ...asked, powers, ticks: powers.length });
      if (this.going !== mine) return;
      if (said.fault) return this.stop(said.fault);
      this.draw(said, said.times.length);
      if (said.over || said.times.length <= powers.length) return this.stop(ending(said));
    }
  }

  // What subjects did is shown as time passes, unless people want to see no movement.
  play(said, speed, mine) {
    const still = !speed || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const begun = performance.now();
    const frame = () => {
      if (this.going !== mine) return;
      const passed = still ? Infinity : ((performance.now() - begun) / 1000) * speed;
      const shown = said.times.filter((time) => time <= passed).length;
      this.draw(said, shown);
      if (shown < said.times.length) requestAnimationFrame(frame);
      else this.stop(ending(said));
    };
    frame();
  }

  draw(said, shown) {
    const last = Math.max(said.times[shown - 1], 40 * this.tick);
    this.find("time").textContent = `${written(said.times[shown - 1])} s`;
    const points = (i) => said.times.slice(0, shown).map((time, k) => [time, said.trace[k][i]]);
    this.find("trace").replaceChildren(...said.names.map((name, i) => picture(points(i), { x: "seconds", y: name, width: last })));
  }
}

function ending(said) {
  const how = said.solved ? "Solved" : said.over ? "Not solved" : "Not over yet";
  const drawn = listed(said.drawn);
  return `${how} after ${written(said.time)} s, with ${written(said.energy)} J${drawn && `; drawn: ${drawn}`}.`;
}

function slider(role, { name, low, high }, kept) {
  const made = h("input", { type: "range", min: low, max: high, step: (high - low) / 200, "data-role": role, "data-motor": `${role} ${name}` });
  const held = kept.get(made.dataset.motor);
  made.value = held ?? high;
  if (held !== undefined) made.dataset.set = "";
  const shown = h("span", { "aria-hidden": "true" });
  const show = () => {
    shown.textContent = `${written(made.value)} W`;
    made.setAttribute("aria-valuetext", `${Number(made.value).toPrecision(3) / 1} W`);
  };
  made.addEventListener("input", () => {
    made.dataset.set = "";
    show();
  });
  made.addEventListener("keydown", (event) => {
    if (event.key !== "0") return;
    made.value = 0;
    made.dispatchEvent(new Event("input"));
  });
  show();
  return h("label", { class: "bl-slider" }, h("span", {}, name), made, shown);
}
