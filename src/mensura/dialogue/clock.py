"""Time as a test sees it: the integer tick of the event being handled, nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


class Clock:
    """Handed to tests that take `clock`; only the session moves it."""

    __slots__ = ("now",)

    def __init__(self, now: int = 0) -> None:
        self.now = now


@dataclass(frozen=True)
class Timing:
    """How ticks pass outside the test.

    Parameters
    ----------
    people
        "shown": the clock runs only while the person sees the ask; "wall": it always runs.
    tick_seconds
        Length of one tick for people, in seconds.
    cost
        Ticks that a program pays per act: a number, or a function of the answer.
    programs
        "counted": a program's time is what its acts cost; "wall": what they really take, where they can lapse. Where
        nothing lapses the clock stands, so that a run comes out the same on every machine.
    lasts
        Ticks that an act of a program takes at least on the clock on the wall, beside people; None: no longer than it
        really took.
    """

    people: Literal["shown", "wall"] = "shown"
    tick_seconds: float = 1.0
    cost: int | Callable[[Any], int] = 1
    programs: Literal["counted", "wall"] = "counted"
    lasts: Callable[[Any], int] | None = None

    def price(self, answer: Any) -> int:
        """Return how many ticks a program pays for an answer."""
        return self.cost(answer) if callable(self.cost) else self.cost
