// Phrases: what scripts say, in the language of the page. The page brings the sentences; without one English is said.
const known = JSON.parse(document.getElementById("phrases")?.textContent ?? "{}");

export function phrase(words, values = {}) {
  return (known[words] ?? words).replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
