// New events come one after the other as they would be reported, a centre that is
// marked beside a road moves onto it, and practice says at once what a circle holds or how far a centre is from all.
const PAUSE = 350;

export default function enhance(element, context) {
  const figure = element.querySelector(".sm-map");
  reveal(figure);
  snap(context);
  say(figure, context);
}

function reveal(figure) {
  const fresh = [...figure.querySelectorAll('g[data-layer="new events"] > .place')];
  const key = "sensemaking:" + (figure.closest("[data-ask]")?.dataset.key ?? "").split(".").slice(0, 2).join(".");
  const asked = figure.closest(".sheet") !== null;
  if (!asked || fresh.length < 2 || matchMedia("(prefers-reduced-motion: reduce)").matches || seen(key)) return;
  remember(key);
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

function say(figure, context) {
  const place = context?.form?.querySelector('[data-control="place"]');
  const live = figure.dataset.live;
  if (!place || !live) return;
  const status = figure.querySelector(".sm-live");
  const part = (name) => Number(place.querySelector(`[data-part="${name}"]`)?.value || NaN);
  const events = [...figure.querySelectorAll(".place")].map((at) => [Number(at.dataset.x), Number(at.dataset.y)]);
  const road = (context.data?.features ?? []).find((feature) => feature.shape === "line")?.places ?? [];
  const tell = () => {
    const [x, y] = [part("x"), part("y")];
    if (Number.isNaN(x) || Number.isNaN(y)) return;
    if (live === "inside") {
      const held = events.filter((at) => Math.hypot(at[0] - x, at[1] - y) <= part("radius")).length;
      status.textContent = `The circle holds ${held} of ${events.length}.`;
    } else {
      const along = lengths(road);
      const own = along[nearestTo(road, [x, y])];
      const mean = events.reduce((sum, at) => sum + Math.abs(along[nearestTo(road, at)] - own), 0) / events.length;
      status.textContent = `On average ${(mean * Number(figure.dataset.miles)).toFixed(1)} miles along the road from here.`;
    }
  };
  place.addEventListener("input", tell);
  place.addEventListener("change", tell);
  tell();
}

function lengths(road) {
  let sum = 0;
  return road.map((point, i) => (sum += i === 0 ? 0 : Math.hypot(point[0] - road[i - 1][0], point[1] - road[i - 1][1])));
}

function nearestTo(points, here) {
  const far = (point) => (point[0] - here[0]) ** 2 + (point[1] - here[1]) ** 2;
  return points.reduce((best, point, i) => (far(point) < far(points[best]) ? i : best), 0);
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
    const nearest = points[nearestTo(points, here)];
    if (nearest[0] === here[0] && nearest[1] === here[1]) return;
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
