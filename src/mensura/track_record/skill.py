"""Skill by area, topic, echelon and time, publishable without questions, sources or forecasters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from mensura.errors import BadData, BadFile
from mensura.exhibit import Exhibit, Figure
from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule
from mensura.stats import Estimate, paired_difference, unit_estimate
from mensura.track_record.calibration.diagnosis import Diagnosis
from mensura.track_record.calibration.sheet import Indices
from mensura.track_record.files.book import Book

SMALLEST = 10
"""Labels with fewer questions are not published: they could point to a question or a source."""
PERIODS = 8
"""The number of periods, where no length is given."""
FEW = "too few to be told"


@dataclass(frozen=True)
class Filed:
    """Scored forecasts in columns: the question that each is about, and what it earned."""

    questions: Indices
    scores: Floats

    def means(self) -> tuple[Indices, Floats]:
        """Return the questions in order, and the mean score of those who forecast each."""
        kinds, index = np.unique(self.questions, return_inverse=True)
        return kinds, np.bincount(index, weights=self.scores) / np.bincount(index)


@dataclass(frozen=True)
class LabelRecord:
    """The record of one area, topic, period or echelon."""

    label: str
    score: Estimate | None
    """None where it rests on too few questions to be published."""
    n: int
    added: Estimate | None = None
    """Of an echelon: what it adds to the one before, on the questions both have dealt with."""

    def as_json(self) -> dict[str, Any]:
        """Return what may be published: of a label with few questions only that they are few."""
        if self.score is None:
            return {"label": self.label, "n": f"fewer than {SMALLEST}", "score": None}
        return {"label": self.label, "n": self.n, "score": self.score.as_json()}


def record_by(filed: Filed, labels: Sequence[str]) -> list[LabelRecord]:
    """Average scores by the label of each question; each question counts once, by the mean of its forecasters.

    Examples
    --------
    >>> filed = Filed(np.arange(12), 0.1 * (np.arange(12) % 3))
    >>> print(record_by(filed, ["north"] * 12)[0].score)
    0.100 [0.046, 0.154] (n=12, t widened for skew over 12 questions)
    """
    questions, means = filed.means()
    own = np.asarray(labels, dtype=str)[questions]
    return [_labelled(str(label), means[own == label]) for label in np.unique(own)]


def record_over_time(
    filed: Filed, times: Floats, *, length: float, moment: Callable[[float], str] = "{:g}".format
) -> list[LabelRecord]:
    """Average scores by period of the given length, in order; questions without a time are left out.

    Periods are named by their ends, which `moment` writes.
    """
    questions, means = filed.means()
    period = times[questions] // length
    return [
        _labelled(f"{moment(float(one) * length)} to {moment(float(one + 1) * length)}", means[period == one])
        for one in np.unique(period[~np.isnan(period)])
    ]


def skill_by_echelon(echelons: Mapping[str, Filed]) -> list[LabelRecord]:
    """Estimate what each echelon, from first to last, adds in skill to the one before, paired on the same questions.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, p. 36: what the forecast echelons contribute.
    """
    if empty := [name for name, filed in echelons.items() if not len(filed.questions)]:
        raise BadData(f"No forecast is filed under the echelon {empty[0]!r}.")
    stages: list[LabelRecord] = []
    before = None
    for name, filed in echelons.items():
        questions, means = filed.means()
        added = None
        if before is not None:
            _, here, there = np.intersect1d(questions, before[0], assume_unique=True, return_indices=True)
            if len(here) >= SMALLEST:
                added = paired_difference(first=means[here], second=before[1][there]).difference
        stages.append(_labelled(name, means, added))
        before = questions, means
    return stages


def _labelled(label: str, means: Floats, added: Estimate | None = None) -> LabelRecord:
    score = unit_estimate(means, unit="question") if len(means) >= SMALLEST else None
    return LabelRecord(label, score, len(means), added)


@dataclass
class TrackRecord:
    """Records by what they were asked for: area, topic, time, echelon."""

    rule: str
    questions: int
    cells: dict[str, list[LabelRecord]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return what may be published: labels, counts and intervals."""
        told = {name: [cell.as_json() for cell in cells] for name, cells in self.cells.items()}
        for one, cell in zip(told.get("echelon", ()), self.cells.get("echelon", ()), strict=True):
            one["added"] = None if cell.added is None else cell.added.as_json()
        return told

    def exhibits(self) -> list[Exhibit]:
        """Show the record: a table for each kind of label, with a picture where enough can be told."""
        from mensura.track_record.figures import record_chart

        shown = []
        for name, cells in self.cells.items():
            columns = ["resolved from" if name == "time" else name, "n", "score"]
            rows = [[cell.label or "without a label", cell.n if cell.score else FEW, cell.score] for cell in cells]
            words = f"Scores per question by the rule {self.rule}; equal probabilities for all alternatives pay 0."
            if name == "echelon":
                columns.append("adds to the one before")
                rows = [[*row, cell.added] for row, cell in zip(rows, cells, strict=True)]
                words += " What each echelon adds is measured on the questions that it and the one before dealt with."
            told = [cell for cell in cells if cell.score]
            picture = Figure(partial(record_chart, told), f"Score by {name} with its interval.")
            shown.append(Exhibit(f"Track record by {name}", words, columns, rows, [picture] if told else []))
        return shown


