// The network on a canvas. Links that hold are drawn once and kept; what moves is drawn anew in every frame.
export const VALUES = ["#4c78a8", "#f2a33a", "#5aa469", "#b07aa1", "#e5c84a", "#76b7b2", "#d37295", "#9c755f", "#8cb4d8", "#a0a0a0"];
export const KINDS = ["#005a8c", "#b3261e", "#2f7d32", "#7b3fa0", "#7a4300", "#00796b"];
const [INK, LINE, SOFT, RED, BARE] = ["#1c2733", "#b9c5cf", "#51606d", "#c62828", "#ffffff"];
const MOST_DOTS = 3000;

export class Canvas {
  constructor(element, course) {
    this.element = element;
    this.pen = element.getContext("2d");
    this.chosen = { agent: null, link: null };
    this.show(course);
  }

  show(course) {
    this.course = course;
    const { variables, agents } = course.act;
    this.first = agents.map((_, agent) => variables.findIndex((variable) => variable[2] === agent));
    this.fit();
  }

  // Find the scale at which everything that an agent can come to has room.
  fit() {
    const { element, course } = this;
    const { picture, agents, variables } = course.act;
    const spots = [...picture.at];
    if (picture.board) spots.push([-0.4, -0.4], [picture.board[0] - 0.6, picture.board[1] - 0.6]);
    if (picture.rest) spots.push(...picture.rest);
    if (picture.steps && !picture.board) for (const one of this.first) for (const step of picture.steps[variables[one][1]]) spots.push(step);
    const bounds = [0, 1].map((axis) => spots.reduce(([low, high], spot) => [Math.min(low, spot[axis]), Math.max(high, spot[axis])], [Infinity, -Infinity]));
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = element.clientWidth || 600;
    const height = Math.max(240, Math.min(width * 0.8, 520));
    [element.width, element.height] = [width * ratio, height * ratio];
    element.style.height = `${height}px`;
    const edge = picture.kind === "network" ? 34 : 24;
    const spans = bounds.map(([low, high]) => high - low || 1);
    const [across, down] = [(width - 2 * edge) / spans[0], (height - 2 * edge) / spans[1]];
    const scale = Math.min(across, down);
    // A network has no cells that would be squeezed, so it may take more of a wide window.
    const scales = [picture.kind === "network" ? Math.min(across, 1.6 * scale) : scale, scale];
    const shift = bounds.map(([low], axis) => ([width, height][axis] - spans[axis] * scales[axis]) / 2 - low * scales[axis]);
    Object.assign(this, { ratio, width, height, scale, scales, shift, sprites: new Map() });
    const room = picture.steps ? scale * 0.36 : (agents.length > 200 ? 0.17 : 0.24) * Math.sqrt((width * height) / agents.length);
    this.radius = Math.max(2.2, Math.min(17, room));
    this.kept = null;
    this.places = agents.map((_, i) => this.place(i));
  }

  place(agent) {
    const { picture, variables } = this.course.act;
    const value = this.course.values[this.first[agent]];
    let [x, y] = picture.at[agent];
    if (value < 0 && picture.rest) [x, y] = picture.rest[agent];
    else if (value >= 0 && picture.steps) {
      const step = picture.steps[variables[this.first[agent]][1]][value];
      [x, y] = [x + step[0], y + step[1]];
    }
    return [x * this.scales[0] + this.shift[0], y * this.scales[1] + this.shift[1]];
  }

