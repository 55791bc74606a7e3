"""Group: the sessions that an exhibit shows together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mensura.dialogue import Record, Scores, session_mean
from mensura.stats import Estimate


@dataclass(frozen=True)
class Group:
    """The usable sessions of one subject, run or cell of a study."""

    name: str
    condition: str
    parameters: Mapping[str, Any]
    scores: Sequence[Scores]
    simulated: bool = False
    records: Iterable[tuple[Record, Mapping[str, Any]]] = ()
    """Each session's record with its truths, as scoring is given them. They are read from the store while iterated: do
    that when the exhibits are made, not in a function that draws a picture later."""
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    """Score → its estimate over the sessions."""
    cohorts: Sequence[tuple[int, ...]] = ()
    """For each of the scores: the numbers of the cohorts whose people met in the session; empty where nobody came in
    one."""

    def values(self, score: str) -> list[float]:
        """Return each session's value of a score, the mean of its items where it has several; NaN where unknown.

        >>> from mensura.dialogue import Items
        >>> Group("a", "", {}, [Scores({"right": Items([1, 0])}), Scores({"right": 1.0}), Scores({})]).values("right")
        [0.5, 1.0]
        """
        return [session_mean(scores.values[score]) for scores in self.scores if score in scores.values]
