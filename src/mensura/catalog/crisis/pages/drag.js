// Dragging an event with the mouse: onto a cell, onto the tray, over a day to open it. Escape lets go.
import { h } from "./element.js";

const FAR = 6;
const DWELL = 350;

export function dragStart(desk, event, drop) {
  return (down) => {
    if (down.button !== 0 || down.pointerType === "touch" || !desk.idle || !desk.can("move")) return;
    const from = [down.clientX, down.clientY];
    let ghost = null;
    let over = null;
    let turning = { day: null, since: 0 };
    const target = (point) => document.elementFromPoint(point.clientX, point.clientY)?.closest("[data-drop], [data-day]") ?? null;
    function move(point) {
      if (!ghost && Math.hypot(point.clientX - from[0], point.clientY - from[1]) < FAR) return;
      point.preventDefault();
      if (!ghost) {
        ghost = h("div", { class: "ghost" }, event.short);
        document.body.append(ghost);
        desk.root.classList.add("dragging");
      }
      ghost.style.translate = `${point.clientX + 12}px ${point.clientY + 8}px`;
      over?.classList.remove("over");
      over = target(point);
      over?.classList.add("over");
      dwell(over?.dataset.day);
    }
    // A day that is hovered over for a moment opens, so that an event can go to another day.
    function dwell(day) {
      const now = performance.now();
      if (day !== turning.day) turning = { day, since: now };
      if (day === undefined || now - turning.since < DWELL || String(desk.memory.get("day", 0)) === day) return;
      desk.open("day", day === "all" ? "all" : Number(day));
    }
    function end(point) {
      for (const [name, heard] of listeners) removeEventListener(name, heard, true);
      desk.root.classList.remove("dragging");
      ghost?.remove();
      over?.classList.remove("over");
      if (!ghost) return;
      // The click that follows is not meant.
      addEventListener("click", (click) => { click.stopPropagation(); click.preventDefault(); },
        { capture: true, once: true },
      );
      setTimeout(() => dispatchEvent(new MouseEvent("click")));
      if (point?.type === "pointerup" && over?.dataset.drop) drop(over.dataset.drop, point);
    }
    const listeners = [
      ["pointermove", move],
      ["pointerup", end],
      ["pointercancel", () => end(null)],
      ["keydown", (key) => { if (key.key === "Escape") end(null); }],
    ];
    for (const [name, heard] of listeners) addEventListener(name, heard, true);
  };
}
