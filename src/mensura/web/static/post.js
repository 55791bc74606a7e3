// Sending: the same fields with the same nonce are sent until the server has them; it takes each answer once.
import { say } from "./speech.js";
import { phrase } from "./controls/phrase.js";

const PATIENCE = 15000;
const WAITS = [500, 1000, 2000, 4000, 5000];
const AGAIN = new Set([429, 502, 503, 504]);

export function fields(form, submitter) {
  const data = new FormData(form);
  if (submitter?.name) data.set(submitter.name, submitter.value);
  const files = [...data.values()].some((value) => value instanceof File);
  return files ? data : new URLSearchParams(data);
}

export async function post(url, body, { once = false } = {}) {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt(url, body);
    const lost = answer === null || AGAIN.has(answer.status) || (answer.status === 500 && tries < 3);
    if (!lost || once) {
      if (answer === null || answer.status === 204) return null;
      return { ok: answer.ok, main: parse(await answer.text()) };
    }
    say(phrase("No connection just now. Your answer is kept and will be sent again by itself."));
    await new Promise((resolve) => setTimeout(resolve, WAITS[Math.min(tries, WAITS.length - 1)]));
  }
}

async function attempt(url, body) {
  try {
    return await fetch(url, {
      method: "POST",
      body,
      headers: { "X-Mensura-Part": "main" },
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    return null;
  }
}

export function parse(html) {
  const main = new DOMParser().parseFromString(html, "text/html").querySelector("main");
  return main ? document.adoptNode(main) : null;
}
