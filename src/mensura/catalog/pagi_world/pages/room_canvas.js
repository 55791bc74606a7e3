// The room on a canvas: a room's JSON, or the state of one that is played, which has the same parts and some more.
//
//   const room = new RoomCanvas(canvas, look);         look: what room_look() of Python gives
//   room.fit(room.bounds(scene));                      or room.follow([x, y], wide)
//   room.draw(scene, { triggers: true, names: true, grid: 1, over: (paint) => ... });
//
// A scene: { things: [{ kind, name, at, angle, size, visual, picture, of, memory }], joints: [{ kind, first, second, at }],
// agents: [{ role, at, angle, hands: [[x, y], [x, y]], grips: [left, right] }], bubbles: [{ speaker, text, place }],
// water: { boxes: [[left, low, right, high]], places: [x, y, x, y ...] } }; all but things may be absent. Places are in
// units, y up; angles are in degrees. `number` reads numbers of a family that are expressions.
export const RAD = Math.PI / 180;
const LINK = 0.6;
const SKY = ["#eef4f8", "#fbfcfd"];
const BODIES = ["#f2cc4c", "#7fb8e6", "#93cf8b", "#e79ab4", "#c3a5e6", "#f0a15c"];
const WATER = "rgba(51, 115, 217, .55)";
const HEALTHY = "healthySoldier";
const plain = (value) => (typeof value === "number" ? value : 0);

export class RoomCanvas {
  constructor(canvas, look, { number = plain, pictures = {} } = {}) {
    Object.assign(this, { canvas, look, number, pictures });
    this.paint = canvas.getContext("2d");
    this.view = { x: 0, y: 0, scale: 20 };
    this.images = new Map();
    // Called after the canvas has changed its size, or a picture has come: who draws then draws again.
    this.changed = () => {};
    this.resize();
    this.watch = new ResizeObserver(() => {
      this.resize();
      this.changed();
    });
    this.watch.observe(canvas);
  }

  // The canvas has as many pixels as the screen shows of it.
  resize() {
    const { canvas } = this;
    this.ratio = window.devicePixelRatio || 1;
    [this.wide, this.high] = [canvas.clientWidth || canvas.width, canvas.clientHeight || canvas.height];
    const [wide, high] = [Math.round(this.wide * this.ratio), Math.round(this.high * this.ratio)];
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    if (this.box) this.fit(this.box, this.margin);
  }

  // Camera ------------------------------------------------------------------------------------------------------------

  // Show a box whole: [left, low, right, high]; it stays in sight when the canvas changes its size.
  fit(box, margin = 1) {
    Object.assign(this, { box, margin });
    const [left, low, right, high] = box;
    const scale = Math.min(this.wide / (right - left + 2 * margin), this.high / (high - low + 2 * margin));
    this.view = { x: (left + right) / 2, y: (low + high) / 2, scale: Math.min(Math.max(scale, 0.5), 200) };
  }

  // Keep a place in the middle, with so many units across; `ease` below 1 goes there step by step.
  follow([x, y], wide, ease = 1) {
    this.box = null;
    const { view } = this;
    view.scale = this.wide / wide;
    view.x += (x - view.x) * ease;
    view.y += (y - view.y) * ease;
  }

  // Zoom about a point of the screen, which stays where it is.
  zoom(factor, clientX, clientY) {
    const [x, y] = this.toRoom(clientX, clientY);
    this.box = null;
    const scale = Math.min(Math.max(this.view.scale * factor, 0.5), 200);
    const share = this.view.scale / scale;
    this.view = { x: x + (this.view.x - x) * share, y: y + (this.view.y - y) * share, scale };
  }

  toRoom(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const { x, y, scale } = this.view;
    return [x + (clientX - box.left - this.wide / 2) / scale, y - (clientY - box.top - this.high / 2) / scale];
  }

  // Where a place lies on the canvas, in pixels of the page from its upper left.
  toScreen([px, py]) {
    const { x, y, scale } = this.view;
    return [this.wide / 2 + (px - x) * scale, this.high / 2 - (py - y) * scale];
  }

