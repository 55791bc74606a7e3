"""What an answer of a person costs that survives a power cut, beside one that does not: 1, 10 and 100 people at once.

Everything is on: the session is live, truths are sealed, the chain is written. Four ways in one go, since disks and
loads differ: not flushed; one flush for all that wait, as the laboratory does; SQLite's own `synchronous=FULL`, which
flushes at every commit; and such a commit with nothing of ours around it. `python -m benchmarks.durability FOLDER`
measures the disk of that folder.
"""

import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from sqlalchemy import event

from mensura.running.live import Live, LiveSessions
from mensura.store import Store, flush, open_store
from mensura.web.participant.invitation import invite

PEOPLE = (1, 10, 100)
ANSWERS = 600
"""Of all people together, for each way."""


@dataclass(frozen=True)
class Cost:
    """The cost of an answer."""

    seconds: float
    flushes: str


def main() -> None:
    """Print the cost of each way for each number of people."""
    folder = next((name for name in sys.argv[1:] if Path(name).is_dir()), None)
    print(f"{'people':>6}  {'way':<28}{'ms per answer':>14}{'ratio':>8}{'flushes per answer':>20}")
    for people in PEOPLE:
        plain = measure(people, folder)
        ways = {
            "not flushed (NORMAL)": plain,
            "one flush for all that wait": measure(people, folder, durable=True),
            "a flush each (FULL)": measure(people, folder, prepare=flush_each),
        }
        for way, cost in ways.items():
            ratio = cost.seconds / plain.seconds
            print(f"{people:>6}  {way:<28}{cost.seconds * 1000:>14.2f}{ratio:>8.2f}{cost.flushes:>20}")
    print(f"        a bare commit that is flushed takes {bare_commit(folder) * 1000:.2f} ms")


def measure(
    people: int, folder: str | None, *, durable: bool = False, prepare: Callable[[Store], None] | None = None
) -> Cost:
    """Let people answer at once, each in a session and a thread of their own."""
    flushes = []
    flushed = flush.fdatasync

    def counted(file: int) -> None:
        flushed(file)
        flushes.append(file)

    each = max(1, ANSWERS // people)
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        open_store(f"{place}/mensura.db", durable=durable) as store,
        patch.object(flush, "fdatasync", counted),
    ):
        if prepare is not None:
            prepare(store)
        links = invite("coin", store=store, sessions=people, seed=1, parameters={"flips": each + 1})[1]
        sessions = LiveSessions(store)
        for link in links:
            sessions.act(link.session, lambda live: None)
        flushes.clear()
        threads = [threading.Thread(target=answer, args=(sessions, link.session, each)) for link in links]
        begun = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answers = each * people
        seconds = (time.perf_counter() - begun) / answers
        return Cost(seconds, "one, by SQLite" if prepare is not None else f"{len(flushes) / answers:.2f}")


def answer(sessions: LiveSessions, session: str, times: int) -> None:
    """Answer one after the other."""

    def act(live: Live) -> None:
        live.session.answer(0.5)

    for _ in range(times):
        sessions.act(session, act)


def flush_each(store: Store) -> None:
    """Let SQLite flush at every commit."""

    def connected(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA synchronous=FULL")

    store.database.engine.dispose()
    event.listen(store.database.engine, "connect", connected)


def bare_commit(folder: str | None, times: int = 100) -> float:
    """Time SQLite's own commit of one short row with `synchronous=FULL`."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        closing(sqlite3.connect(f"{place}/bare.db", isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE rows (value)")
        begun = time.perf_counter()
        for _ in range(times):
            connection.execute("INSERT INTO rows VALUES (1)")
        return (time.perf_counter() - begun) / times


if __name__ == "__main__":
    main()