  draw(time) {
    const { pen, course, ratio } = this;
    const { picture, agents, links } = course.act;
    const moving = Boolean(picture.steps);
    if (moving) this.places = agents.map((_, i) => this.place(i));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    if (picture.board) this.drawBoard(picture);
    if (moving) this.drawLinks(pen, links);
    else {
      // Drawn once: thousands of lines would take most of a frame.
      this.kept ??= this.keep(links);
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.drawImage(this.kept, 0, 0);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.stroke(pen, links.filter((_, i) => course.broken[i]), RED, this.radius > 5 ? 2.5 : 1.2);
    if (picture.chain) this.stroke(pen, agents.slice(1).map((_, i) => [i, i + 1]), INK, 4);
    if (this.chosen.link !== null) this.stroke(pen, [links[this.chosen.link]], INK, 3);
    this.drawNodes(time);
    this.drawDots(time);
  }

  keep(links) {
    const kept = document.createElement("canvas");
    [kept.width, kept.height] = [this.element.width, this.element.height];
    const pen = kept.getContext("2d");
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.drawLinks(pen, links);
    return kept;
  }

  drawLinks(pen, links) {
    // On a board all attack all: links are faint there.
    pen.globalAlpha = this.course.act.picture.steps ? 0.35 : Math.max(0.35, 1 - links.length / 6000);
    this.stroke(pen, links, LINE, 1);
    pen.globalAlpha = 1;
  }

  stroke(pen, links, colour, width) {
    if (!links.length) return;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    // Each line on its own: a path of a thousand lines that cross takes several times as long.
    for (const [one, other] of links) {
      pen.beginPath();
      pen.moveTo(...this.places[one]);
      pen.lineTo(...this.places[other]);
      pen.stroke();
    }
  }

  drawBoard({ board, cells, kind }) {
    const { pen, scale, shift } = this;
    for (let y = 0; y < board[1]; y += 1) {
      for (let x = 0; x < board[0]; x += 1) {
        const cell = cells?.[y][x];
        const plain = kind === "board" ? ["#f7f2e8", "#e3d9c5"][(x + y) % 2] : "#f2f5f8";
        pen.fillStyle = cell === "#" ? "#51606d" : cell === " " ? "#d3dce4" : plain;
        pen.fillRect((x - 0.5) * scale + shift[0], (y - 0.5) * scale + shift[1], scale - (kind === "board" ? 0 : 1), scale - (kind === "board" ? 0 : 1));
      }
    }
  }

  drawNodes(time) {
    const { pen, course, radius, places } = this;
    const { picture, variables, domains } = course.act;
    places.forEach(([x, y], agent) => {
      const value = course.values[this.first[agent]];
      const sprite = this.sprite(value < 0 ? BARE : VALUES[value % VALUES.length]);
      const half = sprite.width / this.ratio / 2;
      pen.drawImage(sprite, x - half, y - half, 2 * half, 2 * half);
    });
    const awake = course.moment && !(time >= course.length) ? course.moment.agent : null;
    for (const [agent, colour, more] of [[awake, INK, 3], [this.chosen.agent, "#005a8c", 5]]) {
      if (agent === null) continue;
      pen.strokeStyle = colour;
      pen.lineWidth = 2.5;
      pen.beginPath();
      pen.arc(...places[agent], radius + more, 0, 7);
      pen.stroke();
    }
    for (const agent of this.waiting ?? []) {
      pen.fillStyle = "#b26a00";
      pen.fillRect(places[agent][0] + radius * 0.6, places[agent][1] - radius * 1.3, 7, 7);
    }
    if (radius < 9) return;
    pen.fillStyle = INK;
    pen.font = `600 ${Math.round(Math.min(13, radius * 0.85))}px system-ui, sans-serif`;
    [pen.textAlign, pen.textBaseline] = ["center", "middle"];
    const beneath = picture.kind === "network" && radius > 11;
    places.forEach(([x, y], agent) => {
      const variable = this.first[agent];
      const value = course.values[variable];
      const name = course.act.agents[agent];
      const words = picture.marks ? picture.marks[agent] : picture.kind === "network" && value >= 0 ? domains[variables[variable][1]][value] : beneath ? "" : name;
      if (words.length <= 4) pen.fillText(words, x, y);
      if (beneath) {
        pen.fillStyle = SOFT;
        pen.fillText(name, x, y + radius + 8);
        pen.fillStyle = INK;
      }
    });
  }

  // An agent of each colour is drawn once, and then stamped.
  sprite(colour) {
    if (!this.sprites.has(colour)) {
      const made = document.createElement("canvas");
      made.width = made.height = Math.ceil((2 * this.radius + 3) * this.ratio);
      const pen = made.getContext("2d");
      [pen.fillStyle, pen.strokeStyle] = [colour, this.radius > 5 ? INK : SOFT];
      pen.lineWidth = (this.radius > 5 ? 1.2 : 0.7) * this.ratio;
      pen.arc(made.width / 2, made.width / 2, this.radius * this.ratio, 0, 7);
      pen.fill();
      pen.stroke();
      this.sprites.set(colour, made);
    }
    return this.sprites.get(colour);
  }

  // Where a letter is follows from the time alone: on its way from the moment it is sent to that at which it is read.
  drawDots(time) {
    const { pen, course, places, radius } = this;
    const size = radius > 8 ? 4.5 : radius > 6 ? 3 : 1.2;
    let colour = null;
    const rare = Math.ceil(course.flying.size / MOST_DOTS);
    let number = 0;
    for (const id of course.flying) {
      number += 1;
      if (number % rare) continue;
      const letter = course.letters[id];
      const share = letter.read === Infinity ? 0.5 : (time - letter.sent) / (letter.read - letter.sent);
      const along = 0.16 + 0.68 * Math.max(0, Math.min(1, share));
      const [[x1, y1], [x2, y2]] = [places[letter.from], places[letter.to]];
      // The two ways of a link lie side by side.
      const away = radius > 5 ? 5 / (Math.hypot(x2 - x1, y2 - y1) || 1) : 0;
      const [x, y] = [x1 + (x2 - x1) * along - (y2 - y1) * away, y1 + (y2 - y1) * along + (x2 - x1) * away];
      if (colour !== letter.kind) pen.fillStyle = KINDS[letter.kind % KINDS.length];
      colour = letter.kind;
      if (size < 2) pen.fillRect(x - size, y - size, 2 * size, 2 * size);
      else {
        pen.beginPath();
        pen.arc(x, y, size, 0, 7);
        pen.fill();
      }
    }
  }

  // What lies at a point: an agent before a link.
  find(x, y) {
    const near = (spot) => Math.hypot(spot[0] - x, spot[1] - y);
    const agent = this.places.reduce((best, spot, i) => (near(spot) < near(this.places[best]) ? i : best), 0);
    if (near(this.places[agent]) <= Math.max(this.radius + 3, 8)) return { agent, link: null };
    let [found, least] = [null, 7];
    this.course.act.links.forEach(([one, other], i) => {
      const far = apart([x, y], this.places[one], this.places[other]);
      if (far < least) [found, least] = [i, far];
    });
    return { agent: null, link: found };
  }
}

function apart([x, y], [x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}
