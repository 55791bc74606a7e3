// Instructions: what was read before the questions, in a dialog above them, so that nothing typed is lost.
import { parse } from "./post.js";
import { phrase } from "./controls/phrase.js";

export function offerInstructions(main) {
  const link = main.querySelector("a[data-instructions]");
  link?.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const text = await read(link.href);
    if (text) show(text);
    else window.open(link.href, "_blank", "noopener");
  });
}

async function read(address) {
  try {
    const answer = await fetch(address, { headers: { "X-Mensura-Part": "main" }, credentials: "same-origin" });
    return answer.ok ? parse(await answer.text())?.querySelector(".sheet") : null;
  } catch {
    return null;
  }
}

function show(text) {
  if (document.querySelector("dialog.instructions")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "instructions";
  const heading = text.querySelector("h1");
  heading.id = "instructions-title";
  dialog.setAttribute("aria-labelledby", heading.id);
  const close = document.createElement("button");
  close.type = "button";
  close.className = "primary";
  close.textContent = phrase("Close");
  close.addEventListener("click", () => dialog.close());
  const foot = document.createElement("div");
  foot.className = "buttons";
  foot.append(close);
  const body = document.createElement("div");
  body.className = "body";
  body.tabIndex = 0;
  body.append(...text.childNodes);
  dialog.append(body, foot);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}
