// A count of what is left once it gets short.
import { phrase } from "./phrase.js";

export default function enhance(element) {
  const field = element.querySelector("textarea, input");
  const longest = Number(element.dataset.longest);
  if (!longest || element.closest(".line")) return;
  const count = document.createElement("span");
  count.className = "count";
  element.append(count);
  const show = () => {
    const left = longest - field.value.length;
    count.textContent = left <= Math.max(20, longest / 5) ? phrase("Characters left: {left}", { left }) : "";
  };
  field.addEventListener("input", show);
  show();
}
