// Show an episode: pictures lie side by side in strips.
const data = JSON.parse(document.querySelector("#data").textContent);
const [canvas, slider, pace, button] = ["canvas", "input[type=range]", "select", "[data-do=play]"].map((one) => document.querySelector(one));
const HERTZ = 60;
const pen = canvas.getContext("2d");
const strips = await Promise.all(
  data.strips.map(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    return picture;
  }),
);
let playing = false;
let due = 0;

function show(place) {
  slider.value = place;
  const [frame, action, points, lives, room] = data.shown[place];
  const now = { frame, action, points, lives, room: room ?? "not known" };
  for (const [name, value] of Object.entries(now)) document.querySelector(`[data-now=${name}]`).textContent = String(value).replace("-", "−");
  slider.setAttribute("aria-valuetext", `frame ${frame}, ${points} points`);
  const strip = strips[Math.floor(place / data.strip)];
  const width = strip.width / Math.min(data.strip, data.shown.length - Math.floor(place / data.strip) * data.strip);
  [canvas.width, canvas.height] = [width, strip.height];
  pen.drawImage(strip, (place % data.strip) * width, 0, width, strip.height, 0, 0, width, strip.height);
}

function turn(now) {
  if (!playing) return;
  const step = (1000 * data.every) / HERTZ / Number(pace.value);
  let place = Number(slider.value);
  while (due <= now && place < data.shown.length - 1) {
    place += 1;
    due += step;
  }
  show(place);
  if (place === data.shown.length - 1) return go(false);
  requestAnimationFrame(turn);
}

function go(on) {
  playing = on;
  button.textContent = on ? "Pause" : "Play";
  if (!on) return;
  if (Number(slider.value) === data.shown.length - 1) show(0);
  due = performance.now();
  requestAnimationFrame(turn);
}

button.addEventListener("click", () => go(!playing));
slider.addEventListener("input", () => show(Number(slider.value)));
for (const one of document.querySelectorAll("[data-frame]")) {
  // A little before the reward, so that it is seen to come.
  one.addEventListener("click", () => show(Math.max(0, Math.floor(one.dataset.frame / data.every) - 15)));
}
show(0);
document.body.dataset.ready = "";
