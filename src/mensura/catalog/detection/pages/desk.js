// The town: one house per target, with what was reported there of late, alerts and attacks.
const RECENT = 20;

export function activity(rows, target, today) {
  const near = rows.filter((row) => row[7] === target && row[2] > today - RECENT);
  return {
    visits: near.filter((row) => row[3] === "visit").length,
    uses: near.filter((row) => row[3] === "application").length,
  };
}

// Reports stand in another part of the same page.
function reports(element) {
  for (const script of (element.closest("main") ?? document).querySelectorAll("script.own-data")) {
    const data = JSON.parse(script.textContent);
    if (data.kind === "detection-reports") return [...(data.before ?? []), ...data.rows.filter((row) => row[0] !== null)];
  }
  return [];
}

export default function enhance(element, context) {
  const { places, alerts, attacks, today } = context.data;
  if (!places?.length) return;
  const rows = reports(element);
  const alert = new Map(alerts.map(([target, level, last]) => [target, [level, last]]));
  const struck = new Map(attacks.map(([day, target]) => [target, day]));
  element.querySelector(".dt-town").replaceChildren(...places.map(({ target, modes }) => {
    const { visits, uses } = activity(rows, target, today);
    const house = document.createElement("button");
    house.type = "button";
    house.className = "dt-house";
    house.dataset.target = target;
    const threats = modes.filter((mode) => mode.destructive);
    house.title = threats.map((mode) => `${mode.mode} needs ${mode.assets.join(" ")}`).join("\n");
    house.append(
      Object.assign(document.createElement("b"), { textContent: target }),
      Object.assign(document.createElement("span"), { textContent: `${uses} use${uses === 1 ? "" : "s"}` }),
      Object.assign(document.createElement("span"), { textContent: `${visits} visit${visits === 1 ? "" : "s"}` }),
    );
    if (uses > 1) house.classList.add("dt-busy");
    if (alert.has(target)) {
      const [level, last] = alert.get(target);
      house.classList.add(`dt-alert-${level}`);
      house.append(Object.assign(document.createElement("em"), { textContent: `alert ${level} to ${last}` }));
    }
    if (struck.has(target)) {
      house.classList.add("dt-struck");
      house.append(Object.assign(document.createElement("em"), { textContent: `struck on ${struck.get(target)}` }));
    }
    house.addEventListener("click", () => house.dispatchEvent(new CustomEvent("detection-pick", { bubbles: true, detail: target })));
    return house;
  }));
  element.querySelector(".dt-town-figure").hidden = false;
}
