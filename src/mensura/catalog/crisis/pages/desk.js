// The desk: the office in a window. It stays while asks come and go; every act is one answer, and what the world says
// to it comes back with the next ask.
import { h } from "./element.js";
import { Memory } from "./memory.js";
import { Office } from "./office.js";
import { startFace } from "./face.js";
import { keepPlace, putBack } from "./place.js";
import { sure } from "./sure.js";
import { views } from "./views.js";

const desks = new WeakMap();
const PATIENCE = 250;
const LATER = 1000;
const LATE = 5000;
const BEHIND = "That was not taken: something else was done meanwhile, in another window. Look again, and repeat it if you still want it.";

export default function enhance(element, context) {
  const desk = desks.get(element);
  if (desk) desk.renew(context);
  else if (element.querySelector(".desk")) desks.set(element, new Desk(element, context));
}

class Desk {
  constructor(element, context) {
    this.element = element;
    this.root = element.querySelector(".desk");
    const main = element.closest("main");
    this.memory = new Memory(`${main?.dataset.link ?? location.pathname}:${main?.dataset.step ?? ""}`);
    this.busy = false;
    this.held = false;
    this.pending = null;
    this.take(context);
    this.greet();
    this.parts = { nav: this.root.querySelector(".desk-nav"), view: this.root.querySelector(".desk-view") };
    this.listen();
    this.draw();
  }

  // Everyone who comes in is greeted. In a playback everything is as it was for the one who did it.
  greet() {
    const said = this.data.said ?? { words: "", ok: true };
    const shownElsewhere = said.data?.page || said.data?.body !== undefined;
    const fresh = !this.context.form || this.data.now === 0;
    this.say(shownElsewhere || !fresh ? "" : said.words, said.ok);
    if (!this.context.form && said.data?.body !== undefined) {
      this.memory.set("view", "mail");
      this.memory.set("message", said.data.message);
    }
  }

  take(context) {
    this.context = context;
    this.data = context.data;
    this.office = new Office(context.data);
    if (this.data.pdf && !this.memory.had("pdf")) this.memory.fetch("pdf", this.data.pdf);
    this.tools = new Set(context.form ? this.data.tools ?? [] : []);
    this.stopFace?.();
    this.stopFace = startFace(this);
    this.awaitMail();
  }

  // The world moves when something is done in it. A person who only reads does nothing in it for a moment when mail is due.
  awaitMail() {
    clearTimeout(this.alarm);
    const due = this.data.next;
    if (due === null || due === undefined || !this.can("wait")) return;
    const base = Number(this.context.visit?.ask?.dataset.base ?? this.office.now);
    const look = () => {
      if (!this.root.isConnected) return;
      if (this.busy) this.alarm = setTimeout(look, LATER);
      else this.act("wait", { seconds: 0 }, { silent: true });
    };
    // Mail that did not come when it was due is not asked for without pause.
    const again = due === this.due;
    this.due = due;
    this.alarm = setTimeout(look, again && due <= base ? LATE : Math.max(0, due - base) * 1000 + PATIENCE);
  }

  // A new ask: what came of the act that was on its way, or what happened meanwhile.
  renew(context) {
    const { pending } = this;
    const number = context.visit?.ask?.dataset.ask;
    this.take(context);
    this.free();
    this.pending = null;
    if (pending && !pending.silent) {
      const taken = number !== pending.number && !context.note;
      const said = this.data.said ?? { ok: true, words: "" };
      if (taken && said.ok) this.memory.drop(...pending.clear);
      if (taken) this.say(pending.quiet && said.ok ? "" : said.words, said.ok);
      else this.say(number === pending.number ? context.note : BEHIND, false);
      if (taken) pending.after?.(said);
      this.draw();
    } else {
      if (context.note && !pending) this.say(context.note, false);
      this.announceMail();
      if (this.held) this.late = true;
      else this.draw();
    }
    const next = this.queued;
    this.queued = null;
    if (next) this.act(...next);
  }

  announceMail() {
    const fresh = this.data.new ?? [];
    if (fresh.length) this.say(fresh.length === 1 ? `New mail: ${fresh[0].subject}` : `${fresh.length} new messages`, true);
  }

  // Whether hands are free: what the page does by itself is in nobody's way.
  get idle() {
    return !this.busy || Boolean(this.pending?.silent && !this.queued);
  }

  can(tool) {
    return this.tools.has(tool);
  }

  // Do something. `clear` names drafts that are done with when the world agrees; `after` is called with what it said.
  // `quiet`: what is said is shown elsewhere.
  act(call, given = {}, { clear = [], after = null, quiet = false, silent = false } = {}) {
    if (!this.can(call)) return;
    if (this.busy) {
      if (this.idle) this.queued = [call, given, { clear, after, quiet }];
      return;
    }
    this.busy = true;
    if (!silent) this.root.setAttribute("aria-busy", "true");
    this.pending = { number: this.context.visit?.ask?.dataset.ask, clear, after, quiet, silent };
    this.memory.keep();
    this.context.submit({ answer: JSON.stringify({ call, arguments: given }), unasked: silent ? "yes" : "" });
    clearInterval(this.watch);
    // Where the server could not take it at all, the page says so itself and work goes on.
    this.watch = setInterval(() => {
      if (!this.context.visit.busy && !this.waiting) {
        this.pending = null;
        this.free();
      }
    }, PATIENCE);
  }

