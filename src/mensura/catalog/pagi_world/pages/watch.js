// Watching: a room that is played, or was, with a time bar, what agents call and are told, and what goes on in them.
import { Frames } from "./frames.js";
import { number, part } from "./part.js";
import { RoomCanvas } from "./room_canvas.js";
import { senseLayers } from "./senses.js";

const own = document.querySelector(".own");
const given = JSON.parse(own.querySelector(".own-data").textContent);
const root = own.querySelector(".ww");
const find = (name) => root.querySelector(`.ww-${name}`);
const [SOON, LATER] = [80, 2000];
const MOST_WORDS = 200;

class Watch {
  constructor(recording) {
    this.frames = new Frames(recording);
    Object.assign(this, { tick: this.frames.start, playing: false, wide: 40, whole: true });
    this.show = { senses: false, names: false, triggers: false };
    find("all").hidden = false;
    this.canvas = new RoomCanvas(root.querySelector("canvas"), recording.look, { pictures: recording.pictures ?? {} });
    this.canvas.changed = () => this.draw();
    const on = (element, kind, act) => element.addEventListener(kind, act);
    for (const button of root.querySelectorAll("[data-do]")) on(button, "click", () => this.press(button.dataset.do, button));
    on(find("at"), "input", () => this.go(Number(find("at").value)));
    on(root.querySelector(".pw-stage"), "keydown", (event) => this.key(event));
    on(find("speed"), "change", () => control({ want: "speed", speed: this.speed }));
    on(find("speak"), "keydown", (event) => event.key === "Enter" && this.press("speak"));
    this.draw();
  }

  get speed() {
    return Number(find("speed").value);
  }

  press(what, button) {
    const pressed = () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      return on;
    };
    if (what === "play") return this.play(!this.playing);
    if (what === "back" || what === "on") return this.step(what === "on" ? 1 : -1);
    if (what === "near" || what === "far") this.wide *= what === "near" ? 1 / 1.3 : 1.3;
    if (what === "whole") this.whole = pressed();
    if (what in this.show) this.show[what] = pressed();
    if (what === "hold") control({ want: pressed() ? "hold" : "go" });
    if (what === "tick") control({ want: "tick" });
    if (what === "speak" && find("speak").value.trim()) {
      control({ want: "speak", text: find("speak").value.trim() });
      find("speak").value = "";
    }
    this.draw();
  }

  key(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    if (event.key === " ") this.play(!this.playing);
    else if (event.key in steps) this.step(steps[event.key]);
    else if (event.key === "Home" || event.key === "End") this.go(event.key === "End" ? this.frames.end : this.frames.start);
    else return;
    event.preventDefault();
  }

  step(way) {
    this.play(false);
    const { frames } = this;
    const i = frames.number(this.tick) + way;
    this.go(frames.all[Math.min(Math.max(i, 0), frames.all.length - 1)].tick);
  }

  go(tick) {
    this.following = false;
    this.tick = tick;
    this.draw();
  }

  play(playing) {
    if (playing && this.tick >= this.frames.end) {
      if (this.live) this.following = true;
      else this.tick = this.frames.start;
    }
    if (!playing) this.following = false;
    this.playing = playing;
    this.last = performance.now();
    if (playing) requestAnimationFrame((now) => this.pass(now));
    this.draw();
  }

  // Time passes at the speed that is chosen; what is live is shown as soon as it is known.
  pass(now) {
    if (!this.playing) return;
    const { frames } = this;
    // A window that was hidden for a while does not leap.
    const passed = Math.min(100, now - this.last) / 1000;
    this.last = now;
    this.tick = this.following ? frames.end : Math.min(this.tick + passed * frames.given.rate * this.speed, frames.end);
    if (this.tick >= frames.end) {
      if (this.live) this.following = true;
      else this.playing = false;
    }
    this.draw();
    requestAnimationFrame((later) => this.pass(later));
  }

  // More of what goes on: another room begins anew.
  more(recording) {
    if (recording.look) {
      this.canvas.pictures = recording.pictures;
      const { words } = this.frames;
      this.frames = new Frames(recording);
      // Another room has begun: what was said before stays.
      this.frames.words.unshift(...words.map((word) => ({ ...word, tick: -1 })));
      this.tick = this.following ? this.frames.end : this.frames.start;
    } else this.frames.add(recording);
    if (!this.playing) this.draw();
  }

  // The same session once more, as it stands now; who looks at its end stays there.
  renew(recording) {
    const last = this.tick >= this.frames.end;
    this.frames = new Frames(recording);
    this.go(last ? this.frames.end : Math.min(this.tick, this.frames.end));
  }

  draw() {
    const { frames, canvas } = this;
    const scene = frames.at(this.tick);
    if (this.whole) canvas.fit(canvas.bounds(scene));
    else canvas.follow(scene.agents[0].at, this.wide, this.playing ? 0.2 : 1);
    canvas.draw(scene, { grid: 5, names: this.show.names, triggers: this.show.triggers, ...(this.show.senses ? this.layers(scene) : {}) });
    this.tell(scene);
  }

  layers(scene) {
    const { fields, spots } = frames0(this.frames.given);
    const made = scene.agents.map((agent) => senseLayers({ fields, spots, touch: scene.inner[agent.role].touch }, agent));
    const all = (name) => (paint) => made.forEach((layers) => layers[name](paint));
    return { under: all("under"), over: all("over") };
  }

  tell(scene) {
    const { frames } = this;
    const [succeeded, endorphins] = scene.state;
    find("tick").textContent = scene.tick;
    find("seconds").textContent = `${number(scene.tick / frames.given.rate, 2)} of ${number(frames.given.limit / frames.given.rate, 0)}`;
    find("endorphins").textContent = Object.values(endorphins).map((one) => number(one, 0)).join(", ");
    find("state").textContent = { true: "solved", false: "over, not solved", null: "open" }[String(succeeded)];
    const bar = find("at");
    [bar.min, bar.max] = [frames.start, Math.max(frames.end, frames.start + 1)];
    bar.value = this.tick;
    bar.setAttribute("aria-valuetext", `tick ${scene.tick}`);
    root.querySelector("[data-do=play]").textContent = this.playing ? "Pause" : "Play";
    root.dataset.tick = scene.tick;
    if (this.inner !== scene.inner) this.tellAgents(scene);
    this.tellWords(scene.tick);
  }

  tellAgents(scene) {
    this.inner = scene.inner;
    const list = (title, items) => [part("p", {}, part("b", {}, title), items.length ? "" : " none"), part("ul", {}, ...items.map((item) => part("li", {}, item)))];
    const shown = Object.entries(scene.inner).map(([role, { states, reflexes, firings, touch }]) => {
      const felt = Object.entries(touch).map(([code, values]) => `${code} ${values[7]}${values[1] ? ` (${values[1]}°)` : ""}`);
      return part("article", {}, part("h3", {}, role), ...list("States", states), ...list(`Reflexes (fired ${firings} times)`, reflexes), part("p", {}, part("b", {}, "Touches"), ` ${felt.join(", ") || "nothing"}`));
    });
    find("agents").replaceChildren(...shown);
  }

  tellWords(tick) {
    const { words } = this.frames;
    let end = words.length;
    while (end && words[end - 1].tick > tick) end -= 1;
    if (this.told === words[end - 1] && this.toldOf === words) return;
    [this.told, this.toldOf] = [words[end - 1], words];
    const rows = words.slice(Math.max(0, end - MOST_WORDS), end).map(({ tick: at, role, way, text }) => part("li", { class: way === ">" ? "out" : "in" }, `${at} ${role} ${way === ">" ? "→" : "←"} ${text}`));
    find("words").replaceChildren(...rows);
    find("words").scrollTop = find("words").scrollHeight;
  }
}

