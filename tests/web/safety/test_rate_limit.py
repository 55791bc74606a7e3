"""Rate limits that several processes share: no more in all than one process allows, and no write at a person's pace."""

from pathlib import Path

import pytest

from mensura.store import Store, open_store
from mensura.web.safety.rate_limit import RateLimit


@pytest.fixture
def stores(tmp_path: Path):
    """Give one store as two processes have it open."""
    with open_store(tmp_path / "mensura.db") as first, open_store(tmp_path / "mensura.db") as second:
        yield first, second


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let the store's clock stand still, and count what is written to it."""
    written: list[float] = []
    from mensura.store.people.shared_limits import SharedLimits

    real = SharedLimits.use

    def use(self, name, cost, **more):
        written.append(cost)
        return real(self, name, cost, **more, now=1000.0)

    monkeypatch.setattr(SharedLimits, "use", use)
    return written


def limits(stores: tuple[Store, Store], **more: float) -> list[RateLimit]:
    return [RateLimit(1.0, saved=10.0, name="try", together=store.limits, **more) for store in stores]


def test_tries_are_counted_together_however_they_are_spread(stores: tuple[Store, Store], used: list[float]) -> None:
    first, second = limits(stores, alone=0.0)
    waits = [(first, second)[turn % 2].wait("as Erin", now=0.0) for turn in range(12)]
    assert waits[:10] == [0.0] * 10
    assert min(waits[10:]) > 0
    assert first.wait("as Anna", now=0.0) == 0.0
    assert len(used) <= 13


def test_pages_at_a_persons_pace_cost_no_write_and_a_flood_few(stores: tuple[Store, Store], used: list[float]) -> None:
    first, second = limits(stores)
    assert [first.wait("link", now=float(turn)) for turn in range(50)] == [0.0] * 50
    assert used == []
    flood = [(first, second)[turn % 2].wait("flood", now=turn / 1000) for turn in range(200)]
    assert sum(wait == 0.0 for wait in flood) <= 15, "half of a process's own, and what is left for both"
    assert len(used) <= 4
