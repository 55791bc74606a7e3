// Stakes: probabilities by moving a point, with the points that each alternative would pay always in view.
// Percent fields carry the answer. The triangle and the slider between two set all of them, other sliders each its own, and
// none has a place before it is touched; typing changes nothing but what is typed.

const SVG = "http://www.w3.org/2000/svg";
const CORNERS = [[150, 14], [14, 250], [286, 250]];

export function project(shares, floor) {
  // The distribution with every share at the floor or above that the report itself expects most from.
  let scale = 1;
  for (let round = 0; round < shares.length; round++) {
    const low = shares.map((share) => scale * share < floor);
    const kept = shares.reduce((sum, share, i) => sum + (low[i] ? 0 : share), 0);
    const next = kept > 0 ? (1 - floor * low.filter(Boolean).length) / kept : scale;
    if (next === scale) break;
    scale = next;
  }
  return shares.map((share) => Math.max(scale * share, floor));
}

export function payoffs(shares, { points, floor }) {
  return project(shares, floor).map((share) => points * Math.log(shares.length * share));
}

export function moved(shares, index, value) {
  // One share takes a new value; the others keep their proportions.
  const bounded = Math.min(1, Math.max(0, value));
  const rest = 1 - shares[index];
  return shares.map((share, i) => {
    if (i === index) return bounded;
    return rest > 1e-9 ? (share * (1 - bounded)) / rest : (1 - bounded) / (shares.length - 1);
  });
}

function signed(points) {
  const whole = Math.round(points);
  return `${whole < 0 ? "−" : "+"}${Math.abs(whole)}`;
}

export default function enhance(element, context) {
  const space = context.data;
  const inputs = [...element.querySelectorAll(".stakes-table input")];
  const pays = [...element.querySelectorAll(".stakes-pay")];
  const said = element.querySelector(".stakes-said");
  const board = element.querySelector(".stakes-board");
  const sum = context.makeSum(inputs);
  element.querySelector(".stakes-sum").append(sum.line);
  let shares = null;
  let saying = 0;
  const draw = inputs.length === 3 ? triangle : sliders;
  const show = draw(board, { options: space.options, inputs, context, shares: () => shares, set });
  board.hidden = false;

  function set(values) {
    context.roundedTo(100, values).forEach((percent, i) => context.putAmount(inputs[i], percent));
  }

  function update() {
    ({ shares } = sum.follow());
    const paid = shares && payoffs(shares, space);
    pays.forEach((cell, i) => {
      cell.textContent = paid ? signed(paid[i]) : "";
      cell.classList.toggle("loss", Boolean(paid) && Math.round(paid[i]) < 0);
    });
    board.classList.toggle("untouched", !shares);
    show();
    clearTimeout(saying);
    saying = setTimeout(() => {
      const words = (name, i) => `${name} ${Math.round(shares[i] * 100)} %, ${signed(paid[i])} points`;
      said.textContent = paid ? space.options.map(words).join("; ") : "";
    }, 400);
  }

  for (const input of inputs) input.addEventListener("input", update);
  update();
}

function sliders(board, { options, inputs, context, shares, set }) {
  const two = options.length === 2;
  const ranges = (two ? [0] : options.map((_, i) => i)).map((i) => {
    const row = document.createElement("div");
    row.className = "stakes-row";
    const label = two ? `${options[0]} against ${options[1]}` : options[i];
    const range = context.makeSlider({ min: 0, max: 100, step: 1, label, value: Math.round(100 / options.length) });
    range.addEventListener("input", () => {
      // With two alternatives the thumb lies nearer the likelier end.
      if (two) set([100 - range.valueAsNumber, range.valueAsNumber]);
      else context.putAmount(inputs[i], range.valueAsNumber);
    });
    const ends = two ? options : [options[i], ""];
    const [left, right] = ends.map((text) => Object.assign(document.createElement("span"), { textContent: text }));
    row.append(left, range, right);
    board.append(row);
    return range;
  });
  return () => {
    ranges.forEach((range, i) => {
      const known = two && shares();
      context.setSlider(range, two ? (known ? 100 * known[1] : NaN) : context.valueIn(inputs[i]), "%");
      if (known) range.setAttribute("aria-valuetext", spoken(options, known));
    });
  };
}

function spoken(options, shares) {
  return options.map((name, i) => `${name} ${Math.round(shares[i] * 100)} %`).join(", ");
}

function triangle(board, { options, shares, set }) {
  const now = () => shares() ?? options.map(() => 1 / 3);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 300 280");
  svg.classList.add("stakes-triangle");
  const area = part("polygon", { points: CORNERS.map((corner) => corner.join(",")).join(" "), class: "area" });
  const names = options.map((name, i) => {
    const [x, y] = CORNERS[i];
    const label = part("text", { x, y: i === 0 ? y - 3 : y + 18, "text-anchor": ["middle", "start", "end"][i] });
    label.textContent = name.length > 22 ? `${name.slice(0, 21)}…` : name;
    return label;
  });
  const point = part("circle", {
    r: 9, class: "point", tabindex: 0, role: "slider", "aria-label": `Probabilities of ${options.join(", ")}`,
    "aria-valuemin": 0, "aria-valuemax": 100,
  });
  svg.append(area, ...names, point);
  board.append(svg);

  function part(kind, attributes) {
    const made = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    return made;
  }

  function at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const [[ax, ay], [bx, by], [cx, cy]] = CORNERS;
    const under = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy);
    const first = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / under;
    const second = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / under;
    const raw = [first, second, 1 - first - second].map((value) => Math.max(0, value));
    const sum = raw.reduce((a, b) => a + b, 0);
    const [top, left] = raw.map((value) => Math.round((value / sum) * 100));
    return [top, left, Math.max(0, 100 - top - left)];
  }

  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    point.focus();
    set(at(event));
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) set(at(event));
  });
  point.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const [top, left, right] = now();
    const moves = {
      ArrowUp: () => moved([top, left, right], 0, top + step),
      ArrowDown: () => moved([top, left, right], 0, top - step),
      ArrowLeft: () => [top, left + Math.min(step, right), right - Math.min(step, right)],
      ArrowRight: () => [top, left - Math.min(step, left), right + Math.min(step, left)],
      Home: () => [1, 1, 1],
    };
    if (!(event.key in moves)) return;
    set(moves[event.key]());
    event.preventDefault();
  });
  return () => {
    const [x, y] = [0, 1].map((k) => CORNERS.reduce((sum, corner, i) => sum + corner[k] * now()[i], 0));
    point.setAttribute("cx", String(x));
    point.setAttribute("cy", String(y));
    point.setAttribute("aria-valuenow", String(shares() ? Math.round(shares()[0] * 100) : 0));
    point.setAttribute("aria-valuetext", shares() ? spoken(options, shares()) : "not set");
  };
}
