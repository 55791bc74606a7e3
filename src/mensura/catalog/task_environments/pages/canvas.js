// The canvas: blocks that are moved by pointer or arrow keys, and wires that are drawn from port to block.
import { h } from "./picture.js";

const COLUMNS = { motors: 0, transitions: 0, around: 0.5, bodies: 0.5, systems: 0.5, sensors: 1, goals: 1 };
const [ROW, NARROW, STEP, STILL] = [70, 640, 10, 4];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Canvas {
  // `on` is told what people do: choose, open, move, remove, connect, unwire; `on.fit` says what a wire can lead to.
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.svg = h("svg:svg", { class: "bl-wires", "aria-hidden": "true" });
    this.field = h("div", { class: "bl-field" });
    root.append(this.field);
    this.wiring = null;
    root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !(this.wiring || this.menu)) return;
      const back = this.wiring ? `[data-port="${this.wiring}"]` : `[data-block="${this.menu.dataset.at}"]`;
      this.wire(null);
      this.field.querySelector(back)?.focus();
    });
    new ResizeObserver(() => this.drawWires()).observe(root);
  }

  draw(items, wires, chosen) {
    const had = document.activeElement?.dataset ?? {};
    this.items = new Map(items.map((item) => [item.key, item]));
    this.wires = wires;
    // On a phone names take more lines, and ports stand below.
    this.row = window.innerWidth > NARROW ? ROW : ROW * 1.25;
    this.places = arrange(items, this.row);
    const fit = this.wiring && this.on.fit(this.wiring);
    this.nodes = new Map(items.map((item) => [item.key, this.node(item, item.key === chosen, fit)]));
    this.field.replaceChildren(this.svg, ...this.nodes.values());
    for (const key of this.nodes.keys()) this.put(key);
    this.drawWires();
    const again = had.block ? `[data-block="${had.block}"]` : had.port ? `[data-port="${had.port}"]` : null;
    if (again) this.field.querySelector(again)?.focus();
  }

  node({ key, part, kind, words }, chosen, fit) {
    const block = h("button", { type: "button", class: "bl-block", "aria-pressed": String(chosen), "data-block": key }, h("small", {}, kind), words);
    const port = h("button", { type: "button", class: "bl-port", "aria-label": `Wire from ${words}`, "aria-pressed": String(this.wiring === key), "data-port": key });
    block.addEventListener("pointerdown", (event) => this.hold(event, block, (x, y) => this.move(key, x, y), () => this.on.move(this.places)));
    block.addEventListener("click", (event) => {
      if (!this.clicked(event)) return;
      if (this.wiring) this.lead(this.wiring, key);
      // A second click falls on the block drawn anew, which has heard of no first one; its number says it.
      else if (event.detail === 2) this.on.open(key);
      else this.on.choose(key, event.detail === 0);
    });
    block.addEventListener("keydown", (event) => this.press(event, key));
    port.addEventListener("pointerdown", (event) => this.hold(event, port, (x, y, now) => this.draft(key, now), (now) => this.drop(key, now)));
    port.addEventListener("click", (event) => this.clicked(event) && this.wire(this.wiring === key ? null : key));
    const can = fit && (fit.has(key) ? " fit" : " unfit");
    return h("div", { class: `bl-node ${part}${can || ""}${COLUMNS[part] === 1 ? " left" : ""}` }, block, port);
  }

  // What a key does is a click without a pointer.
  clicked(event) {
    return !event.detail || !this.moved;
  }

  // Follow a pointer until it is let go; a hand that keeps still has clicked.
  hold(event, element, follow, end) {
    this.moved = false;
    if (event.button) return;
    const [x, y] = [event.clientX, event.clientY];
    element.setPointerCapture(event.pointerId);
    element.onpointermove = (now) => {
      const way = [now.clientX - x, now.clientY - y];
      this.moved ||= Math.hypot(...way) > STILL;
      if (this.moved) follow(...way, now);
    };
    element.onpointerup = element.onpointercancel = (now) => {
      element.onpointermove = element.onpointerup = element.onpointercancel = null;
      this.from = null;
      if (this.moved) end(now);
    };
  }

  move(key, x, y) {
    // A block that is led out of the canvas makes it one row longer, not as long as the way.
    this.from ??= [...this.places.get(key), this.field.clientHeight];
    const room = this.field.clientWidth - this.nodes.get(key).offsetWidth || 1;
    const [left, top] = [this.from[0] + x / room, this.from[1] + y];
    this.places.set(key, [Math.min(Math.max(left, 0), 1), Math.min(Math.max(top, 0), this.from[2])]);
    this.put(key);
    this.drawWires();
  }

  press(event, key) {
    if (event.key === "Delete") this.on.remove(key);
    if (!(event.key in ARROWS)) return;
    event.preventDefault();
    this.from = null;
    this.move(key, ...ARROWS[event.key].map((one) => one * STEP));
    this.from = null;
    this.on.move(this.places, key);
  }

  put(key) {
    const node = this.nodes.get(key);
    const [x, y] = this.places.get(key);
    node.style.left = `calc(${x.toFixed(4)} * (100% - var(--block)))`;
    node.style.top = `${y.toFixed(0)}px`;
    this.field.style.height = `${Math.max(...[...this.places.values()].map((place) => place[1]), this.row) + this.row}px`;
  }

  // Begin a wire at a block, by key or tap; the block that is chosen next is its other end.
  wire(key) {
    this.wiring = key;
    this.close();
    this.root.classList.toggle("wiring", key !== null);
    this.on.wiring(key);
  }

  draft(key, now) {
    const box = this.field.getBoundingClientRect();
    const [x, y] = middle(this.nodes.get(key), box);
    this.svg.querySelector(".draft")?.remove();
    this.svg.append(h("svg:path", { class: "draft", d: `M${x},${y} L${now.clientX - box.left},${now.clientY - box.top}` }));
  }

  drop(key, now) {
    this.svg.querySelector(".draft")?.remove();
    const over = document.elementFromPoint(now.clientX, now.clientY)?.closest(".bl-node");
    const [other] = [...this.nodes].find(([, node]) => node === over) ?? [];
    if (other && other !== key) this.lead(key, other);
  }

  lead(from, to) {
    this.wire(null);
    if (from !== to) this.on.connect(from, to);
    if (!this.menu) this.field.querySelector(`[data-block="${to}"]`)?.focus();
  }

  // Where there is more than one way to go on, ask which.
  offer(words, choices, key) {
    this.close();
    const made = [...choices, { words: "Leave it as it is", act: () => {} }].map(({ words: label, act }) => {
      const button = h("button", { type: "button", class: "light" }, label);
      button.addEventListener("click", () => {
        this.close();
        this.field.querySelector(`[data-block="${key}"]`)?.focus();
        act();
      });
      return button;
    });
    this.menu = h("div", { class: "bl-menu", role: "group", "aria-label": words, "data-at": key }, h("p", {}, words), ...made);
    this.root.append(this.menu);
    const [node, box] = [this.nodes.get(key), this.root.getBoundingClientRect()];
    const [x, y] = middle(node, box);
    this.menu.style.left = `${Math.min(Math.max(x - this.menu.offsetWidth / 2, 8), Math.max(box.width - this.menu.offsetWidth - 8, 8))}px`;
    this.menu.style.top = `${y + node.offsetHeight / 2 + 6}px`;
    made[0].focus();
  }

  close() {
    this.menu?.remove();
    this.menu = null;
  }

  drawWires() {
    if (!this.nodes) return;
    const box = this.field.getBoundingClientRect();
    const shown = this.wires.map((wire) => {
      const d = bend(...[wire.from, wire.to].map((key) => this.nodes.get(key).getBoundingClientRect()), box);
      const hit = h("svg:path", { class: "hit", d });
      hit.addEventListener("click", () => this.on.unwire(wire));
      return h("svg:g", { class: wire.part }, hit, h("svg:path", { d }));
    });
    this.svg.replaceChildren(...shown);
  }
}

