// Arrow keys go up and down a list of buttons, as in any mail program.
export function arrows(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.target.tagName !== "BUTTON") return;
  const all = [...event.currentTarget.querySelectorAll("button")];
  const next = all[all.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
