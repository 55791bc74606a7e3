// The face of the clock: the office's time and how much is left, running between asks.
const STEP = 500;
const LAST = 20;

export function startFace(desk) {
  const { office, root } = desk;
  const began = performance.now();
  const base = Number(desk.context.visit?.ask?.dataset.base ?? office.now);
  const [time, left, bar] = ["time", "left", "bar"].map((name) => root.querySelector(`.desk-${name}`));
  function show() {
    if (!root.isConnected) return clearInterval(timer);
    const now = desk.context.form ? base + Math.floor((performance.now() - began) / 1000) : office.now;
    const rest = Math.max(0, office.seconds - now);
    time.textContent = office.clock(now);
    left.textContent = rest >= 60 ? `${Math.ceil(rest / 60)} min left` : `${rest} s left`;
    left.classList.toggle("short", rest <= 600);
    if (rest <= LAST && desk.context.form && !desk.busy) desk.brief();
    bar.max = office.seconds;
    bar.value = Math.min(now, office.seconds);
  }
  root.querySelector(".desk-title").textContent = office.title;
  const timer = setInterval(show, STEP);
  show();
  return () => clearInterval(timer);
}
