// Grafting: everything around an element is renewed while the element itself stays in the page, so that what is typed,
// focused, scrolled or dragged in it stays too.

// The element of a world that lives on, in a page; in the next page, the one in whose place it goes on.
export function standing(main, like = null) {
  const found = main.querySelector(".own[data-alone][data-module]");
  return found && (!like || found.dataset.module === like.dataset.module) ? found : null;
}

// Both pages have the element at the same depth, since the same template drew them.
export function graft(old, fresh, stays, place) {
  takeAttributes(old, fresh);
  if (old === stays) {
    old.querySelector(":scope > script.own-data").replaceWith(fresh.querySelector(":scope > script.own-data"));
    return;
  }
  const [trunk, next] = [[...old.children].find((child) => child.contains(stays)), [...fresh.children].find((child) => child.contains(place))];
  for (const child of [...old.childNodes]) if (child !== trunk) child.remove();
  const nodes = [...fresh.childNodes];
  const cut = nodes.indexOf(next);
  trunk.before(...nodes.slice(0, cut));
  trunk.after(...nodes.slice(cut + 1));
  graft(trunk, next, stays, place);
}

function takeAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}
