// A number between bounds gets a slider too.
import { makeSlider, setSlider } from "./slider.js";

export default function enhance(element) {
  const field = element.querySelector("input");
  if (!("bounded" in element.dataset) || element.closest(".line, .tool")) return;
  const [min, max] = [Number(field.min), Number(field.max)];
  if (!(max > min)) return;
  const step = field.step === "1" ? 1 : (max - min) / 200;
  const slider = makeSlider({ min, max, step, label: element.querySelector("label").textContent });
  slider.addEventListener("input", () => {
    setSlider(slider, Number(slider.value));
    field.value = String(Number(Number(slider.value).toPrecision(6)));
  });
  field.addEventListener("input", () => setSlider(slider, field.value === "" ? NaN : Number(field.value)));
  element.querySelector(".row").after(slider);
  setSlider(slider, field.value === "" ? NaN : Number(field.value));
}
