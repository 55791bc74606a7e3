// Choices by number key; Enter answers.
import { onKeys } from "./keys.js";

export default function enhance(element, { form }) {
  const radios = [...element.querySelectorAll("input[type=radio]")];
  if (element.classList.contains("compact") || radios.length > 9) return;
  if (element.classList.contains("choice")) {
    radios.forEach((radio, i) => {
      const key = document.createElement("kbd");
      key.textContent = String(i + 1);
      key.setAttribute("aria-hidden", "true");
      radio.closest("label").append(key);
    });
  }
  onKeys(element, (event) => {
    const radio = /^[1-9]$/.test(event.key) ? radios[Number(event.key) - 1] : null;
    if (radio) {
      radio.checked = true;
      radio.focus();
      radio.dispatchEvent(new Event("change", { bubbles: true }));
      return true;
    }
    if (event.key === "Enter" && event.target.closest("button, a, summary") === null) {
      form.requestSubmit();
      return true;
    }
    return false;
  });
}
