// Playback by keyboard, and by itself: each step is one of the page's own links.

const PAUSE = 1200;
const KEYS = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last" };
let timer = null;

const step = (name) => {
  const link = document.querySelector(`[data-step="${name}"]`);
  if (link) link.click();
  return link !== null;
};

const show = (playing) => {
  const button = document.querySelector("[data-play]");
  if (!button) return;
  button.textContent = playing ? "Stop" : "Play";
  button.setAttribute("aria-pressed", String(playing));
};

const stop = () => {
  clearInterval(timer);
  timer = null;
  show(false);
};

const play = () => {
  timer = setInterval(() => { if (!step("after")) stop(); }, PAUSE);
  show(true);
};

const toggle = () => (timer === null ? play() : stop());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  if (event.key in KEYS) {
    event.preventDefault();
    if (timer !== null) stop();
    step(KEYS[event.key]);
  } else if (event.key === " " && !event.target.closest("button, a, summary")) {
    event.preventDefault();
    toggle();
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) toggle();
});

let focused = null;
document.body.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  focused = active?.dataset?.step ?? (active?.hasAttribute?.("data-play") ? "play" : null);
});

// The part of the page that held the focus was replaced: give it back, and keep the button's word.
document.body.addEventListener("htmx:afterSettle", () => {
  show(timer !== null);
  if (focused === null) return;
  const again = focused === "play" ? "[data-play]" : `[data-step="${focused}"]`;
  const target = document.querySelector(again) ?? document.querySelector("[data-step]");
  target?.focus();
});
