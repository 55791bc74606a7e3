// Mail: folders, search, the open message, replies and new messages.
import { arrows } from "./arrows.js";
import { h, labelled, plural } from "./element.js";
import { ask, proposalCard, proposalsFor } from "./proposal.js";

export const mail = {
  name: "mail",
  title: "Mail",
  draw,
  count: (desk) => desk.office.messages.filter((each) => !each.read && each.tick >= 0).length,
};

const SENT = "sent";

function draw(desk) {
  const { office, memory } = desk;
  const folder = memory.get("folder", "inbox");
  const found = memory.get("found");
  const open = memory.get("message");
  const writing = memory.get("writing");
  const listed = listOf(office, folder, found);
  const pane = writing ? compose(desk) : folder === SENT && !found ? sentPane(desk, open) : readPane(desk, office.message(open));
  return h("div", { class: "mailroom", "data-open": writing || open ? "" : null },
    h("div", { class: "mail-side" }, bar(desk, folder, found), folders(desk, folder, found), list(desk, listed, open)),
    h("div", { class: "mail-pane", "data-scroll": `mail:${writing ? "new" : open}`, tabindex: -1 }, pane));
}

function listOf(office, folder, found) {
  if (found) return found.ids.map((id) => office.message(id)).filter(Boolean);
  const all = folder === SENT ? office.sent : office.messages.filter((each) => each.folder === folder);
  return [...all].sort((a, b) => b.tick - a.tick);
}

function bar(desk, folder, found) {
  const search = () => {
    const words = desk.value("search").trim();
    if (!words) return desk.open("found", null);
    desk.act("search", { words },
      { quiet: true, after: (said) => desk.memory.set("found", { words, ids: said.data?.messages ?? [] }) },
    );
  };
  return h("div", { class: "mail-bar" },
    desk.form(search, { class: "search", role: "search" },
      desk.field("input", "search", { type: "search", placeholder: "Search mail", "aria-label": "Search mail" }),
      h("button", { class: "small" }, "Search")),
    desk.can("send") ? desk.button("New message", () => desk.open("writing", true), { class: "small" }) : null,
    found ? h("p", { class: "found" }, `${plural(found.ids.length, "message")} with “${found.words}” `,
      desk.button("Show all", () => { desk.memory.drop("search"); desk.open("found", null); }, { class: "link" })) : null);
}

function folders(desk, folder, found) {
  const names = [...new Set(["inbox", ...desk.office.messages.map((each) => each.folder)]), SENT];
  return h("div", { class: "folders", role: "group", "aria-label": "Folders" }, names.map((name) => {
    const unread = name === "inbox" ? desk.office.messages.filter((each) => each.folder === name && !each.read).length : 0;
    const here = !found && name === folder;
    return h("button", { type: "button", class: "folder", "aria-pressed": here, "data-place": `folder:${name}`,
      onclick: () => { desk.memory.set("found", null); desk.memory.set("message", null); desk.open("folder", name); },
    }, name[0].toUpperCase() + name.slice(1), unread ? h("b", { class: "count" }, String(unread)) : null);
  }));
}

function list(desk, listed, open) {
  if (!listed.length) return h("p", { class: "empty" }, "Nothing here.");
  return h("ul", { class: "mail-list", "data-scroll": "mail-list", onkeydown: arrows }, listed.map((each) => h("li", {},
    h("button", {
      type: "button", class: each.read === false ? "letter unread" : "letter", "data-place": `letter:${each.id}`,
      "aria-current": each.id === open ? "true" : null, onclick: () => choose(desk, each),
    },
    h("span", { class: "from" }, each.to ? `To ${each.to}` : each.sender),
    h("span", { class: "when" }, desk.office.when(each.tick)),
    h("span", { class: "about" }, each.subject || "(no subject)"),
    each.labels?.length ? h("span", { class: "labels" },
      each.labels.map((label) => h("i", { class: "chip" }, label)),
    ) : null))));
}

function choose(desk, message) {
  if (!desk.idle) return;
  desk.memory.set("writing", null);
  desk.open("message", message.id);
  if (!message.to && bodyOf(desk, message) === undefined) desk.act("read", { message: message.id },
    { quiet: true, after: (said) => keepBody(desk, said) },
  );
}

// A message is fetched once; then this window has it.
function keepBody(desk, said) {
  if (said.ok) desk.memory.fetch(`letter:${said.data.message}`, said.data.body);
}

function bodyOf(desk, message) {
  const { said } = desk.office;
  return desk.memory.had(`letter:${message.id}`) ?? (said?.data?.message === message.id ? said.data.body : undefined);
}

