// Markdown, as much of it as manuals use: headings, lists, tables, quotes, bold, italics, code. Links stay words.
import { h } from "./element.js";

const HEADING = /^(#{1,6})\s+(.*)$/;
const BULLET = /^\s*[-*+]\s+/;
const NUMBER = /^\s*\d+[.)]\s+/;
const MORE = /^\s{2,}\S/;
const ROW = /^\s*\|/;
const QUOTE = /^>\s?/;
const FENCE = /^```/;
const OTHER = [HEADING, BULLET, NUMBER, ROW, QUOTE, FENCE];

export function markdown(text) {
  const blocks = [];
  const lines = String(text).replaceAll("\r", "").split("\n");
  let at = 0;
  const take = (test) => {
    const taken = [];
    while (at < lines.length && test(lines[at])) taken.push(lines[at++]);
    return taken;
  };
  const list = (tag, mark) => h(tag, {}, items(take((each) => mark.test(each) || MORE.test(each)), mark));
  while (at < lines.length) {
    const line = lines[at];
    const heading = HEADING.exec(line);
    if (line.trim() === "") at += 1;
    else if (heading) {
      blocks.push(h(`h${Math.min(heading[1].length + 1, 6)}`, {}, ...inline(heading[2])));
      at += 1;
    } else if (BULLET.test(line)) blocks.push(list("ul", BULLET));
    else if (NUMBER.test(line)) blocks.push(list("ol", NUMBER));
    else if (ROW.test(line)) blocks.push(table(take((each) => ROW.test(each))));
    else if (QUOTE.test(line)) {
      const quoted = take((each) => QUOTE.test(each)).map((each) => each.replace(QUOTE, ""));
      blocks.push(h("blockquote", {}, ...markdown(quoted.join("\n")).childNodes));
    } else if (FENCE.test(line)) {
      at += 1;
      blocks.push(h("pre", {}, take((each) => !FENCE.test(each)).join("\n")));
      at += 1;
    } else {
      const first = lines[at++];
      const more = take((each) => each.trim() !== "" && !OTHER.some((kind) => kind.test(each)));
      blocks.push(h("p", {}, ...inline([first, ...more].join("\n"))));
    }
  }
  return h("div", { class: "prose" }, blocks);
}

function items(lines, mark) {
  const found = [];
  for (const line of lines) {
    if (mark.test(line)) found.push(line.replace(mark, ""));
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found.map((each) => h("li", {}, ...inline(each)));
}

function table(lines) {
  const rows = lines.map((line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  const ruled = rows[1]?.every((cell) => /^:?-+:?$/.test(cell));
  const head = ruled ? rows[0] : null;
  const body = ruled ? rows.slice(2) : rows;
  return h("div", { class: "scroll" }, h("table", {},
    head && h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, ...inline(cell))))),
    h("tbody", {}, body.map((row) => h("tr", {}, row.map((cell) => h("td", {}, ...inline(cell))))))));
}

function inline(text) {
  const parts = [];
  const pattern = /\*\*(.+?)\*\*|`([^`]+)`|\*(\S[^*]*?)\*|_(\S[^_]*?)_(?!\w)|\[([^\]]+)\]\([^)]*\)/g;
  let last = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(last, found.index));
    const [whole, bold, code, italics, leaning, link] = found;
    if (bold) parts.push(h("strong", {}, bold));
    else if (code) parts.push(h("code", {}, code));
    else if (italics ?? leaning) parts.push(h("em", {}, italics ?? leaning));
    else parts.push(link);
    last = found.index + whole.length;
  }
  parts.push(text.slice(last));
  return parts;
}