// Blocks that nobody has moved stand in columns, in the middle of the tallest.
function arrange(items, row) {
  const free = items.every((item) => !item.at || item.part === "around");
  const column = (item) => COLUMNS[item.part] * 2;
  const counts = [0, 1, 2].map((c) => items.filter((item) => column(item) === c && item.part !== "around").length);
  const [top, tallest] = [items.some((item) => item.part === "around") ? row : 0, Math.max(...counts)];
  const next = counts.map((count) => top + (free ? ((tallest - count) / 2) * row : 0));
  for (const { at } of items) if (at && !free) next[Math.round(at[0] * 2)] = Math.max(next[Math.round(at[0] * 2)], at[1] + row);
  return new Map(
    items.map((item) => {
      if (item.part === "around") return [item.key, [0.5, 0]];
      if (item.at) return [item.key, item.at];
      next[column(item)] += row;
      return [item.key, [COLUMNS[item.part], next[column(item)] - row]];
    }),
  );
}

function middle(node, box) {
  const own = node.getBoundingClientRect();
  return [own.left + own.width / 2 - box.left, own.top + own.height / 2 - box.top];
}

// A wire from side to side; between blocks above one another it leaves and comes back on the same side.
function bend(one, other, box) {
  const [first, second] = one.left <= other.left ? [one, other] : [other, one];
  const y = (rect) => rect.top + rect.height / 2 - box.top;
  const beside = second.left > first.right;
  const side = !beside && first.left + first.width / 2 > box.left + box.width / 2 ? "left" : "right";
  const [x1, x2] = [(beside ? first.right : first[side]) - box.left, (beside ? second.left : second[side]) - box.left];
  const out = beside ? Math.max((x2 - x1) / 2, 12) : side === "left" ? -26 : 26;
  return `M${x1},${y(first)} C${x1 + out},${y(first)} ${beside ? x2 - out : x2 + out},${y(second)} ${x2},${y(second)}`;
}
