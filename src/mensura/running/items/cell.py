"""Cell: one item under one subject, its epochs or its people summed up."""

from dataclasses import dataclass
from typing import Any

from mensura.dialogue import OUTCOMES, Tally, tally_words
from mensura.running.items.summary import share_right, subject_summaries
from mensura.running.items.table import SPENT, ItemTable
from mensura.running.items.view import ItemView
from mensura.stats.wording import figure

WITHHELD, NOT_ASKED, SCORED = "withheld", "not asked", "scored"


@dataclass(frozen=True, slots=True)
class ItemCell:
    """The outcome of one item under one subject."""

    asked: int
    known: int
    """How many answers have a value."""
    mean: float | None
    """The share that is right, or the mean score; None where nothing is known or it is kept back."""
    outcomes: Tally
    proportion: bool
    withheld: bool
    tokens: float | None
    cost: float | None
    seconds: float | None

    @property
    def verdict(self) -> str:
        """Return its outcome in one word: right, wrong, partly, scored, why it has no score, not asked, withheld."""
        if not self.asked:
            return NOT_ASKED
        if "answered" not in self.outcomes:
            return next(iter(self.outcomes)) if len(self.outcomes) == 1 else "unanswered"
        if self.withheld or self.mean is None:
            return WITHHELD
        if not self.proportion:
            return SCORED
        return "right" if self.mean == 1 else "wrong" if self.mean == 0 else "partly"

    @property
    def words(self) -> str:
        """Return its outcome in words: "right", "3 of 5 right, 1 refused"."""
        verdict, missing = self.verdict, {name: many for name, many in self.outcomes.items() if name != "answered"}
        if verdict in (NOT_ASKED, WITHHELD):
            return verdict if verdict == NOT_ASKED else "answered" + (f", {tally_words(missing)}" if missing else "")
        if self.asked == 1 and missing:
            return tally_words(missing).removeprefix("1 ")
        if not self.proportion or self.mean is None:
            said = "" if self.mean is None else figure(self.mean) + (f" over {self.known}" if self.known > 1 else "")
        elif self.known == 1 and not missing:
            return verdict
        else:
            said = f"{round(self.mean * self.known)} of {self.known} right"
        return ", ".join(filter(None, [said, tally_words(missing)]))

    def as_json(self) -> dict[str, Any]:
        """Return the cell as JSON."""
        told = {name: getattr(self, name) for name in ("asked", "known", "mean", "tokens", "cost", "seconds")}
        return {**told, "verdict": self.verdict, "outcomes": dict(self.outcomes)}


def cells_of(table: ItemTable, row: int) -> list[ItemCell]:
    """Return the cells of an item, one for each subject of the table."""
    hidden = bool(len(table.withheld) and table.withheld[row])
    return [
        ItemCell(
            int(table.asked[row, column]),
            int(table.known[row, column]),
            _known(table.means[row, column]),
            {name: int(many) for name, many in zip(OUTCOMES, table.tallies[row, column], strict=True) if many},
            table.score.proportion,
            hidden,
            *(_known(table.spent[name][row, column]) for name in SPENT),
        )
        for column in range(len(table.runs))
    ]


def item_data(table: ItemTable, row: int) -> dict[str, Any]:
    """Return an item as JSON: what was asked, its mean over subjects, and what became of it under each."""
    item = table.rows[row]
    return {
        "item": item.name,
        "prompt": item.prompt,
        "tags": list(item.tags),
        "group": item.group,
        "calibration": None if item.calibration is None else dict(item.calibration),
        "withheld": bool(len(table.withheld) and table.withheld[row]),
        "over_subjects": share_right(table, row).as_json(),
        "subjects": {run.head.id: cell.as_json() for run, cell in zip(table.runs, cells_of(table, row), strict=True)},
    }


def table_data(table: ItemTable, view: ItemView, *, limit: int | None = None) -> dict[str, Any]:
    """Return the selected items as JSON, up to a limit, and the subjects over all of them."""
    rows = view.rows(table)
    return {
        "score": table.score.as_json(),
        "found": len(rows),
        "items": [item_data(table, row) for row in rows[:limit].tolist()],
        "subjects": [one.as_json() for one in subject_summaries(table, rows, view=view)],
    }


def _known(value: Any) -> float | None:
    return float(value) if value == value else None