  // The box around all of a scene.
  bounds(scene) {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    const take = (x, y, wide, high) => {
      box[0] = Math.min(box[0], x - wide);
      box[1] = Math.min(box[1], y - high);
      box[2] = Math.max(box[2], x + wide);
      box[3] = Math.max(box[3], y + high);
    };
    for (const thing of scene.things ?? []) take(...this.extent(thing));
    for (const agent of scene.agents ?? []) take(...this.place(agent, [-2.7, -3]), 2.5, 2.5);
    for (const [left, low, right, high] of this.boxes(scene)) take((left + right) / 2, (low + high) / 2, (right - left) / 2, (high - low) / 2);
    return box[0] > box[2] ? [-10, -5, 10, 10] : box;
  }

  place(one, otherwise = [0, 0]) {
    return (one.at ?? otherwise).map(this.number);
  }

  // Middle and half sizes of the upright box around a thing, as it is turned.
  extent(thing) {
    const [x, y] = this.place(thing);
    const outline = this.outline(thing);
    if (outline.radius) return [x, y, outline.radius, outline.radius];
    const turned = [Math.cos(this.number(thing.angle ?? 0) * RAD), Math.sin(this.number(thing.angle ?? 0) * RAD)];
    const spots = outline.parts.flat().map(([u, v]) => [u * turned[0] - v * turned[1], u * turned[1] + v * turned[0]]);
    return [x, y, ...[0, 1].map((axis) => Math.max(...spots.map((spot) => Math.abs(spot[axis]))))];
  }

  // Whether a place lies on a thing.
  holds(thing, [px, py]) {
    const [x, y] = this.place(thing);
    const [dx, dy] = [px - x, py - y];
    const outline = this.outline(thing);
    if (outline.radius) return Math.hypot(dx, dy) <= outline.radius;
    const [c, s] = [Math.cos(this.number(thing.angle ?? 0) * RAD), Math.sin(this.number(thing.angle ?? 0) * RAD)];
    return outline.parts.some((part) => inside(part, [dx * c + dy * s, dy * c - dx * s]));
  }

  // The outline of a thing by its kind and size, as the room itself makes it: { radius } or { parts }, with half sizes.
  outline(thing) {
    const row = this.look.kinds[thing.kind] ?? this.look.kinds.block;
    const size = (thing.size ?? []).map(this.number);
    const [form, ...rest] = row.outline;
    if (size.length === 1 || form === "circle") {
      const radius = size.length === 1 ? size[0] : size.length ? Math.max(...size) / 2 : rest[0];
      return { radius, half: [radius, radius] };
    }
    if (form === "box") {
      let half = (size.length ? size : rest).map((one) => one / 2);
      // Two kits side by side.
      if (thing.kind === "largeMedkit" && thing.of !== "half") half = [half[0] * 2, half[1]];
      return { parts: [box(...half)], half };
    }
    const parts = form === "poly" ? [rest[0]] : rest;
    const half = [0, 1].map((axis) => Math.max(...parts.flat().map((point) => Math.abs(point[axis]))));
    if (!size.length) return { parts, half };
    return { parts: parts.map((part) => part.map(([x, y]) => [(x * size[0]) / 2 / half[0], (y * size[1]) / 2 / half[1]])), half: size.map((one) => one / 2) };
  }

  boxes(scene) {
    return (scene.water?.boxes ?? []).map((one) => one.map(this.number));
  }

  // Drawing -----------------------------------------------------------------------------------------------------------

  draw(scene, { triggers = false, names = false, grid = 0, under = null, over = null } = {}) {
    const { paint, ratio } = this;
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    const sky = paint.createLinearGradient(0, 0, 0, this.high);
    SKY.forEach((colour, i) => sky.addColorStop(i, colour));
    paint.fillStyle = sky;
    paint.fillRect(0, 0, this.wide, this.high);
    if (grid) this.drawGrid(grid);
    this.enter();
    const things = scene.things ?? [];
    const back = things.filter((thing) => this.isBehind(thing));
    for (const thing of back) if (thing.kind !== "triggerBox") this.drawThing(thing);
    for (const thing of things) if (!this.isBehind(thing)) this.drawThing(thing);
    this.drawJoints(scene);
    this.drawWater(scene);
    if (triggers) for (const thing of back) if (thing.kind === "triggerBox") this.drawTrigger(thing);
    under?.(paint, this);
    (scene.agents ?? []).forEach((agent, i) => this.drawAgent(agent, i));
    over?.(paint, this);
    for (const bubble of scene.bubbles ?? []) this.drawBubble(bubble);
    if (names) for (const thing of things) if (triggers || thing.kind !== "triggerBox") this.label(thing);
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  // From here on the canvas is measured in units of the room, y up.
  enter() {
    const { x, y, scale } = this.view;
    const k = scale * this.ratio;
    this.paint.lineJoin = "round";
    this.paint.setTransform(k, 0, 0, -k, (this.wide / 2) * this.ratio - x * k, (this.high / 2) * this.ratio + y * k);
  }

  isBehind(thing) {
    return thing.memory?.behind || this.look.kinds[thing.kind]?.touchable === false;
  }

  drawGrid(step) {
    const { paint, wide, high } = this;
    while (step * this.view.scale < 8) step *= 5;
    const [left, top] = this.toRoom(...this.corner(0, 0));
    const [right, low] = this.toRoom(...this.corner(wide, high));
    paint.beginPath();
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) this.rule(this.toScreen([x, 0])[0], 0, 0, high);
    for (let y = Math.ceil(low / step) * step; y <= top; y += step) this.rule(0, this.toScreen([0, y])[1], wide, 0);
    paint.strokeStyle = "rgba(40, 70, 95, .13)";
    paint.lineWidth = 1;
    paint.stroke();
  }

