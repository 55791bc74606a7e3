"""Exhibit: a table or picture that a test adds to any report, page or terminal."""

from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from textwrap import wrap
from typing import Any

from mensura.errors import NotInstalled
from mensura.exhibit.look import INK, as_svg
from mensura.stats import Estimate
from mensura.stats.rounding import rounded

LEFT_OUT = "left out"
"""The kind of an exhibit that only says what this machine lacks."""
Cell = str | float | int | bool | None | Estimate
"""Numbers are written alike everywhere; what is unknown is None or NaN."""


@dataclass(frozen=True)
class Figure:
    """A picture with the sentence that says what it shows, for those who cannot see it."""

    chart: Any = field(compare=False)
    """An altair chart, or a function that makes one, called only where the picture is drawn."""
    words: str
    data: Sequence[Mapping[str, Any]] = field(default=(), compare=False)
    """The data, where other groups can be drawn in the same picture."""
    several: "Callable[[Mapping[str, Figure]], Figure] | None" = field(default=None, compare=False)
    """Draws the pictures of several, by who they are of, as one."""

    @property
    def svg(self) -> str:
        """Draw the picture as SVG; where this machine lacks something for it, the SVG says so."""
        return self._drawn[0]

    @property
    def lacking(self) -> str:
        """Return the software missing for the picture, with the command that installs it; empty where it is drawn."""
        return self._drawn[1]

    @cached_property
    def _drawn(self) -> tuple[str, str]:
        try:
            return as_svg(self.chart() if callable(self.chart) else self.chart), ""
        except NotInstalled as error:
            words = error.leaves_out("A picture")
            return _written(words), words

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
    """Notes to print beneath the table."""
    kind: str = ""
    """The name of the content, without the group; exhibits of one kind are merged on a page (`together`)."""
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


def left_out(error: NotInstalled, what: str) -> Exhibit:
    """Return the exhibit that takes the place of those that this machine cannot make."""
    return Exhibit("What this machine lacks", error.leaves_out(what), kind=LEFT_OUT)


def _written(words: str) -> str:
    """Write words where a picture would be."""
    lines = wrap(words, 60)
    said = "".join(f'<text x="10" y="{22 + 18 * number}">{escape(line)}</text>' for number, line in enumerate(lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 {18 * len(lines) + 20}" width="480" '
        f'font-family="sans-serif" font-size="13" fill="{INK}">{said}</svg>'
    )


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
