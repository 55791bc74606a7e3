// Playing: frames are shown at the console's pace, and what is held in each is answered a stretch at a time. The game
// moves only by these answers: who pauses, looks away or has a slow line loses no time, and the record replays.
const plays = new WeakMap();
const KEYS = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
  KeyW: "up", KeyS: "down", KeyA: "left", KeyD: "right", Space: "fire", Enter: "fire",
};
// Frames that may wait to be shown; of more, the oldest are passed over.
const MOST_WAITING = 2;
// What a clock may be behind before time is let go, in milliseconds: a browser that slept does not catch up.
const SLEPT = 250;

export default function enhance(element, context) {
  const play = plays.get(element);
  if (play) return play.take(context);
  if (element.querySelector(".play")) plays.set(element, new Play(element, context));
}

// The name of the action for what is held, such as "uprightfire"; opposite ways cancel each other out.
export function actionOf(held, names) {
  const ways = new Set([...held].flatMap((one) => ["up", "down", "left", "right", "fire"].filter((way) => one.includes(way))));
  for (const [one, other] of [["up", "down"], ["left", "right"]]) {
    if (ways.has(one) && ways.has(other)) [one, other].forEach((way) => ways.delete(way));
  }
  const wanted = ["up", "down", "right", "left", "fire"].filter((way) => ways.has(way)).join("") || "noop";
  // A game that does not know both ways at once takes the part of it that it knows.
  const parts = [wanted, wanted.replace("fire", ""), wanted.includes("fire") ? "fire" : "noop"];
  return Math.max(0, names.indexOf(parts.find((name) => names.includes(name)) ?? "noop"));
}

class Play {
  constructor(element, context) {
    this.root = element.querySelector(".play");
    this.canvas = this.root.querySelector("canvas");
    this.button = this.root.querySelector("[data-do=go]");
    this.keys = new Set();
    this.fingers = new Map();
    this.frames = [];
    this.done = [];
    this.paused = 0;
    this.stopped = performance.now();
    this.listen();
    this.take(context);
  }

  listen() {
    const { signal } = (this.ends = new AbortController());
    this.button.addEventListener("click", () => this.go(!this.going));
    document.addEventListener("keydown", (event) => this.press(event, true), { signal });
    document.addEventListener("keyup", (event) => this.press(event, false), { signal });
    window.addEventListener("blur", () => this.go(false), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && this.go(false), { signal });
    const touch = this.root.querySelector(".play-touch");
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      touch.addEventListener(kind, (event) => this.touch(event, kind));
    }
  }

  press(event, down) {
    if (!this.root.isConnected) return this.ends.abort();
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (down && !event.repeat && (event.code === "KeyP" || event.code === "Escape")) return this.go(!this.going);
    const way = KEYS[event.code];
    if (!way || !this.going) return;
    event.preventDefault();
    this.keys[down ? "add" : "delete"](way);
  }

  // A finger may slide from one direction to the next.
  touch(event, kind) {
    event.preventDefault();
    const lifted = kind === "pointerup" || kind === "pointercancel";
    if (kind === "pointermove" && !this.fingers.has(event.pointerId)) return;
    const over = lifted ? null : document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-hold]");
    if (lifted) this.fingers.delete(event.pointerId);
    else this.fingers.set(event.pointerId, over?.dataset.hold ?? "");
    if (kind === "pointerdown" && !this.going) this.go(true);
    const held = new Set(this.fingers.values());
    for (const button of this.root.querySelectorAll("[data-hold]")) button.classList.toggle("held", held.has(button.dataset.hold));
  }

  go(going) {
    if (going === Boolean(this.going)) return;
    this.going = going;
    this.button.textContent = going ? "Pause" : "Play on";
    if (!going) {
      this.keys.clear();
      this.fingers.clear();
      this.stopped = performance.now();
      cancelAnimationFrame(this.turn);
      return;
    }
    this.say("");
    this.paused += (performance.now() - this.stopped) / 1000;
    this.due = performance.now();
    this.canvas.focus({ preventScroll: true });
    this.turn = requestAnimationFrame(() => this.run());
  }

  // One step for each frame of the console's clock that has passed.
  run() {
    if (!this.root.isConnected) return this.ends.abort();
    if (!this.going) return;
    const [now, step] = [performance.now(), 1000 / this.data.hertz];
    if (now - this.due > SLEPT) this.due = now;
    // What is held is asked for ahead of the frames by a stretch; while an answer is under way, no further.
    while (this.due <= now && this.done.length < this.data.acts) {
      this.due += step;
      this.done.push(actionOf([...this.keys, ...this.fingers.values()], this.data.actions));
      this.show();
      this.answer();
    }
    if (this.done.length >= this.data.acts) this.due = Math.max(this.due, now);
    this.turn = requestAnimationFrame(() => this.run());
  }

  show() {
    while (this.frames.length > this.data.acts + MOST_WAITING) this.frames.shift();
    const next = this.frames.shift();
    if (next) this.draw(next);
  }

  draw([picture, place]) {
    const [width, height] = this.data.size;
    this.canvas.getContext("2d").drawImage(picture, place * width, 0, width, height, 0, 0, width, height);
  }

  answer() {
    if (this.answered || this.done.length < this.data.acts || !this.context.form) return;
    this.answered = true;
    const numbers = [...this.done.splice(0, this.data.acts), Math.min(Math.ceil(this.paused), 86400)];
    this.paused = 0;
    this.context.submit(Object.fromEntries(numbers.map((number, i) => [`answer.${i}`, String(number)])));
  }

  // What came of the last stretch. Another game waits until its player is ready.
  async take(context) {
    const before = this.data;
    this.context = context;
    this.data = context.data;
    this.answered = false;
    const fresh = before?.number !== this.data.number;
    if (fresh) {
      this.go(false);
      this.done = [];
      this.frames = [];
      this.button.textContent = "Play";
      if (before) this.say(`That game is over: ${this.data.before} points. Press Play for the next.`);
    }
    this.tell();
    const picture = new Image();
    picture.src = this.data.strip;
    await picture.decode();
    const arrived = Array.from({ length: this.data.pictures }, (_, place) => [picture, place]);
    if (fresh) this.draw(arrived[0]);
    else this.frames.push(...arrived);
    this.root.dataset.frame = this.data.frame;
    this.answer();
  }

  tell() {
    const { left } = this.data;
    const shown = { ...this.data, left: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` };
    for (const place of this.root.querySelectorAll("[data-fact]")) place.textContent = String(shown[place.dataset.fact]).replace("-", "−");
  }

  say(words) {
    this.root.querySelector(".play-over").textContent = words;
  }
}
