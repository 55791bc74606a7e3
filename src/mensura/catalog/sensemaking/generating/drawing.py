"""Drawing until something fits, but not for ever."""

from collections.abc import Callable
from typing import TypeVar

from mensura.errors import BadParameter

MOST = 20_000

Drawn = TypeVar("Drawn")


def draw_until(draw: Callable[[], Drawn | None], *, what: str) -> Drawn:
    """Draw until a draw is not None; when none ever fits, say what could not be found.

    >>> draw_until(lambda: 3, what="a number")
    3
    """
    for _ in range(MOST):
        drawn = draw()
        if drawn is not None:
            return drawn
    raise BadParameter(f"{MOST} attempts found no {what}; loosen the exam's design.")
