// Notes: for oneself, and for those who share the office.
import { h, labelled } from "./element.js";

export const notes = { name: "notes", title: "Notes", draw };

function draw(desk) {
  const { office } = desk;
  const keep = () => {
    const text = desk.value("note").trim();
    if (text) desk.act("note", { text }, { clear: ["note"] });
    else desk.say("The note is empty.", false);
  };
  return h("div", { class: "page" },
    h("h3", {}, "Notes"),
    desk.can("note") ? desk.form(
      keep,
      { class: "stack" },
      labelled("A new note", desk.field("textarea", "note", { rows: 3 })),
      h("p", { class: "row" }, h("button", { class: "small strong" }, "Keep it")),
    ) : null,
    office.notes.length ? h("ul", { class: "notes", "data-scroll": "notes" }, [...office.notes].reverse().map((note) => h("li", {},
      h("span", { class: "soft" },
        [office.when(note.tick), office.by(note.role)].filter(Boolean).join(", "),
      ), h("div", { class: "body" }, note.text)))) : h("p", { class: "soft" }, "Nothing noted yet."));
}
