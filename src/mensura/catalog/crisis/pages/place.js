// Place: where hands and eyes are, kept while a view is drawn anew: focus, caret, and how far panes are scrolled.
export function keepPlace(root) {
  const active = document.activeElement;
  const inside = active && root.contains(active) ? active : null;
  return {
    name: inside?.dataset.place ?? "",
    caret: inside && "selectionStart" in inside ? caretOf(inside) : null,
    opened: [...root.querySelectorAll("details[data-place]")].filter((each) => each.open).map((each) => each.dataset.place),
  };
}

export function putBack(root, before, memory) {
  for (const each of root.querySelectorAll("details[data-place]")) if (before.opened.includes(each.dataset.place)) each.open = true;
  for (const pane of root.querySelectorAll("[data-scroll]")) [pane.scrollLeft, pane.scrollTop] = memory.scroll(pane.dataset.scroll);
  if (!before.name) return;
  const same = root.querySelector(`[data-place="${CSS.escape(before.name)}"]`);
  if (!same) return;
  same.focus({ preventScroll: true });
  if (before.caret) same.setSelectionRange?.(...before.caret);
}

function caretOf(field) {
  try {
    return field.selectionStart === null ? null : [field.selectionStart, field.selectionEnd, field.selectionDirection];
  } catch {
    return null;
  }
}
