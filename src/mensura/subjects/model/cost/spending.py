"""Spending: how a run pays for answers of models: from which cache, and within which budget."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from mensura.errors import BadParameter

EPOCHS = "epochs"
"""The message about a cache that may serve a run which asks every item several times."""


@dataclass(frozen=True)
class Spending:
    """How a run pays for answers of models; goes with each of its jobs.

    Parameters
    ----------
    cache
        The folder of the cache; "" where there is none.
    most
        What may be spent, in the unit of the prices; None: no limit.
    run
        The run whose sessions share the budget.
    epoch
        Which time the item is asked: each has separate cached answers, so that none is counted twice.
    batch
        Requests are handed in together and polled at this interval, in seconds; None: one by one.
    session
        Whose requests they are.
    probe
        Whether every model is asked once, before the run begins, whether it is there.
    rehearsal
        Takes down what would be sent, in place of an endpoint: a `mensura.subjects.model.cost.rehearsal.Rehearsal`.
    """

    cache: str = ""
    most: float | None = None
    run: str = ""
    epoch: int = 0
    batch: float | None = None
    session: str = ""
    probe: bool = field(default=True, compare=False)
    rehearsal: Any = field(default=None, compare=False)
    _asked: Counter[str] = field(default_factory=Counter, init=False, compare=False, repr=False)

    def times_asked(self, key: str) -> int:
        """Return how often a request was made in this session before, and count it."""
        self._asked[key] += 1
        return self._asked[key] - 1

    @classmethod
    def read(cls, *, cache: str | None, sessions: int, most: float | None = None) -> "Spending":
        """Read what a user says: off, on, epochs, or a folder; `epochs:FOLDER` names both.

        >>> Spending.read(cache="./answers", sessions=1).cache
        './answers'
        """
        from mensura.subjects.model.cost.cache import default_folder

        if not cache or cache == "off":
            return cls(most=most)
        word, _, folder = cache.partition(":") if cache.startswith(EPOCHS) else ("", "", cache)
        if sessions > 1 and not word:
            raise BadParameter(
                f"With --sessions {sessions} the same is asked several times, and a cached answer is not a new "
                "observation. Leave out --cache, or say --cache epochs: the first, second … answers of an earlier run "
                "then serve as the first, second … answers of this one."
            )
        return cls(cache=default_folder() if folder in ("", "on") else folder, most=most)
