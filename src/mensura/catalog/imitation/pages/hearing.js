// A hearing: each message has a button that says it decided, and those of witnesses one that says it was a blunder.
export default function enhance(element, context) {
  const { choosing, marking } = context.data;
  const form = context.form;
  if (choosing === null || !form) return;
  const words = element.querySelector("[data-decided]").dataset;
  const field = (place) => form.elements[`answer.${place}`];
  const chosen = () => (field(choosing) instanceof RadioNodeList ? field(choosing).value : field(choosing)?.value);
  const marked = () => new Set((field(marking)?.value ?? "").toUpperCase().match(/[AB]\d+/g) ?? []);
  const buttons = [];

  function button(item, text, press, pressed) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.setAttribute("aria-label", `${text}: ${item.dataset.id}`);
    made.addEventListener("click", () => {
      press(item.dataset.id);
      follow();
    });
    buttons.push([made, () => pressed(item.dataset.id)]);
    return made;
  }

  function choose(id) {
    const wanted = chosen() === id ? "none" : id;
    const one = field(choosing);
    if (one instanceof RadioNodeList) {
      for (const radio of one) radio.checked = radio.value === wanted;
      form.dispatchEvent(new Event("input", { bubbles: true }));
    } else context.set(`answer.${choosing}`, wanted);
  }

  function mark(id) {
    const all = marked();
    if (!all.delete(id)) all.add(id);
    context.set(`answer.${marking}`, [...all].join(" "));
  }

  function follow() {
    for (const [made, pressed] of buttons) made.setAttribute("aria-pressed", String(pressed()));
  }

  for (const item of element.querySelectorAll("li[data-id]")) {
    const row = document.createElement("div");
    row.className = "im-marks";
    row.append(button(item, words.decided, choose, (id) => chosen() === id));
    if ("witness" in item.dataset) row.append(button(item, words.blunder, mark, (id) => marked().has(id)));
    item.append(row);
  }
  form.addEventListener("input", follow);
  form.addEventListener("change", follow);
  follow();
}
