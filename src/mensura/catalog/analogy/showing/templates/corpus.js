// Filters, ranks and the histogram of what is left, all from the data in the page.
const data = JSON.parse(document.getElementById("data").textContent);
const field = (id) => document.getElementById(id)?.value ?? "";
const own = new Set(data.target.topics);
const bins = 20;
function kept() {
  const [topic, distance, years, name] = ["topic", "distance", "years", "name"].map(field);
  return data.rows.filter((row) => {
    const shares = row.topics.some((one) => own.has(one));
    if (topic && !row.topics.includes(topic)) return false;
    if (distance === "near" && !shares) return false;
    // Of what has no topics nobody knows whether it is near or far.
    if (distance === "far" && (shares || !row.topics.length || !own.size)) return false;
    if (Number(years) > 0 && (row.year === null || Math.abs(row.year - data.target.year) < Number(years))) return false;
    return row.file.toLowerCase().includes(name.toLowerCase());
  });
}
const three = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));
function cell(words, kind) {
  const made = document.createElement("td");
  made.textContent = words;
  if (kind) made.className = kind;
  return made;
}
function bars(values) {
  const box = document.getElementById("bars");
  box.replaceChildren();
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) counts[Math.min(bins - 1, Math.floor(((value - low) / (high - low || 1)) * bins))] += 1;
  const most = Math.max(1, ...counts);
  counts.forEach((count, place) => {
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const size = { x: (place * 100) / bins + 0.3, y: 100 - (98 * count) / most, width: 100 / bins - 0.6, height: (98 * count) / most };
    for (const [name, value] of Object.entries(size)) bar.setAttribute(name, value);
    box.append(bar);
  });
  box.setAttribute("aria-label", `${values.length} scores from ${three(low)} to ${three(high)}, in ${bins} bars: ${counts.join(", ")}`);
  document.getElementById("least").textContent = three(low);
  document.getElementById("greatest").textContent = three(high);
}
function show() {
  const by = field("by");
  const rows = kept().sort((a, b) => (b.scores[by] ?? -1) - (a.scores[by] ?? -1) || (a.file < b.file ? -1 : 1));
  document.getElementById("count").textContent = `${rows.length} of ${data.rows.length} documents`;
  bars(rows.map((row) => row.scores[by]).filter((value) => value !== null && value !== undefined));
  const body = document.getElementById("rows");
  body.replaceChildren();
  rows.forEach((row, place) => {
    const line = document.createElement("tr");
    const named = cell("");
    if (row.why) {
      const more = document.createElement("details");
      const head = document.createElement("summary");
      head.textContent = row.file;
      const why = document.createElement("p");
      why.className = "quiet";
      why.textContent = `${row.why} ${row.pairs.map((pair) => pair.join(" – ")).join(", ")}`;
      more.append(head, why);
      named.append(more);
    } else named.textContent = row.file;
    line.append(cell(place + 1, "n"), named, cell(three(row.scores[by]), "n"), cell(three(row.scores.tfidf), "n"));
    line.append(cell(row.year ?? "", "wide"), cell(row.topics.join(", "), "wide"));
    body.append(line);
  });
}
for (const one of document.querySelectorAll(".filters select, .filters input")) one.addEventListener("input", show);
document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
show();
document.body.dataset.ready = "yes";
