"""TableView: rows and columns to read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue.prompts.base import Prompt


@dataclass(frozen=True)
class TableView(Prompt):
    """Rows and columns to read.

    >>> print(TableView(("coin", "bias"), [("A", 0.5), ("B", 0.25)], title="Coins").text())
    Coins
    coin  bias
    A     0.5
    B     0.25
    """

    kind: ClassVar[str] = "table"
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    title: str = ""

    def text(self) -> str:
        lines = [list(map(str, self.columns)), *(list(map(str, row)) for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        body = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
        return "\n".join([*([self.title] if self.title else []), *(line.rstrip() for line in body)])
