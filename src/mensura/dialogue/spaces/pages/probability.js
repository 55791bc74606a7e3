// A probability by slider or by typing; both say percent.
import { makeSlider, paint, setSlider } from "./slider.js";

export default function enhance(element) {
  const field = element.querySelector("input");
  const row = element.querySelector(".row");
  const big = document.createElement("div");
  big.className = "big";
  const box = document.createElement("div");
  box.className = "slider";
  const slider = makeSlider({ min: 0, max: 100, step: 1, label: "Probability in percent" });
  const ends = document.createElement("div");
  ends.className = "ends";
  ends.setAttribute("aria-hidden", "true");
  ends.append(...["0 %", "50 %", "100 %"].map((words) => Object.assign(document.createElement("span"), { textContent: words })));
  box.append(slider, ends);
  row.replaceWith(big);
  big.append(box, row);
  slider.addEventListener("input", () => {
    slider.classList.remove("untouched");
    paint(slider);
    field.value = `${slider.value} %`;
    field.setCustomValidity("");
    slider.setAttribute("aria-valuetext", `${slider.value} percent`);
  });
  const follow = () => {
    const value = read(field.value);
    setSlider(slider, value === null ? NaN : value * 100);
    const wrong = field.value.trim() !== "" && (value === null || value < 0 || value > 1);
    field.setCustomValidity(wrong ? "A probability lies between 0 % and 100 %, or between 0 and 1." : "");
  };
  field.addEventListener("input", follow);
  follow();
}

function read(text) {
  const found = /^\s*([0-9]*[.,]?[0-9]+(?:e-?[0-9]+)?|[0-9]+[.,])\s*(%?)\s*$/i.exec(text);
  if (!found) return null;
  const number = Number(found[1].replace(",", "."));
  return found[2] ? number / 100 : number;
}
