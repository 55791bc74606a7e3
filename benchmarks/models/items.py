"""How long the page of 10 000 items taken by three subjects takes, over loopback, from a real server."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Event, Items, Score, Scores, Seed
from mensura.dialogue.canonical import short_hash
from mensura.running.plan import Plan, read_cast, session_id
from mensura.running.run import RunOptions, begin_run
from mensura.store import SessionHead, Store, open_store

ITEMS = 10_000
SKILLS = {"small": 0.5, "middle": 0.7, "large": 0.9}
TAGS = ("algebra", "history", "law", "physics")
ACCURACY = Score("accuracy", better="more", proportion=True)
LIMIT = 0.3
ROUNDS = 10
PASSWORD = "for this benchmark only"
PORT = 8793
SERVE = (
    "import sys, uvicorn; from mensura.web.app import create_app; from mensura.web.settings import WebSettings; "
    "uvicorn.run(create_app(WebSettings(store=sys.argv[1])), port=int(sys.argv[2]), log_level='error')"
)
VIEWS = {
    "as asked": "",
    "the last page": "&page=200",
    "hardest first": "&sort=hardest",
    "one tag, words": "&tag=law&text=word12",
    "subjects differ": "&differ=subjects&sort=differ",
    "refused by one": "&outcome=refused&subject={run}",
    "most tokens first": "&sort=tokens",
}
"""What is looked at, as the address says it."""


def write_bank(path: Path, items: int) -> None:
    """Write questions of forty words with four options and two tags."""
    with path.open("w") as file:
        for number in range(items):
            words = " ".join(f"word{(number * 7 + place * 13) % 997}" for place in range(40))
            tags = [TAGS[number % 4], "hard" if number % 3 else "easy"]
            line = {"prompt": f"Question {number}: {words}?", "options": list("abcd"), "answer": "abcd"[number % 4]}
            file.write(json.dumps({**line, "tags": tags}) + "\n")


def fill(store: Store, bank: Path, name: str, skill: float) -> str:
    """Write a run of the bank as its driver would have, with simulated answers and the notes of a language model."""
    test = find_test(str(bank))
    assert test.bank is not None
    plan = Plan(str(bank), read_cast("chance", roles=("subject",)), test.fill())
    head = begin_run(plan, store=store, seed=Seed.choose(1), options=RunOptions(trace="full", condition=name))
    rng, now = np.random.default_rng(len(name)), time.time()
    sessions = {
        item.hash: SessionHead(session_id(head.id, place), head.id, place, dict(head.cast), created=now)
        for item in test.bank
        for place in [Address(item=item.hash)]
    }
    store.sessions.add_many(sessions.values())
    hashes = {"instance_hash": head.instance_hash, "environment_hash": head.environment_hash}
    for item in test.bank:
        session, refused = sessions[item.hash], rng.random() < 0.02
        said = item.answer if rng.random() < skill else "abcd"[int(rng.integers(4))]
        notes = {"model": name, "messages": [{"role": "user", "content": item.prompt}], "reply": f"{said}. " * 100}
        spent = {"tokens_in": int(rng.integers(50, 200)), "tokens_out": int(rng.integers(5, 300)), "seconds": 0.5}
        content = {"prompt": item.prompt, "space": item.space.data()}
        kind, value = ("refuse", None) if refused else ("answer", said)
        events = [
            Event(1, "ask", "subject", item.key, 0, "choice", content=content, time=now),
            Event(2, kind, "subject", item.key, 0, value, notes={**notes, **spent, "cost": 1e-4}, time=now + 0.5),
        ]
        store.events.append(session.id, events, truths={item.key: item.answer}, status="finished")
        outcome, right = ("refused", 0.0) if refused else ("answered", float(said == item.answer))
        ids = [short_hash([item.hash, item.answer])]
        scores = Scores({"accuracy": Items([right], [item.key], ids=ids, outcomes=[outcome])})
        scores.declared = {"accuracy": ACCURACY}
        store.results.add(session.id, scores, scoring="natural-2", **hashes)
    store.runs.open(head.id)
    return head.id


def measure(path: Path, runs: list[str]) -> bool:
    """Ask a server of its own for each view again and again; say whether 95 % of the pages keep the limit."""
    server = subprocess.Popen([sys.executable, "-c", SERVE, str(path), str(PORT)])
    here = "/lab/items?" + "&".join(f"run={run}" for run in runs)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{PORT}", timeout=120) as client:
            _await(client)
            _log_in(client)
            frame = _timed(client, here)
            first = _timed(client, here, {"HX-Request": "true"})
            used = _processor(server.pid)
            taken = {
                name: [_timed(client, here + more.format(run=runs[0])) for _ in range(ROUNDS)]
                for name, more in VIEWS.items()
            }
            used = (_processor(server.pid) - used) / (ROUNDS * len(VIEWS))
            name = re.search(r"/lab/items/([0-9a-f-]+)\?", client.get(here).text)
            assert name is not None
            one = [_timed(client, here.replace("items?", f"items/{name[1]}?")) for _ in range(ROUNDS)]
    finally:
        server.terminate()
        server.wait(20)
    every = [each for seconds in taken.values() for each in seconds]
    slow = float(np.percentile(every, 95))
    print(f"\n{ITEMS} items x {len(runs)} runs; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"  {'page':34} {'median s':>9} {'95 % s':>9} {'n':>4}")
    for label, seconds in {**taken, "all of these": every, "one item": one}.items():
        print(f"  {label:34} {np.median(seconds):9.3f} {np.percentile(seconds, 95):9.3f} {len(seconds):4}")
    print(f"  {'the first page, without its table':34} {frame:9.3f}")
    print(f"  {'its table, gathered from the store':34} {first:9.3f}")
    print(f"  processor time of the server for a page {used:.3f} s")
    return slow < LIMIT


def _timed(client: httpx.Client, path: str, headers: dict[str, str] | None = None) -> float:
    start = time.perf_counter()
    answer = client.get(path, headers=headers)
    seconds = time.perf_counter() - start
    assert answer.status_code == 200, f"{path}: {answer.status_code}"
    return seconds


def _processor(process: int) -> float:
    """Return the processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _log_in(client: httpx.Client) -> None:
    token = re.search(r'name="csrf" value="([^"]+)"', client.get("/lab/login").text)
    assert token is not None
    fields = {"csrf": token[1], "name": "Erin", "password": PASSWORD}
    assert client.post("/lab/login", data=fields).status_code == 303


def _await(client: httpx.Client) -> None:
    for _ in range(600):
        try:
            client.get("/health")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("The server did not start.")


def main() -> bool:
    """Fill a store, serve it and measure."""
    with tempfile.TemporaryDirectory() as folder:
        path, bank = Path(folder) / "items.db", Path(folder) / "bank.jsonl"
        write_bank(bank, ITEMS)
        with open_store(path) as store:
            store.accounts.add("Erin", password=PASSWORD, role="experimenter")
            runs = [fill(store, bank, name, skill) for name, skill in SKILLS.items()]
        kept = measure(path, runs)
    print(f"\n95 % of the pages come in under {LIMIT:g} s: {'yes' if kept else 'NO'}.")
    return kept


if __name__ == "__main__":
    main()
