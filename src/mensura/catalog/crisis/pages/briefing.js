// The briefing: an editor, what was sent last, and the assistant's draft where there is an assistant.
import { h, labelled } from "./element.js";
import { ask, proposalsFor } from "./proposal.js";

export const briefing = { name: "briefing", title: "Briefing", draw };

const NAME = "briefing";

function draw(desk) {
  const { office } = desk;
  const text = desk.value(NAME, office.briefing);
  const send = () => {
    const given = desk.value(NAME, office.briefing).trim();
    if (given) desk.act("brief", { text: given }, { clear: [NAME] });
    else desk.say("The briefing is empty.", false);
  };
  const count = h("span", { class: "soft" }, `${wordsOf(text)} words`);
  const counted = { rows: 16, changed: (field) => { count.textContent = `${wordsOf(field.value)} words`; } };
  const sent = text.trim() === office.briefing.trim() ? "This is what was sent." : "This differs from what was sent.";
  const state = office.briefing ? sent : "No briefing has been sent yet.";
  return h("div", { class: "page briefing" },
    h("h3", {}, `Briefing for ${office.name(office.boss)}`),
    desk.form(send, { class: "stack" },
      labelled(
        "What did today's mail bring? Eight lines are read; what is wrong counts against it. The last version counts.",
        desk.field("textarea", NAME, counted, office.briefing),
      ),
      h("p", { class: "row" },
        desk.can("brief") ? h("button", { class: "small strong" }, office.briefing ? "Send again" : "Send") : null,
        count,
        h("span", { class: "soft" }, state),
      )),
    desk.can("draft") ? drafts(desk) : null);
}

function drafts(desk) {
  const drafted = proposalsFor(desk, { draft: true })[0] ?? desk.office.proposals.filter((each) => each.kind === "draft").pop();
  const text = drafted?.acts.find((act) => act.call === "brief")?.arguments.text ?? "";
  const use = () => { desk.memory.write(NAME, text); desk.draw(); };
  const another = () => ask(desk, "draft");
  return h("section", { class: "proposal" },
    h("p", { class: "row" }, desk.button("Ask the assistant for a draft", another, { class: "small", "data-place": "draft" })),
    text ? [
      h("div", { class: "body" }, text),
      h("p", { class: "row" }, desk.button("Put it into the editor", use, { class: "small" })),
    ] : null,
    drafted && !text ? h("p", {}, drafted.words) : null);
}

function wordsOf(text) {
  return text.split(/\s+/).filter(Boolean).length;
}
