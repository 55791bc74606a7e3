// A place or a circle on the map or picture of the prompt, by pointer or by arrow keys. On maps y goes up; on pictures
// it goes down, as pixels do.
import { phrase } from "./phrase.js";

const NS = "http://www.w3.org/2000/svg";
const GRIP = 10;

export default function enhance(element, { visit }) {
  const fields = Object.fromEntries([...element.querySelectorAll("[data-part]")].map((field) => [field.dataset.part, field]));
  const round = "radius" in fields;
  const plane = [...visit.main.querySelectorAll(".prompt .plane")].at(-1) ?? makePlane(element);
  const onMap = plane.dataset.plane === "map";
  const low = (onMap ? plane : element).dataset.low.split(" ").map(Number);
  const high = (onMap ? plane : element).dataset.high.split(" ").map(Number);
  const least = element.dataset.low.split(" ").map(Number);
  const most = element.dataset.high.split(" ").map(Number);
  const largest = Number(element.dataset.largest ?? 0);
  const down = plane.dataset.plane === "image";

  const layer = draw("svg", { class: "layer", tabindex: 0, role: "application" });
  layer.setAttribute("aria-label", round ? phrase("Arrow keys move the circle, plus and minus change its radius; the fields below say where it is") : phrase("Arrow keys move the mark; the fields below say where it is"));
  const ring = draw("circle", { class: "ring" });
  const cross = draw("path", { class: "cross" });
  const mark = draw("circle", { class: "mark", r: 6 });
  layer.append(...(round ? [ring] : []), cross, mark);
  plane.append(layer);

  const size = () => layer.getBoundingClientRect();
  const scale = (box) => box.width / (high[0] - low[0]);
  const clamp = (value, i) => Math.min(Math.max(value, least[i]), most[i]);

  function at(event) {
    const box = size();
    const part = (event.clientY - box.top) / box.height;
    return [
      low[0] + ((event.clientX - box.left) / box.width) * (high[0] - low[0]),
      down ? low[1] + part * (high[1] - low[1]) : high[1] - part * (high[1] - low[1]),
    ];
  }

  function set(values) {
    for (const [part, value] of Object.entries(values)) fields[part].value = String(Number(value.toPrecision(5)));
    element.dispatchEvent(new Event("input", { bubbles: true }));
    paint();
  }

  function onEdge(place) {
    if (fields.x.value === "" || fields.radius.value === "") return false;
    const away = Math.hypot(place[0] - Number(fields.x.value), place[1] - Number(fields.y.value));
    return Math.abs(away - Number(fields.radius.value)) * scale(size()) < GRIP;
  }

  let start = null;
  layer.addEventListener("pointerdown", (event) => {
    layer.setPointerCapture(event.pointerId);
    layer.focus({ preventScroll: true });
    start = at(event);
    // A circle taken by its edge is resized where it is.
    if (round && onEdge(start)) {
      start = [Number(fields.x.value), Number(fields.y.value)];
      return;
    }
    const centre = { x: clamp(start[0], 0), y: clamp(start[1], 1) };
    set(round && fields.radius.value === "" ? { ...centre, radius: largest / 4 } : centre);
  });
  layer.addEventListener("pointermove", (event) => {
    if (!event.buttons || start === null) return;
    const now = at(event);
    if (!round) return set({ x: clamp(now[0], 0), y: clamp(now[1], 1) });
    const radius = Math.hypot(now[0] - start[0], now[1] - start[1]);
    if (radius * scale(size()) > 4) set({ radius: Math.min(radius, largest) });
  });
  layer.addEventListener("keydown", (event) => {
    const step = (event.shiftKey ? 0.1 : 0.01) * (high[0] - low[0]);
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
    const grow = round ? ({ "+": 1, "=": 1, "-": -1 }[event.key] ?? 0) : 0;
    if (!dx && !dy && !grow) return;
    event.preventDefault();
    const x = fields.x.value === "" ? (least[0] + most[0]) / 2 : Number(fields.x.value);
    const y = fields.y.value === "" ? (least[1] + most[1]) / 2 : Number(fields.y.value);
    const moved = { x: clamp(x + dx * step, 0), y: clamp(y + (down ? -dy : dy) * step, 1) };
    if (round) moved.radius = Math.min(Math.max(Number(fields.radius.value || largest / 4) + (grow * largest) / 50, 0), largest);
    set(moved);
  });
  element.addEventListener("change", paint);
  for (const field of Object.values(fields)) field.addEventListener("input", paint);
  new ResizeObserver(paint).observe(layer);

  function paint() {
    const box = size();
    layer.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    const placed = fields.x.value !== "" && fields.y.value !== "";
    layer.querySelectorAll("*").forEach((part) => part.setAttribute("visibility", placed ? "visible" : "hidden"));
    if (!placed) return;
    const x = (Number(fields.x.value) - low[0]) * scale(box);
    const share = (Number(fields.y.value) - low[1]) / (high[1] - low[1]);
    const y = (down ? share : 1 - share) * box.height;
    for (const circle of [mark, ring]) {
      circle.setAttribute("cx", x);
      circle.setAttribute("cy", y);
    }
    cross.setAttribute("d", `M${x - 16},${y}h32M${x},${y - 16}v32`);
    if (round) ring.setAttribute("r", Number(fields.radius.value || 0) * scale(box));
  }
  paint();
}

function makePlane(element) {
  const plane = document.createElement("div");
  plane.className = "plain-plane";
  element.querySelector(".amounts").before(plane);
  return plane;
}

function draw(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
