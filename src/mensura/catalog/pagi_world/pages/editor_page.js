// What the editor was drawn with, how it asks the laboratory, and how its elements are made.
export const own = document.querySelector(".own");
export const given = JSON.parse(own.querySelector(".own-data").textContent);

export async function ask(room, want, more = {}) {
  try {
    const body = new URLSearchParams({ csrf: own.dataset.csrf ?? "", asked: JSON.stringify({ room, want, ...more }) });
    const said = await fetch(own.dataset.address, { method: "POST", body, credentials: "same-origin" });
    return await said.json();
  } catch {
    return { fault: "Nobody answers: the room stays as it is here." };
  }
}

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export function button(words, act, attributes = {}) {
  const made = h("button", { type: "button", class: "light", ...attributes }, words);
  made.addEventListener("click", act);
  return made;
}

// Hear of a change once the keyboard has gone on to the next field: forms that are drawn anew know where it is.
function heard(control, put) {
  control.addEventListener("change", () => {
    control.defaultValue = control.value;
    setTimeout(() => put(control.value));
  });
}

export function menu(options, value, put, attributes = {}) {
  const all = options.includes(value) ? options : [value, ...options];
  const made = h("select", attributes, ...all.map((one) => h("option", { value: one }, one === "" ? "–" : one)));
  made.value = value;
  heard(made, put);
  return made;
}

export function line(value, put, attributes = {}) {
  const made = h(attributes.long ? "textarea" : "input", { autocomplete: "off", ...(attributes.long ? { rows: 3 } : { type: "text" }), ...attributes, long: null });
  made.defaultValue = value;
  heard(made, put);
  return made;
}
