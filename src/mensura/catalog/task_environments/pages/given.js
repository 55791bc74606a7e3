// What the page was drawn with, and how it asks the laboratory.
export const own = document.querySelector(".own");
export const given = JSON.parse(own.querySelector(".own-data").textContent);

export async function ask(task, want, more = {}) {
  const asked = JSON.stringify({ task: JSON.parse(text(task)), want, ...more });
  try {
    const body = new URLSearchParams({ csrf: own.dataset.csrf, asked });
    const said = await fetch(own.dataset.address, { method: "POST", body, credentials: "same-origin" });
    return await said.json();
  } catch {
    return { fault: "The laboratory does not answer; the task stays as it is here." };
  }
}

// A task as JSON. Where its blocks stand on the canvas is no part of it.
export function text(task, space) {
  return JSON.stringify(task, (key, value) => (key === "at" ? undefined : value), space);
}
