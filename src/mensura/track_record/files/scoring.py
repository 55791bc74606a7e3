"""Scoring of files: from a book of forecasts to one diagnosis per forecaster."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from mensura.errors import BadFile
from mensura.exhibit import Exhibit
from mensura.stats import Estimate
from mensura.stats.wording import times
from mensura.track_record.calibration.diagnosis import Diagnosis, DiagnosisOptions, diagnose, estimate_scores
from mensura.track_record.files.book import Book
from mensura.track_record.files.table import BadRow, refuse, skipped
from mensura.track_record.over_time.persistence import Persistence, persistence_of
from mensura.track_record.over_time.standing import (
    Forecasts,
    calibrated_sheet,
    default_interval,
    first_sheet,
    scored_sheet,
)
from mensura.track_record.over_time.timelines import timeline_exhibits
from mensura.track_record.skill import TrackRecord, track_record
from mensura.track_record.together.together import Together, look_together

UNFINISHED = "were planned to end after the last moment of the record: they count when their like are known too"


@dataclass
class Scored:
    """The scores of a book: one diagnosis per forecaster, what was left out, and what must be said."""

    diagnoses: list[Diagnosis]
    options: DiagnosisOptions
    bad: list[BadRow] = field(default_factory=list)
    set_aside: int = 0
    unresolved: int = 0
    unfinished: int = 0
    every: float | None = None
    dated: bool = False
    """Whether times are dates, so that they are counted in days."""
    notes: list[str] = field(default_factory=list)
    together: Together | None = None
    persistence: dict[str, Persistence] = field(default_factory=dict)
    """The persistence of each forecaster's bias, by name, where periods were asked for."""
    timelines: list[Exhibit] = field(default_factory=list)
    """Questions whose forecasts were revised most, over time."""
    record: TrackRecord | None = None
    """Track record, where one was asked for; small cells are not told."""

    def as_json(self) -> dict[str, Any]:
        """Return everything as data; unknown numbers are NaN, infinite ones stay infinite."""
        beyond: dict[str, Any] = {}
        if self.together is not None:
            beyond["comparison"] = self.together.as_json()
        if self.persistence:
            beyond["persistence"] = {name: found.as_json() for name, found in self.persistence.items()}
        if self.record is not None:
            beyond["track_record"] = self.record.as_json()
        return {
            "rule": self.options.rule.name,
            "proper": self.options.rule.proper,
            "floor": self.options.floor,
            "forecasters": [diagnosis.as_json() for diagnosis in self.diagnoses],
            "skipped": {
                "bad_rows": len(self.bad),
                "set_aside_with_them": self.set_aside,
                "unresolved": self.unresolved,
                "unfinished": self.unfinished,
            },
            "scheduled_every": self.every,
            "notes": self.notes,
        } | beyond

    def remarks(self) -> list[str]:
        """Return what was left out, and what must be known beside the numbers."""
        said = left_out(self)
        if self.every is not None:
            unit = "day" if self.dated else "time unit"
            every = unit if self.every == 1 else f"{self.every:.3g} {unit}s"
            said.append(
                "Scores are averages over the planned time of a question: before the first forecast and after "
                f"resolution ignorance's 0 counts. Calibration uses the forecasts standing every {every} after a "
                "question opened."
            )
        return said + self.notes


def left_out(rows: Book | Scored) -> list[str]:
    """Return which rows are not scored, and why."""
    said = skipped(rows.bad)
    if rows.set_aside:
        said.append(f"{rows.set_aside} other rows of the same forecasts were set aside with them.")
    if rows.unresolved:
        said.append(f"{rows.unresolved} rows are about questions without an outcome.")
    if rows.unfinished:
        said.append(f"{rows.unfinished} forecasts are about questions that {UNFINISHED}.")
    return said


def read_files(forecasts: str | Path, outcomes: str | Path | None = None) -> Book:
    """Read both files of the long form, or the one of the binary form."""
    if outcomes is None:
        from mensura.track_record.files.binary_form import read_binary

        return read_binary(forecasts)
    from mensura.track_record.files.long_form import read_long

    return read_long(forecasts, outcomes)


def score_book(
    book: Book, *, options: DiagnosisOptions | None = None, skip_bad: bool = False, every: float | None = None
) -> Scored:
    """Diagnose every forecaster of a book; bad rows are refused with their names unless they may be skipped.

    `every` is the distance of the scheduled moments of calibration, in days or the file's unit.
    """
    options = options or DiagnosisOptions()
    _check(book, skip_bad)
    timed = bool((~np.isnan(book.resolved)).any()) and any((~np.isnan(page.time)).any() for page in book.pages)
    if timed and every is None:
        every = default_interval(book.opened, book.closes, forecasters=len(book.forecasters))
    scored = Scored([], options, book.bad, book.set_aside, book.unresolved, book.unfinished)
    scored.every, scored.dated = every if timed else None, book.dated
    # A fixed amount of work for all forecasters together: where they are many, each gets a larger step.
    options = replace(options, work=min(2e8, 2e9 / len(book.forecasters)))
    for name, groups in _each(book):
        _diagnose(scored, name, groups, options, book)
    _note(scored, book)
    return scored


