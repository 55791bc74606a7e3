// What a body senses, drawn into the room: both fields of vision, and the points that feel.
import { colour, RAD } from "./room_canvas.js";

const DULL = "rgba(90, 105, 120, .22)";
const [COLD, WARM, HOT] = ["#2f7fd0", "#2f9e44", "#e03131"];

// Layers of the room's picture: fields lie under the body, points that feel over it. `whole` fills the fields, as where
// nothing else is shown; else each point is a dot over the room.
export function senseLayers(senses, agent, { whole = false } = {}) {
  return { under: (paint) => paintFields(paint, senses, agent, whole), over: (paint) => paintTouch(paint, senses, agent) };
}

function enter(paint, agent) {
  paint.save();
  paint.translate(...agent.at);
  paint.rotate(agent.angle * RAD);
}

function paintFields(paint, senses, agent, whole) {
  enter(paint, agent);
  for (const [name, field] of Object.entries(senses.fields).reverse()) {
    const [wide, high] = field.step;
    const radius = name === "V" ? 0.03 : 0.16;
    const colours = field.seen.map(seenColour);
    field.points.forEach((seen, i) => {
      const [x, y] = placeOf(field, i);
      paint.fillStyle = seen ? colours[seen] : whole ? "#ffffff" : DULL;
      paint.beginPath();
      if (whole) paint.rect(x - wide / 2, y - high / 2, wide * 0.98, high * 0.98);
      else paint.arc(x, y, radius, 0, 7);
      paint.fill();
    });
    const [columns, rows] = field.size;
    paint.strokeStyle = name === "V" ? "#b06000" : "#5b6c7d";
    paint.lineWidth = 0.04;
    paint.strokeRect(field.corner[0] - wide / 2, field.corner[1] - high / 2, columns * wide, rows * high);
  }
  paint.restore();
}

function paintTouch(paint, senses, agent) {
  enter(paint, agent);
  senses.spots.body.forEach((spot, i) => feel(paint, spot, senses.touch[`B${i}`]));
  paint.restore();
  // The points of a hand keep to the axes of the room.
  agent.hands.forEach(([x, y], side) => senses.spots.hand.forEach(([u, v], i) => feel(paint, [x + u, y + v], senses.touch["LR"[side] + i])));
}

export function placeOf({ corner, step, size }, i) {
  return [corner[0] + step[0] * Math.floor(i / size[1]), corner[1] + step[1] * (i % size[1])];
}

function feel(paint, [x, y], felt) {
  paint.beginPath();
  paint.arc(x, y, felt ? 0.13 : 0.07, 0, 7);
  paint.fillStyle = !felt ? "rgba(255, 255, 255, .8)" : felt[1] > 50 ? HOT : felt[1] < -50 ? COLD : WARM;
  paint.fill();
  paint.strokeStyle = "#1c2733";
  paint.lineWidth = 0.03;
  paint.stroke();
}

// Without visual numbers, as in the program of 2018, a name has a colour of its own.
function seenColour([kind, name, visual]) {
  if (visual.some(Boolean)) return colour(visual);
  let sum = 0;
  for (const letter of kind + name) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
  return `hsl(${sum} 60% 50%)`;
}

// The same in words, for those who cannot see it.
export function sensesInWords(senses) {
  const names = (field) => senses.fields[field].seen.slice(1).map(([kind, name]) => name || kind || "something");
  const seen = [...new Set([...names("V"), ...names("P")])];
  const felt = (letter) => {
    const all = Object.entries(senses.touch).filter(([code]) => code.startsWith(letter));
    return [...new Set(all.map(([, values]) => `${values[7] || "something"}${values[1] ? ` (${values[1]}°)` : ""}`))].join(", ") || "nothing";
  };
  return `The body sees: ${seen.join(", ") || "nothing"}. Left hand touches: ${felt("L")}. Right hand: ${felt("R")}. Body: ${felt("B")}.`;
}
