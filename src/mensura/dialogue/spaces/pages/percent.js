// Percents as people write them: 60, 60 %, 12,5. One or below with a dot and no sign is asked back, never guessed.
// percent.py reads the same; one table of texts tests both.
import { phrase } from "./phrase.js";

const SPACE = "[ \\t\\u00a0\\u202f]*";
const WRITTEN = new RegExp(`^${SPACE}[+]?(-?)([0-9]+[.,]?[0-9]*|[.,][0-9]+)${SPACE}(%|per ?cent|)${SPACE}$`, "i");
// Full-width digits and signs.
const WIDE = /[\uff01-\uff5e]/g;

// What a text says: null where it is empty, else {percent} or {wrong}, with {choices} where it may mean two things.
export function readPercent(text) {
  if (!text.trim()) return null;
  const found = WRITTEN.exec(text.replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)));
  if (!found) return { wrong: phrase("Write a percent, such as 60 or 12.5 %.") };
  const percent = Number(found[2].replace(",", "."));
  if (percent > 100 || (found[1] && percent > 0)) return { wrong: phrase("It lies between 0 % and 100 %.") };
  if (percent === 0 || percent > 1 || found[3] || !/[.,]/.test(found[2])) return { percent };
  const choices = [percent, 100 * percent].map(writePercent);
  return { wrong: phrase("Do you mean {few} or {many}? Write it with the sign.", { few: choices[0], many: choices[1] }), choices };
}

export function writePercent(percent) {
  return `${Number(percent.toPrecision(12))} %`;
}

// The percent in a field; NaN where there is none or it cannot be read.
export function percentIn(field) {
  return readPercent(field.value)?.percent ?? NaN;
}

export function setField(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// What the page works out stands on a button beside the field, and is an answer only where somebody takes it.
export function offer(field, text) {
  if ((field.dataset.offer ?? "") === text) return;
  field.dataset.offer = text;
  showPercent(field);
}

export function showPercent(field) {
  const found = readPercent(field.value);
  const place = field.closest(".percent");
  const told = place?.querySelector("output");
  field.setCustomValidity(found?.wrong ?? "");
  if (!told) return;
  told.classList.toggle("wrong", Boolean(found?.wrong));
  told.textContent = !found ? "%" : found.choices ? phrase("{few} or {many}?", { few: found.choices[0], many: found.choices[1] }) : (found.wrong ?? writePercent(found.percent));
  for (const old of place.querySelectorAll("button")) old.remove();
  const rest = !found && field.dataset.offer;
  for (const choice of rest ? [rest] : (found?.choices ?? [])) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "small", textContent: rest ? phrase("the rest, {rest}", { rest }) : choice });
    button.addEventListener("click", () => {
      setField(field, choice);
      field.focus();
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    place.append(button);
  }
}

// Before any control hears of it, so that a control can add what it knows of the sum; rows that come later are heard too.
document.addEventListener("input", (event) => event.target.matches?.("input[data-percent]") && showPercent(event.target), true);
