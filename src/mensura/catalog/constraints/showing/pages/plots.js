// Plots: every measure along the run, by cycle; two algorithms in one plot, and a line where the run stands now.
import { h, written } from "./element.js";

const [WIDTH, HEIGHT, EDGE] = [240, 70, 3];
const LINES = ["one", "two"];

export function drawPlots(place, courses, names) {
  const tables = courses.map((course) => course.measures());
  const measures = [...new Set(tables.flatMap((rows) => Object.keys(rows[0] ?? {})))].filter((name) => name !== "cycle");
  const last = Math.max(1, ...tables.flatMap((rows) => rows.map((row) => row.cycle)));
  const x = (cycle) => EDGE + (cycle / last) * (WIDTH - 2 * EDGE);
  const figures = measures.map((measure) => {
    const known = tables.flatMap((rows) => rows.map((row) => row[measure]).filter((one) => one !== null && one !== undefined));
    const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
    const y = (value) => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
    const lines = tables.map((rows, i) => {
      const points = rows.filter((row) => row[measure] !== null && row[measure] !== undefined).map((row) => `${x(row.cycle).toFixed(1)},${y(row[measure]).toFixed(1)}`);
      return h("svg:polyline", { points: points.join(" "), class: LINES[i] });
    });
    const ends = tables.map((rows, i) => `${names[i]} ${written(rows.at(-1)?.[measure])}`);
    const cursors = tables.map((_, i) => h("svg:line", { y1: 0, y2: HEIGHT, x1: 0, x2: 0, class: `cursor ${LINES[i]}` }));
    const label = `${measure} by cycle, 0 to ${last}; at the end: ${ends.join("; ")}`;
    const svg = h("svg:svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label }, ...lines, ...cursors);
    const now = h("span", { class: "nw-now" });
    return { measure, cursors, now, figure: h("figure", { class: "nw-plot" }, h("figcaption", {}, h("b", {}, measure), now), svg) };
  });
  place.replaceChildren(...figures.map(({ figure }) => figure));
  return () => {
    const at = courses.map((course) => course.moment?.cycle ?? 0);
    // What a table holds for the cycle under way is reached at its end.
    const rows = tables.map((table, i) => (courses[i].at ? table.find((row) => row.cycle >= at[i]) ?? table.at(-1) : null));
    for (const { measure, cursors, now } of figures) {
      cursors.forEach((cursor, i) => ["x1", "x2"].forEach((end) => cursor.setAttribute(end, x(at[i]).toFixed(1))));
      now.textContent = rows.map((row) => written(row?.[measure] ?? 0)).join(" · ");
    }
  };
}
