"""Goal: what is to be reached, when, and after what. TaskLimits: what may be spent on it."""

from dataclasses import dataclass

from mensura.catalog.task_environments.task.body import Part, When
from mensura.catalog.task_environments.task.quantity import FORBID, Quantity


@dataclass(frozen=True)
class Goal:
    """Met once a body is close enough to a target for long enough, at the right time; it stays met until it is reset.

    Parameters
    ----------
    name, body, of
        What is to be where: the body's value or its velocity.
    target, tolerance
        A number, or the name of another body; the edge of the tolerance counts as within.
    held
        For how many seconds without a break.
    crossing
        Met at the moment the target is passed, in whichever direction; needs no tolerance.
    after, before
        Times between which it has to be met, in seconds from the start.
    later, within
        The same in seconds from when the last of its prerequisites was met.
    requires
        The goals that have to be met first.
    present
        Whether prerequisites have to hold at this very moment, rather than to have been met at some time.
    reset
        While it holds, the goal counts as not met, and so do all goals that require it.
    """

    name: str
    body: str
    target: Quantity | str
    tolerance: Quantity = 0.0
    of: Part = "value"
    held: float = 0.0
    crossing: bool = False
    after: float | None = None
    before: float | None = None
    later: float | None = None
    within: float | None = None
    requires: tuple[str, ...] = ()
    present: bool = False
    reset: When | None = None
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class TaskLimits:
    """The most time, in seconds, and energy, in joules, that may be spent."""

    time: float = 60.0
    energy: float | None = None
    __pydantic_config__ = FORBID
