// The map of the campus: buildings where they stand, in metres.
import { h, svg } from "./element.js";

const EDGE = 0.16;
// Size of the letters of a name, in hundredths of the map, and how wide one is for its size, generously.
const LETTER = 3.4;
const WIDE = 0.66;

export function map(desk) {
  const { office } = desk;
  const xs = office.buildings.map((each) => each.x ?? 0);
  const ys = office.buildings.map((each) => each.y ?? 0);
  const span = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 100);
  const edge = span * EDGE;
  const [left, top] = [Math.min(...xs) - edge, Math.min(...ys) - edge];
  const [width, height] = [Math.max(...xs) - left + edge, Math.max(...ys) - top + edge];
  // Everything is drawn in proportion, so that names can be read however large the campus is.
  const unit = width / 100;
  const scale = [20, 50, 100, 200, 500].find((each) => each > width / 8) ?? 500;
  return h("div", { class: "page" },
    svg("svg", {
      class: "campus",
      viewBox: `${left} ${top} ${width} ${height}`,
      role: "img",
      "aria-label": "Map of the campus",
    },
      svg("rect", { class: "lawn", x: left, y: top, width, height }),
      office.buildings.flatMap((one, place) => office.buildings.slice(place + 1).map((two) => svg("line",
        { class: "path", "stroke-width": 1.5 * unit, x1: one.x ?? 0, y1: one.y ?? 0, x2: two.x ?? 0, y2: two.y ?? 0 },
      ))),
      office.buildings.map((each) => svg("g", { class: "house" },
        svg("rect",
          {
            x: (each.x ?? 0) - 6 * unit,
            y: (each.y ?? 0) - 4 * unit,
            width: 12 * unit,
            height: 8 * unit,
            rx: unit,
            "stroke-width": unit / 3,
          },
        ),
        svg("text", { ...named(each, left, width, unit), y: (each.y ?? 0) + 8 * unit, "font-size": LETTER * unit }, each.name))),
      svg("g", { class: "scale" },
        svg("path", { d: `M${left + 2 * unit} ${top + height - 2 * unit}h${scale}`, "stroke-width": unit / 2 }),
        svg("text", { x: left + 2 * unit, y: top + height - 3 * unit, "font-size": 2.8 * unit }, `${scale} m`))),
    h("ul", { class: "houses" }, office.buildings.map((each) => h("li", {}, h("b", {}, each.name), ` ${each.about ?? ""} `,
      h("span", { class: "soft" },
        office.rooms.filter((room) => room.building === each.id).map((room) => room.name).join(", "),
      )))));
}

// A name stands in the middle under its house, or leans on the edge of the map where it would be cut off.
function named({ name, x = 0 }, left, width, unit) {
  const half = (name.length * LETTER * WIDE * unit) / 2;
  if (x - half < left) return { x: left + unit, "text-anchor": "start" };
  if (x + half > left + width) return { x: left + width - unit, "text-anchor": "end" };
  return { x, "text-anchor": "middle" };
}
