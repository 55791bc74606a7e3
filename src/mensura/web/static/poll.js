// Polling: pages on which others may change something ask for it now and then.
const SOON = 20;
const LONG = 1000;

// Where the server holds what is asked until there is something, a page that waited for it asks again at once; one that
// got no answer, or a refusal, waits as others do.
export function startPolling(visit, look) {
  const pause = Number(visit.main.dataset.poll) * 1000;
  const held = "held" in visit.main.dataset;
  let timer = null;
  let stopped = false;
  async function again() {
    const began = performance.now();
    await look();
    const waited = performance.now() - began > LONG;
    if (!stopped) timer = setTimeout(again, held && waited ? SOON : pause);
  }
  timer = setTimeout(again, held ? SOON : pause);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
