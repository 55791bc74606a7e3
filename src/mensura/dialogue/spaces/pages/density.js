// A belief about a quantity: quantiles as handles on a line, under the curve that they make; or bars for bins. A handle
// waits above the line until it is pulled down, and sets no field but its own.
import { setField } from "./percent.js";
import shares from "./shares.js";
import { valueIn } from "./sum.js";
import { phrase } from "./phrase.js";

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 640;
const HEIGHT = 220;
const [LEFT, RIGHT, FLOOR, TOP] = [20, 20, 168, 16];

export default function enhance(element, context) {
  if (element.dataset.bins) {
    Object.assign(element.dataset, { whole: "100", unit: "%" });
    shares(element, context);
    return;
  }
  const low = Number(element.dataset.low);
  const high = Number(element.dataset.high);
  const levels = element.dataset.levels.split(" ").map(Number);
  const inputs = [...element.querySelectorAll(".amount input")];
  const labels = [...element.querySelectorAll(".amount label")].map((label) => label.textContent);
  const across = (value) => LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "belief" });
  const curve = draw("path", { class: "curve" });
  svg.append(curve, draw("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: FLOOR, y2: FLOOR }));
  for (const [value, anchor] of [[low, "start"], [high, "end"]]) {
    svg.append(draw("text", { x: across(value), y: FLOOR + 44, "text-anchor": anchor }, `${neat(value)} ${element.dataset.unit}`));
  }
  const value = (i) => valueIn(inputs[i]);
  const known = (from, to) => inputs.slice(from, to).map(valueIn).filter((each) => !Number.isNaN(each));

  const handles = levels.map((level, i) => {
    const handle = draw("g", { class: "handle", tabindex: 0, role: "slider", "aria-label": labels[i], "aria-valuemin": low, "aria-valuemax": high });
    handle.append(draw("line", { y1: TOP, y2: FLOOR }), draw("circle", { r: 11 }), draw("text", { "text-anchor": "middle" }));
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => event.buttons && move(i, place(event)));
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const [least, most] = room(i);
      move(i, Number.isNaN(value(i)) ? (least + most) / 2 : value(i) + (step * (high - low)) / 200);
    });
    svg.append(handle);
    return handle;
  });

  function place(event) {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    return low + ((x - LEFT) / (WIDTH - LEFT - RIGHT)) * (high - low);
  }

  // Between what its neighbours say, so that quantiles never decrease.
  function room(i) {
    return [Math.max(low, ...known(0, i)), Math.min(high, ...known(i + 1))];
  }

  function move(i, wanted) {
    const [least, most] = room(i);
    const kept = neat(Math.min(Math.max(wanted, least), most));
    setField(inputs[i], inputs[i].type === "number" ? kept : `${kept} %`);
  }

  function paint() {
    handles.forEach((handle, i) => {
      const set = !Number.isNaN(value(i));
      const x = set ? across(value(i)) : LEFT + ((i + 1) / (levels.length + 1)) * (WIDTH - LEFT - RIGHT);
      handle.classList.toggle("untouched", !set);
      handle.querySelector("line").setAttribute("x1", x);
      handle.querySelector("line").setAttribute("x2", x);
      handle.querySelector("circle").setAttribute("cx", x);
      handle.querySelector("circle").setAttribute("cy", set ? FLOOR : TOP);
      const text = handle.querySelector("text");
      text.setAttribute("x", x);
      text.setAttribute("y", (set ? FLOOR : TOP) + 28);
      text.textContent = !set ? `${neat(100 * levels[i])} %` : crowded(i) ? "" : neat(value(i));
      handle.setAttribute("aria-valuenow", set ? value(i) : low);
      handle.setAttribute("aria-valuetext", set ? neat(value(i)) : phrase("not set"));
    });
    const values = known(0);
    curve.setAttribute("d", values.length === levels.length ? outline(low, high, levels, values, across) : "");
  }

  function crowded(i) {
    return i > 0 && across(value(i)) - across(value(i - 1)) < 34 && i !== levels.length - 1;
  }

  for (const input of inputs) input.addEventListener("input", paint);
  element.querySelector(".amounts").before(svg);
  element.dataset.ready = "";
  paint();
}

// Each stretch between two quantiles holds its share of the probability, evenly.
function outline(low, high, levels, values, across) {
  const edges = [low, ...values, high];
  const masses = [levels[0], ...levels.slice(1).map((level, i) => level - levels[i]), 1 - levels.at(-1)];
  const heights = masses.map((mass, i) => mass / Math.max(edges[i + 1] - edges[i], (high - low) / 400));
  const tallest = Math.max(...heights);
  const up = (height) => FLOOR - (height / tallest) * (FLOOR - TOP - 20);
  let path = `M${across(low)},${FLOOR}`;
  heights.forEach((height, i) => (path += `L${across(edges[i])},${up(height)}L${across(edges[i + 1])},${up(height)}`));
  return `${path}L${across(high)},${FLOOR}Z`;
}

function draw(name, attributes, text = "") {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function neat(number) {
  return String(Number(Number(number).toPrecision(5)));
}
