// Acts as buttons: one press chooses the act and sends it.
export function wrong(act, { name, target }, { names, targets }) {
  const check = (text, letter, count, what) => {
    const number = new RegExp(`^${letter}(\\d+)$`, "i").exec(text.trim());
    if (number && Number(number[1]) < count) return "";
    return `Give a ${what} first, ${letter}0 to ${letter}${count - 1}, or press one above.`;
  };
  if (act === "inquire" || act === "arrest") return check(name, "I", names, "name");
  if (act === "watch" || act === "alert") return check(target, "T", targets, "target");
  return "";
}

export default function enhance(element, context) {
  const set = element.querySelector(".dt-acts");
  const name = set.querySelector('input[name$=".name"]');
  const target = set.querySelector('input[name$=".target"]');
  const call = set.querySelector('select[name$=".call"]');
  const level = set.querySelector('select[name$=".level"]');
  const note = set.querySelector(".dt-note");
  set.querySelector(".dt-plain").hidden = true;
  for (const standard of context.form.querySelectorAll(":scope > .buttons")) standard.style.display = "none";
  for (const part of set.querySelectorAll(".dt-buttons, .dt-on")) part.hidden = false;
  for (const button of set.querySelectorAll("[data-act]")) {
    button.addEventListener("click", () => {
      const known = { names: Number(set.dataset.names), targets: Number(set.dataset.targets) };
      const problem = wrong(button.dataset.act, { name: name.value, target: target.value }, known);
      note.textContent = problem;
      if (problem) return;
      call.value = button.dataset.act;
      if (button.dataset.level) level.value = button.dataset.level;
      context.submit();
    });
  }
  // Enter in a field must not send whatever act happens to stand first in the hidden list.
  for (const field of [name, target]) {
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
  }
  (element.closest("main") ?? document).addEventListener("detection-pick", (event) => {
    if (event.detail.startsWith("I")) name.value = event.detail;
    if (event.detail.startsWith("T")) target.value = event.detail;
  });
}
