// Lines between the first places of each pair, drawn again whenever the page changes its width.
const box = document.querySelector(".texts");
const links = box.querySelector("svg.links");
const sides = [...box.querySelectorAll("article")];
const first = (side) => {
  const found = new Map();
  for (const mark of sides[side].querySelectorAll("mark.m"))
    if (!found.has(mark.dataset.pair)) found.set(mark.dataset.pair, mark);
  return found;
};
function draw() {
  links.replaceChildren();
  if (getComputedStyle(links).display === "none") return;
  const [left, right] = [first(0), first(1)];
  const around = box.getBoundingClientRect();
  const met = new Map();
  // Lines that leave from one line of text would lie on one another: each starts a little lower than the last.
  const apart = (side, y) => {
    const key = `${side} ${Math.round(y)}`;
    met.set(key, (met.get(key) ?? -1) + 1);
    return y - 12 + 3.5 * met.get(key);
  };
  for (const [pair, mark] of left) {
    const other = right.get(pair);
    if (!other) continue;
    const [a, b] = [mark.getBoundingClientRect(), other.getBoundingClientRect()];
    const edge = sides[0].getBoundingClientRect().right - around.left;
    const far = sides[1].getBoundingClientRect().left - around.left;
    const [ya, yb] = [apart(0, a.bottom - around.top), apart(1, b.bottom - around.top)];
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", `M${edge} ${ya} C${edge + 40} ${ya} ${far - 40} ${yb} ${far} ${yb}`);
    path.style.stroke = mark.style.getPropertyValue("--c");
    path.dataset.pair = pair;
    links.append(path);
  }
}
function light(pair) {
  links.classList.toggle("some", pair !== null);
  for (const one of box.querySelectorAll("[data-pair]")) one.classList.toggle("lit", one.dataset.pair === pair);
}
for (const mark of box.querySelectorAll("mark.m")) {
  mark.addEventListener("mouseenter", () => light(mark.dataset.pair));
  mark.addEventListener("focus", () => light(mark.dataset.pair));
  mark.addEventListener("mouseleave", () => light(null));
  mark.addEventListener("blur", () => light(null));
}
addEventListener("resize", draw);
draw();
document.body.dataset.ready = "yes";
