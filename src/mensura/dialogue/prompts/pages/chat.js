// A talk: what others say comes in while the field for one's own message is left alone.
const EVERY = 1000;
// How long after the last key someone counts as typing, in milliseconds.
const PAUSE = 2500;

export default function enhance(element, context) {
  const talk = (element.talk ??= begin(element));
  talk.context = context;
  talk.renew(context.data);
}

function begin(element) {
  const part = (name) => element.querySelector(name);
  const [log, lines, field, send] = [".chat-said", ".chat-said ol", "textarea", ".chat-write .primary"].map(part);
  const talk = { context: null, renew };
  let sent = null;
  let typed = -Infinity;
  let draft = "";
  let told = false;

  function renew(data) {
    draft = `mensura:chat:${talk.context.visit.link}:${talk.context.visit.step}`;
    if (!field.value && sent === null) field.value = sessionStorage.getItem(draft) ?? "";
    const before = log.querySelectorAll(".mine").length;
    const end = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    for (const one of data.said.slice(lines.children.length)) lines.append(line(one));
    if (end) log.scrollTop = log.scrollHeight;
    if (sent !== null && log.querySelectorAll(".mine").length > before) {
      // What was typed while the message was under way is the beginning of the next one.
      if (field.value.startsWith(sent)) field.value = field.value.slice(sent.length);
      keep();
    }
    sent = null;
    part(".chat-none").hidden = data.said.length > 0;
    const left = part("[data-left]");
    left.textContent = left.dataset.left.replace("{left}", data.left);
    part(".chat").classList.toggle("waits", !talk.context.form);
    show([]);
  }

  function line(one) {
    const [item, name, text] = ["li", "b", "span"].map((tag) => document.createElement(tag));
    item.classList.toggle("mine", one.mine);
    name.textContent = one.mine ? log.dataset.you : one.name;
    text.textContent = one.text;
    item.append(name, text);
    return item;
  }

  function keep() {
    try {
      sessionStorage.setItem(draft, field.value);
    } catch {
      // Without room for a draft the page still works.
    }
  }

  function show(names) {
    const words = part(".chat-typing");
    words.textContent = names.length ? words.dataset.words.replace("{names}", names.join(", ")) : "";
  }

  async function tell() {
    if (!element.isConnected) {
      clearInterval(timer);
      return;
    }
    const { visit, data } = talk.context;
    if (!data.typing || document.visibilityState !== "visible") return;
    const typing = performance.now() - typed < PAUSE && field.value.trim() !== "";
    // That someone stopped is said once.
    const word = typing ? "yes" : told ? "no" : "";
    told = typing;
    const body = new URLSearchParams({ csrf: visit.main.dataset.csrf, step: visit.step, typing: word });
    try {
      const answer = await fetch(`${visit.link}/typing`, { method: "POST", body, credentials: "same-origin" });
      if (answer.ok) show((await answer.json()).typing);
    } catch {
      show([]);
    }
  }

  field.addEventListener("input", () => {
    typed = performance.now();
    keep();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (talk.context.form) send.click();
  });
  send.addEventListener("click", (event) => {
    if (!field.value.trim()) {
      event.preventDefault();
      field.focus();
      return;
    }
    sent = field.value;
    typed = -Infinity;
  });
  const timer = setInterval(tell, EVERY);
  log.scrollTop = log.scrollHeight;
  return talk;
}
