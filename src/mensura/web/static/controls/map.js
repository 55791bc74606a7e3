// Layers of a map can be hidden.
export default function enhance(element) {
  for (const box of element.querySelectorAll("[data-toggle]")) {
    box.hidden = false;
    const layer = [...element.querySelectorAll("g[data-layer]")].find((each) => each.dataset.layer === box.dataset.toggle);
    box.addEventListener("change", () => layer?.toggleAttribute("hidden", !box.checked));
    box.addEventListener("change", () => layer?.setAttribute("visibility", box.checked ? "visible" : "hidden"));
  }
}
