// What is to be read beside the picture: the moment in words, an agent, a link.
import { h } from "./element.js";
import { ASSIGN } from "./course.js";

const MOST = 40;

export function tell(course) {
  const { moment, act } = course;
  if (!moment) return `Nobody has begun. ${act.agents.length} agents, ${act.links.length} links.`;
  const name = act.agents[moment.agent];
  const parts = [];
  if (moment.first && moment.read.length) {
    const letters = moment.read.slice(0, 4).map((id) => (id === null ? "a second copy" : `${course.textOf(course.letters[id])} from ${act.agents[course.letters[id].from]}`));
    parts.push(`reads ${letters.join(", ")}${moment.read.length > 4 ? ` and ${moment.read.length - 4} more` : ""}`);
  } else if (moment.first) parts.push("begins");
  for (const call of moment.calls) {
    if (call[0] === ASSIGN) {
      const [variable, domain] = act.variables[call[1]];
      parts.push(`sets ${variable} to ${act.domains[domain][call[2]]}`);
    } else if (call[0] >= 0) parts.push(`sends ${course.textOf(course.letters[moment.letter])} to ${act.agents[call[0]]}`);
    else parts.push(`stops the run: ${call[1]}`);
  }
  if (moment.first && moment.last && !moment.calls.length) parts.push("has nothing to say");
  const broken = course.violated === 1 ? "1 constraint is violated" : `${course.violated} constraints are violated`;
  return `Cycle ${moment.cycle}: ${name} ${parts.join("; ")}. ${broken}.`;
}

export function describe(course) {
  const words = `${course.act.agents.length} agents and ${course.act.links.length} links`;
  return `Network of ${words}; constraints violated: ${course.violated}; letters on the way: ${course.flying.size}; sent: ${course.totals.messages}.`;
}

function row(name, value) {
  return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, String(value)));
}

export function drawAgent(course, agent, { chooseLink, known }) {
  const { act } = course;
  const mine = course.agents[agent];
  const name = act.agents[agent];
  const sent = act.kinds.map((kind, i) => (mine.sent[i] ? `${mine.sent[i]} ${kind}` : "")).filter(Boolean);
  const counts = [
    ["Value", course.valueOf(agent)],
    ["Sent", sent.join(", ") || "nothing"],
    ["Read", `${mine.received}, obsolete ${mine.obsolete}`],
    ["Woken", mine.wakings],
    ["Checks", `${mine.checks}; concurrent clock ${mine.clock}`],
    ["Nogoods kept", mine.nogoods],
    ["Links added", mine.links],
  ];
  const queue = [...course.flying].map((id) => course.letters[id]).filter((letter) => letter.to === agent);
  const past = course.letters.filter((letter) => letter.sent <= course.at && (letter.from === agent || (letter.to === agent && letter.read <= course.at)));
  const line = (letter) => (letter.from === agent ? `to ${act.agents[letter.to]}: ${course.textOf(letter)}` : `from ${act.agents[letter.from]}: ${course.textOf(letter)}`);
  const near = act.links.map((pair, i) => [pair, i]).filter(([pair]) => pair.includes(agent));
  const links = near.slice(0, 60).map(([[one, other], i]) => {
    const button = h("button", { type: "button", class: course.broken[i] ? "nw-link broken" : "nw-link" }, act.agents[one === agent ? other : one]);
    button.addEventListener("click", () => chooseLink(i));
    return button;
  });
  return [
    h("h3", {}, `Agent ${name}`),
    h("table", {}, h("tbody", {}, ...counts.map(([label, value]) => row(label, value)))),
    section(`Still to read: ${queue.length}`, queue.slice(0, MOST).map(line)),
    section(`Letters so far: ${past.length}`, past.slice(-MOST).reverse().map(line)),
    knowledge(course, mine.known, known),
    h("div", {}, h("h4", {}, "Links"), h("p", { class: "nw-links" }, ...links)),
  ];
}

function knowledge(course, kept, asked) {
  if (kept) {
    const rows = Object.entries(kept).map(([name, text]) => row(name.replaceAll("_", " "), course.act.texts[text]));
    return h("div", {}, h("h4", {}, "What it knows"), h("table", {}, h("tbody", {}, ...rows)));
  }
  if (!asked) return h("p", { class: "nw-soft" }, "The log holds letters and values; what an agent made of them is its own.");
  const button = h("button", { type: "button", class: "light" }, "Show what it knows");
  const place = h("div", {}, button);
  button.addEventListener("click", async () => {
    const said = await asked();
    const rows = Object.entries(said.known ?? {}).map(([name, text]) => row(name.replaceAll("_", " "), text));
    place.replaceChildren(said.fault ? h("p", {}, said.fault) : h("table", {}, h("tbody", {}, ...rows)));
  });
  return h("div", {}, h("h4", {}, "What it knows"), place);
}

export function drawLink(course, link) {
  const { act } = course;
  const [one, other] = act.links[link];
  const letters = course.letters.filter((letter) => letter.sent <= course.at && ((letter.from === one && letter.to === other) || (letter.from === other && letter.to === one)));
  const ways = [[one, other], [other, one]].map(([from, to]) => {
    const mine = letters.filter((letter) => letter.from === from);
    const kinds = act.kinds.map((kind, i) => [kind, mine.filter((letter) => letter.kind === i).length]).filter(([, count]) => count);
    return row(`${act.agents[from]} → ${act.agents[to]}`, kinds.map(([kind, count]) => `${count} ${kind}`).join(", ") || "nothing");
  });
  const lines = letters.slice(-MOST).reverse().map((letter) => `${act.agents[letter.from]} → ${act.agents[letter.to]}: ${course.textOf(letter)}${letter.read > course.at ? " (on the way)" : ""}`);
  const state = row("Constraint", course.broken[link] ? "violated now" : "not violated");
  return [h("h3", {}, `Link ${act.agents[one]} – ${act.agents[other]}`), h("table", {}, h("tbody", {}, state, ...ways)), section(`Traffic: ${letters.length}`, lines)];
}

function section(title, lines) {
  const list = lines.length ? h("ul", { class: "nw-letters", tabindex: "0" }, ...lines.map((line) => h("li", {}, line))) : h("p", { class: "nw-soft" }, "Nothing.");
  return h("div", {}, h("h4", {}, title), list);
}
