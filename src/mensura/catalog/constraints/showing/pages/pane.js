// A pane: one run with its picture, its words, and what was chosen in it.
import { h } from "./element.js";
import { Course } from "./course.js";
import { Canvas, KINDS } from "./canvas.js";
import { describe, drawAgent, drawLink, tell } from "./panel.js";

const ENDS = { solved: "solved", unsolvable: "proved unsolvable", optimal: "ended with the best", "optimum unknown": "ended, the best not known", suboptimal: "ended, not the best", limit: "stopped at a limit", wrong: "ended with a false claim", "quiet but wrong": "fell silent, wrong", crashed: "crashed" };

export class Pane {
  constructor(run, { changed, known }) {
    Object.assign(this, { run, changed, known, act: 0 });
    this.courses = run.acts.map((act) => new Course(act));
    this.picture = h("canvas", { role: "img", class: "nw-canvas" });
    this.stage = h("div", { class: "nw-stage", tabindex: "0", role: "group", "aria-label": `Network of ${run.name}: arrow keys step by message, up and down by cycle, space plays, n and p choose agents` }, this.picture);
    this.legend = h("p", { class: "nw-legend" });
    this.words = h("p", { class: "nw-words", "aria-live": "polite" });
    this.title = h("h2", {});
    this.select = h("select", {}, h("option", { value: "" }, "none"), ...run.acts[0].agents.map((name, i) => h("option", { value: i }, name)));
    this.details = h("section", { class: "nw-details", "aria-label": `Chosen in ${run.name}` });
    this.element = h("section", { class: "nw-pane", "aria-label": run.name }, this.title, this.stage, this.legend, this.words, h("p", {}, h("label", {}, "Agent ", this.select)), this.details);
    this.select.addEventListener("change", () => this.choose({ agent: this.select.value === "" ? null : Number(this.select.value), link: null }));
    this.picture.addEventListener("click", (event) => this.choose(this.canvas.find(event.offsetX, event.offsetY)));
  }

  get course() {
    return this.courses[this.act];
  }

  // Once it is on the page, and its width is known.
  open() {
    this.canvas = new Canvas(this.picture, this.course);
    this.canvas.waiting = (this.run.waiting ?? []).map((name) => this.course.act.agents.indexOf(name));
    new ResizeObserver(() => {
      if (this.picture.clientWidth === this.canvas.width) return;
      this.canvas.fit();
      this.show();
    }).observe(this.stage);
    this.enter(this.act);
  }

  enter(act) {
    this.act = Math.max(0, Math.min(this.courses.length - 1, act));
    this.canvas.show(this.course);
    this.time = this.course.at;
    const { verdict, kinds, report } = this.course.act;
    const part = this.courses.length > 1 ? `, problem ${this.act + 1} of ${this.courses.length}` : "";
    this.title.replaceChildren(this.run.name, h("small", {}, ` ${this.run.problem}${part}${verdict ? `: ${ENDS[verdict] ?? verdict} after ${report.cycles} cycles, ${report.messages.total} messages` : ""}`));
    this.legend.replaceChildren(...kinds.map((kind, i) => mark(KINDS[i % KINDS.length], kind)), mark("#c62828", "violated", "bar"));
    this.show();
  }

  choose(chosen) {
    this.canvas.chosen = chosen;
    this.select.value = chosen.agent ?? "";
    this.show();
  }

  next(way) {
    const count = this.course.act.agents.length;
    const now = this.canvas.chosen.agent ?? (way > 0 ? -1 : 0);
    this.choose({ agent: (now + way + count) % count, link: null });
  }

  go(time) {
    this.time = Math.max(0, Math.min(this.course.length, time));
    this.course.seek(Math.floor(this.time));
  }

  // The picture is drawn in every frame; words are for when there is time to read them.
  draw() {
    this.canvas.draw(this.time);
  }

  show() {
    this.draw();
    this.picture.setAttribute("aria-label", describe(this.course));
    const words = tell(this.course);
    if (this.words.textContent !== words) this.words.textContent = words;
    const { agent, link } = this.canvas.chosen;
    const waking = this.course.moment?.number ?? 0;
    const known = this.known && (() => this.known(this.run, { act: this.act, waking: waking + 1, agent: this.course.act.agents[agent] }));
    if (agent !== null) this.details.replaceChildren(...drawAgent(this.course, agent, { known, chooseLink: (i) => this.choose({ agent: null, link: i }) }));
    else if (link !== null) this.details.replaceChildren(...drawLink(this.course, link));
    else this.details.replaceChildren(h("p", { class: "nw-soft" }, "Choose an agent or a link in the picture, or an agent in the list."));
    this.changed?.();
  }
}

function mark(colour, words, shape = "dot") {
  const swatch = h("svg:svg", { viewBox: "0 0 14 10", "aria-hidden": "true" }, shape === "dot" ? h("svg:circle", { cx: 7, cy: 5, r: 4.5, fill: colour }) : h("svg:rect", { x: 0, y: 3, width: 14, height: 4, fill: colour }));
  return h("span", {}, swatch, words);
}
