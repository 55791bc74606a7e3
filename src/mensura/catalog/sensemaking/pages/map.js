// The map's layers can be switched, and new events come one after the other, as they would be reported.
const PAUSE = 350;

export default function enhance(element) {
  const figure = element.querySelector(".sm-map");
  for (const box of figure.querySelectorAll("[data-toggle]")) {
    box.addEventListener("change", () => {
      for (const layer of figure.querySelectorAll("g[data-layer]")) {
        if (layer.dataset.layer === box.dataset.toggle) layer.style.display = box.checked ? "" : "none";
      }
    });
  }
  reveal(figure);
}

function reveal(figure) {
  const fresh = [...figure.querySelectorAll('g[data-layer="new events"] > .place')];
  const key = "sensemaking:" + (figure.closest("[data-ask]")?.dataset.key ?? "").split(".").slice(0, 2).join(".");
  if (fresh.length < 2 || matchMedia("(prefers-reduced-motion: reduce)").matches || seen(key)) return;
  const panel = figure.querySelector(".sm-reveal");
  const status = panel.querySelector("[role=status]");
  panel.hidden = false;
  for (const place of fresh) place.classList.add("waiting");
  let shown = 0;
  let timer = 0;
  const finish = () => {
    clearInterval(timer);
    for (const place of fresh) place.classList.remove("waiting");
    panel.hidden = true;
    remember(key);
  };
  timer = setInterval(() => {
    if (!figure.isConnected) return clearInterval(timer);
    fresh[shown].classList.remove("waiting");
    shown += 1;
    status.textContent = `${shown} of ${fresh.length}`;
    if (shown === fresh.length) finish();
  }, PAUSE);
  panel.querySelector("[data-all]").addEventListener("click", finish);
}

// A block's events are shown one by one once; the asks about them, and a reload, find them all there.
function seen(key) {
  try { return sessionStorage.getItem(key) === "seen"; } catch { return false; }
}

function remember(key) {
  try { sessionStorage.setItem(key, "seen"); } catch { /* private windows may refuse */ }
}
