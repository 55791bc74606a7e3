// The stage of the editor: the room as it is drawn, what a pointer does on it, and where things lie under it.
import { RoomCanvas } from "./room_canvas.js";

const NEAR = 11;
const TURN = 15;
const SHOWN = 6;
const BLUE = "#005a8c";
const RED = "#b3261e";

// `acts`: choose(key, more), moved(by, key), resized(by, key), turned(degrees, key), swept(keys), done(), over().
export class Stage {
  constructor(canvas, look, state, acts) {
    Object.assign(this, { canvas, state, acts });
    this.room = new RoomCanvas(canvas, look, { number: (value) => this.state().number(value) });
    this.room.changed = () => this.draw();
    this.grid = 0.5;
    this.snaps = true;
    this.film = null;
    this.faulty = new Set();
    this.drag = null;
    this.fingers = new Map();
    const on = (name, act) => canvas.addEventListener(name, act);
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.pull(event));
    on("pointerup", (event) => this.release(event));
    on("pointercancel", (event) => this.release(event));
    on("wheel", (event) => {
      // The page scrolls on, unless one works here.
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX, event.clientY);
    });
  }

  get scene() {
    return this.film ?? this.state().room;
  }

  // A long floor is seen in part: what matters is what lies near bodies and things that move.
  fit() {
    const { room } = this.state();
    const full = this.room.bounds({ ...room, agents: this.state().agents });
    const small = this.state().keys.map((key) => this.extent(key)).filter(([, , wide, high]) => wide < 3 * SHOWN && high < 3 * SHOWN);
    const edge = (axis, way) => Math[way < 0 ? "min" : "max"](...small.map((one) => one[axis] + way * one[axis + 2]));
    const wanted = small.length ? [edge(0, -1) - SHOWN, edge(1, -1) - SHOWN, edge(0, 1) + SHOWN, edge(1, 1) + SHOWN] : full;
    this.room.fit([Math.max(full[0], wanted[0]), Math.max(full[1], wanted[1]), Math.min(full[2], wanted[2]), Math.min(full[3], wanted[3])]);
    this.draw();
  }

  zoom(factor, x, y) {
    const box = this.canvas.getBoundingClientRect();
    this.room.zoom(factor, x ?? box.left + box.width / 2, y ?? box.top + box.height / 2);
    this.draw();
  }

  pan(right, up) {
    this.room.box = null;
    this.room.view.x += right;
    this.room.view.y += up;
    this.draw();
  }

  get middle() {
    return [this.room.view.x, this.room.view.y].map((one) => Math.round(one / this.grid) * this.grid);
  }

  // Middle and half sizes of the box around a thing or a body.
  extent(key) {
    const state = this.state();
    const one = state.item(key);
    if (key.startsWith("things")) return this.room.extent({ ...one, at: state.place(one) });
    const { radius } = this.room.look.body;
    return [...state.place(one).map((value) => state.number(value)), radius, radius];
  }

  size(key) {
    const one = this.state().item(key);
    const outline = this.room.outline(one);
    return outline.radius ? [outline.radius] : outline.half.map((half) => 2 * half);
  }

  // What lies under a place, the uppermost first: bodies, things, then what nobody touches.
  under(place) {
    const state = this.state();
    const agents = state.agents.map((_, i) => `agents.${i}`).filter((key) => {
      const [x, y, radius] = this.extent(key);
      return Math.hypot(place[0] - x, place[1] - y) <= radius;
    });
    const found = state.things.map((_, i) => `things.${i}`).filter((key) => this.room.holds(state.item(key), place)).reverse();
    const behind = (key) => this.room.isBehind(state.item(key));
    return [...agents, ...found.filter((key) => !behind(key)), ...found.filter(behind)];
  }

  // Where the handles of what alone is chosen lie: one to resize, one to turn.
  handles() {
    const state = this.state();
    const [key] = state.chosen;
    if (this.film || state.chosen.length !== 1 || !state.item(key)) return [];
    const one = state.item(key);
    const angle = (state.number(one.angle ?? 0) * Math.PI) / 180;
    const [x, y] = state.place(one).map((value) => state.number(value));
    const out = ([u, v]) => [x + u * Math.cos(angle) - v * Math.sin(angle), y + u * Math.sin(angle) + v * Math.cos(angle)];
    const far = 24 / this.room.view.scale;
    if (key.startsWith("agents")) return [{ does: "turn", key, angle, place: out([0, this.room.look.body.radius + far]) }];
    const { half } = this.room.outline(one);
    return [{ does: "turn", key, angle, place: out([0, half[1] + far]) }, { does: "size", key, angle, place: out([half[0], -half[1]]) }];
  }

  // Drawing ---------------------------------------------------------------------------------------------------------

  draw() {
    const over = this.film ? null : (paint) => this.drawChosen(paint);
    this.room.draw({ ...this.scene, agents: this.film?.agents ?? this.state().agents }, { triggers: true, names: !this.film, grid: this.snaps && !this.film ? this.grid : 0, over });
  }

  drawChosen(paint) {
    const state = this.state();
    const pixel = 1 / this.room.view.scale;
    for (const key of state.keys) {
      const chosen = state.chosen.includes(key);
      if (!chosen && !this.faulty.has(state.called(key))) continue;
      const [x, y, wide, high] = this.extent(key);
      paint.setLineDash(chosen ? [] : [5 * pixel, 4 * pixel]);
      paint.strokeStyle = chosen ? BLUE : RED;
      paint.lineWidth = 2 * pixel;
      paint.strokeRect(x - wide - 3 * pixel, y - high - 3 * pixel, 2 * wide + 6 * pixel, 2 * high + 6 * pixel);
    }
    paint.setLineDash([]);
    for (const { does, place } of this.handles()) {
      paint.beginPath();
      if (does === "turn") paint.arc(...place, 6 * pixel, 0, 7);
      else paint.rect(place[0] - 6 * pixel, place[1] - 6 * pixel, 12 * pixel, 12 * pixel);
      paint.fillStyle = "#fff";
      paint.fill();
      paint.stroke();
    }
    if (this.drag?.does === "sweep") {
      const [[a, b], [c, d]] = [this.drag.from, this.drag.to];
      paint.fillStyle = "rgba(0, 90, 140, .12)";
      paint.fillRect(Math.min(a, c), Math.min(b, d), Math.abs(a - c), Math.abs(b - d));
    }
  }

  // Pointers --------------------------------------------------------------------------------------------------------

  press(event) {
    this.acts.over();
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const from = this.room.toRoom(event.clientX, event.clientY);
    const begun = { from, to: from, client: [event.clientX, event.clientY], last: [0, 0], far: false };
    if (this.fingers.size > 1) {
      this.drag = { ...begun, does: "pinch", apart: this.apart() };
      return;
    }
    const handle = this.handles().find(({ place }) => this.pixels(place, event) <= NEAR);
    if (handle) {
      this.drag = { ...begun, ...handle };
      return;
    }
    const state = this.state();
    const found = this.under(from);
    // What is chosen already is kept: several are moved by one of them.
    const key = found.find((one) => state.chosen.includes(one)) ?? found[0];
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    if (key && (more || !state.chosen.includes(key))) this.acts.choose(key, more);
    const lead = this.state().item(key);
    this.drag = { ...begun, does: key ? "move" : more ? "sweep" : "pan", key, start: lead && this.state().place(lead).map((value) => this.state().number(value)) };
  }

  pixels(place, event) {
    const [x, y] = this.room.toScreen(place);
    const box = this.canvas.getBoundingClientRect();
    return Math.hypot(event.clientX - box.left - x, event.clientY - box.top - y);
  }

  apart() {
    const [one, other] = this.fingers.values();
    return Math.hypot(one[0] - other[0], one[1] - other[1]);
  }

  pull(event) {
    const { drag } = this;
    if (!drag || !this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (drag.does === "pinch") {
      const apart = this.apart();
      this.zoom(apart / drag.apart, event.clientX, event.clientY);
      drag.apart = apart;
      return;
    }
    drag.far ||= Math.hypot(event.clientX - drag.client[0], event.clientY - drag.client[1]) > 3;
    if (!drag.far) return;
    drag.to = this.room.toRoom(event.clientX, event.clientY);
    this[`pull_${drag.does}`](drag);
  }

  pull_pan(drag) {
    this.pan(drag.from[0] - drag.to[0], drag.from[1] - drag.to[1]);
  }

  pull_sweep() {
    this.draw();
  }

  // What is dragged comes to lie on the grid along the way that it is dragged; across it, it stays as it was.
  pull_move(drag) {
    const by = [0, 1].map((axis) => {
      const way = drag.to[axis] - drag.from[axis];
      if (!this.snaps) return way;
      return Math.abs(way) < this.grid / 2 ? 0 : Math.round((drag.start[axis] + way) / this.grid) * this.grid - drag.start[axis];
    });
    this.step(drag, by, "moved");
  }

  pull_size(drag) {
    const [c, s] = [Math.cos(drag.angle), Math.sin(drag.angle)];
    const [x, y] = [drag.to[0] - drag.from[0], drag.to[1] - drag.from[1]];
    const on = (value) => (this.snaps ? Math.round(value / this.grid) * this.grid : value);
    this.step(drag, [on(2 * (x * c + y * s)), on(-2 * (y * c - x * s))], "resized");
  }

  pull_turn(drag) {
    const state = this.state();
    const [x, y] = state.place(state.item(drag.key)).map((value) => state.number(value));
    const now = ((Math.atan2(drag.to[1] - y, drag.to[0] - x) - Math.PI / 2 - drag.angle) * 180) / Math.PI;
    this.step(drag, [this.snaps ? Math.round(now / TURN) * TURN : now, 0], "turned");
  }

  // Do the part of a drag that is not yet done.
  step(drag, by, act) {
    const rest = [by[0] - drag.last[0], by[1] - drag.last[1]];
    if (!rest[0] && !rest[1]) return;
    drag.last = by;
    this.acts[act](act === "turned" ? rest[0] : rest, drag.key);
  }

  release(event) {
    const { drag } = this;
    this.fingers.delete(event.pointerId);
    this.drag = null;
    if (!drag) return;
    if (drag.does === "sweep" && drag.far) {
      const inside = (key) => {
        const [x, y] = this.extent(key);
        return (x - drag.from[0]) * (x - drag.to[0]) <= 0 && (y - drag.from[1]) * (y - drag.to[1]) <= 0;
      };
      this.acts.swept(this.state().keys.filter(inside));
    } else if (drag.does === "pan" && !drag.far) this.acts.choose(null, false);
    else if (drag.far) this.acts.done();
    this.draw();
  }

  // Whether a point of the screen lies on the stage, and where in the room.
  dropped(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    if (clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom) return null;
    return this.room.toRoom(clientX, clientY).map((one) => (this.snaps ? Math.round(one / this.grid) * this.grid : one));
  }
}

// Small pictures of kinds for the palette.
export function pictured(canvas, look, kind) {
  const room = new RoomCanvas(canvas, look);
  const thing = { kind, name: " ", at: [0, 0] };
  room.fit(room.bounds({ things: [thing] }), 0.15 * Math.max(...room.extent(thing).slice(2)));
  room.draw({ things: [thing] }, { triggers: true });
  room.end();
}

