"""An office in the small world."""

from collections.abc import Callable
from typing import Any

import pytest

from mensura.catalog.crisis.office.history import Said
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.settings import CONDITIONS
from mensura.catalog.crisis.world.conference import Conference


@pytest.fixture
def office(small: Conference) -> OfficeState:
    """Give an office with checks, without an assistant."""
    return OfficeState(small, tools=CONDITIONS["agent"].tools)


@pytest.fixture
def sheet(small: Conference) -> OfficeState:
    """Give an office whose schedule is a sheet without checks."""
    return OfficeState(small, tools=CONDITIONS["cots"].tools, checks=False)


@pytest.fixture
def advised(small: Conference) -> OfficeState:
    """Give an office with the assistant's tools."""
    return OfficeState(small, tools=CONDITIONS["radar-l"].tools)


@pytest.fixture
def do() -> Callable[..., Said]:
    """Do something in an office, now or later."""

    def act(office: OfficeState, call: str, *, now: int | None = None, role: str = "subject", **arguments: Any) -> Said:
        return office.act(role, call, arguments, now=office.now if now is None else now)

    return act
