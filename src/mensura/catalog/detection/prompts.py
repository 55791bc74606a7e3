"""What a subject is shown: the briefing about the world, and reports as they come in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue import Prompt, TableView

REPORT_COLUMNS = ("number", "reported", "day", "kind", "actor", "other", "item", "target")


@dataclass(frozen=True)
class Briefing(Prompt):
    """What is known of the world before any report: its modes, targets, people, patterns, and cases in evidence.

    `tables` hold columns by name, as in the files of `mensura generate detection`; `cases` are objects of the
    specification, in part and partly wrong; `parameters` say how the world was made.
    """

    kind: ClassVar[str] = "detection-briefing"
    page: ClassVar[dict[str, Any]] = {"package": __package__, "template": "briefing.html", "style": "detection.css"}
    tables: Mapping[str, Mapping[str, Sequence[Any]]]
    patterns: Mapping[str, Any]
    cases: Sequence[Mapping[str, Any]]
    parameters: Mapping[str, float]
    words: str

    def text(self) -> str:
        parts = [self.words]
        for name, columns in self.tables.items():
            parts.append(TableView(list(columns), list(zip(*columns.values(), strict=True)), title=name).text())
        parts.append("Cases in evidence:\n" + "\n".join(str(dict(case)) for case in self.cases))
        return "\n\n".join(parts)


@dataclass(frozen=True)
class Reports(Prompt):
    """Reports that came in since the last ask, one row each, in the order of `REPORT_COLUMNS`."""

    kind: ClassVar[str] = "detection-reports"
    page: ClassVar[dict[str, Any]] = {
        "package": __package__,
        "template": "reports.html",
        "script": "reports.js",
        "style": "detection.css",
        "wide": True,
    }
    rows: Sequence[Sequence[Any]]
    today: int
    words: str

    def text(self) -> str:
        shown = [["" if cell is None else cell for cell in row] for row in self.rows]
        return f"{self.words}\n\n" + TableView(REPORT_COLUMNS, shown, title=f"Day {self.today}").text()
