// Polling: pages on which others may change something ask for it now and then.
export function startPolling(visit, look) {
  const pause = Number(visit.main.dataset.poll) * 1000;
  let timer = null;
  let stopped = false;
  async function again() {
    await look();
    if (!stopped) timer = setTimeout(again, pause);
  }
  timer = setTimeout(again, pause);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
