"""Exhibit: a table or picture that a test adds to any report, page or terminal."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mensura.exhibit.look import as_svg
from mensura.stats import Estimate
from mensura.stats.rounding import rounded

Cell = str | float | int | bool | None | Estimate
"""Numbers are written alike everywhere; what is unknown is None or NaN."""


@dataclass(frozen=True)
class Figure:
    """A picture with the sentence that says what it shows, for those who cannot see it."""

    chart: Any = field(compare=False)
    """An altair chart, or a function that makes one, called only where the picture is drawn."""
    words: str
    data: Sequence[Mapping[str, Any]] = field(default=(), compare=False)
    """What is drawn, where the same of others can be drawn with it."""
    several: "Callable[[Mapping[str, Figure]], Figure] | None" = field(default=None, compare=False)
    """Draws the pictures of several, by who they are of, as one."""

    @cached_property
    def svg(self) -> str:
        """Draw the picture as SVG."""
        return as_svg(self.chart() if callable(self.chart) else self.chart)

    @property
    def data_address(self) -> str:
        """The picture as an address that holds all of it."""
        return f"data:image/svg+xml;base64,{b64encode(self.svg.encode()).decode()}"


@dataclass(frozen=True)
class Exhibit:
    """A table, pictures, or both, with what they say in words."""

    title: str
    words: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Cell]] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    """What must be said beneath the table."""
    kind: str = ""
    """What is shown, without of whom; exhibits of one kind are one on a page (`together`)."""
    of: str = ""
    """Of whom it is."""

    @property
    def lines(self) -> list[list[str]]:
        """The table as it is read: every cell in words."""
        return [[cell_words(cell) for cell in row] for row in self.rows]

    def as_json(self) -> dict[str, Any]:
        """Return the table and the words as JSON."""
        rows = [[cell.as_json() if isinstance(cell, Estimate) else cell for cell in row] for row in self.rows]
        said = {"title": self.title, "words": self.words, "columns": list(self.columns), "rows": rows}
        return said | ({"notes": list(self.notes)} if self.notes else {})


def cell_words(cell: Cell) -> str:
    r"""Write a cell of a table: three digits of a number without an interval, a dash for what is unknown.

    >>> [cell_words(cell) for cell in (0.12345, 12345, 3274.6, None, float("nan"), True, "a word")]
    ['0.123', '12345', '3\xa0270', '–', '–', 'yes', 'a word']
    """
    if cell is None or cell != cell:
        return "–"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Estimate):
        return f"{cell.rounded[0]} ({cell.ends})" if cell.has_interval else cell_words(cell.value)
    return rounded(cell)[0] if isinstance(cell, float) else str(cell)
