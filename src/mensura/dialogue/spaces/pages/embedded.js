// A page of the test's own in a frame without our origin. It says that it is ready, is told what is asked, may ask for
// another height, and answers; whatever else it says, or anyone else, is not heard.
const TALLEST = 4000;

export default function enhance(element, { data, set, submit }) {
  const frame = element.querySelector("iframe");
  const name = element.querySelector("input[type=hidden]").name;
  function hear(event) {
    if (!frame.isConnected) {
      window.removeEventListener("message", hear);
      return;
    }
    const said = event.data;
    if (event.source !== frame.contentWindow || said?.mensura !== 1) return;
    if (said.type === "ready") {
      // Its origin is nobody's, so none can be named; it is told only what those who answer may read.
      frame.contentWindow.postMessage({ mensura: 1, type: "ask", told: data.told, shape: data.shape }, "*");
    } else if (said.type === "size" && Number.isFinite(said.height)) {
      frame.height = Math.round(Math.min(Math.max(said.height, 50), TALLEST));
    } else if (said.type === "answer") {
      set(name, JSON.stringify(said.value ?? null));
      // For those whose connection failed: what the page gave can be sent again.
      element.querySelector("[data-again]").hidden = false;
      submit();
    }
  }
  window.addEventListener("message", hear);
  // Only now: a page that was ready before anyone listened would wait for ever.
  frame.src = frame.dataset.src;
}
