// The assistant: what it can be asked, what it has proposed, and the constraints it keeps to.
import { h, labelled, options } from "./element.js";
import { ask, constraintWords, proposalCard } from "./proposal.js";

export const assistant = {
  name: "assistant",
  title: "Assistant",
  draw,
  shown: (desk) => desk.can("accept") || desk.office.proposals.length > 0,
};

const QUESTIONS = [
  ["optimise", "Propose a schedule", "It plans anew over all that the tables and constraints say."],
  ["elicit", "What should I find out?", "It names the fact that would help it most."],
  ["batch", "Bring the site up to date", "It lists every change of the site that the schedule needs."],
  ["draft", "Draft the briefing", "It writes down what it knows of the state of things."],
];
const KINDS = [
  ["away", "Someone cannot come", ["person", "slots"]],
  ["slots", "An event only at certain times", ["event", "slots"]],
  ["before", "One event before another", ["event", "other"]],
  ["apart", "Two events never at the same time", ["event", "other"]],
  ["same_building", "Two events in the same building", ["event", "other"]],
  ["building", "An event in a building", ["event", "place"]],
  ["room", "An event in a room", ["event", "place"]],
  ["alone", "Nothing else at the same time", ["event"]],
  ["stay", "An event stays where it was", ["event"]],
];

function draw(desk) {
  const { office } = desk;
  const questions = QUESTIONS.filter(([call]) => desk.can(call));
  return h("div", { class: "two wide-side" },
    h("div", { class: "page ask-side", "data-scroll": "assistant-side" },
      h("h3", {}, "Ask the assistant"),
      questions.map(([call, words, about]) => h("p", { class: "question" },
        desk.button(words, () => ask(desk, call), { class: "small", "data-place": `question:${call}` }),
        h("small", {}, about),
      )),
      desk.can("find_room") ? roomFor(desk) : null,
      constraints(desk)),
    h("div", { class: "page", "data-scroll": "proposals" },
      h("h3", {}, "Proposals"),
      office.proposals.length
        ? [...office.proposals].reverse().map((each) => proposalCard(desk, each))
        : h("p", { class: "soft" }, "Nothing has been proposed yet.")));
}

function roomFor(desk) {
  const find = () => {
    const event = desk.value("find:event");
    if (event) ask(desk, "find_room", { event });
    else desk.say("Choose an event.", false);
  };
  return desk.form(find, { class: "stack form" }, h("h4", {}, "Find a room"),
    labelled("For",
      desk.field("select", "find:event",
        {},
        "",
        options(
          desk.office.events.map((each) => [each.id, each.short]),
          desk.value("find:event"),
          { none: "Choose an event" },
        ),
      ),
    ),
    h("p", { class: "row" }, h("button", { class: "small" }, "Find")));
}

function constraints(desk) {
  const { office } = desk;
  return h("section", { class: "form" }, h("h4", {}, "Constraints"),
    office.constraints.length
      ? h("ul", { class: "constraints" }, office.constraints.map((rule) => entered(desk, rule)))
      : h("p", { class: "soft" }, "None entered yet."),
    desk.can("constrain") ? entry(desk) : null);
}

function entered(desk, rule) {
  const remove = () => desk.act("unconstrain", { constraint: rule.id });
  return h("li", {}, constraintWords(desk.office, rule), " ",
    desk.can("unconstrain") ? desk.button("Remove", remove, { class: "tiny", "data-place": `un:${rule.id}` }) : null);
}

function entry(desk) {
  const { office } = desk;
  const [kind, , parts] = KINDS.find(([name]) => name === desk.value("rule:kind", "away"));
  const name = (part) => `rule:${part}`;
  const events = office.events.map((each) => [each.id, each.short]);
  const choices = {
    event: ["Event", events], other: ["Other event", events], person: [
      "Person",
      office.people.map((each) => [each.id, each.name]),
    ],
    place: kind === "building" ? [
      "Building",
      office.buildings.map((each) => [each.id, each.name]),
    ] : ["Room", office.rooms.filter((room) => room.usable).map((each) => [each.id, each.name])],
  };
  const field = (part) => (part === "slots"
    ? labelled("Times", desk.field("input", name(part), { type: "text", placeholder: "2.1 2.2 or 2" }),
      "Day.block, as 2.1, or a day for all of it",
    )
    : labelled(
      choices[part][0],
      desk.field("select", name(part), {}, "", options(choices[part][1], desk.value(name(part)), { none: "Choose" })),
    ));
  const enter = () => {
    const given = Object.fromEntries(parts.map((part) => [part, desk.value(name(part)).trim()]));
    if (Object.values(given).some((value) => !value)) return desk.say("Fill in every field of the constraint.", false);
    desk.act("constrain", { kind, ...given }, { clear: parts.map(name) });
  };
  return desk.form(enter, { class: "stack" },
    labelled(
      "New constraint",
      desk.field("select", "rule:kind",
        { changed: () => desk.draw() },
        "away",
        options(KINDS.map(([each, words]) => [each, words]), kind),
      ),
    ),
    parts.map(field), h("p", { class: "row" }, h("button", { class: "small" }, "Enter it")));
}
