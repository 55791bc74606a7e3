"""Stimuli: what must be told to the subject, each with the task it brings, before it is put into words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mensura.catalog.crisis.world.mail import TaskKind
from mensura.catalog.crisis.world.requirement import Requirement


@dataclass
class Stimulus:
    """One thing that someone tells or asks."""

    kind: TaskKind
    case: str
    """Which templates can say it."""
    sender: str
    values: Mapping[str, object]
    target: dict[str, Any] = field(default_factory=dict)
    rules: tuple[Requirement, ...] = ()
    about: tuple[str, ...] = ()
    words: str = ""
    """What would be said of it in a list of tasks."""
