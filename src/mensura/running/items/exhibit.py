"""Exhibits of items: the table of subjects and the table of items, for terminals and notebooks."""

from typing import Any

from mensura.dialogue import tally_words
from mensura.exhibit import Exhibit
from mensura.running.items.cell import cells_of
from mensura.running.items.summary import ItemTotal, share_right, subject_summaries
from mensura.running.items.table import ItemTable
from mensura.running.items.view import ItemView
from mensura.stats.wording import duration, figure

LONGEST = 60
"""Characters of a prompt that are shown in a table."""
OVER = (
    "Over subjects, each person and each program counts once; the interval is that of a mean within the bounds of the "
    "score (Clopper and Pearson's on an effective n for a share) and speaks of subjects like these."
)


def items_exhibits(table: ItemTable, view: ItemView, *, limit: int | None = None) -> list[Exhibit]:
    """Show subjects over the items that are looked at, and the items themselves."""
    rows = view.rows(table)
    title = "share right" if table.score.proportion else table.score.title
    subjects: list[list[Any]] = [
        [
            one.label,
            one.items,
            one.estimate,
            tally_words(one.outcomes),
            total_words(one.tokens),
            total_words(one.cost),
            "–" if one.seconds is None else duration(one.seconds),
        ]
        for one in subject_summaries(table, rows, view=view)
    ]
    measured = ("b", "a") if any(row.calibration for row in table.rows) else ()
    items: list[list[Any]] = [
        [
            table.rows[row].name,
            _short(table.rows[row].prompt),
            share_right(table, row),
            *(table.rows[row].parameter(name) for name in measured),
            *_cells(table, row),
        ]
        for row in rows[:limit].tolist()
    ]
    columns = ("subject", "items", title, "answers", "tokens", "cost", "median time")
    return [
        Exhibit("Subjects", columns=columns, rows=subjects),
        Exhibit(
            "Items",
            columns=(
                *("item", "question", f"{title} over subjects"),
                *(("difficulty b", "discrimination a") if measured else ()),
                *table.labels,
            ),
            rows=items,
            notes=[OVER],
        ),
    ]


def total_words(total: ItemTotal) -> str:
    """Write what answers cost together, and of how many it is unknown.

    >>> total_words(ItemTotal(1234.0, 2)), total_words(ItemTotal(0.0125, 0)), total_words(ItemTotal(None, 3))
    ('1234 (2 unknown)', '0.0125', '–')
    """
    if total.value is None:
        return "–"
    said = f"{total.value:.0f}" if total.value >= 100 else figure(total.value)
    return f"{said} ({total.unknown} unknown)" if total.unknown else said


def _cells(table: ItemTable, row: int) -> list[str]:
    return [cell.words for cell in cells_of(table, row)]


def _short(prompt: str) -> str:
    line = " ".join(prompt.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
