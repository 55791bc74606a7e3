"""An office of the small world, and its assistant."""

from collections.abc import Callable
from typing import Any

import pytest

from mensura.catalog.crisis.assistant.learning.learned import Learned
from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.request import Proposal, Request
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.settings import BASE, RADAR
from mensura.catalog.crisis.world.conference import Conference
from mensura.dialogue import Ask

Asking = Callable[..., dict[str, Any]]


@pytest.fixture
def office(small: Conference) -> OfficeState:
    """Give an office in which all mail has come."""
    made = OfficeState(small, tools=BASE | RADAR)
    made.arrive(1000)
    return made


@pytest.fixture
def asking(office: OfficeState) -> Asking:
    """Give a function that asks the assistant, with something learned or nothing, and checks its answer."""

    def ask(kind: str, learned: Learned | None = None, **about: Any) -> dict[str, Any]:
        request = Request(kind, about, known=known(office))
        return Proposal().check(Radar(learned or Learned())(Ask(request, Proposal(), role="assistant")))

    return ask
