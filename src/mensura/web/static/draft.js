// Drafts: what was filled in survives a reload, a lost connection, and a question that comes again under the same key.
const PREFIX = "mensura:draft:";

function nameOf(visit) {
  return `${PREFIX}${visit.link}:${visit.step}:${visit.ask.dataset.key}`;
}

function inputs(visit) {
  return visit.main.querySelectorAll("form[data-answer] :is(input, select, textarea)[name]:not([type=hidden], [type=file], [form=''])");
}

export function filled(visit) {
  const draft = {};
  for (const field of inputs(visit)) {
    if (field.type === "radio" || field.type === "checkbox") {
      if (field.checked) draft[field.name] = field.value;
    } else if (field.value) draft[field.name] = field.value;
  }
  return draft;
}

export function keepDraft(visit) {
  const keep = () => {
    try {
      sessionStorage.setItem(nameOf(visit), JSON.stringify(filled(visit)));
    } catch {
      // Without room for a draft the page still works.
    }
  };
  const heard = ["input", "change"];
  for (const name of heard) visit.main.addEventListener(name, keep);
  return () => {
    for (const name of heard) visit.main.removeEventListener(name, keep);
  };
}

export function restoreDraft(visit) {
  const name = nameOf(visit);
  const prefix = `${PREFIX}${visit.link}:`;
  for (const other of Object.keys(sessionStorage)) {
    if (other.startsWith(prefix) && other !== name) sessionStorage.removeItem(other);
  }
  let draft = {};
  try {
    draft = JSON.parse(sessionStorage.getItem(name) ?? "{}");
  } catch {
    return {};
  }
  for (const field of inputs(visit)) {
    if (!(field.name in draft)) continue;
    if (field.type === "radio" || field.type === "checkbox") field.checked = field.value === draft[field.name];
    else field.value = draft[field.name];
  }
  return draft;
}

export function clearDraft(visit) {
  if (visit.ask) sessionStorage.removeItem(nameOf(visit));
}

// Someone withdrew: nothing of theirs stays in this browser either.
export function forget(link) {
  sessionStorage.clear();
  for (const name of Object.keys(localStorage).filter((each) => each.includes(link))) localStorage.removeItem(name);
}
