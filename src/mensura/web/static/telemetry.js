// Telemetry, only where the consent says so: when the person looked away; and where it says that too, when keys were
// pressed (not which) and what length was pasted.
const MOST = 2000;

export function listen(ask) {
  const start = performance.now();
  const marks = [];
  const mark = (kind, size) => {
    if (marks.length < MOST) marks.push([Math.round(performance.now() - start) / 1000, kind, ...(size === undefined ? [] : [size])]);
  };
  const typing = [
    [ask, "keydown", () => mark("key")],
    [ask, "paste", (event) => mark("paste", event.clipboardData?.getData("text").length ?? 0)],
    [ask, "cut", () => mark("cut")],
  ];
  const heard = [
    ...(ask.dataset.telemetry === "keys" ? typing : []),
    [window, "blur", () => mark("blur")],
    [window, "focus", () => mark("focus")],
    [document, "visibilitychange", () => mark(document.visibilityState === "visible" ? "visible" : "hidden")],
  ];
  for (const [target, name, act] of heard) target.addEventListener(name, act);
  return {
    text: () => JSON.stringify(marks),
    stop() {
      for (const [target, name, act] of heard) target.removeEventListener(name, act);
    },
  };
}
