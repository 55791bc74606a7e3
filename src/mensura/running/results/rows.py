"""Rows: the numbers of a score, each with what it is a number of."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue.packed import Names, NumberColumn
from mensura.stats.observations import Labels

Shared = tuple[str, str, str, str | None, bool]


@dataclass(frozen=True, slots=True)
class Row:
    """One number that counts: of an item, or of a session as a whole."""

    value: float
    outcome: str
    item: str
    session: str
    course: str
    id: str = ""
    """The item itself, also where its group is the unit."""
    answer: str | None = None
    """A mark of what was answered, "" for nothing; None where it was not kept."""
    cached: bool = False


class SampleRows(Sequence[Row]):
    """Rows as columns, made into objects when they are looked at; what many rows share is held once.

    As objects the rows of a hundred thousand items take twenty megabytes, as columns three.

    >>> rows = SampleRows([Row(1.0, "answered", "a", "0.0.0", "0"), Row(0.0, "answered", "b", "0.0.0", "0")])
    >>> rows[1].item, rows.values.tolist(), len(rows.where(lambda row: row.value > 0))
    ('b', [1.0, 0.0], 1)
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._values = NumberColumn("d")
        self.items = Names()
        self._ids: Names | None = None
        self._codes = NumberColumn("I")
        self._shared: list[Shared] = []
        self._code: dict[Shared, int] = {}
        for row in rows:
            self.append(row)

    def append(self, row: Row) -> None:
        """Put a row behind the others."""
        if self._ids is None and row.id != row.item:
            self._ids = Names(self.items)
        if self._ids is not None:
            self._ids.append(row.id)
        self._values.append(row.value)
        self.items.append(row.item)
        shared = (row.outcome, row.session, row.course, row.answer, row.cached)
        code = self._code.setdefault(shared, len(self._shared))
        if code == len(self._shared):
            self._shared.append(shared)
        self._codes.append(code)

    def __len__(self) -> int:
        return len(self._values)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> "SampleRows": ...
    def __getitem__(self, place: int | slice) -> "Row | SampleRows":
        if isinstance(place, slice):
            return SampleRows(self[one] for one in range(len(self))[place])
        outcome, session, course, answer, cached = self._shared[self._codes[place]]
        return Row(self._values[place], outcome, self.items[place], session, course, self.ids[place], answer, cached)

    @property
    def values(self) -> NDArray[np.float64]:
        """The numbers."""
        return self._values.together()

    @property
    def ids(self) -> Names:
        """The item of each row itself, also where its group is the unit."""
        return self.items if self._ids is None else self._ids

    @property
    def sessions(self) -> Labels:
        """The session of each row."""
        return self._labels(1)

    @property
    def courses(self) -> Labels:
        """The course of each row."""
        return self._labels(2)

    def _labels(self, part: int) -> Labels:
        names, codes = Names(str(shared[part]) for shared in self._shared).ranked()
        return Labels(names, codes[self._codes.together()])

    def any_shared(self, meets: Callable[[Row], bool]) -> bool:
        """Return whether a row meets a condition on what rows share: outcome, session, course, answer or cache."""
        return any(meets(Row(0.0, one[0], "", one[1], one[2], "", one[3], one[4])) for one in self._shared)

    def where(self, meets: Callable[[Row], bool]) -> "SampleRows":
        """Return the rows that meet a condition."""
        return SampleRows(row for row in self if meets(row))

    def by_item(self) -> Iterator[list[Row]]:
        """Go through the rows of each item, that which is met first first."""
        _, codes = self.ids.ranked()
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        ends = np.append(starts[1:], len(order))
        for one in np.argsort(order[starts], kind="stable"):
            yield [self[place] for place in order[starts[one] : ends[one]].tolist()]
