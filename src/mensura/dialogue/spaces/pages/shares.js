// Amounts that sum to a whole: sliders, sliders that keep the sum, or bars to drag; numbers beside them always.
import { makeSlider, setSlider } from "./slider.js";

const MODES = { free: "Sliders", kept: "Keep the sum", bars: "Bars" };

export default function enhance(element) {
  const whole = Number(element.dataset.whole ?? 1);
  const percent = whole === 1 && !element.dataset.unit;
  const factor = percent ? 100 : 1;
  const unit = percent ? "%" : element.dataset.unit;
  const full = whole * factor;
  const amounts = element.querySelector(".amounts");
  const parts = [...amounts.querySelectorAll(".amount")].map((row) => makePart(row, { factor, full, unit }));
  amounts.classList.add("bars");
  element.querySelector(".hint").textContent = `Together they must be ${shown(full)} ${unit}.`;
  element.dataset.ready = "";
  let mode = sessionStorage.getItem("mensura:shares") ?? "free";

  const columns = makeColumns(parts, { full, unit, change: (part, value) => change(part, value) });
  const sum = document.createElement("output");
  sum.setAttribute("aria-live", "polite");
  const even = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: `Make it ${shown(full)} ${unit}` });
  even.addEventListener("click", () => {
    const total = parts.reduce((all, part) => all + (part.value ?? 0), 0);
    for (const part of parts) part.set(total > 0 ? ((part.value ?? 0) / total) * full : full / parts.length);
    follow();
  });
  const foot = document.createElement("div");
  foot.className = "sum";
  foot.append(sum, even);
  const modes = makeModes(mode, (chosen) => {
    mode = chosen;
    sessionStorage.setItem("mensura:shares", mode);
    follow();
  });
  amounts.before(modes, columns.element);
  amounts.after(foot);

  for (const part of parts) {
    part.slider.addEventListener("input", () => change(part, Number(part.slider.value)));
    part.number.addEventListener("input", () => {
      part.keep(part.number.value === "" ? null : Number(part.number.value));
      follow({ except: part.number });
    });
  }

  function change(part, value) {
    const kept = Math.min(Math.max(value, 0), full);
    part.set(kept);
    if (mode === "kept") share(part, full - kept);
    follow();
  }

  // What the others had is scaled, so that their proportions stay.
  function share(moved, rest) {
    const others = parts.filter((part) => part !== moved);
    const total = others.reduce((all, part) => all + (part.value ?? 0), 0);
    for (const part of others) part.set(total > 0 ? ((part.value ?? 0) / total) * rest : rest / others.length);
  }

  function follow() {
    const touched = parts.some((part) => part.value !== null);
    const total = parts.reduce((all, part) => all + (part.value ?? 0), 0);
    const off = total - full;
    const right = Math.abs(off) < 1e-6 * full;
    for (const part of parts) part.paint();
    columns.paint(mode === "bars");
    sum.className = right ? "right" : touched ? "wrong" : "";
    sum.textContent = `Sum ${shown(total)} ${unit}${right || !touched ? "" : off < 0 ? `, ${shown(-off)} missing` : `, ${shown(off)} too much`}`;
    even.hidden = right;
    parts[0].number.setCustomValidity(right ? "" : `The amounts must sum to ${shown(full)} ${unit}.`);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  }
  follow();
}

function makePart(row, { factor, full, unit }) {
  const field = row.querySelector("input");
  const label = row.querySelector("label");
  const number = document.createElement("input");
  Object.assign(number, { type: "number", id: field.id, min: 0, max: full, step: "any", inputMode: "decimal", autocomplete: "off" });
  field.removeAttribute("id");
  field.type = "hidden";
  field.dataset.kept = "";
  const slider = makeSlider({ min: 0, max: full, step: full / 100, label: label.textContent });
  const end = document.createElement("span");
  end.className = "row";
  end.append(number, Object.assign(document.createElement("span"), { className: "unit", textContent: unit }));
  row.append(slider, end, field);
  const part = {
    label: label.textContent,
    number,
    slider,
    value: field.value === "" ? null : Number(field.value) * factor,
    keep(value) {
      part.value = value === null || Number.isNaN(value) ? null : value;
      field.value = part.value === null ? "" : String(part.value / factor);
    },
    set(value) {
      part.keep(value);
      number.value = part.value === null ? "" : shown(part.value);
    },
    paint() {
      setSlider(slider, part.value ?? NaN);
      if (part.value === null) slider.value = 0;
    },
  };
  if (part.value !== null) number.value = shown(part.value);
  return part;
}

function makeModes(mode, choose) {
  const box = document.createElement("div");
  box.className = "tools-of-shares";
  const group = document.createElement("div");
  group.className = "modes";
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", "How to set the amounts");
  const name = `mode-${Math.random().toString(36).slice(2)}`;
  for (const [key, words] of Object.entries(MODES)) {
    const label = document.createElement("label");
    const radio = Object.assign(document.createElement("input"), { type: "radio", value: key, checked: key === mode, className: "unseen" });
    // Outside the form: this is no part of the answer.
    radio.name = name;
    radio.setAttribute("form", "");
    radio.addEventListener("change", () => choose(key));
    label.append(radio, words);
    group.append(label);
  }
  box.append(group);
  return box;
}

function makeColumns(parts, { full, unit, change }) {
  const element = document.createElement("div");
  element.className = "columns";
  const made = parts.map((part) => {
    const column = document.createElement("div");
    column.className = "column";
    const [value, well, fill, name] = ["value", "well", "fill", "name"].map((kind) => Object.assign(document.createElement("div"), { className: kind }));
    name.textContent = part.label;
    well.append(fill);
    well.tabIndex = 0;
    well.setAttribute("role", "slider");
    well.setAttribute("aria-label", part.label);
    well.setAttribute("aria-orientation", "vertical");
    well.setAttribute("aria-valuemin", "0");
    well.setAttribute("aria-valuemax", String(full));
    const drag = (event) => {
      const box = well.getBoundingClientRect();
      change(part, Math.round(100 * Math.min(Math.max((box.bottom - event.clientY) / box.height, 0), 1)) * (full / 100));
    };
    well.addEventListener("pointerdown", (event) => {
      well.setPointerCapture(event.pointerId);
      drag(event);
    });
    well.addEventListener("pointermove", (event) => event.buttons && drag(event));
    well.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      change(part, (part.value ?? 0) + (step * full) / 100);
    });
    column.append(value, well, name);
    element.append(column);
    return { part, value, well, fill };
  });
  return {
    element,
    paint(visible) {
      element.hidden = !visible;
      element.style.display = visible ? "" : "none";
      for (const { part, value, well, fill } of made) {
        fill.style.height = `${(100 * (part.value ?? 0)) / full}%`;
        value.textContent = part.value === null ? "–" : `${shown(part.value)} ${unit}`;
        well.setAttribute("aria-valuenow", String(part.value ?? 0));
        well.setAttribute("aria-valuetext", `${shown(part.value ?? 0)} ${unit}`);
      }
    },
  };
}

function shown(number) {
  return String(Number(number.toFixed(2)));
}
