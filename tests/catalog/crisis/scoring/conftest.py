"""Offices of the small world: as it was found, and as someone leaves it who did everything."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mensura.catalog.crisis.scoring.snapshot import Snapshot, untouched
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.supply.vendor import Order


@pytest.fixture
def found(small: Conference) -> Snapshot:
    """Give the office as the subject finds it."""
    return untouched(small)


@pytest.fixture
def done(small: Conference) -> Snapshot:
    """Give an office in which every rule is met, everything published and asked for done, and no briefing written."""
    place: dict[str, tuple[str, int] | None] = {event.id: (event.room, event.slot) for event in small.events}
    place |= {"keynote": ("auditorium", 5), "panel": ("auditorium", 11), "dinner": ("terrace", 14)}
    place |= {"posters": ("terrace", 13)}
    orders = (
        Order(id="o-2", vendor="saffron", item="dinner", quantity=90, event="dinner", room="terrace", slot=14),
        Order(id="o-3", vendor="petal", item="bouquet", quantity=2, event="dinner", room="terrace", slot=14),
    )
    site = {entry.id: dict(entry.fields) for entry in small.site}
    for event, at in place.items():
        assert at is not None
        site[f"site-{event}"] |= small.announcement(at)
    site["site-kofi"]["name"] = "Kofi Mensah"
    return Snapshot(small, place, orders, frozenset({("auditorium", 5)}), site, spent=95.0, bumps=1)


@pytest.fixture
def moved(done: Snapshot) -> Callable[..., Snapshot]:
    """Give a function that changes the good office: other places for some events, and whatever else is named."""

    def change(places: dict[str, Any] | None = None, **more: Any) -> Snapshot:
        return replace(done, place={**done.place, **(places or {})}, **more)

    return change