function readPane(desk, message) {
  if (!message) return h("p", { class: "empty" }, "Choose a message to read it.");
  const { office } = desk;
  const body = bodyOf(desk, message);
  if (body === undefined) {
    return h("div", { class: "message" },
      back(desk),
      h("h3", {}, message.subject),
      h("p", {}, desk.button("Open it", () => choose(desk, message), { class: "small" })),
    );
  }
  const about = proposalsFor(desk, { message: message.id }).slice(0, 1);
  return h("article", { class: "message" },
    back(desk),
    h("h3", {}, message.subject || "(no subject)"),
    h("dl", { class: "heads" },
      h("dt", {}, "From"), h("dd", {},
        message.sender,
        message.address ? h("span", { class: "soft" }, ` <${message.address}>`) : null,
      ),
      h("dt", {}, "Date"), h("dd", {}, office.when(message.tick, { long: true })),
      message.labels?.length ? [
        h("dt", {}, "Labels"),
        h("dd", {}, message.labels.map((label) => h("i", { class: "chip" }, label))),
      ] : null),
    // Text only, whatever the letter holds.
    h("div", { class: "body" }, body),
    message.order ? receipt(desk, message.order) : null,
    desk.can("suggest") ? h("p", { class: "row" },
      desk.button(
        "What does this ask for?",
        () => ask(desk, "suggest", { message: message.id }),
        { class: "small", "data-place": "suggest" },
      ),
    ) : null,
    about.map((each) => proposalCard(desk, each)),
    answers(desk, message),
    desk.can("reply") ? reply(desk, message) : null);
}

function back(desk) {
  return desk.button(
    "← All messages",
    () => { desk.memory.set("writing", null); desk.open("message", null); },
    { class: "link back" },
  );
}

function receipt(desk, id) {
  const order = desk.office.order(id);
  if (!order) return null;
  if (order.cancelled) return h("p", { class: "receipt" }, `Order ${id} has been cancelled.`);
  return h("p", { class: "receipt" }, `Order ${id}: `,
    desk.button("Change", () => desk.go("orders", { order: id }), { class: "link" }), " · ",
    desk.button("Cancel", () => desk.go("orders", { order: id }, { focus: `first:cancel:${id}` }), { class: "link" }));
}

function answers(desk, message) {
  const mine = desk.office.sent.filter((each) => each.replyTo === message.id);
  return mine.map((each) => h("blockquote", { class: "answered" },
    h("p", { class: "soft" }, `${repliedBy(each)} replied, ${desk.office.when(each.tick)}`),
    h("div", { class: "body" }, each.body),
  ));
}

function repliedBy({ by }) {
  return by ? `${by[0].toUpperCase()}${by.slice(1)}` : "You";
}

function reply(desk, message) {
  const name = `reply:${message.id}`;
  const send = () => {
    const text = desk.value(name).trim();
    if (text) desk.act("reply", { message: message.id, text }, { clear: [name] });
    else desk.say("The reply is empty.", false);
  };
  return desk.form(send, { class: "stack" },
    labelled(`Reply to ${message.sender}`, desk.field("textarea", name, { rows: 4 })),
    h("p", { class: "row" }, h("button", { class: "small strong" }, "Send reply")));
}

function compose(desk) {
  const send = () => {
    const [to, subject, text] = ["new:to", "new:subject", "new:text"].map((name) => desk.value(name).trim());
    if (!to || !text) return desk.say(to ? "The message is empty." : "Say who it goes to.", false);
    desk.act("send", { to, subject: subject || "(no subject)", text },
      { clear: ["new:to", "new:subject", "new:text"], after: (said) => said.ok && desk.memory.set("writing", null) },
    );
  };
  return desk.form(send, { class: "stack message" },
    back(desk),
    h("h3", {}, "New message"),
    labelled("To", desk.field("input", "new:to", { type: "text", list: "desk-people" }), "A name or an address"),
    h("datalist", { id: "desk-people" },
      desk.office.people.map((person) => h("option", { value: person.mail }, person.name)),
    ),
    labelled("Subject", desk.field("input", "new:subject", { type: "text" })),
    labelled("Text", desk.field("textarea", "new:text", { rows: 9 })),
    h("p", { class: "row" }, h("button", { class: "small strong" }, "Send")));
}

function sentPane(desk, open) {
  const message = desk.office.sent.find((each) => each.id === open);
  if (!message) return h("p", { class: "empty" }, "Choose a message to read it.");
  return h("article", { class: "message" }, back(desk), h("h3", {}, message.subject),
    h("dl", { class: "heads" }, h("dt", {}, "To"), h("dd", {}, message.to), h("dt", {}, "Date"), h("dd", {},
      desk.office.when(message.tick, { long: true }),
    ),
      message.by ? [h("dt", {}, "By"), h("dd", {}, message.by)] : null),
    h("div", { class: "body" }, message.body));
}
