// Place: where hands and eyes are, kept while a view is drawn anew: focus, caret, and how far panes are scrolled.
const REACHED = "button, input, select, textarea, summary, a, [tabindex]";

export function keepPlace(root) {
  const active = document.activeElement;
  const inside = active && root.contains(active) && !active.matches(".desk-view") ? active : null;
  return {
    name: inside?.dataset.place ?? "",
    alike: inside && !inside.dataset.place ? alike(root, inside.textContent).indexOf(inside) : -1,
    words: inside?.textContent ?? "",
    caret: inside && "selectionStart" in inside ? caretOf(inside) : null,
    opened: [...root.querySelectorAll("details[data-place]")].filter((each) => each.open).map((each) => each.dataset.place),
  };
}

export function putBack(root, before, memory) {
  for (const each of root.querySelectorAll("details[data-place]")) if (before.opened.includes(each.dataset.place)) each.open = true;
  for (const pane of root.querySelectorAll("[data-scroll]")) [pane.scrollLeft, pane.scrollTop] = memory.scroll(pane.dataset.scroll);
  if (!before.name && before.alike < 0) return;
  const same = before.name ? root.querySelector(`[data-place="${CSS.escape(before.name)}"]`) : alike(root, before.words)[before.alike];
  // What was held is gone: the keyboard goes on from the view, not from the top of the page.
  (same ?? root.querySelector(".desk-view")).focus({ preventScroll: true });
  if (same && before.caret) same.setSelectionRange?.(...before.caret);
}

// Buttons without a name of their own are known by their words and how many of the same come before.
function alike(root, words) {
  return [...root.querySelectorAll(REACHED)].filter((each) => !each.dataset.place && each.textContent === words);
}

function caretOf(field) {
  try {
    return field.selectionStart === null ? null : [field.selectionStart, field.selectionEnd, field.selectionDirection];
  } catch {
    return null;
  }
}
