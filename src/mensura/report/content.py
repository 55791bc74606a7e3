"""Content: what a report says, before it is laid out as a page, as Markdown or on paper."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mensura.exhibit import Exhibit, Figure
from mensura.exhibit.exhibit import LEFT_OUT

LOSSES = "Refused, failed and lost"
COST = "Cost and time"
COMPARED = ("Score", "In words", "Method", "Adjusted p", "Significant")
"""The columns of a table of comparisons."""


@dataclass(frozen=True)
class Section:
    """A part of a report that can be folded: sentences under headings, tables and pictures, and where it comes from."""

    title: str
    brief: str = ""
    """The result in a few words."""
    about: str = ""
    points: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Heading → sentences."""
    exhibits: Sequence[Exhibit] = ()
    sources: Exhibit | None = None
    """The runs, or the files that were read."""
    commands: Sequence[str] = ()
    """The commands that reproduce it."""
    folded: bool = True


@dataclass(frozen=True)
class Report:
    """The content of a report: the answer and its basis first, the rest in sections."""

    title: str
    question: str
    answer: Sequence[str]
    """The answer in a sentence, and what else must be said with it."""
    sections: Sequence[Section]
    figure: Figure | None = None
    """The one picture."""
    beside: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Notes on the answer, under headings: what was refused, failed and lost, cost and time."""
    overview: Exhibit | None = None
    """All tests and subjects in one table, where there are several tests."""
    altered: Sequence[str] = ()
    """Alterations of the record that this rests on; the answer names them first."""
    simulated: bool = False
    written: float = field(default_factory=time.time)

    @property
    def lacking(self) -> list[str]:
        """Return what was left out because software is missing, with the commands that install it."""
        exhibits = [exhibit for section in self.sections for exhibit in section.exhibits]
        figures = [figure for exhibit in exhibits for figure in exhibit.figures]
        figures += [self.figure] if self.figure else []
        said = [exhibit.words for exhibit in exhibits if exhibit.kind == LEFT_OUT]
        return list(dict.fromkeys([*said, *(figure.lacking for figure in figures if figure.lacking)]))


def folds(exhibits: Sequence[Exhibit]) -> list[Section]:
    """Make a section of each exhibit, with its first sentence on the fold."""
    firsts = [one.words.split("\n")[0].split(". ")[0].rstrip(".") for one in exhibits]
    return [
        Section(one.title, brief=first and f"{first}.", exhibits=[one])
        for one, first in zip(exhibits, firsts, strict=True)
    ]
