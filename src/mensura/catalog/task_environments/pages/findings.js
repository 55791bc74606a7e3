// Findings: what the laboratory says of a task, followed through its changes. One question is under way at a time.
import { ask } from "./given.js";
import { h, listed, picture, written } from "./picture.js";

const PATIENCE = 250;

export class Findings {
  // `heard` gets what a check says.
  constructor(root, task, heard) {
    this.root = root;
    this.find = (name) => root.querySelector(`.bl-${name}`);
    this.task = task;
    this.heard = heard;
    this.turn = 0;
    this.values = new Map();
    this.share = this.find("instance").querySelector("input");
    this.share.addEventListener("input", () => this.changed());
  }

  // Whatever changes is looked at after a moment; what was found before stays in sight until then.
  changed() {
    this.root.dataset.state = "looking";
    this.turn += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), PATIENCE);
  }

  async look() {
    if (this.looking) return;
    this.looking = true;
    for (let mine = -1; mine !== this.turn; ) {
      mine = this.turn;
      const said = await ask(this.task(), "check");
      this.heard(said);
      if (said.fault) {
        this.drawCurve({});
        this.drawProperties({});
      } else await this.follow(said, () => mine === this.turn);
      if (mine === this.turn) this.root.dataset.state = said.fault ? "refused" : "ready";
    }
    this.looking = false;
  }

  async follow(said, still) {
    const family = Object.keys(said.ranges).length > 0;
    this.find("instance").hidden = !family;
    this.find("instance").lastChild.textContent = `at ${Math.round(this.share.value * 100)} % of the ranges`;
    const curve = still() && (await ask(this.task(), "curve", { share: family ? Number(this.share.value) : 0.5 }));
    if (still()) this.drawCurve(curve);
    const properties = still() && (await ask(this.task(), "properties"));
    if (still()) this.drawProperties(properties);
  }

  drawCurve(found) {
    const points = (found.curve ?? []).map((one) => [one.energy, one.time]);
    const same = JSON.stringify(points) === JSON.stringify(this.points);
    const before = same ? this.before : this.points;
    [this.points, this.before] = found.kind ? [points, before] : [this.points, this.before];
    this.find("curve").replaceChildren(...(points.length ? [picture(points, { x: "joules", y: "seconds", before })] : []));
    if (!found.kind) return void (this.find("least").textContent = found.fault ?? "–");
    const cheapest = found.t_at_e_min === null ? "" : `, in ${written(found.t_at_e_min)} s`;
    const drawn = listed(found.drawn);
    const which = drawn && ` Of the instance with ${drawn}.`;
    this.find("least").textContent = `${found.kind}: at least ${written(found.t_min)} s, with ${written(found.e_at_t_min)} J; at least ${written(found.e_min)} J${cheapest}.${which}`;
  }

  drawProperties(found) {
    const rows = (found.properties ?? []).map(({ name, value, definition }) => {
      const shown = value === null ? "–" : value.toFixed(3);
      const [now, before] = this.values.get(name) ?? [];
      const was = shown === now ? before : now;
      this.values.set(name, [shown, was]);
      return h("tr", {}, h("th", { scope: "row" }, name, h("small", {}, definition)), h("td", {}, shown, ...(was === undefined ? [] : [h("small", {}, `was ${was}`)])));
    });
    this.find("properties").replaceChildren(...(found.fault ? [h("tr", {}, h("td", { colspan: 2 }, found.fault))] : rows));
  }

  // Another task is not compared with the one before.
  forget() {
    this.values.clear();
    this.points = this.before = undefined;
    this.share.value = 0.5;
  }
}
