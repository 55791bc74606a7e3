"""People answering at once: how quick the pages are, and whether anything acknowledged is ever lost or doubled.

`python -m benchmarks.web` runs all; `python -m benchmarks.web sqlite`, `thousand`, `office`, `five`, `postgres` or
`kills` one of them. The load tool is a process of its own on the same computer; its share of a processor is printed,
since it takes that from the server.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.web.load import DIGITS, SETTLED
from mensura.store import Store, open_store
from mensura.web.participant.invitation import Link, invite

FLIPS = 100_000


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
        self.start()

    def start(self) -> None:
        """Start, and come back when it answers."""
        self._process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL, start_new_session=True)
        while True:
            try:
                urllib.request.urlopen(f"{self.home}/health", timeout=2).read()
                return
            except OSError:
                time.sleep(0.1)

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
    known = {
        "sqlite": partial(on_sqlite, "200 people, one page", Load(200, 2.0, 20.0)),
        "thousand": partial(on_sqlite, "1000 people, one page", Load(1000, 10.0, 40.0)),
        "office": partial(
            on_sqlite,
            "100 people in the office of the crisis",
            Load(100, 10.0, 30.0, "crisis", "office", parameters={"package": "practice-1"}),
        ),
        "five": partial(
            on_sqlite,
            "200 people, five in a session",
            Load(200, 2.0, 20.0, "lambda-star-commons", "number", 5, {"agents": 5, "seasons": 1000}),
        ),
        "postgres": on_postgres,
        "kills": with_kills,
    }
    chosen = [name for name in sys.argv[1:] if name in known] or list(known)
    for name in chosen:
        known[name]()


def on_sqlite(title: str, load: Load) -> None:
    """Some load on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        measure(f"{title}, every {load.pause:g} s, SQLite, {load.workers} processes", f"{folder}/mensura.db", load)


def on_postgres() -> None:
    """200 people, an answer every 2 s, PostgreSQL, 4 processes."""
    import pgserver

    with tempfile.TemporaryDirectory(prefix="mensura-pg-") as folder:
        os.chmod(folder, 0o755)
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            load = Load(200, 2.0, 20.0, workers=4)
            measure("200 people, every 2 s, PostgreSQL, 4 processes", server.get_uri(), load)
        finally:
            server.cleanup()


def with_kills(kills: int = 50) -> None:
    """200 people while the server is killed fifty times."""
    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
        links = invite_many(store, Load(200, 2.0, 1e9))
        server = Server(store.url, workers=2)
        try:
            with loading(server, links, Load(200, 2.0, 1e9)) as tool:
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
        show(f"200 people, SQLite, killed {kills} times in {lasted:.0f} s", result)
        verify(store, links, result)


def measure(title: str, url: str, load: Load) -> None:
    """Serve a new store, load it, and compare what was acknowledged with what is stored."""
    with open_store(url) as store:
        links = invite_many(store, load)
        server = Server(store.url, workers=load.workers)
        try:
            with loading(server, links, load) as tool:
                time.sleep(SETTLED * load.pause + 1)
                before = server.cpu_seconds()
                result = read_result(tool)
            used = server.cpu_seconds() - before
        finally:
            server.kill()
        show(title, result)
        print(f"  server used {used / len(result['latencies']) * 1000:.1f} ms of processor time per answer")
        if load.manner != "office":
            verify(store, links, result)


def invite_many(store: Store, load: Load) -> list[Link]:
    """Make a link for everyone."""
    sessions = load.people // load.together
    return invite(load.test, store=store, sessions=sessions, seed=1, parameters=load.parameters)[1]


@contextmanager
def loading(server: Server, links: list[Link], load: Load) -> "Iterator[subprocess.Popen[str]]":
    """Run the load tool beside the server."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as job:
        paths = [link.path for link in links]
        json.dump(
            {"home": server.home, "paths": paths, "seconds": load.seconds, "pause": load.pause, "manner": load.manner},
            job,
        )
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
