"""File scores: what a scorer of files gives, whatever the files hold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mensura.dialogue import Score
from mensura.exhibit.exhibit import Exhibit
from mensura.exhibit.group import Group


@dataclass(frozen=True)
class FileScores:
    """Scores of files of answers, for the command line and the report."""

    title: str
    answer: str
    """The finding, in one sentence; notes follow on separate lines."""
    declared: Sequence[Score] = ()
    groups: Sequence[Group] = ()
    """Whose answers were scored, each with its scores and their estimates."""
    exhibits: Sequence[Exhibit] = ()
    remarks: Sequence[str] = ()
    """Notes on what was refused, failed or left out, and other notes on the numbers."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """File → hash of its content."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """The output of `--json`; where it is empty, everything above."""
    also: Mapping[Path, "FileScores"] = field(default_factory=dict)
    """Further files to write, as .html (a report) or .json: what is published apart from the rest."""

    def as_json(self) -> Mapping[str, Any]:
        """Return what machines read."""
        return self.data or {
            "title": self.title,
            "answer": self.answer,
            "scores": {
                group.name: {name: one.as_json() for name, one in group.estimates.items()} for group in self.groups
            },
            "exhibits": [exhibit.as_json() for exhibit in self.exhibits],
            "remarks": list(self.remarks),
            "sources": dict(self.sources),
        }
