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
    """What files of answers are worth: the command line prints it, and the one report shows it."""

    title: str
    answer: str
    """What was found, in one sentence; what must be said with it follows in lines of its own."""
    declared: Sequence[Score] = ()
    groups: Sequence[Group] = ()
    """Whose answers were scored, each with its scores and their estimates."""
    exhibits: Sequence[Exhibit] = ()
    remarks: Sequence[str] = ()
    """What was refused, failed or left out, and what must be said beside the numbers."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """File → hash of its content."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """What `--json` prints; where it is empty, everything above."""
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