def track_record(
    book: Book, diagnoses: Sequence[Diagnosis], *, by: Sequence[str], rule: Rule, length: float | None = None
) -> TrackRecord:
    """File scores `by` any of area, topic, echelon and time of resolution.

    `length` is how long a period of time is, in days or the file's unit.
    """
    for name in by:
        _need(book, name)
    own = {one.name: Filed(*one.question_scores(rule)) for one in diagnoses}
    if any(np.isinf(filed.scores).any() for filed in own.values()):
        raise BadFile("A track record needs finite scores: give --floor, or --rule quadratic.")
    filed = _joined(own.values())
    record = TrackRecord(rule.name, len(np.unique(filed.questions)))
    for name in by:
        if name == "time":
            record.cells[name] = _over_time(book, filed, length)
        elif name == "echelon":
            members: dict[str, list[str]] = {}
            for forecaster, echelon in book.echelons.items():
                members.setdefault(echelon, []).append(forecaster)
            record.cells[name] = skill_by_echelon(
                {echelon: _joined([own[one] for one in names if one in own]) for echelon, names in members.items()}
            )
        else:
            record.cells[name] = record_by(filed, book.labels[name])
    return record


def _joined(parts: Iterable[Filed]) -> Filed:
    none = Filed(np.empty(0, np.int64), np.empty(0))
    joined = [none, *parts]
    return Filed(np.concatenate([one.questions for one in joined]), np.concatenate([one.scores for one in joined]))


def _need(book: Book, name: str) -> None:
    if name == "echelon" and not book.echelons:
        raise BadFile("The file of forecasts has no column 'echelon'; it says to which stage a forecaster belongs.")
    if name == "time" and np.isnan(book.resolved).all():
        raise BadFile("The file of outcomes has no column 'resolved'; a record over time needs to know when.")
    if name in ("area", "topic") and name not in book.labels:
        raise BadFile(f"The file of outcomes has no column {name!r}; a track record needs one label per question.")


def _over_time(book: Book, filed: Filed, length: float | None) -> list[LabelRecord]:
    times = book.resolved[~np.isnan(book.resolved)]
    if length is None:
        length = float(np.ptp(times)) / PERIODS or 1.0
        length = max(1.0, float(np.ceil(length))) if length > 1 else length
    moment = _date if book.dated else "{:g}".format
    return record_over_time(filed, book.resolved, length=length, moment=moment)


def _date(days: float) -> str:
    return str(np.datetime64(round(days * 86400), "s")).removesuffix("T00:00:00").replace("T", " ")
