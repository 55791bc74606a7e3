// A room: talks side by side, and a field below. It stays while others have the word; what is typed is left alone.
export default function enhance(element, context) {
  const room = (element.room ??= begin(element));
  room.context = context;
  room.renew(context.data);
}

function begin(element) {
  const part = (name) => element.querySelector(name);
  const talks = part(".im-talks");
  const [field, send, done] = ["#im-message", ".im-send", ".im-done"].map(part);
  const room = { context: null, renew };
  let sent = null;

  function renew(data) {
    for (const talk of data.talks) show(talk, data.typing && data.awaited.includes(talk.side));
    const asked = Boolean(room.context.form) && data.left > 0;
    part(".im-room").classList.toggle("waits", !asked);
    part(".im-wait").hidden = asked;
    const note = part(".im-note");
    note.textContent = data.note;
    note.hidden = !data.note;
    const left = part("[data-left]");
    left.textContent = left.dataset.left.replace("{left}", data.left);
    left.hidden = !asked;
    if (data.done) done.textContent = data.done;
    done.hidden = !done.textContent;
    send.disabled = done.disabled = !asked;
    if (sent !== null && !data.note && field.value === sent) field.value = "";
    sent = null;
  }

  function show(talk, typing) {
    const section = [...element.querySelectorAll(".im-talk")].find((one) => one.dataset.side === talk.side);
    if (!section) return;
    const log = section.querySelector(".im-said");
    const end = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    section.querySelector("ol").replaceChildren(...talk.lines.map(line));
    if (end) log.scrollTop = log.scrollHeight;
    section.querySelector(".im-typing").textContent = typing ? talks.dataset.typing.replace("{side}", talk.side) : "";
  }

  function line(one) {
    const [item, name, text] = ["li", "b", "span"].map((tag) => document.createElement(tag));
    item.classList.toggle("mine", one.mine);
    name.textContent = one.mine ? talks.dataset.you : one.name;
    text.textContent = one.text;
    item.append(name, text);
    return item;
  }

  function answer(text) {
    const { context } = room;
    if (!context.form) return;
    const to = part("input[name=im-to]:checked");
    sent = field.value;
    rest();
    context.submit(to ? { "answer.0": to.value, "answer.1": text } : { answer: text });
  }

  send.addEventListener("click", () => {
    if (field.value.trim()) answer(field.value);
    else field.focus();
  });
  done.addEventListener("click", () => answer(""));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!send.disabled) send.click();
  });
  function rest() {
    send.disabled = done.disabled = true;
    part(".im-room").classList.add("waits");
    part(".im-wait").hidden = false;
  }

  element.addEventListener("wait", () => {
    // Nothing can be sent until the server says so.
    room.context.form = null;
    rest();
  });
  return room;
}
