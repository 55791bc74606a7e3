// A person as an agent: what they know, their letters, and what they hand over. Letters stay in the browser, so that a
// page that is opened again still has those that were read before.
import { h } from "./element.js";

const desks = new WeakMap();
const KINDS = ["ok", "nogood", "link", "value"];

export default function enhance(element, context) {
  // A transcript has no form to answer with: it shows the letters as they are.
  if (!context.form) return;
  if (!desks.has(element)) desks.set(element, new Desk(element));
  desks.get(element).take(context);
}

class Desk {
  constructor(element) {
    this.root = element.querySelector(".post");
    this.root.querySelector(".po-plain").remove();
    this.body = h("div", {});
    this.root.append(this.body);
    element.addEventListener("wait", () => this.wait());
  }

  take(context) {
    const { visit, data } = context;
    this.context = context;
    this.share = data.share ?? this.share;
    this.key = `post ${visit.link} ${visit.step} ${this.share.agent}`;
    const past = JSON.parse(localStorage.getItem(this.key) ?? '{"letters":[],"values":{},"seen":[]}');
    const number = visit.ask.dataset.ask;
    if (!past.seen.includes(number)) {
      past.seen.push(number);
      past.letters.push(...data.letters.map((letter) => [data.cycle, ...letter]));
      localStorage.setItem(this.key, JSON.stringify(past));
    }
    Object.assign(this, { past, data, calls: [] });
    this.draw();
  }

  // What a neighbour was last heard to have: the value alone, with a priority, or with the number of a turn.
  heard(agent, variable) {
    const domain = this.share.domains[variable];
    for (const [, from, kind, data] of [...this.past.letters].reverse()) {
      if (from !== agent || (kind !== "ok" && kind !== "value")) continue;
      const value = Array.isArray(data) ? data[kind === "ok" ? 0 : 1] : data;
      if (domain.includes(value)) return domain.indexOf(value);
    }
    return -1;
  }

  draw() {
    const { share, data } = this;
    const aim = { satisfy: "that nothing forbidden is chosen", min: "that all costs together become small", max: "that all gains together become large" }[share.objective];
    this.body.replaceChildren(
      h("p", { class: "po-who" }, "You are agent ", h("b", {}, share.agent), `. Agree with the others on values so ${aim}. Cycle ${data.cycle}.`),
      ...data.refused.map((words) => h("p", { class: "note", role: "alert" }, words)),
      this.mailbox(),
      ...share.variables.map((variable) => this.choice(variable)),
      this.writing(),
      this.handing(),
    );
  }

  mailbox() {
    const line = ([cycle, from, kind, content]) => h("li", {}, h("b", {}, from), ` ${kind} `, h("code", {}, JSON.stringify(content)), h("small", {}, ` cycle ${cycle}`));
    const fresh = this.past.letters.slice(this.past.letters.length - this.data.letters.length);
    const old = this.past.letters.slice(0, this.past.letters.length - this.data.letters.length).reverse();
    const parts = [h("h2", {}, fresh.length ? `New letters: ${fresh.length}` : "No new letters")];
    if (fresh.length) parts.push(h("ul", { class: "po-letters" }, ...fresh.map(line)));
    if (old.length) parts.push(h("details", {}, h("summary", {}, `Read before: ${old.length}`), h("ul", { class: "po-letters" }, ...old.map(line))));
    return h("section", {}, ...parts);
  }

