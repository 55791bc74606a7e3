// The form: the family and its parameters by sliders, the network's terms, the algorithms. What changes starts a new run.
import { h } from "./element.js";

const PATIENCE = 400;

export function drawForm(form, given, { compute, watch }) {
  const find = (name) => form.querySelector(`[name=${name}]`);
  const place = form.querySelector(".nw-parameters");
  let timer = 0;

  const option = (value) => h("option", { value }, String(value));
  find("family").append(...Object.keys(given.families).map(option));
  find("first").append(...given.algorithms.map(option));
  find("second").append(...given.algorithms.map(option));
  find("first").value = "abt";
  form.querySelector(".nw-terms").append(...Object.entries(given.parameters).map(([name, one]) => control(`term-${name}`, name, one)));
  drawParameters({ n: 4 });

  function drawParameters(values = {}) {
    const family = given.families[find("family").value];
    place.replaceChildren(...Object.entries(family).map(([name, one]) => control(`of-${name}`, name, name in values ? { ...one, default: values[name] } : one)));
  }

  function read(prefix, described) {
    const read = {};
    for (const [name, one] of Object.entries(described)) {
      const text = find(`${prefix}-${name}`).value;
      if (text !== String(one.default)) read[name] = text;
    }
    return read;
  }

  function wanted() {
    const family = find("family").value;
    const own = Object.entries(read("of", given.families[family])).map(([name, value]) => `${name}=${value}`);
    const parameters = { problem: own.length ? `${family}:${own.join(",")}` : family, stop: given.parameters.stop.default, ...read("term", given.parameters) };
    return { who: [find("first").value, find("second").value].filter(Boolean), seed: Number(find("seed").value), parameters };
  }

  form.addEventListener("input", (event) => {
    if (event.target === find("session")) return;
    if (event.target === find("family")) drawParameters();
    clearTimeout(timer);
    timer = setTimeout(() => compute(wanted()), PATIENCE);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (find("session").value.trim()) watch(find("session").value.trim());
    else compute(wanted());
  });
  return () => compute(wanted());
}

// A slider stands beside a field, in which more can be typed than the slider reaches.
function control(name, words, { default: value, choices, low, high, step }) {
  const label = words.replaceAll("_", " ");
  if (choices.length) {
    const select = h("select", { name }, ...choices.map((one) => h("option", { value: one, ...(one === value ? { selected: "" } : {}) }, String(one))));
    return h("label", {}, `${label} `, select);
  }
  if (step === undefined) return h("label", {}, `${label} `, h("input", { name, type: "text", value }));
  const field = h("input", { name, type: "number", value, min: low, step: "any", "aria-label": label });
  const slider = h("input", { type: "range", min: low, max: Math.max(high, value), step, value, "aria-label": `${label}, slider` });
  slider.addEventListener("input", () => (field.value = slider.value));
  field.addEventListener("input", () => (slider.value = field.value));
  return h("div", { class: "nw-slider" }, h("span", { "aria-hidden": "true" }, label), slider, field);
}
