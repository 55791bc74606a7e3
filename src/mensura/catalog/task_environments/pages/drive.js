// Driving: the page answers at the edge of every tick with the sliders as they stand, while the person lets time go on.
// The world moves only by these answers: who is away, or has a slow line, loses no time, and the record replays.
const drives = new WeakMap();
const SIGNALS = { help: -1, stop: -2 };
// How long others may take before it is said that they are waited for, in milliseconds.
const PATIENCE = 1000;
const [WIDTH, HEIGHT, EDGE] = [400, 90, 4];

export default function enhance(element, context) {
  const drive = drives.get(element);
  if (drive) drive.take(context);
  else if (element.querySelector(".drive")) drives.set(element, new Drive(element, context));
}

class Drive {
  constructor(element, context) {
    this.root = element.querySelector(".drive");
    this.sliders = [...this.root.querySelectorAll("input[type=range]")];
    this.going = false;
    this.due = 0;
    this.signal = 0;
    this.listen();
    this.take(context);
  }

  listen() {
    for (const slider of this.sliders) {
      slider.addEventListener("input", () => this.show());
      slider.addEventListener("keydown", (event) => {
        if (event.key !== "0") return;
        slider.value = 0;
        this.show();
      });
    }
    for (const button of this.root.querySelectorAll("button[data-do]")) {
      button.addEventListener("click", () => this.press(button.dataset.do));
    }
    // Others who drive too have not set their motors yet.
    this.root.closest(".own").addEventListener("wait", () => {
      clearTimeout(this.lonely);
      this.lonely = setTimeout(() => this.say(this.root.querySelector(".drive-say").dataset.wait), PATIENCE);
    });
    // Nobody drives who does not look.
    document.addEventListener("visibilitychange", () => document.hidden && this.go(false));
  }

  press(what) {
    if (what === "go" || what === "pause") return this.go(what === "go", true);
    if (what === "off") {
      for (const slider of this.sliders) slider.value = 0;
      return this.show();
    }
    // A signal is given at once, whether time goes on or not.
    this.signal = SIGNALS[what];
    if (!this.going) this.answer();
  }

  go(going, pressed = false) {
    this.going = going;
    const [start, pause] = ["go", "pause"].map((name) => this.root.querySelector(`[data-do=${name}]`));
    [start.hidden, pause.hidden] = [going, !going];
    // On a small screen motors and traces matter more than what was read already.
    if (going && this.root.offsetHeight > window.innerHeight) this.root.querySelector(".drive-words").open = false;
    if (going) this.say("");
    if (pressed) (going ? this.sliders[0] ?? pause : start).focus();
    this.due = performance.now();
    this.wait();
  }

  // A new ask: the tick that was answered is over.
  take(context) {
    const before = this.data;
    this.context = context;
    this.data = context.data;
    this.answered = false;
    if (before?.attempt !== this.data.attempt) {
      this.sliders.forEach((slider, i) => (slider.value = this.data.motors[i].power));
      if (this.going) this.go(false, true);
    }
    this.hear();
    if (before && before.words !== this.data.words) this.retell();
    this.show();
    this.wait();
  }

  // What is told between ticks, such as how an attempt ended, is said beside the buttons: above the page it would go with
  // the next tick, and all below it would move under the hand.
  hear() {
    clearTimeout(this.lonely);
    const told = [...this.context.visit.main.querySelectorAll(".tolds .told")].map((one) => one.innerText.trim());
    this.context.visit.main.querySelector(".tolds")?.remove();
    this.say(told.join(" "));
  }

  say(words) {
    this.root.querySelector(".drive-say").textContent = words;
  }

  // More was told, such as the goals to those who ask for help; time stops until it is read.
  retell() {
    const words = this.root.querySelector(".drive-words");
    words.replaceWith(this.context.drawn.querySelector(".drive-words"));
    if (this.going) this.go(false);
    this.root.querySelector(".drive-words summary").focus();
  }

  wait() {
    clearTimeout(this.timer);
    if (!this.going || !this.context.form || this.answered) return;
    this.timer = setTimeout(() => this.answer(), Math.max(0, this.due - performance.now()));
  }

  answer() {
    if (this.answered || !this.context.form || !this.root.isConnected) return;
    this.answered = true;
    // What came late does not make the next tick shorter.
    this.due = Math.max(this.due, performance.now() - 50) + 1000 * this.data.tick;
    const numbers = this.sliders.map((slider) => Number(slider.value));
    if (this.data.signals) numbers.push(this.signal);
    this.signal = 0;
    this.context.submit(Object.fromEntries(numbers.map((number, i) => [`answer.${i}`, String(number)])));
  }

  show() {
    const { data, root } = this;
    for (const slider of this.sliders) {
      const words = `${Number(slider.value).toPrecision(3) / 1} W`;
      slider.nextElementSibling.textContent = words.replace("-", "−");
      slider.setAttribute("aria-valuetext", words);
    }
    root.querySelector("[data-left=time]").textContent = data.time_left.toFixed(2);
    const energy = root.querySelector("[data-left=energy]");
    if (energy) energy.textContent = data.energy_left.toFixed(0);
    const reward = root.querySelector("[data-left=reward]");
    if (reward) reward.textContent = data.reward === null ? "–" : written(data.reward);
    root.querySelectorAll(".drive-trace").forEach((figure, i) => draw(figure, data.trace.map((seen) => seen[i]), data.values[i]));
  }
}

function draw(figure, values, now) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [span, last] = [high - low || 1, Math.max(values.length - 1, 40)];
  const y = (value) => (high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((value - low) / span) * (HEIGHT - 2 * EDGE));
  const points = values.map((value, i) => `${((i / last) * WIDTH).toFixed(1)},${y(value).toFixed(1)}`);
  figure.querySelector("polyline").setAttribute("points", points.join(" "));
  figure.querySelector("output").textContent = written(now);
  const [least, most] = figure.querySelectorAll(".drive-range span");
  [least.textContent, most.textContent] = [`▾ ${written(low)}`, `▴ ${written(high)}`];
}

function written(number) {
  return String(Number(number.toPrecision(4))).replace("-", "−");
}
