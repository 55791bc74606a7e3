// Adds words; the field is never touched by what comes.
export default function enhance(element, context) {
  element.querySelector("ol").replaceChildren(...context.data.words.map((word) => Object.assign(document.createElement("li"), { textContent: word })));
  const field = element.querySelector("input");
  element.querySelector("button").onclick = () => context.submit({ answer: field.value });
  element.addEventListener("wait", () => element.querySelector(".board").classList.add("waits"), { once: true });
  element.querySelector(".board").classList.remove("waits");
}
