// A visit: one <main> after the other. Each is drawn by the server; this file brings it to life and swaps it.
import { announce, say } from "./speech.js";
import { clearDraft, keepDraft, restoreDraft } from "./draft.js";
import { precision, startClock } from "./clock.js";
import { listen } from "./telemetry.js";
import { keepChanges } from "./changes.js";
import * as percents from "./controls/percent.js";
import * as sliders from "./controls/slider.js";
import * as sums from "./controls/sum.js";
import { fields, post } from "./post.js";
import { startPolling } from "./poll.js";
import { offerInstructions } from "./instructions.js";
import { graft, standing } from "./graft.js";
import { keepStyles } from "./styles.js";
import { phrase } from "./controls/phrase.js";

const SLUGS = /^[a-z]+$/;
// How long a world stays in sight while others are asked, in milliseconds.
const PATIENCE = 15000;
let current = null;

export function open(main, before = null, drawn = null) {
  current?.stop();
  const visit = { main, drawn, link: main.dataset.link, step: main.dataset.step, stop };
  const stops = [];
  function stop() {
    for (const each of stops) each();
    visit.unpoll?.();
    clearTimeout(visit.patience);
  }
  current = visit;
  const ask = main.querySelector("[data-ask]");
  visit.ask = ask;
  if (ask) {
    visit.draft = restoreDraft(visit);
    stops.push(keepDraft(visit));
    visit.clock = startClock(visit, () => tick(visit));
    stops.push(visit.clock.stop);
    visit.changes = keepChanges(visit);
    stops.push(visit.changes.stop);
    if ("telemetry" in ask.dataset) {
      visit.telemetry = listen(ask);
      stops.push(visit.telemetry.stop);
    }
  }
  for (const field of main.querySelectorAll("input[data-percent]")) percents.showPercent(field);
  for (const form of main.querySelectorAll("form[data-post]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit(visit, form, event.submitter);
    });
  }
  if (main.dataset.poll) visit.unpoll = startPolling(visit, () => tick(visit));
  offerInstructions(main);
  steady(main);
  keepStyles(main);
  return bring(main, visit).then(() => {
    if (before) settle(main, before);
  });
}

// Controls come one file each, and tests may bring modules of their own.
async function bring(main, visit) {
  const work = [...main.querySelectorAll("[data-control]")].map(async (element) => {
    const name = element.dataset.control;
    if (!SLUGS.test(name)) return;
    const { default: enhance } = await import(`./controls/${name}.js`);
    enhance(element, contextOf(element, visit));
  });
  const own = [...main.querySelectorAll("[data-module]")].map(async (element) => {
    const { default: enhance } = await import(element.dataset.module);
    await enhance(element, contextOf(element, visit));
  });
  const done = await Promise.allSettled([...work, ...own]);
  for (const one of done) if (one.status === "rejected") console.error(one.reason);
  main.dataset.ready = "";
}

// What a control or a test's own module gets beside its element.
function contextOf(element, visit) {
  const form = element.closest("form") ?? visit.main.querySelector("form[data-answer]");
  const data = element.querySelector(":scope > script.own-data");
  function set(name, value) {
    let field = form.elements[name];
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      form.append(field);
    }
    field.value = value;
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function send(values = {}) {
    for (const [name, value] of Object.entries(values)) set(name, value);
    form.requestSubmit();
  }
  const note = visit.main.querySelector(".note")?.textContent ?? "";
  const read = data ? JSON.parse(data.textContent) : null;
  return { form, visit, note, drawn: visit.drawn, draft: visit.draft ?? {}, data: read, set, submit: send, ...percents, ...sliders, ...sums };
}

async function submit(visit, form, submitter) {
  if (visit.busy) return;
  visit.busy = true;
  form.dataset.busy = "";
  if (form.elements.shown && visit.clock) form.elements.shown.value = visit.clock.seconds().toFixed(3);
  if (form.elements.precision) form.elements.precision.value = precision().toPrecision(3);
  if (form.elements.changes && visit.changes) form.elements.changes.value = visit.changes.text();
  if (form.elements.telemetry && visit.telemetry) form.elements.telemetry.value = visit.telemetry.text();
  try {
    const page = await post(form.action, fields(form, submitter));
    if (page === null || current !== visit) return;
    if (page.ok) clearDraft(visit);
    if (!swap(visit, page.main)) note(visit.main, page.main);
  } finally {
    visit.busy = false;
    delete form.dataset.busy;
  }
}

