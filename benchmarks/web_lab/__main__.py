"""How long the experimenters' pages of a run with 200 000 answers take, over loopback, from a real server."""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import numpy as np

from mensura.dialogue import Address, Event, Items, Scores, Seed
from mensura.running.plan import Plan, read_cast, session_id
from mensura.running.run import RunOptions, begin_run
from mensura.store import SessionHead, Store, open_store

ANSWERS = 200_000
SHAPES = ((200, 1000), (10_000, 20))
"""Sessions and answers in each: few long ones, and many short ones."""
PASSWORD = "for this benchmark only"
LIMIT = 1.0
TIMES = 7
SERVE = (
    "import sys, uvicorn; from mensura.web.app import create_app; from mensura.web.settings import WebSettings; "
    "uvicorn.run(create_app(WebSettings(store=sys.argv[1])), port=int(sys.argv[2]), log_level='error')"
)
PORT = 8791


def fill(store: Store, sessions: int, asks: int) -> str:
    """Write a run of the coin with simulated answers, as its driver would have."""
    plan = Plan("coin-v1", read_cast("chance", roles=("subject",)), {"flips": asks})
    head = begin_run(plan, store=store, seed=Seed.choose(1), options=RunOptions(trace="full"))
    rng = np.random.default_rng(1)
    heads = [
        SessionHead(session_id(head.id, address), head.id, address, {"subject": "chance"}, created=time.time())
        for address in (Address(session=number) for number in range(sessions))
    ]
    store.sessions.add_many(heads)
    hashes = {"instance_hash": head.instance_hash, "environment_hash": head.environment_hash}
    for session in heads:
        said, truth = rng.random(asks), rng.integers(0, 2, asks)
        events: list[Event] = []
        for i in range(asks):
            content = {"prompt": f"This coin falls heads with chance {i % 100 / 100:.2f}.", "space": {"kind": "number"}}
            now = session.created + i
            events.append(Event(2 * i + 1, "ask", "subject", f"coin{i}", 0, "probability", content=content, time=now))
            events.append(Event(2 * i + 2, "answer", "subject", f"coin{i}", 0, float(said[i]), time=now + 0.5))
        known = {f"coin{i}": int(truth[i]) for i in range(asks)}
        store.events.append(session.id, events, truths=known, status="finished")
        scores = Scores({"quadratic_score": Items(0.25 - (said - truth) ** 2, [f"coin{i}" for i in range(asks)])})
        store.results.add(session.id, scores, scoring="natural-2", **hashes)
    return head.id


def log_in(client: httpx.Client) -> None:
    """Log in as people do."""
    token = re.search(r'name="csrf" value="([^"]+)"', client.get("/lab/login").text)
    assert token is not None
    fields = {"csrf": token[1], "name": "Erin", "password": PASSWORD}
    assert client.post("/lab/login", data=fields).status_code == 303


def timed(client: httpx.Client, path: str, times: int = TIMES) -> list[float]:
    """Ask for a page again and again; seconds of each."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        answer = client.get(path)
        seconds.append(time.perf_counter() - start)
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
    return seconds


def measure(path: Path, name: str, sessions: int, asks: int) -> bool:
    """Measure the pages of one run with a server of its own; says whether the run's page keeps its limit."""
    server = subprocess.Popen([sys.executable, "-c", SERVE, str(path), str(PORT)])
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=60) as client:
            _await(client)
            log_in(client)
            here = f"/lab/runs/{name}"
            middle = f"{here}/sessions/0.0.{sessions // 2}"
            first = timed(client, here, 1)[0]
            opened = timed(client, here)
            reckoned = timed(client, f"{here}/results/part", 1)[0]
            rows: list[tuple[str, list[float]]] = [
                ("the run's page, first time", [first]),
                ("the run's page", opened),
                ("its results, reckoned", [reckoned]),
                ("its results, at hand", timed(client, f"{here}/results/part")),
                ("the run's page with results", timed(client, here)),
                ("its last page of sessions", timed(client, f"{here}?page={-(-sessions // 50)}")),
                ("a transcript", timed(client, middle)),
                ("playback in the middle", timed(client, f"{middle}/playback?at={asks}")),
            ]
    finally:
        server.terminate()
        server.wait(20)
    print(f"\n{sessions} sessions of {asks} answers ({sessions * asks} in all)")
    print(f"  {'page':32} {'median s':>9} {'worst s':>9} {'n':>3}")
    for label, seconds in rows:
        print(f"  {label:32} {median(seconds):9.3f} {max(seconds):9.3f} {len(seconds):3}")
    return max(first, *opened) < LIMIT


def _await(client: httpx.Client) -> None:
    for _ in range(600):
        try:
            client.get("/health")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("The server did not start.")


def main() -> Any:
    """Fill stores, serve them and measure."""
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        for sessions, asks in SHAPES:
            assert sessions * asks == ANSWERS
            path = Path(folder) / f"{sessions}.db"
            with open_store(path) as store:
                store.accounts.add("Erin", password=PASSWORD, role="experimenter")
                name = fill(store, sessions, asks)
            kept = measure(path, name, sessions, asks) and kept
    print(f"\nThe run's page opens in under {LIMIT:g} s: {'yes' if kept else 'NO'}.")
    return kept


if __name__ == "__main__":
    main()
