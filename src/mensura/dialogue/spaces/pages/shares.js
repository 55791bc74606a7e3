// Amounts that sum to a whole: sliders, sliders that move together, or bars to drag; numbers beside them always.
import { makeSlider, setSlider } from "./slider.js";
import { makeSum, putAmount, roundedTo, shown, valueIn } from "./sum.js";
import { phrase } from "./phrase.js";

const MODES = { free: phrase("Sliders"), kept: phrase("Linked sliders"), bars: phrase("Bars") };

export default function enhance(element) {
  const full = Number(element.dataset.whole);
  const { unit } = element.dataset;
  const amounts = element.querySelector(".amounts");
  const parts = [...amounts.querySelectorAll(".amount")].map((row) => makePart(row, { full, unit }));
  amounts.classList.add("bars");
  element.dataset.ready = "";
  let mode = sessionStorage.getItem("mensura:shares") ?? "free";

  const columns = makeColumns(parts, { full, unit, change });
  // A row of a table that stays empty is left out, and an argument may be optional.
  const optional = Boolean(element.closest(".line, .tool"));
  const sum = makeSum(parts.map((part) => part.field), { whole: full, unit, optional });
  const modes = makeModes(mode, (chosen) => {
    mode = chosen;
    sessionStorage.setItem("mensura:shares", mode);
    follow();
  });
  amounts.before(modes, columns.element);
  amounts.after(sum.line);

  for (const part of parts) {
    part.slider.addEventListener("input", () => change(part, Number(part.slider.value)));
    part.field.addEventListener("input", follow);
  }

  function change(part, value) {
    const kept = Math.min(Math.max(value, 0), full);
    putAmount(part.field, kept);
    // What the others have is scaled, so that their proportions stay; what nobody set stays empty.
    const others = mode === "kept" ? parts.filter((other) => other !== part && other.value !== null) : [];
    if (others.length) roundedTo(full - kept, others.map((other) => other.value)).forEach((each, i) => putAmount(others[i].field, each));
  }

  function follow() {
    for (const part of parts) part.paint();
    columns.paint(mode === "bars");
    sum.follow();
  }
  follow();
}

function makePart(row, { full, unit }) {
  const field = row.querySelector("input");
  const label = row.querySelector("label").textContent;
  const slider = makeSlider({ min: 0, max: full, step: full / 100, label });
  row.querySelector("label").after(slider);
  const part = {
    label,
    field,
    slider,
    get value() {
      const value = valueIn(field);
      return Number.isNaN(value) ? null : value;
    },
    paint() {
      setSlider(slider, part.value ?? NaN, unit);
      if (part.value === null) slider.value = 0;
    },
  };
  return part;
}

function makeModes(mode, choose) {
  const box = document.createElement("div");
  box.className = "tools-of-shares";
  const group = document.createElement("div");
  group.className = "modes";
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", phrase("How to set the amounts"));
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
      for (const { part, value, well, fill } of made) {
        fill.style.height = `${(100 * (part.value ?? 0)) / full}%`;
        value.textContent = part.value === null ? "–" : `${shown(part.value)} ${unit}`;
        well.setAttribute("aria-valuenow", String(part.value ?? 0));
        well.setAttribute("aria-valuetext", part.value === null ? phrase("not set") : `${shown(part.value)} ${unit}`);
      }
    },
  };
}