  corner(x, y) {
    const box = this.canvas.getBoundingClientRect();
    return [box.left + x, box.top + y];
  }

  rule(x, y, wide, high) {
    this.paint.moveTo(Math.round(x) + 0.5, Math.round(y) + 0.5);
    this.paint.lineTo(Math.round(x + wide) + 0.5, Math.round(y + high) + 0.5);
  }

  // Draw in the axes of a thing or a body.
  at(place, degrees, draw) {
    const { paint } = this;
    paint.save();
    paint.translate(...place);
    paint.rotate(degrees * RAD);
    draw(paint);
    paint.restore();
  }

  drawThing(thing) {
    const healed = thing.kind === "soldier" && thing.memory && "healthy" in thing.memory;
    const row = this.look.kinds[healed ? HEALTHY : thing.kind] ?? this.look.kinds.block;
    const outline = this.outline(thing);
    this.at(this.place(thing), this.number(thing.angle ?? 0), (paint) => {
      paint.beginPath();
      trace(paint, outline);
      paint.fillStyle = colour((healed ? null : thing.visual)?.map(this.number) ?? row.visual);
      paint.fill();
      const image = thing.picture && this.image(thing.picture);
      if (image) {
        paint.save();
        paint.clip();
        paint.scale(1, -1);
        paint.drawImage(image, -outline.half[0], -outline.half[1], outline.half[0] * 2, outline.half[1] * 2);
        paint.restore();
      } else if (outline.half[0] > 1.5 * LINK && thing.kind === "link") {
        this.drawLinks(outline.half);
      } else if (thing.kind === "largeMedkit" && thing.of !== "half") {
        for (const side of [-1, 1]) this.at([(side * outline.half[0]) / 2, 0], 0, () => this.drawMarks(row.marks, [outline.half[0] / 2, outline.half[1]]));
      } else {
        this.drawMarks(row.marks, outline.half);
      }
      paint.beginPath();
      trace(paint, outline);
      paint.strokeStyle = "rgba(25, 20, 16, .65)";
      paint.lineWidth = Math.max(0.05, 1 / this.view.scale);
      paint.stroke();
    });
  }

  drawMarks(marks, [wide, high]) {
    const { paint } = this;
    for (const [form, own, ...rest] of marks) {
      paint.fillStyle = paint.strokeStyle = own;
      paint.beginPath();
      if (form === "disc") {
        const [x, y, radius] = rest;
        paint.arc(x * wide, y * high, radius * Math.min(wide, high), 0, 7);
        paint.fill();
        continue;
      }
      const spots = rest.at(-1);
      for (let i = 0; i < spots.length; i += 2) paint.lineTo(spots[i] * wide, spots[i + 1] * high);
      if (form === "poly") paint.fill();
      else {
        paint.lineWidth = rest[0];
        paint.stroke();
      }
    }
  }

  drawLinks([wide, high]) {
    const { paint } = this;
    paint.beginPath();
    for (let x = LINK - wide; x < wide; x += LINK) {
      paint.moveTo(x, -high);
      paint.lineTo(x, high);
    }
    paint.strokeStyle = "rgba(0, 0, 0, .5)";
    paint.lineWidth = 0.05;
    paint.stroke();
  }

