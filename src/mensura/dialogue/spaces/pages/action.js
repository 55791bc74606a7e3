// Moves by key: the button that shows the key is pressed.
import { onKeys } from "./keys.js";

export default function enhance(element) {
  onKeys(element, (event) => {
    const button = [...element.querySelectorAll("button[data-key]")].find((each) => each.dataset.key.toLowerCase() === event.key.toLowerCase());
    button?.click();
    return Boolean(button);
  });
}
