"""How fast imitation is: live games on pages, scripted games, and the bench that tries schemas.

`python -m benchmarks imitation` measures all, and with names only those: live, scripted, bench; `live 50` plays 50
games at once.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

PAUSE, SECONDS = 10.0, 60.0
SETTLED = 15.0
"""Seconds in which everyone opens their link; what is said by then is not counted."""


def main(*names: str) -> None:
    """Run the measurements that are named, or all."""
    wanted = list(names or sys.argv[1:])
    games = next((int(name) for name in wanted if name.isdecimal()), 200)
    known: dict[str, Callable[[], None]] = {"live": lambda: live(games), "scripted": scripted, "bench": bench}
    for name in [name for name in wanted if name in known] or known:
        known[name]()


def live(games: int) -> None:
    """Play games between a judge and a person on pages and a program, and say how late messages show."""
    from benchmarks.web.__main__ import Server
    from mensura.store import open_store
    from mensura.web.participant.invitation import invite

    cast = {"judge": "human", "human": "human", "machine": "eliza"}
    told = {"form": "machine-human", "talk": "free", "belief": "end", "messages": 1000, "seconds": 1500}
    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
        _, links = invite("imitation", cast, store=store, sessions=games, seed=1, parameters=told)
        server = Server(store.url, workers=2)
        try:
            job = Path(folder) / "job.json"
            paths = [link.path for link in links]
            job.write_text(json.dumps({"home": server.home, "paths": paths, "seconds": SECONDS, "pause": PAUSE}))
            began, before = time.time(), server.cpu_seconds()
            command = [sys.executable, "-m", "benchmarks.imitation.talking", str(job)]
            said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
            used = server.cpu_seconds() - before
        finally:
            server.kill()
        result = json.loads(said)
        pairs = [
            each for link in links if link.role == "judge" for each in delays_of(store, link, result["seen"], links)
        ]
        late = np.array([after for moment, after in pairs if moment > began + SETTLED]) * 1000
        at = {share: float(np.quantile(late, share)) for share in (0.5, 0.95, 0.99)}
        print(f"{games} games at once, a message per person every {PAUSE:g} s: {len(late)} messages of people")
        print("  ms from release to the other page: " + ", ".join(f"{share:.0%} {ms:.0f}" for share, ms in at.items()))
        print(
            f"  server used {used / (time.time() - began):.2f} processors, the load tool {result['client_cpu']:.2f}; ",
            end="",
        )
        print(f"{result['retries']} retries; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


def delays_of(store: Any, link: Any, seen: Mapping[str, Mapping[str, float]], links: Any) -> list[tuple[float, float]]:
    """Return when each message of a person was to be released, and how long after that it was seen by another."""
    from mensura.catalog.imitation.interrogation import MESSAGE, RELEASE

    events = store.events.of(link.session, content=True)
    began = min(event.time for event in events)
    read = {other.role: seen[other.path] for other in links if other.session == link.session}
    found: list[tuple[float, float]] = []
    due: dict[str, int] = {}
    written: list[tuple[str, str]] = []
    for event in events:
        parts = event.key.split("/")
        if parts[0] == RELEASE and event.kind == "ask":
            for name in parts[2].split("+"):
                place, tick = name[1:].split(".")
                due[f"{name[0]}{place}"] = int(tick)
        elif parts[0] == MESSAGE and event.kind == "answer":
            if event.role == "judge":
                text = event.value["text"]
                if text in read["human"]:
                    found.append((event.time, read["human"][text] - event.time))
                written += [("A", ""), ("B", "")]
            else:
                side = _side_of(events, event.role)
                written.append((side, event.value if event.role == "human" else ""))
    for side in "AB":
        for place, text in enumerate((text for one, text in written if one == side), start=1):
            tick = due.get(f"{side}{place}")
            if text and tick is not None and text in read["judge"]:
                found.append((began + tick, read["judge"][text] - (began + tick)))
    return found


def _side_of(events: Any, role: str) -> str:
    """Return the letter behind which a role sits: that of the talk which its page shows."""
    asked = next(event for event in events if event.kind == "ask" and event.role == role)
    return str(asked.content["prompt"]["talks"][0]["side"])


def scripted(sessions: int = 10_000) -> None:
    """Play games of scripted roles by the whole command: started, played, stored, scored."""
    roles = ("--as", "machine=eliza", "--as", "human=parrot", "--as", "judge=keyword")
    _commanded("imitation", *roles, "--sessions", str(sessions), what=f"{sessions} games of scripted roles", asked=60)
    jury = ("--form", "jury", "--as", "machine=eliza", "--as", "human=parrot", "--as", "keyword")
    _commanded("imitation", *jury, "--sessions", str(sessions // 20), what=f"{sessions // 20} before a jury of twelve")


def _commanded(*arguments: str, what: str, asked: float | None = None) -> None:
    """Run a command of `mensura run` in a store of its own and print what it took."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mensura.cli.main", "run", *arguments, "--seed", "1", "--json"]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, check=True)
        wall, now = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        _line(what, wall, now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime, asked)


def bench(schemas: int = 300, words: int = 1_000_000) -> None:
    """Try our own schemas, as often as makes three hundred, by WordNet and by counts in a text of a million words."""
    from mensura.catalog.imitation.winograd.bench.bench import try_file
    from mensura.catalog.imitation.winograd.files import OWN

    lines = [json.loads(line) for line in OWN.read_text().splitlines()]
    many = [{**lines[place % len(lines)], "id": f"s{place}"} for place in range(schemas)]
    said = [word for one in lines for sentence in one["sentences"] for word in sentence["text"].split()]
    with tempfile.TemporaryDirectory() as folder:
        file, text = Path(folder) / "many.jsonl", Path(folder) / "text.txt"
        file.write_text("".join(json.dumps(one) + "\n" for one in many))
        text.write_text(" ".join(np.random.default_rng(1).choice(said, size=words)))
        for what, corpus in (("WordNet", []), (f"WordNet and {words:,} words", [text])):
            start, spent = time.perf_counter(), time.process_time()
            try_file(file, corpus=corpus)
            _line(f"bench of {schemas} schemas, {what}", time.perf_counter() - start, time.process_time() - spent, 10)


def _line(what: str, wall: float, cpu: float, asked: float | None) -> None:
    verdict = "" if asked is None else f"  asked {asked:g} s: {'ok' if cpu < asked else 'TOO SLOW'} by processor time"
    print(f"{what:48} {wall:7.1f} s, of the processor {cpu:7.1f} s{verdict}")


if __name__ == "__main__":
    main()
