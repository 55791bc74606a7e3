"""Killing a process in the middle loses nothing: at thirty random points on SQLite, at fifteen on PostgreSQL."""

import os
import signal
import time

import numpy as np
import pytest

from mensura.dialogue import Address, Ask, Instance, Number, Save, Session, replay, test
from mensura.running.driver import drive
from mensura.running.journal import Stored
from mensura.store import RunHead, SessionHead, open_store

ASKS = 1500
SESSION = "long-1/0.0.0"


@test("long-v1")
def long(rng, *, asks: int = ASKS, saved=None):
    """Ask many numbers that depend on all answers before, with a save now and then."""
    state = saved or {"next": 0, "sum": 0}
    while state["next"] < asks:
        i = state["next"]
        answer = yield Ask(f"{i}: {rng.random():.6f} {state['sum']}", Number(integer=True), key=f"k{i}", truth=i)
        state = {"next": i + 1, "sum": (state["sum"] * 31 + answer) % 1_000_003}
        if i % 500 == 499:
            yield Save(state)


class Acknowledging:
    """Answers at random, and says through a pipe what it was asked next: the answer before is stored by then."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.before = None
        self.rng = np.random.default_rng()

    def __call__(self, ask):
        if self.before is not None:
            os.write(self.pipe, f"{self.before[0]} {self.before[1]}\n".encode())
        value = int(self.rng.integers(1_000_000))
        self.before = (ask.key, value)
        return value


def go_on(url, pipe):
    """Do what a restarted process does: replay what is stored, and drive on."""
    with open_store(url) as store:
        journal = Stored(store, SESSION)
        instance = Instance(long, long.fill(), 1)
        session = replay(instance, journal.events) if journal.events else Session(instance)
        drive(session, {"subject": Acknowledging(pipe)}, journal=journal)


def lived_until_killed(url, *, acknowledged, delay):
    """Let a child go on, kill it with -9 some time after so many answers, and give what it had acknowledged."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            go_on(url, writer)
        finally:
            os._exit(0)
    os.close(writer)
    text = b""
    while text.count(b"\n") < acknowledged and (chunk := os.read(reader, 65536)):
        text += chunk
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while chunk := os.read(reader, 65536):
        text += chunk
    os.close(reader)
    # A line cut off in the middle was not acknowledged.
    lines = text.decode().split("\n")[:-1]
    return {key: int(value) for key, value in (line.split() for line in lines)}


def stored_answers(url):
    with open_store(url) as store:
        answers = [(event.key, event.value) for event in store.events.of(SESSION) if event.kind == "answer"]
    assert len({key for key, _ in answers}) == len(answers), "an answer was doubled"
    return dict(answers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "kills"), [("sqlite", 20), pytest.param("postgresql", 10, marks=pytest.mark.postgres)]
)
def test_killing_at_random_points_loses_and_doubles_nothing(kind, kills, request, tmp_path):
    url = str(tmp_path / "mensura.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    with open_store(url) as store:
        head = RunHead("long-1", "long-v1", long.fill(), {"subject": "s"}, "", "", "", 1, True, "full", time.time())
        store.runs.add(head)
        store.sessions.add(SessionHead(SESSION, "long-1", Address(), {"subject": "s"}))
    rng = np.random.default_rng(7)
    acknowledged: dict[str, int] = {}
    for _ in range(kills):
        acknowledged |= lived_until_killed(url, acknowledged=int(rng.integers(30)), delay=float(rng.random() * 0.004))
        stored = stored_answers(url)
        lost = {key: value for key, value in acknowledged.items() if stored.get(key) != value}
        assert not lost, f"lost or changed: {lost}"
    assert 100 < len(acknowledged) < ASKS
    with open(os.devnull, "wb") as nowhere:
        go_on(url, nowhere.fileno())
    assert list(stored_answers(url)) == [f"k{i}" for i in range(ASKS)]
    with open_store(url) as store:
        assert store.sessions.find(SESSION).status == "finished"
        assert store.truths.of(SESSION) == {f"k{i}": i for i in range(ASKS)}
