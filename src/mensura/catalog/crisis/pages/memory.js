// Memory: what is open, chosen, scrolled and half written in the office. It outlives acts, new mail and reloads, in this
// window only. What was fetched once, letters and pages, is kept apart from it, since it is large and never changes.
const PAUSE = 150;

export class Memory {
  constructor(name) {
    this.name = `mensura:desk:${name}`;
    this.all = { drafts: {}, scrolls: {}, view: {}, ...read(this.name) };
    this.fetched = read(`${this.name}:fetched`);
    this.timer = null;
    addEventListener("pagehide", () => this.keep());
  }

  keep() {
    clearTimeout(this.timer);
    this.timer = null;
    write(this.name, this.all);
  }

  had(name) {
    return this.fetched[name];
  }

  fetch(name, text) {
    this.fetched[name] = text;
    write(`${this.name}:fetched`, this.fetched);
  }

  soon() {
    this.timer ??= setTimeout(() => this.keep(), PAUSE);
  }

  get(name, otherwise = null) {
    return this.all.view[name] ?? otherwise;
  }

  set(name, value) {
    this.all.view[name] = value;
    this.keep();
  }

  draft(name) {
    return this.all.drafts[name];
  }

  write(name, text) {
    this.all.drafts[name] = text;
    this.soon();
  }

  drop(...names) {
    for (const name of names) delete this.all.drafts[name];
    this.keep();
  }

  scroll(name) {
    return this.all.scrolls[name] ?? [0, 0];
  }

  scrolled(name, left, top) {
    this.all.scrolls[name] = [left, top];
    this.soon();
  }
}

function read(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "{}");
  } catch {
    return {};
  }
}

function write(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* Without room for it the office still works. */ }
}