  free() {
    clearInterval(this.watch);
    this.busy = false;
    this.waiting = false;
    this.root.removeAttribute("aria-busy");
    this.root.removeAttribute("data-waiting");
  }

  say(words, ok) {
    const place = this.root.querySelector(".desk-said");
    const [first, ...more] = (words ?? "").split("\n");
    place.replaceChildren(
      first,
      ...(more.length ? [h("details", {}, h("summary", {}, "More"), h("div", { class: "body" }, more.join("\n")))] : []),
    );
    place.classList.toggle("bad", !ok);
  }

  // Go somewhere in the office: a view, and what is open in it.
  go(view, open = {}, { focus = "" } = {}) {
    this.memory.set("view", view);
    // A question that was left open is not answered somewhere else.
    this.memory.set("sure", null);
    for (const [name, value] of Object.entries(open)) this.memory.set(name, value);
    this.draw(focus);
    scrollTo({ top: 0 });
    if (focus) document.activeElement.scrollIntoView({ block: "nearest" });
  }

  open(name, value, { focus = "" } = {}) {
    this.memory.set(name, value);
    this.draw(focus);
  }

  // A field whose text is kept from the first letter on.
  field(tag, name, attributes = {}, otherwise = "", ...children) {
    const keep = (event) => {
      this.memory.write(name, event.target.type === "checkbox" ? event.target.checked : event.target.value);
      attributes.changed?.(event.target);
    };
    const more = { ...attributes, changed: undefined };
    const kept = this.memory.draft(name);
    const given = attributes.type === "checkbox" ? { checked: kept ?? otherwise } : { value: kept ?? otherwise };
    return h(tag, { ...more, "data-place": name, autocomplete: "off", oninput: keep, ...given }, ...children);
  }

  value(name, otherwise = "") {
    return this.memory.draft(name) ?? otherwise;
  }

  button(words, act, attributes = {}) {
    return h("button", { type: "button", ...attributes, onclick: (event) => { if (this.idle) act(event); } }, words);
  }

  form(act, attributes, ...children) {
    const send = (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (this.idle) act(event.target);
    };
    return h("form", { novalidate: true, ...attributes, onsubmit: send }, ...children);
  }

  listen() {
    const { root } = this;
    this.element.addEventListener("wait", () => {
      this.waiting = true;
      // Until something is asked of this person again, nothing can be done here.
      this.busy = true;
      root.querySelector(".desk-wait").textContent = this.can("accept") ? "The assistant is working …" : "One moment …";
      root.setAttribute("data-waiting", "");
    });
    root.addEventListener("scroll", (event) => {
      const name = event.target.dataset?.scroll;
      if (name) this.memory.scrolled(name, event.target.scrollLeft, event.target.scrollTop);
    }, { capture: true, passive: true });
    // New mail never takes away what a hand is on.
    const hold = () => { this.held = true; };
    const release = () => setTimeout(() => {
      this.held = document.activeElement?.tagName === "SELECT" && root.contains(document.activeElement);
      if (this.held || !this.late) return;
      this.late = false;
      this.draw();
    });
    for (const name of ["pointerdown", "compositionstart"]) root.addEventListener(name, hold);
    for (const name of ["compositionend", "change", "focusout"]) root.addEventListener(name, release);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, release);
    root.addEventListener("focusin", (event) => { if (event.target.tagName === "SELECT") hold(); });
  }

  draw(focus = "") {
    this.late = false;
    const before = keepPlace(this.root);
    if (focus) [before.name, before.caret] = [focus, null];
    const all = views.filter((view) => !view.shown || view.shown(this));
    const wanted = this.memory.get("view", all[0].name);
    const view = all.find((each) => each.name === wanted) ?? all[0];
    this.root.dataset.view = view.name;
    this.parts.nav.replaceChildren(...all.map((each) => this.tab(each, each === view)), this.leave());
    this.parts.view.replaceChildren(h("h2", { class: "unseen" }, view.title), view.draw(this));
    this.parts.nav.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    putBack(this.root, before, this.memory);
  }

  leave() {
    if (!this.can("finish")) return "";
    return h("div", { class: "leave-office" }, sure(this, "finish", "Finish and leave", () => this.brief(() => this.act("finish"))));
  }

  // A briefing that is written and not sent is no less written: it goes off when one leaves, and before the time is up.
  brief(then = () => {}) {
    const text = this.value("briefing").trim();
    const unsent = text && text !== this.office.briefing.trim() && this.can("brief");
    if (!unsent) then();
    else if (this.idle) this.act("brief", { text }, { after: then, quiet: true });
  }

  tab(view, here) {
    const count = view.count?.(this);
    return h("button", {
      type: "button", class: "desk-tab", "data-place": `tab:${view.name}`, "aria-current": here ? "page" : null,
      onclick: () => {
        // What was wrong elsewhere is not wrong here.
        if (!here && this.root.querySelector(".desk-said.bad")) this.say("", true);
        this.go(view.name);
      },
    }, view.title, count ? h("b", { class: "count" }, String(count)) : null);
  }
}
