// Changes: each value that a field was given, with its time, over reloads too. Typing counts when it is done, not key by
// key; a slider when it is let go.
import { filled } from "./draft.js";

const MOST = 300;
const LONGEST = 100;
// The field of a last change that stands for all that came after.
const CUT = "…";
const LATER = ["change", "click", "pointerup", "keyup"];

export function keepChanges(visit) {
  const name = `mensura:changes:${visit.link}:${visit.step}:${visit.ask.dataset.ask}`;
  for (const other of Object.keys(sessionStorage)) {
    if (other.startsWith(`mensura:changes:${visit.link}:`) && other !== name) sessionStorage.removeItem(other);
  }
  const kept = JSON.parse(sessionStorage.getItem(name) ?? "[]");
  const last = Object.fromEntries(kept.map(([, field, value]) => [field, value]));

  function look(event) {
    const now = filled(visit);
    const seconds = Number(visit.clock.seconds().toFixed(3));
    for (const field of Object.keys({ ...last, ...now })) {
      const value = (now[field] ?? "").slice(0, LONGEST);
      if (value === (last[field] ?? "") || (event.type !== "change" && typing(field))) continue;
      last[field] = value;
      if (kept.length < MOST) kept.push([seconds, field, value]);
      else if (kept.length === MOST) kept.push([seconds, CUT, ""]);
    }
    try {
      sessionStorage.setItem(name, JSON.stringify(kept));
    } catch {
      // Without room the changes since the last reload are kept.
    }
  }

  function typing(field) {
    const active = document.activeElement;
    return active?.name === field && active.matches("input:not([type=radio], [type=checkbox], [type=range]), textarea");
  }

  // What is being typed when the page is left was typed too.
  const leave = () => look({ type: "change" });
  window.addEventListener("pagehide", leave);
  for (const kind of LATER) visit.main.addEventListener(kind, look);
  return {
    text() {
      leave();
      return JSON.stringify(kept);
    },
    stop() {
      window.removeEventListener("pagehide", leave);
      for (const kind of LATER) visit.main.removeEventListener(kind, look);
    },
  };
}
