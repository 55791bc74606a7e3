// A slider beside a field: untouched until it is moved, so that nobody's answer is where a slider happened to be.
export function makeSlider({ min, max, step, label }) {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min, max, step, value: (Number(min) + Number(max)) / 2 });
  slider.setAttribute("aria-label", label);
  setSlider(slider, NaN);
  return slider;
}

export function setSlider(slider, value, unit = "") {
  const known = Number.isFinite(value);
  slider.classList.toggle("untouched", !known);
  if (known) slider.value = value;
  slider.setAttribute("aria-valuetext", known ? `${slider.value} ${unit}`.trim() : "not set");
  paint(slider);
}

export function paint(slider) {
  const part = slider.classList.contains("untouched") ? 0 : (100 * (slider.value - slider.min)) / (slider.max - slider.min);
  slider.style.setProperty("--part", `${part}%`);
}
