// The map's layers can be switched, new events come one after the other as they would be reported, and a centre that is
// marked beside a road moves onto it.
const PAUSE = 350;

export default function enhance(element, context) {
  const figure = element.querySelector(".sm-map");
  for (const box of figure.querySelectorAll("[data-toggle]")) {
    box.addEventListener("change", () => {
      for (const layer of figure.querySelectorAll("g[data-layer]")) {
        if (layer.dataset.layer === box.dataset.toggle) layer.style.display = box.checked ? "" : "none";
      }
    });
  }
  reveal(figure);
  snap(context);
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

// Only a point is moved to the road; circles are drawn where no roads are.
function snap(context) {
  const place = context?.form?.querySelector('[data-control="place"]');
  const roads = (context?.data?.features ?? []).filter((feature) => feature.shape === "line");
  if (!place || place.querySelector('[data-part="radius"]') || roads.length === 0) return;
  const points = roads.flatMap((road) => road.places);
  const [x, y] = ["x", "y"].map((part) => place.querySelector(`[data-part="${part}"]`));
  const move = () => {
    if (x.value === "" || y.value === "") return;
    const here = [Number(x.value), Number(y.value)];
    const far = (point) => (point[0] - here[0]) ** 2 + (point[1] - here[1]) ** 2;
    const nearest = points.reduce((best, point) => (far(point) < far(best) ? point : best));
    if (far(nearest) === 0) return;
    [x.value, y.value] = nearest.map(String);
    x.dispatchEvent(new Event("input", { bubbles: true }));
  };
  addEventListener("pointerup", (event) => { if (place.isConnected && event.target.closest?.(".plane")) move(); });
  context.form.addEventListener("submit", move, { capture: true });
}

// A block's events are shown one by one once; the asks about them, and a reload, find them all there.
function seen(key) {
  try { return sessionStorage.getItem(key) === "seen"; } catch { return false; }
}

function remember(key) {
  try { sessionStorage.setItem(key, "seen"); } catch { /* private windows may refuse */ }
}
