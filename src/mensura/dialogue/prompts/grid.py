"""Grid: cells of a small world. Readings: named numbers, what an agent senses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.prompts.base import Prompt


@dataclass(frozen=True)
class Grid(Prompt):
    """Cells of a small world, each a short text; the legend says what they mean.

    >>> print(Grid([["A", ""], ["", "G"]], legend={"A": "you", "G": "goal"}).text())
    A .
    . G
    A: you, G: goal
    """

    kind: ClassVar[str] = "grid"
    cells: Sequence[Sequence[str]]
    legend: Mapping[str, str] = field(default_factory=dict)
    title: str = ""

    def text(self) -> str:
        width = max((len(cell) for row in self.cells for cell in row), default=1) or 1
        lines = [" ".join((cell or ".").rjust(width) for cell in row) for row in self.cells]
        legend = ", ".join(f"{sign}: {meaning}" for sign, meaning in self.legend.items())
        return "\n".join([*([self.title] if self.title else []), *lines, *([legend] if legend else [])])


@dataclass(frozen=True, slots=True)
class Readings(Prompt):
    """Numbers that an agent senses, with names where they have any; an array is kept as it is."""

    kind: ClassVar[str] = "readings"
    values: Any
    names: Sequence[str] = ()

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, "values": np.asarray(self.values).tolist(), "names": list(self.names)}

    def text(self) -> str:
        values = np.asarray(self.values)
        if not self.names:
            return np.array2string(values, precision=4, separator=", ")
        return ", ".join(f"{name} = {value:.4g}" for name, value in zip(self.names, values.ravel(), strict=True))
