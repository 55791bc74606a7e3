"""Chart: a picture of numbers, drawn from its data wherever it is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from mensura.dialogue.prompts.base import Prompt
from mensura.dialogue.prompts.table import TableView


@dataclass(frozen=True)
class Chart(Prompt):
    """Numbers as bars, lines or points; the words say what the picture shows.

    >>> print(Chart("bar", {"group": ["A", "B"], "share": [0.25, 0.75]}, x="group", y="share", words="Shares").text())
    Shares
    group  share
    A      0.25
    B      0.75
    """

    kind: ClassVar[str] = "chart"
    mark: Literal["bar", "line", "point"]
    columns: Mapping[str, Sequence[Any]]
    x: str
    y: str
    words: str
    colour: str = ""

    def text(self) -> str:
        rows = list(zip(*self.columns.values(), strict=True))
        return TableView(list(self.columns), rows, title=self.words).text()
