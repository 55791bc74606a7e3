// Manual and other pages: the planner's manual, the tools' manuals, the original schedule, the address book, the rest.
import { arrows } from "./arrows.js";
import { h } from "./element.js";
import { lookPane, lookUp } from "./look.js";
import { markdown } from "./markdown.js";

export const manual = { name: "manual", title: "Manual & pages", draw };

const FIRST = [["manual", "", "Planner's manual"], ["original", "", "Original schedule"]];
const TOOL = "help-";

function draw(desk) {
  const { office, memory } = desk;
  const pages = [
    ...FIRST,
    ...[...office.pages].sort(toolsFirst)
      .filter((name) => name !== "help-assistant" || desk.can("accept"))
      .map((name) => ["page", name, titled(name)]),
  ];
  const [page, item, title] = pages.find(([kind, name]) => `${kind}:${name}` === memory.get("reading")) ?? [];
  return h("div", { class: "two" },
    h("nav", { class: "side-list", onkeydown: arrows, "aria-label": "Pages", "data-scroll": "pages" },
      pick(desk, "task", "Your task"),
      pages.map(([kind, name, words]) => h("button", {
        type: "button",
        class: "pick",
        "aria-current": memory.get("reading") === `${kind}:${name}` ? "true" : null,
        "data-place": `page:${kind}:${name}`,
        onclick: () => { desk.open("reading", `${kind}:${name}`); lookUp(desk, kind, name); },
      }, words)),
      pick(desk, "people", "Address book")),
    h("div", { class: "page", "data-scroll": `reading:${memory.get("reading")}` },
      reading(desk, page, item, title)));
}

function reading(desk, page, item, title) {
  const chosen = desk.memory.get("reading");
  if (chosen === "people") return addresses(desk);
  if (chosen === "task") return [h("h3", {}, "Your task"), markdown(desk.data.task ?? "")];
  if (!page) return h("p", { class: "empty" }, "Choose a page.");
  return [h("h3", { class: "unseen" }, title), page === "original" ? pdf(desk) : null, lookPane(desk, page, item)];
}

function pick(desk, name, words) {
  return h("button",
    {
      type: "button",
      class: "pick",
      "aria-current": desk.memory.get("reading") === name ? "true" : null,
      "data-place": `page:${name}`,
      onclick: () => desk.open("reading", name),
    },
    words,
  );
}

function pdf(desk) {
  const held = desk.memory.had("pdf");
  return held ? h("p", {},
    h("a", { href: `data:application/pdf;base64,${held}`, download: "original-schedule.pdf" },
      "The original schedule as PDF",
    ),
  ) : null;
}

function toolsFirst(one, two) {
  return two.startsWith(TOOL) - one.startsWith(TOOL);
}

function titled(name) {
  const words = name.startsWith(TOOL) ? `Tools: ${name.slice(TOOL.length)}` : name.replaceAll(/[-_]/g, " ");
  return words[0].toUpperCase() + words.slice(1);
}

function addresses(desk) {
  const { office } = desk;
  const wanted = desk.value("people:filter").trim().toLowerCase();
  const shown = office.people.filter((person) => Object.values(person).join(" ").toLowerCase().includes(wanted));
  return [
    h("h3", {}, "Address book"),
    h("p", {},
      desk.field("input", "people:filter",
        { type: "search", placeholder: "Find someone", "aria-label": "Find someone", changed: () => desk.draw() },
      ),
    ),
    h("div", { class: "scroll" }, h("table", { class: "table" },
      h("thead", {},
        h("tr", {}, ["Name", "Post", "Affiliation", "Mail", "Phone"].map((words) => h("th", { scope: "col" }, words))),
      ),
      h("tbody", {},
        shown.slice(0, 300).map((person) => h("tr", {},
          h("th", { scope: "row" }, person.name),
          [person.post, person.affiliation, person.mail, person.phone].map((words) => h("td", {}, words ?? "")),
        )),
      ))),
  ];
}
