// The shown clock: counts the seconds for which the ask was really before the person's eyes, over reloads too.
import { announce } from "./speech.js";
import { phrase } from "./controls/phrase.js";

const STEP = 200;
const PATIENCE = 40;
let step = 0;

// The step of this browser's clock in milliseconds, measured once: the smallest difference between two readings.
export function precision() {
  if (step) return step;
  const begun = performance.now();
  let last = begun;
  let least = Infinity;
  for (let seen = 0; seen < 10 && last - begun < PATIENCE; ) {
    const now = performance.now();
    if (now > last) {
      least = Math.min(least, now - last);
      last = now;
      seen += 1;
    }
  }
  step = least;
  return step;
}

// Seconds before the end at which those who cannot see the clock are told, with what they are told.
const SAID = [
  [60, phrase("One minute is left.")],
  [10, phrase("Ten seconds are left.")],
];

export function startClock(visit, passed) {
  const { ask, main } = visit;
  const name = `mensura:shown:${visit.link}:${visit.step}:${ask.dataset.since}`;
  forgetOthers(name, `mensura:shown:${visit.link}:`);
  const wall = ask.dataset.timing === "wall";
  const left = ask.dataset.left === undefined ? Infinity : Number(ask.dataset.left);
  const tickSeconds = Number(ask.dataset.tick ?? 0);
  const base = Number(ask.dataset.base ?? 0);
  const face = main.querySelector("[data-now]");
  const rest = main.querySelector("[data-rest]");
  let total = wall ? 0 : Number(sessionStorage.getItem(name)) || 0;
  let last = running() ? performance.now() : null;
  let asked = 0;
  let before = Infinity;

  function running() {
    return wall || document.visibilityState === "visible";
  }

  function seconds() {
    if (last !== null) {
      const now = performance.now();
      total += (now - last) / 1000;
      last = now;
      if (!wall) sessionStorage.setItem(name, String(total));
    }
    return total;
  }

  function look() {
    seconds();
    last = running() ? performance.now() : null;
    if (face && tickSeconds) face.textContent = String(base + Math.floor(Math.min(total, left) / tickSeconds));
    if (rest) showRest(left - total);
    if (total >= left && performance.now() - asked > 400) {
      asked = performance.now();
      passed();
    }
  }

  function showRest(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    rest.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
    rest.parentElement.classList.toggle("short", whole < 10);
    const said = SAID.find(([bound]) => seconds <= bound && before > bound && before !== Infinity);
    if (said) announce(said[1]);
    before = seconds;
  }

  const timer = setInterval(look, STEP);
  document.addEventListener("visibilitychange", look);
  look();
  return {
    seconds,
    stop() {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    },
  };
}

function forgetOthers(name, prefix) {
  for (const other of Object.keys(sessionStorage)) {
    if (other.startsWith(prefix) && other !== name) sessionStorage.removeItem(other);
  }
}