  // A trigger box is an overlay: nobody in the room sees it.
  drawTrigger(thing) {
    const { paint } = this;
    const pixel = 1 / this.view.scale;
    this.at(this.place(thing), this.number(thing.angle ?? 0), () => {
      paint.beginPath();
      trace(paint, this.outline(thing));
      paint.fillStyle = "rgba(130, 60, 170, .10)";
      paint.fill();
      paint.setLineDash([6 * pixel, 4 * pixel]);
      paint.strokeStyle = "#7b3fa0";
      paint.lineWidth = 1.5 * pixel;
      paint.stroke();
    });
  }

  drawJoints(scene) {
    const joints = scene.joints ?? [];
    if (!joints.length) return;
    const { paint } = this;
    const found = new Map((scene.things ?? []).map((thing) => [thing.name || thing.kind, thing]));
    for (const joint of joints) {
      const ends = [joint.first, joint.second].map((name) => found.get(name));
      paint.beginPath();
      if (joint.kind === "rope" && ends[0] && ends[1]) {
        for (const end of ends) paint.lineTo(...this.place(end));
        paint.strokeStyle = "#8a6a3a";
        paint.lineWidth = 0.12;
        paint.stroke();
      } else if (joint.kind === "pivot" && (!joint.first || !joint.second) && joint.at) {
        paint.arc(...this.place(joint), 0.14, 0, 7);
        paint.fillStyle = "#33302c";
        paint.fill();
      }
    }
  }

  drawWater(scene) {
    const { paint } = this;
    const places = scene.water?.places;
    paint.fillStyle = WATER;
    if (!places) for (const [left, low, right, high] of this.boxes(scene)) paint.fillRect(left, low, right - left, high - low);
    else {
      paint.beginPath();
      for (let i = 0; i < places.length; i += 2) {
        paint.moveTo(places[i] + 0.17, places[i + 1]);
        paint.arc(places[i], places[i + 1], 0.17, 0, 7);
      }
      paint.fill();
    }
  }

  drawAgent(agent, which) {
    const { paint } = this;
    const { radius, shoulders, wrist } = this.look.body;
    const own = BODIES[which % BODIES.length];
    const [place, angle] = [this.place(agent, [-2.7, -3]), this.number(agent.angle ?? 0)];
    const [c, s] = [Math.cos(angle * RAD), Math.sin(angle * RAD)];
    const out = ([x, y]) => [place[0] + x * c - y * s, place[1] + x * s + y * c];
    this.at(place, angle, () => {
      paint.beginPath();
      paint.arc(0, 0, radius, 0, 7);
      paint.fillStyle = own;
      paint.strokeStyle = "#4a3d12";
      paint.lineWidth = 0.07;
      paint.fill();
      paint.stroke();
      for (const side of [-1, 1]) {
        disc(paint, side * 0.38, 0.3, 0.22, "#ffffff");
        disc(paint, side * 0.38, 0.34, 0.1, "#26211a");
      }
      paint.beginPath();
      paint.arc(0, -0.1, 0.5, Math.PI * 1.15, Math.PI * 1.85);
      paint.stroke();
    });
    // Hands that nobody has moved yet hang at the shoulders.
    const hands = agent.hands ?? shoulders.map(([x, y]) => out([x - wrist[0], y - wrist[1]]));
    hands.forEach((hand, side) => this.drawHand(hand, out(shoulders[side]), own, { side, grips: agent.grips?.[side] }));
  }

  drawHand([x, y], shoulder, own, { side, grips }) {
    const { paint } = this;
    const { wrist, hand: radius } = this.look.body;
    paint.beginPath();
    paint.moveTo(...shoulder);
    paint.lineTo(x + wrist[0], y + wrist[1]);
    paint.strokeStyle = "rgba(74, 61, 18, .55)";
    paint.lineWidth = 0.14;
    paint.stroke();
    this.at([x, y], 0, () => {
      paint.globalAlpha = 0.88;
      paint.beginPath();
      paint.arc(0, 0, radius * (grips ? 0.8 : 1), 0, 7);
      paint.fillStyle = own;
      paint.fill();
      paint.strokeStyle = grips ? "#b3261e" : "#4a3d12";
      paint.lineWidth = grips ? 0.12 : 0.06;
      paint.stroke();
      // A thumb tells left from right, fingers say whether the hand is open.
      paint.beginPath();
      const thumb = side ? -1 : 1;
      paint.moveTo(thumb * radius * 0.5, 0);
      paint.lineTo(thumb * radius * 1.15, 0.25);
      if (!grips) for (const finger of [-0.3, 0, 0.3]) paint.rect(finger - 0.01, 0.25, 0.02, 0.3);
      paint.lineWidth = 0.06;
      paint.stroke();
    });
  }

