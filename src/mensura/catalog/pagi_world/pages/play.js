// Playing: the page answers several times a second with what the keys call in the ticks that come. The room moves only by
// these answers: who is away, or has a slow line, loses no time, and the record replays as that of any subject.
import { GAME_KEYS, HeldKeys } from "./keys.js";
import { between, number, part } from "./part.js";
import { RoomCanvas } from "./room_canvas.js";
import { senseLayers, sensesInWords } from "./senses.js";

const plays = new WeakMap();
// Ticks of an answer: fifteen answers a second are well within what a link may ask. A late one takes more.
const [TICKS, MOST_TICKS, BEHIND] = [4, 16, 250];
const WARN_TICKS = 60;
const [NEAREST, FARTHEST] = [8, 160];
const MOST_MESSAGES = 200;
const TOLD_FOR = 4000;
// How long others may take before it is said that they are waited for, in milliseconds.
const PATIENCE = 1000;
const WAITS = "Waiting for the others.";

export default function enhance(element, context) {
  const play = plays.get(element);
  if (play) play.take(context);
  else if (element.querySelector(".pw")) plays.set(element, new Play(element, context));
}

class Play {
  constructor(element, context) {
    this.root = element.querySelector(".pw");
    this.find = (name) => this.root.querySelector(`.pw-${name}`);
    this.keys = new HeldKeys();
    this.calls = [];
    this.going = false;
    this.due = 0;
    // Less of the room on a phone, so that hands can be told from things.
    this.wide = this.find("stage").clientWidth > 600 ? 40 : 24;
    this.overlay = false;
    this.canvas = new RoomCanvas(this.root.querySelector("canvas"), context.data.look);
    this.canvas.changed = () => this.draw();
    this.listen();
    this.take(context);
    this.find("stage").focus({ preventScroll: true });
  }

