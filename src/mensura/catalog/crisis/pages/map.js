// The map of the campus: buildings where they stand, in metres.
import { h, svg } from "./element.js";

const EDGE = 110;

export function map(desk) {
  const { office } = desk;
  const xs = office.buildings.map((each) => each.x ?? 0);
  const ys = office.buildings.map((each) => each.y ?? 0);
  const [left, top] = [Math.min(...xs) - EDGE, Math.min(...ys) - EDGE];
  const [width, height] = [Math.max(...xs) - left + EDGE, Math.max(...ys) - top + EDGE];
  const scale = [50, 100, 200, 500].find((each) => each > width / 8) ?? 500;
  return h("div", { class: "page" },
    svg("svg", { class: "campus", viewBox: `${left} ${top} ${width} ${height}`, role: "img", "aria-label": "Map of the campus" },
      svg("rect", { class: "lawn", x: left, y: top, width, height }),
      office.buildings.flatMap((one, place) => office.buildings.slice(place + 1).map((two) => svg("line", { class: "path", x1: one.x ?? 0, y1: one.y ?? 0, x2: two.x ?? 0, y2: two.y ?? 0 }))),
      office.buildings.map((each) => svg("g", { class: "house" },
        svg("rect", { x: (each.x ?? 0) - 42, y: (each.y ?? 0) - 26, width: 84, height: 52, rx: 5 }),
        svg("text", { x: each.x ?? 0, y: (each.y ?? 0) + 46, "text-anchor": "middle" }, each.name))),
      svg("g", { class: "scale" }, svg("path", { d: `M${left + 16} ${top + height - 16}h${scale}` }), svg("text", { x: left + 16, y: top + height - 24 }, `${scale} m`))),
    h("ul", { class: "houses" }, office.buildings.map((each) => h("li", {}, h("b", {}, each.name), ` ${each.about ?? ""} `,
      h("span", { class: "soft" }, office.rooms.filter((room) => room.building === each.id).map((room) => room.name).join(", "))))));
}
