"""Reference subjects of the crisis. Each is made when it is wanted, since some need heavy packages."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def _made(module: str, name: str, *given: Any, knows: str = "") -> Callable[[], Any]:
    def make() -> Any:
        return getattr(import_module(f"mensura.catalog.crisis.{module}"), name)(*given)

    if knows:
        make.knows = knows  # type: ignore[attr-defined]
    return make


SUBJECTS: dict[str, Callable[[], Any]] = {
    "nothing": _made("subjects.nothing", "Nothing"),
    "oracle": _made("subjects.oracle", "PlanningOracle", knows="truth"),
    "scripted": _made("subjects.participant", "Participant"),
    "participant": _made("subjects.participant", "Participant", None),
    "accepting": _made("subjects.accepting", "Accepting"),
    "radar": _made("assistant.role", "Radar"),
}
"""`nothing` lets the time pass: the floor. `oracle` knows everything: the ceiling. `scripted` is a simulated
participant who is always the same, `participant` one who is drawn anew for each session. `accepting` accepts whatever
is proposed, unread. `radar` is the assistant, a role of its own."""
