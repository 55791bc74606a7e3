"""People answering at once: how quick the pages are, and whether anything acknowledged is ever lost or doubled.

`python -m benchmarks.web` runs all, and with names only those; `--help` lists them. The load tool is a process of its
own on the same computer; its share of a processor is printed, since it takes that from the server.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.web.load import DIGITS, SETTLED
from mensura.store import Store, open_store
from mensura.web.participant.invitation import Link, invite

FLIPS = 100_000
START = 2.0
"""Seconds that the load tool has to start in."""


@dataclass(frozen=True)
class Load:
    """How many people answer how often, for how long, and what."""

    people: int
    pause: float
    seconds: float
    test: str = "coin"
    manner: str = "percent"
    """How answers are written: "percent", "number", or "office" for an act there."""
    together: int = 1
    """How many people share a session."""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"flips": FLIPS})
    workers: int = 2


class Server:
    """`mensura serve` in a process group of its own."""

    def __init__(self, store: str, *, workers: int) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.home = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "mensura.cli.main", "serve", "--port", str(self.port)]
        self._command += ["--workers", str(workers), "--store", store]
        self._workers = workers
        self.start()

    def start(self) -> None:
        """Start, and come back when all its processes answer: who connects before that goes to the first of them."""
        self._process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL, start_new_session=True)
        while True:
            try:
                urllib.request.urlopen(f"{self.home}/health", timeout=2).read()
                if self._listening() >= self._workers:
                    return
            except OSError:
                pass
            time.sleep(0.1)

    def _listening(self) -> int:
        """Count the sockets that listen at the port."""
        sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
        return sum(one[1].endswith(f":{self.port:04X}") and one[3] == "0A" for one in sockets)

    def cpu_seconds(self) -> float:
        """Say how much processor time its processes have used, which does not depend on what else is running."""
        ticks = 0
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = entry.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == self._process.pid:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """Kill all of its processes at once with -9."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def main() -> None:
    """Run the measurements that are named, or all."""
    often, seldom = Load(200, 2.0, 20.0), Load(1000, 10.0, 40.0)
    office = Load(100, 10.0, 30.0, "crisis", "office", parameters={"package": "practice-1"})
    five = Load(200, 2.0, 20.0, "lambda-star-commons", "number", 5, {"agents": 5, "seasons": 1000})
    known = {
        "sqlite": partial(measure, "200 people, one page", sqlite, often),
        "thousand": partial(measure, "1000 people, one page", sqlite, seldom),
        "office": partial(measure, "100 people in the office of the crisis", sqlite, office),
        "five": partial(measure, "200 people, five in a session", sqlite, five),
        "postgres": partial(measure, "200 people, one page", postgres, replace(often, workers=4)),
        "postgres-thousand": partial(measure, "1000 people, one page", postgres, replace(seldom, workers=4)),
        "kills": partial(with_kills, sqlite, Load(200, 2.0, 1e9)),
        "postgres-kills": partial(with_kills, postgres, Load(200, 2.0, 1e9, workers=4)),
    }
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(known)}; none: all of them")
    names = parser.parse_args().names
    if unknown := set(names) - known.keys():
        parser.error(f"There is no measurement called {', '.join(sorted(unknown))}.")
    for name in names or known:
        known[name]()


@contextmanager
def sqlite() -> Iterator[str]:
    """Make a place for a store in SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        yield f"{folder}/mensura.db"


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server of PostgreSQL on the same cores."""
    import pgserver

    with tempfile.TemporaryDirectory(prefix="mensura-pg-") as folder:
        os.chmod(folder, 0o755)
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


Place = Callable[[], AbstractContextManager[str]]


