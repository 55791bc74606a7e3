// Trying a room: subjects play it in the laboratory, and what they did is shown as a film on the stage.
import { ask, given, h, menu } from "./editor_page.js";

export class Trial {
  constructor(root, { state, stage, seed, tell }) {
    this.find = (name) => root.querySelector(`.ed-${name}`);
    Object.assign(this, { state, stage, seed, tell });
    this.who = {};
    this.said = null;
    this.going = 0;
    this.find("run").addEventListener("click", () => (this.said ? this.stop() : this.run()));
    this.find("pause").addEventListener("click", () => (this.going ? this.pause() : this.play()));
    this.find("time").addEventListener("input", () => {
      this.pause();
      this.show(Number(this.find("time").value));
    });
  }

  offer(roles) {
    const list = this.find("who");
    if (list.dataset.roles === roles.join()) return;
    list.dataset.roles = roles.join();
    list.replaceChildren(...roles.map((role) => {
      this.who[role] ??= "solver";
      return h("label", {}, roles.length > 1 ? `Who plays ${role} ` : "Who plays ", menu(given.subjects, this.who[role], (name) => (this.who[role] = name)));
    }));
  }

  async run() {
    const mine = (this.asked = {});
    this.find("result").textContent = "Playing …";
    const said = await ask(this.state().data(), "run", { seed: this.seed(), who: this.who });
    if (this.asked !== mine) return;
    if (said.fault) {
      this.find("result").textContent = said.fault;
      return;
    }
    this.said = said;
    this.find("run").textContent = "Back to the room";
    this.find("time").max = said.film.at(-1).time;
    this.find("time").value = 0;
    for (const name of ["pause", "time"]) this.find(name).hidden = false;
    const how = said.cut ? "It took too long to compute, and was cut short" : said.success ? "Solved" : "Not solved";
    const words = said.said.map(([, role, text]) => `${role}: “${text}”`).join("; ");
    this.find("result").textContent = `${how} after ${said.seconds.toFixed(1)} s, with ${said.endorphins} endorphins and ${said.work.toFixed(0)} J of work.${words && ` Said: ${words}.`}`;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) this.show(said.film.at(-1).time);
    else this.play();
  }

  play() {
    const mine = (this.going += 1);
    this.find("pause").textContent = "Pause";
    const last = this.said.film.at(-1).time;
    const begun = performance.now() - 1000 * (Number(this.find("time").value) >= last ? 0 : Number(this.find("time").value));
    const frame = () => {
      if (this.going !== mine || !this.said) return;
      const passed = (performance.now() - begun) / 1000;
      this.show(Math.min(passed, last));
      if (passed < last) requestAnimationFrame(frame);
      else this.pause();
    };
    frame();
  }

  pause() {
    this.going = 0;
    this.find("pause").textContent = "Play";
  }

  show(time) {
    const { film, things } = this.said;
    const seen = film.findLast((one) => one.time <= time + 1e-9) ?? film[0];
    this.find("time").value = time;
    const placed = Object.entries(seen.things).map(([name, [x, y, angle]]) => ({ ...things[name], name, at: [x, y], angle }));
    const agents = Object.entries(seen.agents).map(([role, [x, y, angle, ...hands]]) => ({ role, at: [x, y], angle, hands: [hands.slice(0, 2), hands.slice(2)] }));
    this.stage.film = { things: placed, agents, water: seen.water ? { places: seen.water } : {} };
    this.stage.draw();
  }

  // Back to the room as it is built; what changes ends what is shown of it.
  stop() {
    this.asked = null;
    if (!this.said) return;
    this.pause();
    this.said = null;
    this.stage.film = null;
    this.find("run").textContent = "Try it";
    this.find("result").textContent = "";
    for (const name of ["pause", "time"]) this.find(name).hidden = true;
    this.stage.draw();
  }
}
