"""View: which items of a table are looked at, and in which order."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue import OUTCOMES
from mensura.errors import BadParameter, unknown
from mensura.running.items.observed import Codes, Numbers
from mensura.running.items.table import ItemTable

RIGHT, WRONG, PARTLY, NOT_ASKED = "right", "wrong", "partly", "not asked"
VERDICTS = (RIGHT, WRONG, PARTLY, *(one for one in OUTCOMES if one != "answered"), NOT_ASKED)
"""The outcomes to search for in a cell: all its answers right, none, some; or one of them refused, lost and so on."""
DIFFER = ("subjects", "people")
SORTS = ("bank", "hardest", "easiest", "differ", "tokens", "cost", "seconds")
CONDITIONS = ("tag", "subject", "outcome", "differ", "text")
APART = 0.5
"""Share of the scale that lies at least between those who differ."""

Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class ItemView:
    """A search among items; an empty part asks for nothing."""

    tag: tuple[str, ...] = ()
    subject: str = ""
    """The run in which the outcome is looked for and by which the order is made; all of them where it is empty."""
    outcome: str = ""
    differ: str = ""
    """"subjects": the best and the worst subject lie half of the scale apart; "people": people and programs do."""
    text: str = ""
    sort: str = "bank"

    def __post_init__(self) -> None:
        for value, known, what in (
            (self.outcome, VERDICTS, "outcome"),
            (self.differ, DIFFER, "kind of difference"),
            (self.sort, SORTS, "order"),
        ):
            if value and value not in known:
                raise unknown(what, value, known=known, see=f"There are {', '.join(known)}.")

    @classmethod
    def of(cls, conditions: Iterable[tuple[str, str]], *, sort: str = "bank") -> "ItemView":
        """Read conditions such as ("tag", "hard") or ("outcome", "refused"); all must be met."""
        view = cls(sort=sort)
        for name, value in conditions:
            if name not in CONDITIONS:
                raise unknown("property of an item", name, known=CONDITIONS, see=f"There are {', '.join(CONDITIONS)}.")
            told: dict[str, Any] = {name: (*view.tag, value) if name == "tag" else value}
            view = replace(view, **told)
        return view

    @property
    def by_outcome(self) -> bool:
        """Return whether items are chosen by what became of them."""
        return bool(self.outcome or self.differ)

    def rows(self, table: ItemTable) -> Codes:
        """Return the items of a table that are looked at, in order."""
        columns = self._columns(table)
        chosen = np.ones(len(table.rows), dtype=bool)
        for tag in self.tag:
            chosen &= np.array([tag in row.tags for row in table.rows], dtype=bool)
        if self.text:
            wanted = self.text.casefold()
            chosen &= np.array(
                [wanted in row.prompt.casefold() or wanted == row.name for row in table.rows], dtype=bool
            )
        if self.outcome:
            chosen &= has_outcome(table, self.outcome)[:, columns].any(axis=1)
        if self.differ:
            chosen &= spread(table, self.differ) >= APART * _range(table)
        found = np.flatnonzero(chosen)
        if self.sort == "bank":
            return found
        keys = self._keys(table, columns)[found]
        # What is not known comes last whichever way the order goes.
        return np.asarray(found[np.argsort(np.where(np.isnan(keys), np.inf, keys), kind="stable")])

    def _columns(self, table: ItemTable) -> list[int]:
        if not self.subject:
            return list(range(len(table.runs)))
        names = {run.head.id: column for column, run in enumerate(table.runs)}
        names |= {label: column for column, label in enumerate(table.labels)}
        if self.subject not in names:
            raise unknown("subject", self.subject, known=names, see=f"There are {', '.join(table.labels)}.")
        return [names[self.subject]]

    def _keys(self, table: ItemTable, columns: list[int]) -> Numbers:
        """Return what items are ordered by, the least first."""
        if self.sort in ("hardest", "easiest"):
            sums, many = (part[:, columns].sum(axis=1) for part in table.by_subject)
            shares = np.divide(sums, many, out=np.full_like(sums, np.nan), where=many > 0)
            sign = -1 if table.score.better == "less" else 1
            return np.asarray(shares * (sign if self.sort == "hardest" else -sign))
        if self.sort == "differ":
            return -spread(table, "subjects")
        spent = table.spent[self.sort][:, columns]  # type: ignore[index]
        unknown_ = np.isnan(spent).all(axis=1)
        total = np.nanmax(spent, axis=1, initial=-np.inf) if self.sort == "seconds" else np.nansum(spent, axis=1)
        return np.where(unknown_, np.nan, -total)


def has_outcome(table: ItemTable, outcome: str) -> Rows:
    """Return which cells show an outcome, items × runs."""
    if outcome == NOT_ASKED:
        return np.asarray(table.asked == 0)
    if outcome not in (RIGHT, WRONG, PARTLY):
        return np.asarray(table.tallies[:, :, OUTCOMES.index(outcome)] > 0)
    if not table.score.proportion:
        raise BadParameter(
            f"By {table.score.name} an item is not right or wrong but a number {table.score.range}; sort by it instead."
        )
    means = table.means
    return np.asarray(
        {
            RIGHT: means == 1,
            # What was not answered counts as wrong and is looked for by its own name.
            WRONG: (means == 0) & (table.tallies[:, :, OUTCOMES.index("answered")] > 0),
            PARTLY: (means > 0) & (means < 1),
        }[outcome]
    )


def spread(table: ItemTable, among: str) -> Numbers:
    """Return how far subjects, or people and programs, lie apart on each item; NaN where fewer than two answered."""
    means = table.means
    if among == "people":
        people = np.array([run.circumstances.people for run in table.runs], dtype=bool)
        sums, many = table.by_subject
        sides = [(sums[:, side].sum(axis=1), many[:, side].sum(axis=1)) for side in (people, ~people)]
        means = np.stack([np.divide(s, n, out=np.full_like(s, np.nan), where=n > 0) for s, n in sides], axis=1)
    several = (~np.isnan(means)).sum(axis=1) > 1
    filled = np.nan_to_num(means, nan=0.0)
    high = np.where(np.isnan(means), -np.inf, filled).max(axis=1, initial=-np.inf)
    low = np.where(np.isnan(means), np.inf, filled).min(axis=1, initial=np.inf)
    return np.where(several, high - low, np.nan)


def _range(table: ItemTable) -> float:
    """Return how wide the scale of the score is; without bounds the widest that was seen."""
    score = table.score
    if score.low is not None and score.high is not None:
        return score.high - score.low
    seen = table.means[~np.isnan(table.means)]
    return float(np.ptp(seen)) or 1.0 if seen.size else 1.0