def with_kills(place: Place, load: Load, kills: int = 50) -> None:
    """Answer while the server is killed fifty times."""
    with place() as url, open_store(url) as store:
        links = invite_many(store, load)
        server = Server(store.url, workers=load.workers)
        try:
            with loading(server, links, load) as tool:
                start = time.monotonic()
                for number in range(1, kills + 1):
                    time.sleep(2.5)
                    server.kill()
                    server.start()
                    print(f"killed {number} times", end="\r", file=sys.stderr)
                time.sleep(3)
                lasted = time.monotonic() - start
                tool.send_signal(signal.SIGTERM)
                result = read_result(tool)
        finally:
            server.kill()
        show(f"{load.people} people, {place.__name__}, killed {kills} times in {lasted:.0f} s", result)
        verify(store, links, result)


def measure(title: str, place: Place, load: Load) -> None:
    """Serve a new store, load it, and compare what was acknowledged with what is stored."""
    with place() as url, open_store(url) as store:
        links = invite_many(store, load)
        server = Server(store.url, workers=load.workers)
        try:
            began = time.time() + START
            with loading(server, links, load, began=began) as tool:
                time.sleep(max(began + SETTLED * load.pause - time.time(), 0))
                before = server.cpu_seconds()
                result = read_result(tool)
            used = server.cpu_seconds() - before
        finally:
            server.kill()
        show(f"{title}, every {load.pause:g} s, {place.__name__}, {load.workers} processes", result)
        print(f"  server used {used / len(result['latencies']) * 1000:.1f} ms of processor time per answer")
        if load.manner != "office":
            verify(store, links, result)


def invite_many(store: Store, load: Load) -> list[Link]:
    """Make a link for everyone."""
    sessions = load.people // load.together
    return invite(load.test, store=store, sessions=sessions, seed=1, parameters=load.parameters)[1]


@contextmanager
def loading(server: Server, links: list[Link], load: Load, *, began: float = 0.0) -> "Iterator[subprocess.Popen[str]]":
    """Run the load tool beside the server; it begins at that time."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as job:
        paths = [link.path for link in links]
        told = {"home": server.home, "paths": paths, "began": began}
        json.dump({**told, "seconds": load.seconds, "pause": load.pause, "manner": load.manner}, job)
        job.flush()
        command = [sys.executable, "-m", "benchmarks.web.load", job.name]
        tool = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            yield tool
        finally:
            if tool.poll() is None:
                tool.kill()


def read_result(tool: "subprocess.Popen[str]") -> dict[str, Any]:
    """Wait for what the tool prints."""
    said, _ = tool.communicate()
    result: dict[str, Any] = json.loads(said)
    return result


def show(title: str, result: dict[str, Any]) -> None:
    """Print the latencies and what the tool itself used."""
    times = sorted(result["latencies"])
    at = {share: times[min(int(share * len(times)), len(times) - 1)] * 1000 for share in (0.5, 0.95, 0.99, 0.999)}
    print(f"{title}: {len(times)} answers in {result['seconds']:.0f} s, once everyone had opened their link")
    print("  latency ms: " + ", ".join(f"{share:.1%} {value:.1f}" for share, value in at.items()))
    print(f"  client used {result['client_cpu']:.0%} of a processor; {result['retries']} retries; ", end="")
    print(f"{result['refused']} refused; load average {os.getloadavg()[0]:.1f}")


def verify(store: Store, links: list[Link], result: dict[str, Any]) -> None:
    """Compare what was acknowledged with what is stored, answer by answer."""
    lost = doubled = acknowledged = unacknowledged = 0
    for link in links:
        logged = store.events.of(link.session)
        given = [round(one.value, DIGITS) for one in logged if (one.kind, one.role) == ("answer", link.role)]
        told = result["acknowledged"][link.path]
        acknowledged += len(told)
        lost += len(set(told) - set(given))
        doubled += len(given) - len(set(given))
        unacknowledged += len(set(given) - set(told))
    print(
        f"  {acknowledged} acknowledged: {lost} lost, {doubled} doubled; {unacknowledged} stored but not acknowledged"
    )
    if lost or doubled:
        sys.exit("FAILED: an acknowledged answer was lost, or one was stored twice")


if __name__ == "__main__":
    main()
