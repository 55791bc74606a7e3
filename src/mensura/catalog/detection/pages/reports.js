// Search, timeline and network over all reports of the session so far; a click on a name or target searches for it.
const SVG = "http://www.w3.org/2000/svg";
const KINDS = ["call", "meeting", "purchase", "transfer", "payment", "visit", "training", "application", "incident", "delivery"];
const SOCIAL = new Set(["call", "meeting", "transfer", "payment"]);
const MOST = 400;

// Columns of a report: number, reported, day, kind, actor, other, item, target.
export function matching(rows, words) {
  const wanted = words.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => wanted.every((word) => row.slice(3).some((cell) => String(cell ?? "").toLowerCase() === word)));
}

export function neighbours(rows, name, most = 12) {
  const ties = new Map();
  for (const [, , , kind, actor, other] of rows) {
    if (!SOCIAL.has(kind) || (actor !== name && other !== name)) continue;
    const partner = actor === name ? other : actor;
    if (partner && partner !== name) ties.set(partner, (ties.get(partner) ?? 0) + 1);
  }
  return [...ties].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, most);
}

// A session shows reports once; what came before is kept in this tab.
function gathered(fresh, key) {
  const known = new Map();
  try {
    for (const row of JSON.parse(sessionStorage.getItem(key) ?? "[]")) known.set(row[0], row);
  } catch { /* Without storage only the new reports are shown. */ }
  const extra = fresh.filter((row) => row[0] === null);
  for (const row of fresh) if (row[0] !== null) known.set(row[0], row);
  const rows = [...known.values()].sort((a, b) => a[0] - b[0]);
  try { sessionStorage.setItem(key, JSON.stringify(rows)); } catch { /* full: the oldest are lost on the next page */ }
  return [...rows, ...extra];
}

export default function enhance(element, context) {
  const section = element.querySelector(".dt-reports");
  const rows = gathered(context.data.rows, `detection:${location.pathname}`);
  const search = section.querySelector(".dt-search");
  const body = section.querySelector(".dt-table tbody");
  const count = section.querySelector(".dt-count");
  section.querySelector(".dt-tools").hidden = false;

  function show() {
    const found = search.value.trim() ? matching(rows, search.value) : context.data.rows;
    count.textContent = search.value.trim()
      ? `${found.length} of ${rows.length} reports so far${found.length > MOST ? `, the last ${MOST} shown` : ""}`
      : `${found.length} new reports, ${rows.length} so far`;
    body.replaceChildren(...found.slice(-MOST).map(line));
    timeline(section.querySelector(".dt-timeline"), search.value.trim() ? found : rows);
    const name = search.value.trim().split(/\s+/).find((word) => /^i\d+$/i.test(word));
    if (name) network(section, rows, name.toUpperCase(), pick);
  }

  function line(row) {
    const made = document.createElement("tr");
    row.forEach((cell, place) => {
      const box = made.insertCell();
      if (place > 3 && cell) {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: cell });
        button.addEventListener("click", () => pick(cell));
        box.append(button);
      } else box.textContent = cell ?? "";
    });
    return made;
  }

  function pick(word) {
    search.value = word;
    show();
  }

  search.addEventListener("input", show);
  show();
}

function part(kind, attributes, text) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function timeline(svg, rows) {
  const last = Math.max(1, ...rows.map((row) => row[2]));
  const marks = rows.slice(-3000).map((row) => part("circle", {
    cx: 76 + (row[2] / last) * 556, cy: 8 + KINDS.indexOf(row[3]) * 13, r: 2, class: `dt-${row[3]}`,
  }));
  const names = KINDS.map((kind, place) => part("text", { x: 0, y: 11 + place * 13 }, kind));
  const days = [0, 0.5, 1].map((share) => part("text", { x: 70 + share * 540, y: 148 }, `day ${Math.round(share * last)}`));
  svg.replaceChildren(...names, ...marks, ...days);
}

function network(section, rows, name, pick) {
  const svg = section.querySelector(".dt-network");
  section.querySelector(".dt-centre").textContent = name;
  const ring = neighbours(rows, name);
  const place = new Map(ring.map(([other], k) => {
    const angle = (2 * Math.PI * k) / ring.length;
    return [other, [160 + 120 * Math.cos(angle), 150 + 120 * Math.sin(angle)]];
  }));
  const parts = ring.map(([other, weight]) => {
    const [x, y] = place.get(other);
    return part("line", { x1: 160, y1: 150, x2: x, y2: y, "stroke-width": Math.min(6, weight) });
  });
  const among = new Set();
  for (const [, , , kind, actor, other] of rows) {
    if (SOCIAL.has(kind) && place.has(actor) && place.has(other) && actor !== other) among.add([actor, other].sort().join(" "));
  }
  for (const pair of among) {
    const [[x1, y1], [x2, y2]] = pair.split(" ").map((each) => place.get(each));
    parts.push(part("line", { x1, y1, x2, y2, class: "dt-among" }));
  }
  const node = (label, x, y) => {
    const made = part("g", { transform: `translate(${x} ${y})`, tabindex: 0, role: "button", "aria-label": `Search ${label}` });
    made.append(part("circle", { r: 15 }), part("text", { y: 4, "text-anchor": "middle" }, label));
    made.addEventListener("click", () => pick(label));
    made.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(label); });
    return made;
  };
  svg.replaceChildren(...parts, ...[...place].map(([other, [x, y]]) => node(other, x, y)), node(name, 160, 150));
}