  listen() {
    const { root, keys } = this;
    root.addEventListener("keydown", (event) => this.key(event, true));
    root.addEventListener("keyup", (event) => this.key(event, false));
    for (const button of root.querySelectorAll("[data-do]")) button.addEventListener("click", () => this.press(button.dataset.do, button));
    for (const button of root.querySelectorAll("[data-key]")) {
      const code = button.dataset.key;
      button.addEventListener("pointerdown", (event) => {
        if (event.isPrimary || event.pointerType === "touch") keys.press(code);
        // A second finger must not end what the first holds.
        button.releasePointerCapture?.(event.pointerId);
      });
      for (const kind of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(kind, () => keys.release(code));
      // By the keyboard a button is a short press.
      button.addEventListener("click", (event) => {
        if (event.detail) return;
        keys.press(code);
        keys.release(code);
      });
      button.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    for (const button of root.querySelectorAll("[data-grip]")) {
      button.addEventListener("click", () => keys.grip(button.dataset.grip, this.toggle(button)));
    }
    this.find("stage").addEventListener("wheel", (event) => {
      event.preventDefault();
      this.look(event.deltaY > 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
    this.find("say").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.press("say");
    });
    // Others who play too have not let time go on yet.
    root.closest(".own").addEventListener("wait", () => {
      clearTimeout(this.lonely);
      this.lonely = setTimeout(() => this.say(WAITS), PATIENCE);
    });
    document.addEventListener("visibilitychange", () => document.hidden && this.go(false));
    window.addEventListener("blur", () => keys.clear());
  }

  toggle(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    return on;
  }

  key(event, down) {
    const own = event.target.closest("input, select, textarea");
    if (own || event.ctrlKey || event.metaKey || event.altKey) return;
    const button = event.target.closest("button, summary");
    if (button && (event.code === "Space" || event.code === "Enter")) return;
    if (down && !event.repeat) this.shortcut(event.code);
    if (!GAME_KEYS.has(event.code)) return;
    event.preventDefault();
    if (down) this.keys.press(event.code);
    else this.keys.release(event.code);
  }

  shortcut(code) {
    if (code === "KeyV") this.press("senses", this.root.querySelector("[data-do=senses]"));
    if (code === "Escape") this.go(false, true);
    if (code === "Backquote") this.find("console").open = !this.find("console").open;
    if (code === "KeyM") this.find("kind")?.focus();
  }

  press(what, button) {
    const { data } = this;
    if (what === "go" || what === "pause") return this.go(what === "go", true);
    if (what === "strong") this.keys.strong = this.toggle(button);
    if (what === "near" || what === "far") this.look(what === "near" ? 1 / 1.3 : 1.3);
    if (what === "whole") this.whole = this.toggle(button);
    if (what === "senses") this.overlay = this.toggle(button);
    if (what === "say" && this.find("say").value.trim()) {
      this.call(["say", this.find("say").value.trim(), null, null, null, null]);
      this.find("say").value = "";
    }
    const [x, y] = data.scene.agents.find((agent, i) => data.view === "senses" || i === data.which).at;
    if (what === "drop") this.call(["dropItem", this.find("kind").value, x, y + 4, null]);
    if (what === "reset") this.call(["reset"]);
    this.draw();
  }

  look(factor) {
    this.wide = Math.min(Math.max(this.wide * factor, NEAREST), FARTHEST);
    this.draw();
  }

  // What is called apart from keys is done with the next answer; while time stands still, at once.
  call(row) {
    this.calls.push(row);
    if (!this.going) this.answer();
  }

  go(going, pressed = false) {
    if (going === this.going) return;
    this.going = going;
    this.keys.clear();
    const [start, stop] = ["go", "pause"].map((name) => this.root.querySelector(`[data-do=${name}]`));
    [start.hidden, stop.hidden] = [going, !going];
    if (going) {
      this.say("");
      // On a small screen the room matters more than what was read already.
      this.find("words").open = false;
      this.due = performance.now();
      this.animate();
    }
    if (pressed) (going ? this.find("stage") : start).focus({ preventScroll: true });
    // On a phone the room and the buttons below it fill the screen.
    if (going && this.root.offsetHeight > window.innerHeight) this.find("bar").scrollIntoView();
    this.plan();
  }

  // A new ask: what was called has been done, and the room stands still again.
  take(context) {
    const before = this.data;
    this.context = context;
    this.data = context.data;
    this.answered = false;
    clearTimeout(this.lonely);
    if (this.find("say-it").textContent === WAITS) this.say("");
    this.canvas.look = this.data.look;
    this.canvas.pictures = this.data.pictures ?? {};
    if (before && this.data.tick > before.tick) {
      this.past = before.scene;
      this.came = performance.now();
      this.lasts = ((this.data.tick - before.tick) / this.data.rate) * 1000;
    }
    if (before?.words !== this.data.words) this.ask();
    this.hear();
    this.show();
    if (!this.going) this.draw();
    if (this.calls.length && !this.going) this.answer();
    this.plan();
  }

  plan() {
    clearTimeout(this.timer);
    if (!this.going || !this.context.form || this.answered) return;
    if (this.context.form.closest("[data-left]")) return this.halt("This room goes by the clock on the wall; people play with --pace counted.");
    if (!this.data.scene) return this.halt("People play rooms without --stride.");
    const left = this.data.limit - this.data.tick;
    if (!this.warned && left <= WARN_TICKS && this.data.questions.some((one) => one.given === null)) {
      this.warned = true;
      this.halt("The room is about to end. Answer the question first, then go on.");
      return this.find("question").querySelector("button, input").focus();
    }
    this.timer = setTimeout(() => this.answer(), Math.max(0, this.due - performance.now()));
  }

  halt(words) {
    this.go(false);
    this.say(words);
  }

  answer() {
    if (this.answered || !this.context.form || !this.root.isConnected) return;
    this.answered = true;
    const rows = this.calls;
    this.calls = [];
    if (this.going) {
      const { rate } = this.data;
      const late = Math.floor(((performance.now() - this.due) * rate) / 1000);
      const ticks = Math.min(TICKS + Math.max(late, 0), MOST_TICKS);
      rows.push(...this.keys.script(ticks));
      // What came too late is not made up for.
      this.due = Math.max(this.due + (1000 * ticks) / rate, performance.now() - BEHIND);
    }
    this.context.submit({ answer: JSON.stringify(rows) });
  }

  say(words) {
    this.find("say-it").textContent = words;
  }

  // Replies are messages; what was heard or earned is said over the room too.
  hear() {
    for (const [kind, ...rest] of this.data.replies) {
      const words = { heard: () => `${rest[0]}: ${rest[1]}`, SC: () => `You hear: ${rest[0]}`, RD: () => `${rest[0] > 0 ? "+" : "−"}${Math.abs(rest[0])} endorphins`, TB: () => `${rest[0]}: ${rest[1]}`, errorMsg: () => `Not done: ${rest[0]}` }[kind]?.();
      if (!words) continue;
      const list = this.root.querySelector(".pw-console ol");
      list.append(part("li", {}, `${number(this.data.tick / this.data.rate)} s: ${words}`));
      if (list.children.length > MOST_MESSAGES) list.firstChild.remove();
      this.find("told").replaceChildren(part("span", {}, words));
      clearTimeout(this.fade);
      this.fade = setTimeout(() => this.find("told").replaceChildren(), TOLD_FOR);
    }
  }

  // Questions of the room: the first answer counts.
  ask() {
    const boxes = this.data.questions.map((one) => {
      const give = (answer) => {
        this.call(["answerQuestion", one.key, answer]);
        box.disabled = true;
        box.querySelector("p").textContent = `Your answer: ${answer}`;
      };
      const choices = one.options.map((option) => button(option, () => give(option)));
      const text = part("input", { type: "text", "aria-label": one.text, maxlength: 200 });
      const free = [text, button("Answer", () => text.value.trim() && give(text.value.trim()))];
      const given = one.given === null ? "The first answer counts." : `Your answer: ${one.given}`;
      const box = part("fieldset", { class: "pw-question" }, part("legend", {}, one.text), part("div", { class: "pw-bar" }, ...(choices.length ? choices : free)), part("p", { class: "soft" }, given));
      box.disabled = one.given !== null;
      return box;
    });
    this.find("questions").replaceChildren(...boxes);
  }

  show() {
    const { data, root } = this;
    root.querySelector("[data-left=time]").textContent = number((data.limit - data.tick) / data.rate);
    root.querySelector("[data-left=endorphins]").textContent = number(data.endorphins, 0);
    if (data.senses) this.find("feel").textContent = sensesInWords(data.senses);
    root.dataset.tick = data.tick;
  }

  animate() {
    if (!this.root.isConnected) return this.canvas.end();
    this.draw();
    if (this.going) requestAnimationFrame(() => this.animate());
  }

  draw() {
    const { data, canvas } = this;
    if (!data.scene) return;
    const share = this.going && this.came ? Math.min((performance.now() - this.came) / this.lasts, 1) : 1;
    const scene = between(this.past, data.scene, share);
    const sensing = data.view === "senses";
    const own = scene.agents[sensing ? 0 : data.which];
    if (this.whole && !sensing) canvas.fit(canvas.bounds(data.scene));
    // What is seen lies above the body.
    else canvas.follow([own.at[0], own.at[1] + (sensing ? 6 : 2)], this.wide, this.going ? 0.25 : 1);
    const layers = sensing || this.overlay ? senseLayers(data.senses, own, { whole: sensing }) : {};
    canvas.draw(scene, { grid: 5, ...layers });
  }
}

function button(words, act) {
  const made = part("button", { type: "button", class: "light" }, words);
  made.addEventListener("click", act);
  return made;
}
