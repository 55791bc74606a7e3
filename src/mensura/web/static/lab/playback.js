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
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  if (event.key in KEYS) {
    event.preventDefault();
    if (timer !== null) stop();
    step(KEYS[event.key]);
  } else if (event.key === " " && !event.target.closest("button, a, summary, input")) {
    event.preventDefault();
    toggle();
  }
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-play]")) toggle();
});

// Styles that prompts bring stay on the page, so that the next step is never seen without them.
const keepStyles = () => {
  const kept = new Set([...document.head.querySelectorAll("link[rel=stylesheet]")].map((link) => link.href));
  for (const link of document.querySelectorAll("#moment link[rel=stylesheet]")) {
    if (!kept.has(link.href)) document.head.append(link.cloneNode());
    kept.add(link.href);
  }
};
keepStyles();

// Worlds that live on are drawn by their own scripts; nothing can be done in them here.
const enliven = () => {
  for (const element of document.querySelectorAll("#moment .own[data-alone]")) {
    const data = JSON.parse(element.querySelector(":scope > script.own-data").textContent);
    const context = { form: null, visit: null, note: "", draft: {}, data, set() {}, submit() {} };
    import(element.dataset.module).then(({ default: enhance }) => enhance(element, context), (error) => console.error(error));
  }
};
enliven();

let focused = null;
document.body.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  focused = active?.dataset?.step ?? (active?.hasAttribute?.("data-play") ? "play" : null);
});

// The part of the page that held the focus was replaced: give it back, and keep the button's word.
document.body.addEventListener("htmx:afterSettle", () => {
  keepStyles();
  enliven();
  show(timer !== null);
  if (focused === null) return;
  const again = focused === "play" ? "[data-play]" : `[data-step="${focused}"]`;
  const target = document.querySelector(again) ?? document.querySelector("[data-step]");
  target?.focus();
});
