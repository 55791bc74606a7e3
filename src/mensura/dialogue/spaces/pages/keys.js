// Keys of the whole page, while no field is being typed in.
let handlers = [];

export function onKeys(element, handle) {
  handlers = handlers.filter((each) => each.element.isConnected);
  handlers.push({ element, handle });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [role=slider], [role=application]")) return;
  // What lies under a dialog is out of reach.
  if (document.querySelector("dialog[open]")) return;
  for (const { element, handle } of handlers) if (element.isConnected && handle(event)) event.preventDefault();
});
