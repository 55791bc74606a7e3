"""Reference subjects of the crisis. Each is made when it is wanted, since some need heavy packages."""

from collections.abc import Callable
from typing import Any


def _nothing() -> Any:
    from mensura.catalog.crisis.subjects.nothing import Nothing

    return Nothing()


def _oracle() -> Any:
    from mensura.catalog.crisis.subjects.oracle import PlanningOracle

    return PlanningOracle()


_oracle.knows = "truth"  # type: ignore[attr-defined]


def _scripted() -> Any:
    from mensura.catalog.crisis.subjects.participant import Participant

    return Participant()


def _participant() -> Any:
    from mensura.catalog.crisis.subjects.participant import Participant

    return Participant(None)


def _radar() -> Any:
    from mensura.catalog.crisis.assistant.role import Radar

    return Radar()


SUBJECTS: dict[str, Callable[[], Any]] = {
    "nothing": _nothing,
    "oracle": _oracle,
    "scripted": _scripted,
    "participant": _participant,
    "radar": _radar,
}
"""`nothing` lets the time pass: the floor. `oracle` knows everything: the ceiling. `scripted` is a simulated
participant who is always the same, `participant` one who is drawn anew for each session. `radar` is the assistant, a
role of its own."""
