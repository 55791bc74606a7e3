// The page: what is to be run, the runs beside each other, and what they cost. Runs come from the laboratory, from a
// session's log, or, in a page that stands alone, with the page.
import { h } from "./element.js";
import { Pane } from "./pane.js";
import { Player } from "./player.js";
import { drawPlots } from "./plots.js";
import { drawForm } from "./form.js";

const root = document.querySelector(".network");
const own = root.closest(".own");
const given = JSON.parse(own.querySelector(".own-data").textContent);
const find = (name) => root.querySelector(`.nw-${name}`);
const LOOK_AGAIN = 1500;
let player = null;
let turn = 0;

async function ask(asked) {
  const body = new URLSearchParams({ csrf: own.dataset.csrf, asked: JSON.stringify(asked) });
  try {
    const said = await fetch(own.dataset.address, { method: "POST", body, credentials: "same-origin" });
    return await said.json();
  } catch {
    return { fault: "The laboratory does not answer." };
  }
}

function say(words, wrong = false) {
  find("fault").textContent = words;
  find("fault").classList.toggle("wrong", wrong);
}

function show(runs, { known = null, live = false } = {}) {
  const before = live && player?.panes[0];
  player?.end();
  const panes = runs.map((run) => new Pane(run, { known }));
  find("panes").replaceChildren(...panes.map((pane) => pane.element));
  find("panes").classList.toggle("two", panes.length > 1);
  for (const pane of panes) pane.open();
  let [acts, move] = ["", () => {}];
  const moved = () => {
    const now = panes.map((pane) => pane.act).join();
    if (now !== acts) move = drawPlots(find("plots"), panes.map((pane) => pane.course), panes.map((pane) => pane.run.name));
    acts = now;
    move();
  };
  find("names").replaceChildren(...panes.map((pane, i) => h("span", { class: ["one", "two"][i] }, pane.run.name)));
  const large = runs.some((run) => run.acts[0].agents.length > 12);
  find("unit").value = large ? "cycle" : "message";
  player = new Player(root, panes, { moved });
  if (live) follow(panes[0], before);
  root.dataset.state = "ready";
}

// What goes on is shown at its end, unless someone has gone back to look at something.
function follow(pane, before) {
  const back = before && (before.act < before.courses.length - 1 || before.time < before.course.length);
  pane.enter(back ? before.act : pane.courses.length - 1);
  pane.go(back ? before.time : pane.course.length);
  if (before) pane.choose(before.canvas.chosen);
  player.show();
}

async function compute(wanted) {
  turn += 1;
  const mine = turn;
  root.dataset.state = "looking";
  say("Computing …");
  const said = await ask({ want: "run", ...wanted });
  if (mine !== turn) return;
  if (said.fault) {
    root.dataset.state = "refused";
    return say(said.fault, true);
  }
  say(said.runs.map((run) => `${run.name}: ${run.acts.length > 1 ? `${run.acts.length} problems` : run.acts[0].verdict}`).join("; "));
  show(said.runs, { known: (run, at) => ask({ ...wanted, want: "known", who: [run.name], ...at }) });
}

// A session under way is looked at again and again, and the picture stays at its end.
async function watch(session, seen = null) {
  if (seen === null) turn += 1;
  const mine = turn;
  const said = await ask({ session, seen });
  if (mine !== turn) return;
  if (said.fault) {
    root.dataset.state = "refused";
    return say(said.fault, true);
  }
  const [run] = said.runs ?? [];
  if (run) {
    const waiting = run.waiting.length ? `waiting for ${run.waiting.join(", ")}` : "nobody is asked now";
    say(run.over ? "This session is over." : `This session is under way: ${waiting}.`);
    show([run], { live: true });
    root.dataset.over = run.over ? "yes" : "no";
  }
  if (root.dataset.over !== "yes") setTimeout(() => mine === turn && watch(session, said.seen), LOOK_AGAIN);
}

if (given.runs) {
  find("form").remove();
  find("fault").remove();
  show(given.runs);
} else {
  const session = new URLSearchParams(location.search).get("session");
  const start = drawForm(find("form"), given, { compute, watch });
  // On a wall there is no room for what nobody uses.
  find("form").hidden = Boolean(session);
  if (session) watch(session);
  else start();
}
