// Search, timeline and network over all reports of the session so far; a click on a name or target searches for it.
const SVG = "http://www.w3.org/2000/svg";
const KINDS = ["call", "meeting", "purchase", "transfer", "payment", "visit", "training", "application", "incident", "delivery"];
const SOCIAL = new Set(["call", "meeting", "transfer", "payment"]);
const MOST = 400;
// Where nothing is new, this many of the latest reports stay in view.
const LATEST = 30;
export const PICK = "detection-pick";

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

export default function enhance(element, context) {
  const section = element.querySelector(".dt-reports");
  const before = context.data.before ?? [];
  const rows = [...before, ...context.data.rows];
  const none = context.data.rows.length === 0;
  const fresh = none ? before.slice(-LATEST) : context.data.rows;
  const search = section.querySelector(".dt-search");
  const clear = section.querySelector(".dt-clear");
  const body = section.querySelector(".dt-table tbody");
  const count = section.querySelector(".dt-count");
  const svg = section.querySelector(".dt-timeline");
  section.querySelector(".dt-tools").hidden = false;

  function show() {
    const asked = search.value.trim();
    const found = asked ? matching(rows, asked) : fresh;
    clear.hidden = !asked;
    count.textContent = asked
      ? `${found.length} of ${rows.length} reports so far${found.length > MOST ? `, the last ${MOST} shown` : ""}`
      : none ? `nothing new, the latest ${found.length} of ${rows.length}` : `${found.length} new, ${rows.length} so far`;
    body.replaceChildren(...found.slice(-MOST).map(line));
    timeline(svg, asked ? found : rows);
    const name = asked.split(/\s+/).find((word) => /^i\d+$/i.test(word));
    section.querySelector(".dt-web").hidden = !name;
    section.querySelector(".dt-invite").hidden = Boolean(name);
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
      } else box.textContent = cell ?? (place === 0 ? "paid for" : "");
    });
    return made;
  }

  function pick(word) {
    element.dispatchEvent(new CustomEvent(PICK, { bubbles: true, detail: word }));
  }

  // Other parts of the page, such as a picture of the town, pick words too.
  const page = element.closest("main") ?? document;
  page.addEventListener(PICK, (event) => {
    search.value = event.detail;
    show();
  });
  clear.addEventListener("click", () => {
    search.value = "";
    show();
  });
  search.addEventListener("input", show);
  new ResizeObserver(() => timeline(svg, search.value.trim() ? matching(rows, search.value) : rows)).observe(svg.parentElement);
  show();
}

function part(kind, attributes, text) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function timeline(svg, rows) {
  // As wide as its place, so that letters keep their size on a phone.
  const width = Math.max(260, Math.round(svg.parentElement.clientWidth || 640));
  const left = 78;
  svg.setAttribute("viewBox", `0 0 ${width} 186`);
  const last = Math.max(1, ...rows.map((row) => row[2]));
  const across = (day) => left + 6 + (day / last) * (width - left - 14);
  const lines = KINDS.map((_, place) => part("line", { x1: left, x2: width, y1: 10 + place * 16, y2: 10 + place * 16 }));
  const marks = rows.slice(-3000).map((row) => part("circle", {
    cx: across(row[2]), cy: 10 + KINDS.indexOf(row[3]) * 16, r: 2.5, class: `dt-${row[3]}`,
  }));
  const names = KINDS.map((kind, place) => part("text", { x: 0, y: 14 + place * 16 }, kind));
  const days = [0, 0.5, 1].map((share) => part("text", {
    x: across(share * last), y: 182, "text-anchor": ["start", "middle", "end"][share * 2],
  }, `day ${Math.round(share * last)}`));
  svg.replaceChildren(...lines, ...names, ...marks, ...days);
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
    made.append(part("circle", { r: 17 }), part("text", { y: 4, "text-anchor": "middle" }, label));
    made.addEventListener("click", () => pick(label));
    made.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(label); });
    return made;
  };
  if (ring.length === 0) parts.push(part("text", { x: 160, y: 190, "text-anchor": "middle" }, "no dealings reported"));
  svg.replaceChildren(...parts, ...[...place].map(([other, [x, y]]) => node(other, x, y)), node(name, 160, 150));
}