// Ask whether anything has changed; a deadline that was seen to pass lapses by it.
async function tick(visit) {
  if (visit.busy || current !== visit) return;
  const body = new URLSearchParams({
    csrf: visit.main.dataset.csrf,
    step: visit.step,
    seen: visit.main.dataset.seen ?? "",
    kind: visit.main.dataset.kind,
    number: visit.ask?.dataset.ask ?? "",
    shown: visit.clock ? visit.clock.seconds().toFixed(3) : "",
    held: "held" in visit.main.dataset ? "yes" : "",
  });
  const page = await post(`${visit.link}/tick`, body, { once: true });
  if (page && page.main && current === visit && !visit.busy) swap(visit, page.main);
}

// Put the new page in place of the old; what is no page of ours stays out.
function swap(visit, main) {
  if (!main || main.dataset.kind === "error") return false;
  const stays = standing(visit.main);
  if (stays && main.dataset.kind === "waiting" && !main.querySelector(".told") && !standing(main, stays)) {
    wait(visit, main, stays);
    return true;
  }
  const before = describe(visit);
  say("");
  document.title = main.dataset.title;
  const place = stays && standing(main, stays);
  if (place) {
    graft(visit.main, main, stays, place);
    open(visit.main, null, place);
    return true;
  }
  replace(visit, main, before);
  return true;
}

function replace(visit, main, before) {
  keepStyles(main);
  visit.main.replaceWith(main);
  window.scrollTo(0, 0);
  open(main, before);
}

// A world that lives on stays in sight for a while when others are asked; its script hears of it by an event.
function wait(visit, main, stays) {
  for (const name of ["kind", "seen", "csrf"]) visit.main.dataset[name] = main.dataset[name] ?? "";
  if (!("held" in visit.main.dataset)) visit.main.dataset.poll = "0.2";
  visit.clock?.stop();
  stays.dispatchEvent(new CustomEvent("wait"));
  visit.unpoll?.();
  visit.unpoll = startPolling(visit, () => tick(visit));
  clearTimeout(visit.patience);
  visit.patience = setTimeout(() => {
    if (current !== visit || visit.busy) return;
    document.title = main.dataset.title;
    replace(visit, main, describe(visit));
  }, PATIENCE);
}

function note(main, page) {
  const words = page?.querySelector(".sheet p")?.textContent ?? phrase("That did not work. Please try again.");
  let place = main.querySelector(".note");
  if (!place) {
    place = document.createElement("p");
    place.className = "note";
    place.setAttribute("role", "alert");
    main.querySelector(".way")?.after(place);
  }
  place.textContent = words;
  place.scrollIntoView({ block: "center" });
}

function describe(visit) {
  const active = document.activeElement;
  return { name: active?.name ?? "", inside: visit.main.contains(active), kind: visit.main.dataset.kind };
}

// Focus goes where the same field was, so that hands stay on the keyboard; the new question is announced.
function settle(main, before) {
  const words = [...main.querySelectorAll(".note, .tolds, .prompt, .waiting h1")].map((part) => part.innerText.trim());
  announce(words.join("\n").slice(0, 600));
  const same = before.inside && before.name && before.kind === "ask" ? main.querySelector(`[name="${CSS.escape(before.name)}"]:not([type=hidden])`) : null;
  const invalid = main.querySelector(".note") ? main.querySelector("form[data-answer] :is(input, textarea, select):not([type=hidden])") : null;
  (same ?? invalid ?? main.querySelector("[data-focus]") ?? main).focus({ preventScroll: true });
}

// Only what really scrolls needs to be reached by the keyboard.
function steady(main) {
  for (const box of main.querySelectorAll(".scroll[tabindex]")) {
    if (box.scrollWidth <= box.clientWidth) box.removeAttribute("tabindex");
  }
}

// A page that the browser kept for "back" may be old: look again.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
