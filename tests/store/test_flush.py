"""Flush: a power cut costs nothing that was acknowledged where the store is durable, and one flush serves many."""

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mensura.dialogue import Event
from mensura.errors import StoreError
from mensura.running.run import RunOptions, run
from mensura.running.together import AtOnce
from mensura.store import Store, open_store
from mensura.subjects.loop import wait_for

PEOPLE, TURNS = 12, 4


class Disk:
    """What the disk holds after each flush: after a power cut nothing else would be there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.images: list[bytes] = []

    def flush(self, file: int) -> None:
        image = os.pread(file, 2**30, 0)
        time.sleep(0.005)
        self.images.append(image)

    def last_numbers(self, image: bytes, folder: Path) -> dict[int, int]:
        """Return the last event of each session that is there after a power cut."""
        copy = folder / "cut.db"
        copy.write_bytes(self.path.read_bytes())
        copy.with_name("cut.db-wal").write_bytes(image)
        copy.with_name("cut.db-shm").unlink(missing_ok=True)
        with closing(sqlite3.connect(copy)) as connection:
            return dict(connection.execute("SELECT session, max(number) FROM events GROUP BY session"))


@pytest.fixture
def flushes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the flushes."""
    seen: list[int] = []
    monkeypatch.setattr("mensura.store.flush.fdatasync", seen.append)
    return seen


@pytest.fixture
def durable(tmp_path: Path) -> Iterator[Store]:
    """Open a store whose commits survive a power cut."""
    with open_store(tmp_path / "mensura.db", durable=True) as store:
        yield store


def test_what_was_acknowledged_is_there_after_a_power_cut_and_one_flush_serves_many(
    durable: Store,
    begin: Callable[..., str],
    turn: Callable[..., list[Event]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = begin(durable, sessions=PEOPLE)
    sessions = [first.replace("0.0.0", f"0.0.{number}") for number in range(PEOPLE)]
    numbers = {name: durable.custodies.find(name).number for name in sessions}
    disk = Disk(tmp_path / "mensura.db")
    monkeypatch.setattr("mensura.store.flush.fdatasync", disk.flush)

    def answer(name: str) -> list[tuple[int, int, int]]:
        """Answer some times; tell after each what was acknowledged, and how many flushes there had been."""
        told = []
        for i in range(TURNS):
            events = turn(i)
            durable.events.append(name, events)
            told.append((numbers[name], events[-1].number, len(disk.images)))
        return told

    with ThreadPoolExecutor(PEOPLE) as pool:
        told = [each for one in pool.map(answer, sessions) for each in one]
    assert len(disk.images) < PEOPLE * TURNS / 2
    held = {image: disk.last_numbers(disk.images[image - 1], tmp_path) for image in {flush for _, _, flush in told}}
    assert all(held[flush].get(session, 0) >= number for session, number, flush in told)


def test_a_disk_that_fails_is_told_and_never_believed_again(
    durable: Store, begin: Callable[..., str], turn: Callable[..., list[Event]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: int) -> None:
        raise OSError(5, "Input/output error")

    session = begin(durable)
    with monkeypatch.context() as broken:
        broken.setattr("mensura.store.flush.fdatasync", fail)
        with pytest.raises(StoreError, match="could not be brought to the disk"):
            durable.events.append(session, turn(0))
    with pytest.raises(StoreError, match="Check the disk"):
        durable.events.append(session, turn(1))


def test_local_programs_do_not_wait_for_the_disk_and_paid_models_do(
    lite: Store, flushes: list[int], chat_model: Any
) -> None:
    run("coin", "chance", store=lite, sessions=2, seed=1)
    assert flushes == []
    chat_model.answer = lambda request: 0.5
    run("coin", chat_model.name, store=lite, seed=1, parameters={"flips": 3})
    assert len(flushes) >= 3


def test_sessions_that_wait_at_once_share_a_flush(lite: Store, flushes: list[int]) -> None:
    async def all_of_them() -> None:
        await asyncio.gather(*(lite.database.flushed() for _ in range(20)))
        await lite.database.flushed()

    lite.database.settle("a fact", "that there is a log of changes")
    wait_for(all_of_them())
    assert len(flushes) == 2


def test_of_models_asked_at_once_every_answer_is_on_the_disk_before_the_next_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chat_model: Any
) -> None:
    disk, asked = Disk(tmp_path / "mensura.db"), []

    def answer(request: Any) -> float:
        said = [message["content"] for message in request["messages"] if message["role"] == "user"]
        asked.append((said[0], len(said) - 1, len(disk.images)))
        return 0.5

    chat_model.answer = answer
    with open_store(tmp_path / "mensura.db") as store:
        monkeypatch.setattr("mensura.store.flush.fdatasync", disk.flush)
        options = RunOptions(on=AtOnce(6))
        # With this seed no two sessions begin with the same question.
        done = run("coin", chat_model.name, store=store, sessions=6, seed=1, parameters={"flips": 3}, options=options)
        monkeypatch.undo()
        logs = {one.id: store.events.of(one.id, content=True) for one in store.sessions.of(done.head.id)}
        numbers = {name: store.custodies.find(name).number for name in logs}
    assert len(asked) == 18
    assert all(image for _, _, image in asked)
    images = {image: disk.last_numbers(disk.images[image - 1], tmp_path) for _, _, image in asked}
    for first, answered, image in asked:
        (session,) = (name for name, log in logs.items() if prompt_of(log) in first)
        given = [event.number for event in logs[session] if event.kind == "answer"][:answered]
        assert images[image][numbers[session]] >= max(given, default=1)


def prompt_of(log: list[Event]) -> str:
    """Return the first question of a session."""
    return next(str(event.content["prompt"]) for event in log if event.kind == "ask" and event.content)


@pytest.mark.postgres
def test_postgres_flushes_at_every_commit_whatever_its_server_says(postgres_url: str) -> None:
    with open_store(postgres_url) as store, store.database.reading() as connection:
        assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