// Fields of vision whose points are shown, without what is seen there: the room itself is to be seen.
function frames0(of) {
  of.bare ??= Object.fromEntries(Object.entries(of.fields).map(([name, field]) => [name, { ...field, seen: [["", "", [0, 0, 0]]], points: Array.from({ length: field.size[0] * field.size[1] }, () => 0) }]));
  return { fields: of.bare, spots: of.spots };
}

let watch = null;

function say(words) {
  find("say").textContent = words;
}

async function ask(asked) {
  try {
    const body = new URLSearchParams({ csrf: own.dataset.csrf ?? "", asked: JSON.stringify(asked) });
    const said = await fetch(own.dataset.address ?? location.href, { method: "POST", body, credentials: "same-origin" });
    return await said.json();
  } catch {
    return { fault: "Nobody answers any more; what was seen stays here." };
  }
}

async function control(asked) {
  if (!given.live) return;
  const said = await ask(asked);
  if (said.fault) say(said.fault);
}

function take(recording) {
  if (watch) return watch.more(recording);
  watch = new Watch(recording);
  watch.live = Boolean(given.live);
  watch.following = watch.live;
  if (watch.live) watch.play(true);
}

// A served room is asked for what is new, again and again.
async function follow() {
  const since = watch ? watch.frames.first + watch.frames.all.length : 0;
  const said = await ask({ want: "frames", since, said: watch?.frames.said ?? 0 });
  say(said.fault ?? said.say ?? "");
  if (said.look || (watch && (said.frames?.length || said.words?.length))) take(said);
  if (!said.fault) setTimeout(follow, SOON);
}

// A session of the laboratory is shown from its log, and looked at again while it goes on.
async function lookAt(session, seen = null) {
  const said = await ask({ session, seen });
  if (said.fault) return say(said.fault);
  if (said.recording) {
    if (watch) watch.renew(said.recording);
    else take(said.recording);
    say(said.over ? "" : "This session is under way.");
  }
  root.dataset.over = said.over ?? root.dataset.over;
  if (root.dataset.over !== "true") setTimeout(() => lookAt(session, said.seen), LATER);
}

if (given.recording) take(given.recording);
else if (given.live) {
  find("live").hidden = false;
  follow();
} else {
  const session = new URLSearchParams(location.search).get("session");
  find("find").hidden = Boolean(session);
  if (session) lookAt(session);
  find("find").addEventListener("submit", (event) => {
    event.preventDefault();
    lookAt(find("session").value.trim());
  });
}
root.dataset.ready = "";
