// Small things that pages of experimenters do in the browser; all of them work without it, only less well.

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  // After the form was read: a second click must not send it twice.
  setTimeout(() => {
    for (const button of form.querySelectorAll("button:not([type=button])")) button.disabled = true;
  });
});

// Coming back by the browser's button must find the buttons as they were.
window.addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form button[disabled]")) button.disabled = false;
});

const rowsOf = (selector) =>
  [...document.querySelector(selector).rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));

const say = (words) => {
  const status = document.getElementById("status");
  if (status) status.textContent = words;
};

document.addEventListener("click", async (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const text = rowsOf(copy.dataset.copy).map((row) => row.join("\t")).join("\n");
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
      copy.textContent = "Copied";
    } catch {
      say("The browser does not let pages copy here; select the links and copy them by hand.");
    }
  }
  const save = event.target.closest("[data-save]");
  if (save) {
    const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
    const text = rowsOf(save.dataset.save).map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = save.dataset.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
});
