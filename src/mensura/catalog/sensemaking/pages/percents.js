// Bars, sliders and numbers move together, the sum is live, and each of the five ways of normalising is kept:
// after (and confirmed), after, by a button, at every move, or not at all. Nothing is sent that was not seen: percents that
// are not 98 to 102 are made to sum to 100 before the person's eyes, and only where every field is filled.

// How long the percents that "after" made are seen before they are sent, in milliseconds.
const SEEN = 1500;
const MADE = "Your percents were made to sum to 100.";

export default function enhance(element, context) {
  const set = element.querySelector(".sm-percents");
  const rows = [...set.querySelectorAll(".sm-row")].map((row) => ({
    option: row.dataset.option,
    range: row.querySelector("input[type=range]"),
    number: row.querySelector("input[data-percent]"),
    before: row.dataset.before,
    bar: row.querySelector(".sm-bar"),
    spent: 0,
  }));
  const mode = set.dataset.mode;
  const form = context.form ?? set.closest("form");
  const output = set.querySelector(".sm-sum output");
  const note = set.querySelector(".sm-note");
  const how = set.querySelector("input[type=hidden]");
  const button = set.querySelector(".sm-normalise");
  const again = set.querySelector(".sm-again");
  const fields = rows.map((row) => row.number);
  const values = () => fields.map((field) => context.percentIn(field) || 0);
  let raw = null;
  let sending = 0;
  let unseen = false;

  function show() {
    const read = context.together(fields);
    output.textContent = read.words.replace("Sum ", "");
    set.classList.toggle("whole", read.right);
    for (const row of rows) {
      context.setSlider(row.range, context.percentIn(row.number), "percent");
      row.bar.querySelector(".fill").setAttribute("width", String(context.percentIn(row.number) || 0));
    }
    button.hidden = mode !== "NormalizeDuringManual" || read.right || read.some;
    return read;
  }

  function put(percents) {
    unseen = true;
    requestAnimationFrame(() => requestAnimationFrame(() => { unseen = false; }));
    rows.forEach((row, index) => context.setField(row.number, `${percents[index]} %`));
  }

  // A text that is left counts as a whole, so that 60 can be typed; a slider counts at every move.
  function moved(row) {
    if (mode === "NormalizeDuringInstaneous" && row.number.value.trim() && row.number.validity.valid) put(shifted(values(), rows.indexOf(row)));
  }

  function changed() {
    raw = null;
    clearTimeout(sending);
    note.textContent = "";
    show();
  }

  for (const row of rows) {
    const pull = (percent) => { context.setField(row.number, `${percent} %`); moved(row); };
    context.awaitTouch(row.range);
    row.range.addEventListener("input", () => pull(row.range.value));
    row.number.addEventListener("input", changed);
    row.number.addEventListener("change", () => moved(row));
    drag(row.bar, pull);
    time(row);
  }
  button.addEventListener("click", normalise);

  function normalise() {
    const had = named(rows, values());
    put(wholePercents(values()));
    raw = had;
  }

  // Where the last judgement ended is offered, never taken for the new one.
  if (again) again.hidden = false;
  again?.addEventListener("click", () => put(rows.map((row) => row.before ?? 0)));

  form.addEventListener("submit", (event) => {
    const read = show();
    if (!read.right) {
      if (mode === "NormalizeOff" || mode === "NormalizeDuringInstaneous" || read.sum === 0) return refuse(event, read.rule);
      if (read.some) return refuse(event, `${read.rule} Fill in the empty ones too, 0 for none.`);
      if (mode === "NormalizeDuringManual") return refuse(event, "Make it 100 first.");
      normalise();
      if (mode === "NormalizeAfter") sending = setTimeout(() => form.requestSubmit(), SEEN);
      return refuse(event, mode === "NormalizeAfter" ? MADE : `${MADE} Answer again to confirm, or change them.`);
    }
    if (unseen) return refuse(event, `${MADE} Answer again to send them.`);
    how.value = JSON.stringify({
      raw: raw ?? named(rows, values()),
      control_ms: Object.fromEntries(rows.map((row) => [row.option, Math.round(row.spent)])),
    });
  }, { capture: true });

  function refuse(event, words) {
    event.preventDefault();
    event.stopImmediatePropagation();
    note.textContent = words;
  }

  show();
}

// Cut to whole percents, then add one in turn to those between 0 and 100: the original's own way, single precision too.
export function wholePercents(values) {
  const total = values.reduce((a, b) => a + b, 0);
  if (total === 100 || !(total > 0)) return values;
  const percents = values.map((each) => Math.trunc(Math.fround(Math.fround(each / total) * Math.fround(100))));
  let left = 100 - percents.reduce((a, b) => a + b, 0);
  while (left > 0) {
    const free = percents.some((each) => each > 0 && each < 100);
    for (let i = 0; i < percents.length && left > 0; i += 1) {
      if (!free || (percents[i] > 0 && percents[i] < 100)) { percents[i] += 1; left -= 1; }
    }
  }
  return percents;
}

// One control leads, the others share what it leaves in the proportions they have.
export function shifted(values, leader) {
  const rest = 100 - values[leader];
  const others = values.reduce((total, each, index) => (index === leader ? total : total + each), 0);
  const count = values.length - 1;
  const moved = values.map((each, index) => {
    if (index === leader) return each;
    return others > 0 ? (each / others) * rest : rest / count;
  });
  const whole = moved.map((each, index) => (index === leader ? each : Math.floor(each)));
  let left = 100 - whole.reduce((a, b) => a + b, 0);
  for (let i = 0; left > 0.5; i = (i + 1) % whole.length) {
    if (i !== leader) { whole[i] += 1; left -= 1; }
  }
  return whole;
}

function named(rows, values) {
  return Object.fromEntries(rows.map((row, index) => [row.option, values[index]]));
}

// A bar is as long as the pointer pulls it.
function drag(bar, set) {
  const pull = (event) => {
    const box = bar.getBoundingClientRect();
    set(Math.round(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * 100));
  };
  bar.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    pull(event);
  });
  bar.addEventListener("pointermove", (event) => { if (event.buttons && bar.hasPointerCapture(event.pointerId)) pull(event); });
}

// Time on a control: while it has the focus or is being dragged.
function time(row) {
  let since = null;
  const start = () => { since = since ?? performance.now(); };
  const stop = () => { if (since !== null) { row.spent += performance.now() - since; since = null; } };
  for (const input of [row.range, row.number]) {
    input.addEventListener("focus", start);
    input.addEventListener("pointerdown", start);
    input.addEventListener("blur", stop);
  }
  row.bar.addEventListener("pointerdown", start);
  row.bar.addEventListener("pointerup", stop);
  row.bar.addEventListener("pointercancel", stop);
  row.range.form?.addEventListener("submit", stop, { capture: true });
}
