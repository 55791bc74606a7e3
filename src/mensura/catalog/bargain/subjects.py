"""Programs that bargain: they say once what they will claim, answer nothing, and claim it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from mensura.dialogue import Ask, ChatLog, Number


class Bargainer:
    """Claims a share of the points, and says so once.

    Parameters
    ----------
    share
        Of all points, rounded down.
    words
        What it says.
    """

    recomputes = True

    def __init__(self, share: float, words: str) -> None:
        self.share = share
        self.words = words

    def __call__(self, ask: Ask) -> str | int:
        log = ask.prompt
        if isinstance(log, ChatLog):
            return "" if any(one.role == log.role for one in log.said) else self.words
        assert isinstance(ask.space, Number)
        return int(self.share * float(ask.space.high or 0))


SUBJECTS: dict[str, Callable[[], Any]] = {
    "half": partial(Bargainer, 0.5, "Let us share evenly. I claim half."),
    "firm": partial(Bargainer, 0.7, "I claim seven tenths, whatever you do."),
    "modest": partial(Bargainer, 0.3, "Three tenths are enough for me."),
}
