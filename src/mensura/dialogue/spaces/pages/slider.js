// A slider beside a field: untouched until it is moved, so that nobody's answer is where a slider happened to be.
import { phrase } from "./phrase.js";

export function makeSlider({ min, max, step, label, value = (Number(min) + Number(max)) / 2 }) {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min, max, step, value });
  slider.setAttribute("aria-label", label);
  awaitTouch(slider);
  setSlider(slider, NaN);
  return slider;
}

// A click where the hidden thumb lies changes no value, and is an answer all the same.
export function awaitTouch(slider) {
  slider.addEventListener("click", () => {
    if (slider.classList.contains("untouched")) slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

export function setSlider(slider, value, unit = "") {
  const known = Number.isFinite(value);
  slider.classList.toggle("untouched", !known);
  if (known) slider.value = value;
  slider.setAttribute("aria-valuetext", known ? `${slider.value} ${unit}`.trim() : phrase("not set"));
  const part = known ? (100 * (slider.value - slider.min)) / (slider.max - slider.min) : 0;
  slider.style.setProperty("--part", `${part}%`);
}
