"""Observations: scores of answers, each with its item, its session and its course."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.dialogue.packed import Names
from mensura.errors import BadData
from mensura.stats.intervals.sample import Floats, numbers

Codes = NDArray[np.int64]
Factor = Literal["items", "sessions", "courses"]
Design = Literal["fixed", "redrawn", "mixed"]
AS_LIKELY_AS_NOT = 0.5


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of one factor: their names in order, and for each row the position of its name."""

    names: Sequence[str]
    codes: Codes


@dataclass(frozen=True, slots=True)
class Cells:
    """The means of the cells of a two-way table that have one, with the codes of their row and column."""

    values: Floats
    rows: Codes
    columns: Codes


class Observations:
    """Scores with what they are scores of.

    Parameters
    ----------
    values : array_like
        One score per row; rows with NaN are dropped with their labels.
    items : sequence of str, optional
        The item of each row, or its group where the group is the unit. None: each row is one number per session.
    sessions : sequence of str, optional
        The session of each row. None: all items were met in one session; or, without items, each row is a session.
    courses : sequence of str, optional
        The course of each row: a learner, or a person who came several times. None: each session is a course.

    Examples
    --------
    >>> seen = Observations([1, 0, 1, 1], items=["a", "b", "a", "b"], sessions=["1", "1", "2", "2"])
    >>> seen.design, seen.count("items"), seen.means("items")
    ('fixed', 2, array([1. , 0.5]))
    """

    def __init__(
        self,
        values: ArrayLike,
        *,
        items: Sequence[str] | None = None,
        sessions: Sequence[str] | Labels | None = None,
        courses: Sequence[str] | Labels | None = None,
    ) -> None:
        stated = numbers(values, name="scores")
        known = ~np.isnan(stated)
        self.values: Floats = stated[known]
        self.has_items = items is not None
        if sessions is None:
            rows: Codes = np.arange(len(stated)) if items is None else np.zeros(len(stated), dtype=np.int64)
            by_session = _labels(rows[known], name="sessions")
        else:
            by_session = _labels(_kept(sessions, known, name="sessions"), name="sessions")
        by_item = by_session if items is None else _labels(_kept(items, known, name="items"), name="items")
        by_course = by_session if courses is None else _labels(_kept(courses, known, name="courses"), name="courses")
        self._labels: dict[Factor, Labels] = {"items": by_item, "sessions": by_session, "courses": by_course}
        self.has_courses = courses is not None

    def __len__(self) -> int:
        return len(self.values)

    def names(self, factor: Factor) -> Sequence[str]:
        """Return the distinct labels of a factor, in their order."""
        return self._labels[factor].names

    def codes(self, factor: Factor) -> Codes:
        """Return for each row the position of its label in `names`."""
        return self._labels[factor].codes

    def count(self, factor: Factor) -> int:
        """Return how many distinct items, sessions or courses there are."""
        return len(self._labels[factor].names)

    def answers(self, factor: Factor) -> Codes:
        """Return how many rows each label has."""
        return np.bincount(self.codes(factor), minlength=self.count(factor))

    def means(self, factor: Factor) -> Floats:
        """Return the mean of each label, in the order of `names`.

        The mean of a course is over the means of its sessions, so that a long session counts no more than a short one.
        """
        if factor == "courses" and self.has_courses:
            cells = self.cells("courses", "sessions")
            return _means(cells.values, cells.rows, count=self.count("courses"))
        return _means(self.values, self.codes(factor), count=self.count(factor))

    def cells(self, rows: Factor, columns: Factor) -> Cells:
        """Return the means of the cells of the two-way table that are not empty."""
        width = max(1, self.count(columns))
        if width == 1:
            # Every row of the table is a cell: to sort a hundred thousand of them takes megabytes.
            means = _means(self.values, self.codes(rows), count=self.count(rows))
            return Cells(means, np.arange(len(means)), np.zeros(len(means), dtype=np.int64))
        keys, where = np.unique(self.codes(rows) * width + self.codes(columns), return_inverse=True)
        return Cells(_means(self.values, where, count=len(keys)), keys // width, keys % width)

    def table(self, rows: Factor = "items", columns: Factor = "sessions") -> Floats:
        """Return the two-way table of cell means, NaN where a cell is empty.

        >>> Observations([1, 0, 1], items=["a", "b", "a"], sessions=["1", "1", "2"]).table()
        array([[ 1.,  1.],
               [ 0., nan]])
        """
        cells = self.cells(rows, columns)
        made = np.full((self.count(rows), self.count(columns)), np.nan)
        made[cells.rows, cells.columns] = cells.values
        return made

    def only(self, factor: Factor, names: Sequence[str]) -> "Observations":
        """Return the rows whose label of this factor is among the names.

        >>> Observations([1, 0, 1], items=["a", "b", "c"]).only("items", ["a", "c"]).values
        array([1., 1.])
        """
        wanted = set(names)
        chosen = np.array([name in wanted for name in self.names(factor)], dtype=bool)[self.codes(factor)]
        kept = Observations.__new__(Observations)
        kept.values, kept.has_items, kept.has_courses = self.values[chosen], self.has_items, self.has_courses
        kept._labels = {each: _without_gaps(held, chosen) for each, held in self._labels.items()}
        return kept

    @cached_property
    def design(self) -> Design:
        """Return whether items were the same in every session, drawn anew for each, or something between.

        Sessions that draw from a pool meet some items twice by chance. They count as drawn anew unless an item of one
        session is as likely as not to be met in another.
        """
        cells = self.cells("items", "sessions")
        if self.count("sessions") > 1 and len(cells.values) == self.count("items") * self.count("sessions"):
            return "fixed"
        met = np.bincount(cells.rows, minlength=1)
        again = float((met * (met - 1)).sum()) / max(1, len(cells.values) * (self.count("sessions") - 1))
        return "redrawn" if again < AS_LIKELY_AS_NOT else "mixed"


def _without_gaps(labels: Labels, chosen: NDArray[np.bool_]) -> Labels:
    found, codes = np.unique(labels.codes[chosen], return_inverse=True)
    return Labels(tuple(labels.names[at] for at in found), codes.astype(np.int64))


def _means(values: Floats, codes: Codes, *, count: int) -> Floats:
    sums = np.bincount(codes, weights=values, minlength=count)
    held = np.bincount(codes, minlength=count)
    return np.asarray(sums / np.maximum(held, 1), dtype=float)


def _kept(labels: Sequence[str] | Labels, known: NDArray[np.bool_], *, name: str) -> Any:
    if isinstance(labels, Labels):
        return labels if known.all() else _without_gaps(labels, known)
    if isinstance(labels, str) or len(labels) != len(known):
        got = repr(labels) if isinstance(labels, str) else f"{len(labels)} for {len(known)} scores"
        raise BadData(f"The {name} must be one label per score; got {got}.")
    if known.all():
        return labels
    if isinstance(labels, np.ndarray):
        return labels[known]
    left = (label for label, is_known in zip(labels, known.tolist(), strict=True) if is_known)
    return Names(left) if isinstance(labels, Names) else list(left)


def _labels(labels: Any, *, name: str) -> Labels:
    if isinstance(labels, Labels):
        return labels
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu":
        found, codes = np.unique(labels, return_inverse=True)
        return Labels(tuple(map(str, found.tolist())), codes.astype(np.int64))
    if isinstance(labels, Names):
        return Labels(*labels.ranked())
    texts = list(map(str, labels))
    # A dictionary codes a million strings ten times as fast as sorting them.
    position = dict.fromkeys(texts, 0)
    if str(None) in position and any(label is None for label in labels):
        raise BadData(f"Every score needs a label among its {name}; got None.")
    names = sorted(position)
    for at, label in enumerate(names):
        position[label] = at
    return Labels(tuple(names), np.fromiter(map(position.__getitem__, texts), dtype=np.int64, count=len(texts)))