def score_only(book: Book, options: DiagnosisOptions, *, skip_bad: bool = False) -> dict[str, dict[str, Estimate]]:
    """Return the scores of every forecaster by each rule and nothing else: millions of rows in a moment."""
    _check(book, skip_bad)
    sheets = {name: scored_sheet(groups, one_sided=book.one_sided) for name, groups in _each(book)}
    return {name: estimate_scores(sheet, options) for name, sheet in sheets.items() if len(sheet)}


def _check(book: Book, skip_bad: bool) -> None:
    if book.bad and not skip_bad:
        raise refuse(book.bad)
    if not any(map(len, book.pages)):
        if book.unfinished:
            raise BadFile(f"There is nothing to score yet: all questions with an outcome {UNFINISHED}.")
        raise BadFile("There is nothing to score: no forecast is about a question with a known outcome.")


def _each(book: Book) -> Iterator[tuple[str, list[Forecasts]]]:
    """Return what each forecaster said."""
    bounds = [np.searchsorted(page.subject, np.arange(len(book.forecasters) + 1)) for page in _sorted(book)]
    for code, name in enumerate(book.forecasters):
        groups = [
            book.standing(page.of(slice(edges[code], edges[code + 1])))
            for page, edges in zip(book.pages, bounds, strict=True)
            if edges[code + 1] > edges[code]
        ]
        if groups:
            yield name, groups


def look_further(
    scored: Scored,
    book: Book,
    *,
    compare: bool = False,
    periods: int | None = None,
    by: Sequence[str] = (),
    length: float | None = None,
) -> None:
    """Add what looks at several forecasters, periods or kinds of questions at once."""
    if by:
        scored.record = track_record(book, scored.diagnoses, by=by, rule=scored.options.rule, length=length)
    if compare:
        found = look_together(book, every=scored.every)
        if isinstance(found, str):
            scored.notes.append(found)
        else:
            scored.together = found
    if periods:
        for diagnosis in scored.diagnoses:
            scored.persistence[diagnosis.name] = persistence_of(
                diagnosis, book, periods=periods, floor=scored.options.floor
            )
    scored.timelines = timeline_exhibits(book)


def _sorted(book: Book) -> Any:
    for i, page in enumerate(book.pages):
        if (page.subject[1:] < page.subject[:-1]).any():
            book.pages[i] = page.of(np.argsort(page.subject, kind="stable"))
    return book.pages


def _diagnose(scored: Scored, name: str, groups: list[Forecasts], options: DiagnosisOptions, book: Book) -> None:
    one_sided, coverage = book.one_sided, float("nan")
    sheet = scored_sheet(groups, one_sided=one_sided)
    moments = first = None
    if scored.every is not None or not all(np.isnan(group.times).all() for group in groups):
        if not len(sheet):
            scored.notes.append(f"{name}: no forecast stood for any time before resolution, so nothing is scored.")
            return
        moments = calibrated_sheet(groups, every=scored.every or 1.0, one_sided=one_sided)
        if not len(moments):
            scored.notes.append(
                f"{name}: no forecast stood at a scheduled moment; calibration uses every forecast instead."
            )
        first = first_sheet(groups, one_sided=one_sided)
        coverages = np.concatenate([group.coverage() for group in groups])
        known = coverages[~np.isnan(coverages)]
        coverage = float(known.mean()) if len(known) else coverage
    scored.diagnoses.append(diagnose(sheet, moments, first, name=name, options=options, coverage=coverage))


def _note(scored: Scored, book: Book) -> None:
    notes = scored.notes
    if not scored.options.rule.proper:
        notes.append(f"The rule {scored.options.rule.name!r} is improper: honest people lose by it.")
    lost = sum(diagnosis.impossible for diagnosis in scored.diagnoses)
    if lost:
        answer = "the floor" if "floor" in scored.options.rule.name else "−∞ where the rule is logarithmic"
        notes.append(f"Probability zero was given to what happened {times(lost)}; the rule's own answer is {answer}.")
    clipped = sum(diagnosis.clipped for diagnosis in scored.diagnoses)
    if clipped:
        notes.append(
            f"{clipped} corrected probabilities lay outside [{scored.options.floor:g}, {1 - scored.options.floor:g}] "
            "and were clipped to it."
        )
    if book.implied:
        notes.append(f"{book.implied} alternatives were not listed although the rest sum to one; they count as zero.")
    if any((~np.isnan(page.time)).any() for page in book.pages) and scored.every is None:
        notes.append(
            "Questions have no time of resolution, so the last forecast of each counts: honest only where no question "
            "could be resolved early."
        )
    elif book.assumed and scored.every is not None:
        unit = "days" if book.dated else "time units"
        notes.append(
            "Not every outcome says in a column 'closes' when its question was planned to end; those are taken to have "
            f"been planned for {book.assumed:.3g} {unit}, as long as any ran, so that short ones count for less."
        )
    lower = [diagnosis.name for diagnosis in scored.diagnoses if diagnosis.loss.labelling < 0]
    if lower:
        notes.append(
            f"For {', '.join(lower[:5])}{' and others' if len(lower) > 5 else ''} the least-squares line would lower "
            "the logarithmic score: it is best for the quadratic rule, and the claim that it always helps is false."
        )
