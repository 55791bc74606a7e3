"""Exhibits: the tables and pictures that a test's own literature would show of a study, besides the plan's tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mensura.dialogue import Scores, session_mean


@dataclass(frozen=True)
class Group:
    """The usable sessions of one cell of a study."""

    name: str
    condition: str
    parameters: Mapping[str, Any]
    scores: Sequence[Scores]
    simulated: bool = False

    def values(self, score: str) -> list[float]:
        """Give each session's value of a score, the mean of its items where it has several; NaN where unknown.

        >>> from mensura.dialogue import Items
        >>> Group("a", "", {}, [Scores({"right": Items([1, 0])}), Scores({"right": 1.0}), Scores({})]).values("right")
        [0.5, 1.0]
        """
        return [session_mean(scores.values[score]) for scores in self.scores if score in scores.values]


@dataclass(frozen=True)
class Exhibit:
    """A table with its title and what it says in words, and a picture where there is one."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    words: str = ""
    chart: Any = field(default=None, compare=False)
    """An altair chart."""

    def as_json(self) -> dict[str, Any]:
        """Give the table and the words as JSON."""
        return {"title": self.title, "columns": self.columns, "rows": self.rows, "words": self.words}
