"""Stores of both kinds, and small runs to put into them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mensura.dialogue import Address, Event
from mensura.store import RunHead, SessionHead, Store, open_store


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give where a new store can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "mensura.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Open a new store."""
    with open_store(url) as opened:
        yield opened


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Store]:
    """Open a new store in SQLite."""
    with open_store(tmp_path / "lite.db") as opened:
        yield opened


@pytest.fixture
def run_head() -> Callable[..., RunHead]:
    """Give a maker of runs."""

    def make(id: str = "coin-1", **changes: Any) -> RunHead:
        facts: dict[str, Any] = {
            "test": "coin-v1",
            "parameters": {"flips": 3, "bias": 0.25},
            "cast": {"subject": "chance"},
            "condition": "",
            "instance_hash": "0123456789abcdef",
            "environment_hash": "fedcba9876543210",
            "seed": 2**127 + 12345,
            "seed_public": False,
            "trace": "full",
            "created": 1000.5,
            "details": {"limits": {"turns": 10}},
        }
        return RunHead(id=id, **{**facts, **changes})

    return make


@pytest.fixture
def begin(run_head: Callable[..., RunHead]) -> Callable[..., str]:
    """Give a function that writes down a run and its sessions, and returns the id of the first session."""

    def make(store: Store, run: str = "coin-1", *, sessions: int = 1, **changes: Any) -> str:
        store.runs.add(run_head(run, **changes))
        heads = [
            SessionHead(f"{run}/0.0.{number}", run, Address(session=number), {"subject": "chance"}, created=1001.0)
            for number in range(sessions)
        ]
        store.sessions.add_many(heads)
        return heads[0].id

    return make


@pytest.fixture
def turn() -> Callable[..., list[Event]]:
    """Give a maker of an ask and its answer, the i-th pair of a session."""

    def make(i: int, value: Any = 0.5, **changes: Any) -> list[Event]:
        content = {"prompt": f"Coin {i % 3}?", "space": {"kind": "probability"}}
        ask = Event(2 * i + 1, "ask", "subject", f"coin{i}", i, "probability", content=content, time=10.0 + i)
        answer = Event(2 * i + 2, "answer", "subject", f"coin{i}", i, value, time=10.5 + i)
        for name, given in changes.items():
            setattr(answer, name, given)
        return [ask, answer]

    return make


@pytest.fixture
def ending() -> Callable[..., Event]:
    """Give a maker of the event that ends a session."""

    def make(number: int, status: str = "finished", last_words: str = "") -> Event:
        outcome = {"prompt": "Thank you.", "reward": None, "truncated": False}
        return Event(number, "end", value={"status": status, "outcome": outcome, "last_words": last_words}, time=99.0)

    return make
