// Memory: what is open, chosen, scrolled and half written in the office. It outlives acts, new mail and reloads; each
// window has its own, and one that is opened when the last was closed goes on with what that one held. What was fetched
// once, letters and pages, is kept apart from it, in this window only, since it is large and can be had again.
const PREFIX = "mensura:desk:";
const PAUSE = 150;
const DAY = 86400000;

export class Memory {
  constructor(name) {
    this.name = `${PREFIX}${name}`;
    forgetOld();
    this.all = { drafts: {}, scrolls: {}, view: {}, ...(read(sessionStorage, this.name) ?? read(localStorage, this.name)) };
    this.fetched = read(sessionStorage, `${this.name}:fetched`) ?? {};
    this.timer = null;
    addEventListener("pagehide", () => this.keep());
  }

  keep() {
    clearTimeout(this.timer);
    this.timer = null;
    write(sessionStorage, this.name, this.all);
    write(localStorage, this.name, { ...this.all, kept: Date.now() });
  }

  had(name) {
    return this.fetched[name];
  }

  fetch(name, text) {
    this.fetched[name] = text;
    write(sessionStorage, `${this.name}:fetched`, this.fetched);
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

function read(storage, name) {
  try {
    return JSON.parse(storage.getItem(name));
  } catch {
    return null;
  }
}

function write(storage, name, value) {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch { /* Without room for it the office still works. */ }
}

// Others may sit at this computer tomorrow.
function forgetOld() {
  for (const name of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
    if (!(read(localStorage, name)?.kept > Date.now() - DAY)) localStorage.removeItem(name);
  }
}
