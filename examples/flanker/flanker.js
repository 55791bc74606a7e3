// The trials of a flanker task. With jsPsych it would be the same two messages: run the timeline when asked, and answer
// with jsPsych.data.get().values() at the end.
const SIGNS = { left: "←", right: "→" };
const arrows = document.getElementById("arrows");
const data = [];
let trials = [];
let began = 0;
let shown = 0;

function say(type, more) {
  parent.postMessage({ mensura: 1, type, ...more }, "*");
}

function show() {
  const { middle, others } = trials[data.length];
  const around = SIGNS[others].repeat(2);
  arrows.textContent = around + SIGNS[middle] + around;
  arrows.setAttribute("aria-label", `Middle ${middle}, others ${others}`);
  document.getElementById("count").textContent = `${data.length + 1} of ${trials.length}`;
  shown = performance.now();
}

function answer(response) {
  if (data.length >= trials.length) return;
  const now = performance.now();
  const { middle, others } = trials[data.length];
  data.push({
    trial_type: "flanker",
    trial_index: data.length,
    time_elapsed: Math.round(now - began),
    internal_node_id: `0.0-${data.length}.0`,
    rt: Math.round(now - shown),
    response,
    correct: response === middle,
    congruent: middle === others,
  });
  if (data.length < trials.length) show();
  else say("answer", { value: data });
}

for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => answer(button.dataset.side));
}
window.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") answer("left");
  if (event.key === "ArrowRight") answer("right");
});
window.addEventListener("message", ({ data: said, source }) => {
  if (source !== parent || said?.mensura !== 1 || said.type !== "ask") return;
  trials = said.told.trials;
  began = performance.now();
  show();
  say("size", { height: document.querySelector("main").getBoundingClientRect().bottom + 30 });
});
say("ready");
