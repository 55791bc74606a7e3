// A probability by slider or by typing; both say percent.
import { percentIn, setField } from "./percent.js";
import { makeSlider, setSlider } from "./slider.js";
import { phrase } from "./phrase.js";

export default function enhance(element) {
  if (element.closest(".line, .tool")) return;
  const field = element.querySelector("input");
  const row = element.querySelector(".row");
  const big = document.createElement("div");
  big.className = "big";
  const box = document.createElement("div");
  box.className = "slider";
  const slider = makeSlider({ min: 0, max: 100, step: 1, label: phrase("{what} in percent", { what: element.querySelector("label").textContent }) });
  const ends = document.createElement("div");
  ends.className = "ends";
  ends.setAttribute("aria-hidden", "true");
  ends.append(...["0 %", "50 %", "100 %"].map((words) => Object.assign(document.createElement("span"), { textContent: words })));
  box.append(slider, ends);
  row.replaceWith(big);
  big.append(box, row);
  slider.addEventListener("input", () => setField(field, `${slider.value} %`));
  const follow = () => setSlider(slider, percentIn(field), phrase("percent"));
  field.addEventListener("input", follow);
  follow();
}