  // One's own values against what neighbours were last heard to have.
  choice(variable) {
    const { share } = this;
    const mine = share.domains[variable];
    const pairs = share.relations.filter(({ scope }) => scope.length === 2 && scope[0] === variable);
    const rest = share.relations.filter(({ scope }) => scope[0] === variable && scope.length !== 2);
    const heads = pairs.map(({ scope }) => {
      const at = this.heard(share.owners[scope[1]], scope[1]);
      const heard = at < 0 ? "unknown" : `= ${share.domains[scope[1]][at]}`;
      return h("th", { scope: "col" }, scope[1], h("small", {}, heard));
    });
    const rows = mine.map((value, i) => {
      const id = `po-${variable}-${i}`;
      const radio = h("input", { type: "radio", name: `po-${variable}`, id, value: i });
      radio.checked = this.past.values[variable] === i;
      radio.addEventListener("change", () => this.assign(variable, i));
      const cells = pairs.map(({ scope, table, hard }) => this.cell(table, hard, i, this.heard(share.owners[scope[1]], scope[1])));
      return h("tr", {}, h("th", { scope: "row" }, h("label", { for: id }, radio, ` ${value}`)), ...cells);
    });
    const table = h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, variable), ...heads)), h("tbody", {}, ...rows));
    const all = [...pairs, ...rest].map((relation) => this.whole(relation));
    return h("section", {}, h("h2", {}, `Your value of ${variable}`), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Values of ${variable}` }, table), h("details", {}, h("summary", {}, `Your constraints in full: ${all.length}`), ...all));
  }

  cell(table, hard, mine, theirs) {
    if (theirs < 0) return h("td", {}, "·");
    const found = table[mine][theirs];
    if (hard) return h("td", { class: found ? "" : "po-no" }, found ? "may be" : "forbidden");
    return h("td", { class: found === null ? "po-no" : "" }, found === null ? "forbidden" : String(found));
  }

  whole({ scope, table, hard }) {
    const rows = [];
    const walk = (part, values) => {
      if (values.length === scope.length) {
        const bad = hard ? !part : part === null;
        if (bad || (!hard && part !== 0)) rows.push(`${values.join(", ")}: ${bad ? "forbidden" : part}`);
      } else part.forEach((inner, i) => walk(inner, [...values, this.share.domains[scope[values.length]][i]]));
    };
    walk(table, []);
    return h("div", {}, h("h3", {}, scope.join(", ")), h("p", { class: "po-tuples" }, rows.slice(0, 200).join("; ") || "nothing is forbidden"));
  }

  assign(variable, i) {
    this.past.values[variable] = i;
    localStorage.setItem(this.key, JSON.stringify(this.past));
    this.calls = this.calls.filter(({ call, arguments: given }) => call !== "assign" || given.variable !== variable);
    this.calls.unshift({ call: "assign", arguments: { variable, value: this.share.domains[variable][i] } });
    this.suggest();
    this.list();
  }

  writing() {
    const { share } = this;
    const boxes = share.neighbours.map((name, i) => {
      const box = h("input", { type: "checkbox", value: name, id: `po-to-${i}` });
      box.checked = true;
      return h("label", { for: `po-to-${i}` }, box, ` ${name}`);
    });
    const others = share.order.filter((name) => name !== share.agent && !share.neighbours.includes(name));
    const more = h("select", {}, h("option", { value: "" }, "nobody else"), ...others.map((name) => h("option", { value: name }, name)));
    const kinds = [...new Set([...this.past.letters.map(([, , kind]) => kind), ...KINDS])];
    this.kind = h("input", { type: "text", list: "po-kinds", value: "ok", maxlength: "40" });
    this.content = h("input", { type: "text", class: "po-content" });
    const add = h("button", { type: "button" }, "Add this letter");
    add.addEventListener("click", () => {
      const to = [...boxes.map((label) => label.firstChild).filter((box) => box.checked).map((box) => box.value), more.value].filter(Boolean);
      if (!to.length || !this.kind.value.trim()) return this.say("Choose who reads it, and a kind.");
      this.calls.push({ call: "send", arguments: { to, kind: this.kind.value.trim(), data: read(this.content.value) } });
      this.list();
      this.say("");
    });
    this.suggest();
    return h(
      "section",
      {},
      h("h2", {}, "Write a letter"),
      h("fieldset", { class: "po-to" }, h("legend", {}, "To"), ...boxes, ...(others.length ? [h("label", {}, "and ", more)] : [])),
      h("p", { class: "po-row" }, h("label", {}, "Kind ", this.kind), h("datalist", { id: "po-kinds" }, ...kinds.map((kind) => h("option", { value: kind }))), h("label", {}, "Content ", this.content), add),
      h("p", { class: "hint" }, "Content is JSON, or words. Programs read letters of the same form as theirs."),
    );
  }

  // One's own value, in the form in which others tell theirs.
  suggest() {
    const i = this.past.values[this.share.variables[0]];
    if (!this.content || i === undefined || this.kind.value !== "ok") return;
    const value = this.share.domains[this.share.variables[0]][i];
    const like = this.past.letters.findLast(([, , kind]) => kind === "ok")?.[3];
    this.content.value = JSON.stringify(Array.isArray(like) ? [value, ...like.slice(1).map(() => 0)] : value);
  }

  handing() {
    this.draft = h("ul", { class: "po-draft" });
    this.note = h("p", { class: "po-note", role: "status" });
    this.done = h("button", { type: "button", class: "primary" }, "Hand over and wait for mail");
    this.done.addEventListener("click", () => {
      this.done.disabled = true;
      this.context.submit({ answer: JSON.stringify(this.calls) });
    });
    const claims = ["solved", "unsolvable", "optimal"].map((verdict) => {
      const button = h("button", { type: "button" }, verdict);
      button.addEventListener("click", () => {
        this.calls = [...this.calls.filter(({ call }) => call !== "stop"), { call: "stop", arguments: { verdict } }];
        this.list();
      });
      return button;
    });
    const section = h("section", {}, h("h2", {}, "What you hand over"), this.draft, this.note, h("p", { class: "buttons" }, this.done), h("details", {}, h("summary", {}, "End the run with a claim"), h("p", {}, "The claim is checked, and the run ends for all."), h("p", { class: "buttons" }, ...claims)));
    this.list();
    return section;
  }

  list() {
    const words = ({ call, arguments: given }) => ({ assign: () => `${given.variable} = ${given.value}`, send: () => `${given.kind} ${JSON.stringify(given.data)} to ${given.to.join(", ")}`, stop: () => `end the run: ${given.verdict}` })[call]();
    const lines = this.calls.map((one, i) => {
      const remove = h("button", { type: "button", class: "light", "aria-label": `Remove ${words(one)}` }, "Remove");
      remove.addEventListener("click", () => {
        this.calls.splice(i, 1);
        this.list();
        this.done.focus();
      });
      return h("li", {}, words(one), " ", remove);
    });
    this.draft.replaceChildren(...(lines.length ? lines : [h("li", {}, "Nothing yet; handing over nothing is an answer too.")]));
  }

  say(words) {
    this.note.textContent = words;
  }

  wait() {
    this.done.disabled = true;
    this.say("Waiting for letters …");
  }
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text || null;
  }
}
