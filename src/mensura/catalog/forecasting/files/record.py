"""The track record of a book: skill by area, topic, echelon and time, without questions, sources or forecasters."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.catalog.forecasting.calibration.diagnosis import Diagnosis
from mensura.catalog.forecasting.files.book import Book
from mensura.catalog.forecasting.use.track_record import (
    Cell,
    Entry,
    Stage,
    publishable,
    record_by,
    record_over_time,
    skill_by_echelon,
)
from mensura.errors import BadFile
from mensura.scores.rule import Rule

PERIODS = 8
"""So many periods there are, where no length is given."""


@dataclass
class TrackRecord:
    """Cells by what they were asked for, and the skill that each echelon adds to the one before."""

    rule: str
    questions: int
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give what may be published: labels, counts and intervals; small cells say only that they are small."""
        told: dict[str, Any] = {name: publishable(cells) for name, cells in self.cells.items()}
        if self.stages:
            told["echelon"] = [
                publishable([Cell(stage.echelon, stage.score if stage.told else None, stage.score.n)])[0]
                | {"added": None if stage.added is None else stage.added.as_json()}
                for stage in self.stages
            ]
        return told


def track_record(
    book: Book,
    diagnoses: Sequence[Diagnosis],
    *,
    by: Sequence[str],
    rule: Rule,
    length: float | None = None,
) -> TrackRecord:
    """File scores under area, topic, echelon or time of resolution.

    Parameters
    ----------
    book : Book
        The forecasts, with the labels of their questions and forecasters.
    diagnoses : sequence of Diagnosis
        The forecasters, scored.
    by : sequence of str
        Any of area, topic, echelon and time.
    rule : Rule
        How answers are paid.
    length : float, optional
        How long a period is, in days or the file's unit.
    """
    for name in by:
        _need(book, name)
    entries = _entries(book, diagnoses, rule)
    record = TrackRecord(rule.name, len({entry.question for entry in entries}))
    for name in by:
        if name == "time":
            record.cells[name] = _over_time(book, entries, length)
        elif name == "echelon":
            filed = [entry for entry in entries if entry.echelon]
            record.stages = skill_by_echelon(filed, order=list(dict.fromkeys(book.echelons.values())))
        else:
            record.cells[name] = record_by(entries, lambda entry, name=name: getattr(entry, name))  # type: ignore[misc]
    return record


def _need(book: Book, name: str) -> None:
    if name == "echelon" and not book.echelons:
        raise BadFile(
            "The file of forecasts has no column 'echelon'; say in it which stage each forecaster belongs to."
        )
    if name == "time" and np.isnan(book.resolved).all():
        raise BadFile("The file of outcomes has no column 'resolved'; a record over time needs to know when.")
    if name in ("area", "topic") and name not in book.labels:
        raise BadFile(f"The file of outcomes has no column {name!r}; a track record needs one label per question.")


def _entries(book: Book, diagnoses: Sequence[Diagnosis], rule: Rule) -> list[Entry]:
    areas, topics = book.labels.get("area"), book.labels.get("topic")
    entries = []
    for diagnosis in diagnoses:
        questions, scores = diagnosis.question_scores(rule)
        if np.isinf(scores).any():
            raise BadFile("A track record needs finite scores: give --floor, or --rule quadratic.")
        entries += [
            Entry(
                str(question),
                diagnosis.name,
                score,
                area=areas[question] if areas else "",
                topic=topics[question] if topics else "",
                echelon=book.echelons.get(diagnosis.name, ""),
                time=float(book.resolved[question]),
            )
            for question, score in zip(questions.tolist(), scores.tolist(), strict=True)
        ]
    return entries


def _over_time(book: Book, entries: Sequence[Entry], length: float | None) -> list[Cell]:
    times = book.resolved[~np.isnan(book.resolved)]
    if length is None:
        length = float(np.ptp(times)) / PERIODS or 1.0
        length = max(1.0, float(np.ceil(length))) if length > 1 else length
    if not book.dated:
        return record_over_time(entries, length=length)
    return record_over_time(entries, length=length, moment=_date)


def _date(days: float) -> str:
    return str(np.datetime64(round(days * 86400), "s")).removesuffix("T00:00:00").replace("T", " ")
