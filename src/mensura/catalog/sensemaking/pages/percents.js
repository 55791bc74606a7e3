// Bars, sliders and numbers move together, the sum is live, and each of the five ways of normalising is kept:
// after (and confirmed), after, by a button, at every move, or not at all.
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
  const form = context?.form ?? set.closest("form");
  const output = set.querySelector(".sm-sum output");
  const note = set.querySelector(".sm-note");
  const how = set.querySelector("input[type=hidden]");
  const button = set.querySelector(".sm-normalise");
  const again = set.querySelector(".sm-again");
  let raw = null;
  let confirming = false;

  const value = (row) => context.readPercent(row.number.value)?.percent ?? 0;
  const write = (row, percent) => {
    row.number.value = `${percent} %`;
    row.number.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "written" }));
  };
  const sum = () => rows.reduce((total, row) => total + value(row), 0);

  function show() {
    const total = sum();
    output.textContent = `${Math.round(total * 100) / 100} %`;
    set.classList.toggle("whole", Math.abs(total - 100) < 1e-6);
    for (const row of rows) {
      const filled = context.readPercent(row.number.value)?.percent !== undefined;
      row.range.value = String(value(row));
      row.range.classList.toggle("untouched", !filled);
      row.range.setAttribute("aria-valuetext", filled ? `${value(row)} percent` : "not set");
      row.bar.querySelector(".fill").setAttribute("width", String(value(row)));
    }
    button.hidden = mode !== "NormalizeDuringManual" || Math.abs(total - 100) < 1e-6;
  }

  function put(percents) {
    rows.forEach((row, index) => write(row, percents[index]));
    show();
  }

  function changed(row) {
    raw = null;
    confirming = false;
    note.textContent = "";
    if (mode === "NormalizeDuringInstaneous" && row.number.validity.valid) put(shifted(rows.map(value), rows.indexOf(row)));
    else show();
  }

  for (const row of rows) {
    row.range.addEventListener("input", () => { write(row, row.range.value); changed(row); });
    row.number.addEventListener("input", (event) => event.detail !== "written" && changed(row));
    drag(row.bar, (percent) => { write(row, percent); changed(row); });
    time(row);
  }
  button.addEventListener("click", () => { raw = named(rows, rows.map(value)); put(wholePercents(rows.map(value))); });

  // Where the last judgement ended is offered, never taken for the new one.
  if (again) again.hidden = false;
  again?.addEventListener("click", () => put(rows.map((row) => row.before ?? 0)));

  form.addEventListener("submit", (event) => {
    const total = sum();
    const whole = Math.abs(total - 100) < 1e-6;
    if (!whole && total > 0) {
      if (mode === "NormalizeDuringManual") return refuse(event, "Make it 100 first.");
      if (mode === "NormalizeOff") return refuse(event, `The percents must sum to 100; they sum to ${total}.`);
      raw = raw ?? named(rows, rows.map(value));
      put(wholePercents(rows.map(value)));
      if (mode === "NormalizeAfterAndConfirm" && !confirming) {
        confirming = true;
        return refuse(event, "Your percents were made to sum to 100. Answer again to confirm, or change them.");
      }
    }
    how.value = JSON.stringify({
      raw: raw ?? named(rows, rows.map(value)),
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
