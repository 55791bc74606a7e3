"""Writers killed at random moments: whatever was acknowledged is there, and nothing is there twice or by half."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mensura.dialogue import Event
from mensura.store import Store, open_store

CONTENDER = Path(__file__).with_name("contender.py")


@pytest.fixture
def contender() -> Iterator[subprocess.Popen[str]]:
    """Start the program that forks writers."""
    program = subprocess.Popen(
        [sys.executable, str(CONTENDER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield program
    program.communicate(timeout=120)


def say(program: subprocess.Popen[str], line: str) -> int:
    """Start a writer and give its process id."""
    assert program.stdin is not None
    assert program.stdout is not None
    print(line, file=program.stdin, flush=True)
    return int(program.stdout.readline())


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 20), pytest.param("postgres", 10, marks=pytest.mark.postgres)])
def test_a_writer_killed_at_random_moments_loses_nothing_it_acknowledged(
    kind: str,
    kills: int,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    begin: Callable[..., str],
    contender: subprocess.Popen[str],
) -> None:
    url = str(tmp_path / "m.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    with open_store(url) as store:
        session = begin(store)
        url = store.url
    notes = tmp_path / "acknowledged"
    notes.touch()
    moments = random.Random(20261)
    dead = 0
    for _ in range(kills):
        # Some die while they open the store, most in the middle of writing, after a few turns more or less.
        wanted = lines(notes) + moments.choice([0, 1, 2, 3, 5, 8, 13])
        writer = say(contender, f"{url} {session} {notes} alone")
        deadline = time.monotonic() + 120
        while lines(notes) < wanted and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(moments.random() * 0.01)
        os.kill(writer, signal.SIGKILL)
        assert contender.stdout is not None
        dead += os.WTERMSIG(int(contender.stdout.readline())) == signal.SIGKILL
        check(url, session, acknowledged=int((notes.read_text().split() or ["0"])[-1]))
    assert dead == kills
    assert lines(notes) > 2 * kills


def check(url: str, session: str, *, acknowledged: int) -> None:
    """Look at what a killed writer left."""
    with open_store(url) as store:
        events = store.events.of(session, content=True)
        truths = store.truths.of(session)
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    # At most one turn was stored and not yet noted; never half a turn.
    assert len(events) - acknowledged in (0, 2)
    assert len({event.nonce for event in events if event.kind == "answer"}) == len(events) // 2
    for ask, answer in zip(events[::2], events[1::2], strict=True):
        assert (ask.kind, answer.kind, ask.key) == ("ask", "answer", answer.key)
        assert ask.content == {"prompt": f"{ask.number - 1} " * 100}
        assert truths[ask.key] == answer.value == ask.number - 1


def test_four_processes_that_write_one_session_never_double_a_number(
    store: Store, begin: Callable[..., str], tmp_path: Path, contender: subprocess.Popen[str]
) -> None:
    session = begin(store)
    notes = [tmp_path / f"notes{number}" for number in range(4)]
    for path in notes:
        say(contender, f"{store.url} {session} {path} 30")
    deadline = time.monotonic() + 60
    while sum(lines(path) for path in notes) < 120 and time.monotonic() < deadline:
        time.sleep(0.02)
    acknowledged = sorted(int(number) for path in notes for number in path.read_text().split())
    assert acknowledged == list(range(2, 242, 2))
    events = store.events.of(session)
    assert [event.number for event in events] == list(range(1, 241))
    assert len({event.nonce for event in events if event.nonce}) == 120


def lines(path: Path) -> int:
    """Count the lines of a file that may not be there yet."""
    return path.read_text().count("\n") if path.exists() else 0


def test_a_forked_process_writes_over_connections_of_its_own(
    store: Store, begin: Callable[..., str], turn: Callable[..., list[Event]]
) -> None:
    session = begin(store)
    store.events.append(session, turn(0))
    child = os.fork()
    if child == 0:
        try:
            store.events.append(session, turn(1))
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    store.events.append(session, turn(2))
    assert [event.number for event in store.events.of(session)] == [1, 2, 3, 4, 5, 6]
