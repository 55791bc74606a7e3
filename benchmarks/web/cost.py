"""The cost of one answer of a person for the server: processor time, statements and commits, without a network.

`python -m benchmarks.web.cost` sends forms to the app in this process, as the page's script does (one request an
answer) and as a browser without scripts does (a form and the page it leads to). `--profile` prints where the time goes.
"""

import asyncio
import cProfile
import os
import pstats
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import event

from benchmarks.web.load import read_form
from mensura.store import open_store
from mensura.web.app import create_app
from mensura.web.laboratory import Laboratory
from mensura.web.participant.invitation import invite
from mensura.web.settings import WebSettings

ANSWERS = 600
WARM = 50
FREE = {"page_rate": 1e9, "address_rate": 1e9}


@dataclass
class Browser:
    """One person's browser, in front of an app in this process."""

    app: Any
    path: str
    scripted: bool = True
    cookie: str = ""
    form: dict[str, str] = field(default_factory=dict)
    bytes: int = 0

    async def answer(self, fields: dict[str, str]) -> None:
        """Give one answer, and read what is asked next."""
        body = urlencode({**self.form, **fields, "shown": "1"}).encode()
        status, page = await self.send("POST", f"{self.path}/answer", body)
        if status == 303:
            status, page = await self.send("GET", self.path)
        if status != 200:
            sys.exit(f"The server answered {status}: {page[:300]}")
        self.form, self.bytes = read_form(page), len(page)

    async def open(self) -> None:
        """Open the link."""
        _, page = await self.send("GET", self.path)
        self.form, self.bytes = read_form(page), len(page)

    async def send(self, method: str, path: str, body: bytes = b"") -> tuple[int, str]:
        """Send one request to the app."""
        headers = [(b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded")]
        headers += [(b"cookie", self.cookie.encode())] if self.cookie else []
        headers += [(b"x-mensura-part", b"main")] if self.scripted else []
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "headers": headers,
            "client": ("127.0.0.1", 5000),
            "server": ("127.0.0.1", 8000),
        }
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        for name, value in sent[0]["headers"]:
            if name == b"set-cookie":
                self.cookie = value.decode().split(";", 1)[0]
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:]).decode()


class Counted:
    """Counts the statements that a store's SQLite is given."""

    def __init__(self, lab: Laboratory) -> None:
        self.statements: Counter[str] = Counter()
        self.on = False
        self._database = lab.store.database
        event.listen(self._database.engine, "checkout", self._watch)

    def turn(self, *, on: bool) -> None:
        """Begin or end to count; connections that are kept at hand are left for others."""
        self.on = on
        self._database.close()

    def _watch(self, connection: Any, *_: Any) -> None:
        connection.set_trace_callback(self._note if self.on else None)

    def _note(self, statement: str) -> None:
        self.statements[" ".join(statement.split()[:3])] += 1


async def measure(title: str, url: str, *, scripted: bool, profile: bool = False) -> None:
    """Answer so often and print what each answer cost."""
    with open_store(url) as store:
        _, links = invite("coin", store=store, sessions=1, seed=1, parameters={"flips": 100_000})
    app = create_app(WebSettings(store=url, **FREE))
    lab: Laboratory = app.state.laboratory
    counted = Counted(lab) if lab.store.database.place.path is not None else None
    browser = Browser(app, links[0].path, scripted)
    await browser.open()
    for _ in range(WARM):
        await browser.answer({"answer": "50"})
    profiler = cProfile.Profile() if profile else None
    if profiler is not None:
        # Threads that serve requests are not seen by a profiler of this one: serve in it.
        profiler.enable()
    before, wall = time.process_time(), time.perf_counter()
    for _ in range(ANSWERS):
        await browser.answer({"answer": "50"})
    used, passed = time.process_time() - before, time.perf_counter() - wall
    if profiler is not None:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(70)
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
    said = (
        f"{title}: {used / ANSWERS * 1000:.2f} ms of processor time an answer, {passed / ANSWERS * 1000:.2f} ms in all"
    )
    if counted is not None:
        counted.turn(on=True)
        for _ in range(20):
            await browser.answer({"answer": "50"})
        counted.turn(on=False)
        total, commits = sum(counted.statements.values()) / 20, counted.statements["COMMIT"] / 20
        said += f", {total:g} statements, {commits:g} commits"
        if profile:
            print(counted.statements)
    print(f"{said}; page of {browser.bytes / 1000:.1f} kB; load average {os.getloadavg()[0]:.1f}")
    lab.close()


def main() -> None:
    """Measure with and without scripts."""
    profile = "--profile" in sys.argv
    with tempfile.TemporaryDirectory() as folder:
        for scripted in (True, False):
            title = "with the page's script" if scripted else "without scripts"
            asyncio.run(measure(title, f"{folder}/{scripted}.db", scripted=scripted, profile=profile))


if __name__ == "__main__":
    main()
