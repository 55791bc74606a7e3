// Stakes: probabilities by moving a point, with the points that each alternative would pay always in view.
// Percent fields carry the answer; the slider, triangle or sliders only set them, and have no place before they are touched.

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

export function whole(shares) {
  // Shares with four digits that sum to one exactly; the largest takes what rounding leaves.
  const units = shares.map((share) => Math.round(Math.max(0, share) * 10000));
  units[units.indexOf(Math.max(...units))] += 10000 - units.reduce((sum, unit) => sum + unit, 0);
  return units.map((unit) => unit / 10000);
}

export function moved(shares, index, value) {
  // One share takes a new value; the others keep their proportions.
  const bounded = Math.min(1, Math.max(0, value));
  const rest = 1 - shares[index];
  return whole(shares.map((share, i) => {
    if (i === index) return bounded;
    return rest > 1e-9 ? (share * (1 - bounded)) / rest : (1 - bounded) / (shares.length - 1);
  }));
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
  const summed = element.querySelector(".stakes-sum");
  const board = element.querySelector(".stakes-board");
  const typed = new Set();
  const share = (input) => (context.readPercent(input.value)?.percent ?? NaN) / 100;
  const empty = (input) => input.value.trim() === "";
  let saying = 0;
  const draw = inputs.length === 3 ? triangle : sliders;
  const show = draw(board, space.options, () => known() ?? inputs.map(() => 1 / inputs.length), (next) => {
    typed.clear();
    write(next.map((each, i) => [i, each]));
  });
  board.hidden = false;

  // The distribution that the fields make; null as long as they make none.
  function known() {
    const shares = inputs.map((input) => (empty(input) ? 0 : share(input)));
    const sum = shares.reduce((a, b) => a + b, 0);
    return Math.abs(sum - 1) <= 0.02 + 1e-9 ? shares.map((each) => each / sum) : null;
  }

  function write(values) {
    for (const [i, value] of values) {
      inputs[i].value = `${Number((100 * value).toFixed(2))} %`;
      inputs[i].dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "written" }));
    }
    update();
  }

  function update() {
    const shares = known();
    const paid = shares && payoffs(shares, space);
    pays.forEach((cell, i) => {
      cell.textContent = paid ? signed(paid[i]) : "";
      cell.classList.toggle("loss", Boolean(paid) && Math.round(paid[i]) < 0);
    });
    const clear = inputs.every((input) => empty(input) || !Number.isNaN(share(input)));
    const sum = inputs.reduce((all, input) => all + (empty(input) ? 0 : 100 * share(input)), 0);
    summed.textContent = inputs.every(empty) || !clear ? "" : `Sum ${Number(sum.toFixed(2))} %`;
    if (clear) inputs[0].setCustomValidity(shares ? "" : "Together they must be 100 %.");
    board.classList.toggle("untouched", !shares);
    show();
    clearTimeout(saying);
    saying = setTimeout(() => {
      const words = (name, i) => `${name} ${Math.round(shares[i] * 100)} %, ${signed(paid[i])} points`;
      said.textContent = paid ? space.options.map(words).join("; ") : "";
    }, 400);
  }

  // What is typed stays. What nobody typed gives way: in proportion if it has values, as the rest if it is the only one.
  function giveWay(index) {
    const free = inputs.map((_, i) => i).filter((i) => i !== index && (!typed.has(i) || inputs.length === 2));
    const rest = 1 - inputs.reduce((sum, input, i) => (free.includes(i) || empty(input) ? sum : sum + share(input)), 0);
    const open = free.some((i) => empty(inputs[i])) && free.length > 1;
    if (empty(inputs[index]) || !free.length || !(rest >= 0) || open) return update();
    const had = free.map((i) => (empty(inputs[i]) ? 0 : share(inputs[i])));
    const sum = had.reduce((all, each) => all + each, 0);
    const units = had.map((each) => Math.round(10000 * (sum > 0 ? (rest * each) / sum : rest / free.length)));
    units[0] += Math.round(10000 * rest) - units.reduce((all, unit) => all + unit, 0);
    return write(free.map((i, k) => [i, units[k] / 10000]));
  }

  inputs.forEach((input, i) => {
    input.addEventListener("input", (event) => {
      if (event.detail === "written") return;
      typed.add(i);
      giveWay(i);
    });
  });
  update();
}

function sliders(board, options, shares, update) {
  const two = options.length === 2;
  const ranges = (two ? [0] : options.map((_, i) => i)).map((i) => {
    const row = document.createElement("div");
    row.className = "stakes-row";
    const range = document.createElement("input");
    range.type = "range";
    Object.assign(range, { min: "0", max: "100", step: "1" });
    range.setAttribute("aria-label", two ? `${options[0]} against ${options[1]}` : options[i]);
    range.addEventListener("input", () => {
      const value = (two ? 100 - range.valueAsNumber : range.valueAsNumber) / 100;
      update(moved(shares(), i, value));
    });
    const ends = two ? options : [options[i], ""];
    const [left, right] = ends.map((text) => Object.assign(document.createElement("span"), { textContent: text }));
    row.append(left, range, right);
    board.append(row);
    return range;
  });
  return () => {
    ranges.forEach((range, k) => {
      const share = Math.round(shares()[k] * 100);
      // With two alternatives the thumb lies nearer the likelier end.
      range.value = String(two ? 100 - share : share);
      const words = options.map((name, i) => `${name} ${Math.round(shares()[i] * 100)} %`);
      range.setAttribute("aria-valuetext", two ? words.join(", ") : words[k]);
    });
  };
}

function triangle(board, options, shares, update) {
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
    return whole(raw.map((value) => Math.round((value / sum) * 100) / 100));
  }

  svg.addEventListener("pointerdown", (event) => {
    svg.setPointerCapture(event.pointerId);
    point.focus();
    update(at(event));
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) update(at(event));
  });
  point.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 0.1 : 0.01;
    const [top, left, right] = shares();
    const moves = {
      ArrowUp: () => moved([top, left, right], 0, top + step),
      ArrowDown: () => moved([top, left, right], 0, top - step),
      ArrowLeft: () => whole([top, left + Math.min(step, right), right - Math.min(step, right)]),
      ArrowRight: () => whole([top, left - Math.min(step, left), right + Math.min(step, left)]),
      Home: () => whole([1 / 3, 1 / 3, 1 / 3]),
    };
    if (!(event.key in moves)) return;
    update(moves[event.key]());
    event.preventDefault();
  });
  return () => {
    const [x, y] = [0, 1].map((k) => CORNERS.reduce((sum, corner, i) => sum + corner[k] * shares()[i], 0));
    point.setAttribute("cx", String(x));
    point.setAttribute("cy", String(y));
    point.setAttribute("aria-valuenow", String(Math.round(shares()[0] * 100)));
    point.setAttribute("aria-valuetext",
      options.map((name, i) => `${name} ${Math.round(shares()[i] * 100)} %`).join(", "));
  };
}