  // Text is drawn upright, in pixels of the page.
  words(draw) {
    const { paint, ratio } = this;
    paint.save();
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(paint);
    paint.restore();
  }

  drawBubble({ speaker, text, place }) {
    const [left, low] = this.toScreen(place.map(this.number));
    const size = Math.max(10, Math.min(0.42 * this.view.scale, 16));
    // From far away it is drawn larger than vision finds it, so that it can be read.
    const wide = Math.max(Math.min(8, 1 + 0.25 * text.length) * this.view.scale, Math.min(text.length, 16) * size * 0.6);
    const high = Math.max(1.2 * this.view.scale, 2.4 * size);
    this.words((paint) => {
      paint.fillStyle = "rgba(255, 255, 255, .94)";
      paint.strokeStyle = "#37424d";
      paint.lineWidth = 1;
      paint.beginPath();
      paint.roundRect(left, low - high, wide, high, Math.min(8, high / 3));
      paint.fill();
      paint.stroke();
      paint.fillStyle = "#37424d";
      paint.font = `600 ${size * 0.8}px system-ui, sans-serif`;
      paint.fillText(clipped(paint, speaker, Math.max(wide - 8, 40)), left + 4, low - high + size * 0.85);
      paint.fillStyle = "#111";
      paint.font = `${size}px system-ui, sans-serif`;
      paint.fillText(clipped(paint, text, Math.max(wide - 8, 40)), left + 4, low - high + size * 1.95);
    });
  }

  label(thing) {
    const [middle, height, , half] = this.extent(thing);
    const [x, y] = this.toScreen([middle, height - half]);
    const text = thing.name || thing.kind;
    this.words((paint) => {
      paint.font = "11px system-ui, sans-serif";
      paint.textAlign = "center";
      paint.strokeStyle = "rgba(255, 255, 255, .85)";
      paint.lineWidth = 3;
      paint.lineJoin = "round";
      paint.strokeText(text, x, y + 12);
      paint.fillStyle = "#1c2733";
      paint.fillText(text, x, y + 12);
    });
  }

  // The picture of a thing of one's own, once it has come; only those that were given beside the room are fetched.
  image(name) {
    const address = this.pictures[name];
    if (!address) return null;
    let image = this.images.get(address);
    if (!image) {
      image = new Image();
      image.addEventListener("load", () => this.changed());
      image.src = address;
      this.images.set(address, image);
    }
    return image.complete && image.naturalWidth ? image : null;
  }

  end() {
    this.watch.disconnect();
  }
}

export function colour([red, green, blue]) {
  return `rgb(${[red, green, blue].map((one) => Math.round(255 * Math.min(Math.max(one, 0), 1))).join(",")})`;
}

function trace(paint, outline) {
  if (outline.radius) paint.arc(0, 0, outline.radius, 0, 7);
  else
    for (const part of outline.parts) {
      part.forEach(([x, y], i) => (i ? paint.lineTo(x, y) : paint.moveTo(x, y)));
      paint.closePath();
    }
}

function disc(paint, x, y, radius, fill) {
  paint.beginPath();
  paint.arc(x, y, radius, 0, 7);
  paint.fillStyle = fill;
  paint.fill();
}

function box(wide, high) {
  return [[-wide, -high], [wide, -high], [wide, high], [-wide, high]];
}

// Whether a point lies in a convex part, whichever way round it is given.
function inside(part, [x, y]) {
  const signs = part.map(([u, v], i) => {
    const [a, b] = part[(i + 1) % part.length];
    return Math.sign((a - u) * (y - v) - (b - v) * (x - u));
  });
  return !signs.includes(1) || !signs.includes(-1);
}

function clipped(paint, text, wide) {
  if (paint.measureText(text).width <= wide) return text;
  let end = text.length;
  while (end > 1 && paint.measureText(`${text.slice(0, end)}…`).width > wide) end -= Math.ceil(end / 12);
  return `${text.slice(0, end)}…`;
}
