// Memory: what is open, chosen, scrolled and half written in the office. It outlives acts, new mail and reloads, in this
// window only.
const PAUSE = 150;

export class Memory {
  constructor(name) {
    this.name = `mensura:desk:${name}`;
    this.all = { drafts: {}, scrolls: {}, view: {} };
    this.timer = null;
    try {
      this.all = { ...this.all, ...JSON.parse(sessionStorage.getItem(this.name) ?? "{}") };
    } catch { /* Unreadable or forbidden: begin anew. */ }
    addEventListener("pagehide", () => this.keep());
  }

  keep() {
    clearTimeout(this.timer);
    this.timer = null;
    try {
      sessionStorage.setItem(this.name, JSON.stringify(this.all));
    } catch { /* Without room for it the office still works. */ }
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
