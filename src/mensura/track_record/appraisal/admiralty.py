"""Admiralty codes: a letter for the source and a number for the content, from and to realism and appraisal."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isnan
from typing import TYPE_CHECKING

from mensura.errors import unknown
from mensura.track_record.calibration.diagnosis import Diagnosis
from mensura.track_record.calibration.verdict import is_off_level

if TYPE_CHECKING:
    from mensura.track_record.appraisal.appraisal import Appraisal

FEWEST = 10


@dataclass(frozen=True)
class Code:
    """A letter or number, the range of realism slope or appraisal share it stands for, and its words."""

    code: str
    low: float
    high: float
    words: str


@cache
def codes(kind: str) -> tuple[Code, ...]:
    """Return the codes of the source (A to F) or of the content (1 to 6), with the ranges of the data file."""
    text = files(__package__).joinpath("admiralty.csv").read_text()
    rows = [row for row in csv.DictReader(text.splitlines()) if row["kind"] == kind]
    return tuple(
        Code(row["code"], float(row["low"] or "nan"), float(row["high"] or "nan"), row["words"]) for row in rows
    )


def source_letter(source: Diagnosis | None) -> Code:
    """Translate a source's record to a letter by its realism function and its score.

    The letter goes by the slope. A line that is shown to lie too high or too low on the whole loses twice its offset:
    so either fault is graded by how far the line then lies from the diagonal at the end of the scale. A source not
    shown to score more than ignorance is D at best. F where there is no record, fewer than ten questions, or an
    interval that leaves both A and D possible. The limits of the letters are Mensura's, not the report's, and a letter
    loses much: show the realism function itself where you can.
    """
    best, _, _, worst, *_, unknown_source = codes("source")
    if source is None or source.n < FEWEST or isnan(source.realism.low):
        return unknown_source
    line = source.realism
    lost = 2 * abs(line.offset) if is_off_level(line) else 0.0
    low, slope, high = (min(value, 1.0) - lost for value in (line.low, line.a, line.high))
    if low < worst.high and high >= best.low:
        return unknown_source
    score = source.scores.get("quadratic", source.score)
    return _find("source", slope if score.low > 0 else min(slope, worst.low))


def is_reliable(source: Diagnosis | None) -> bool | None:
    """Return whether the letter of a source is A, B or C; None where it is F."""
    letter = source_letter(source).code
    return None if letter == "F" else letter in "ABC"


def content_number(appraisal: "Appraisal | None") -> Code:
    """Translate an appraisal to a number by its share of what certainty pays; 6 where nothing was believed before.

    >>> from mensura.track_record.appraisal.appraisal import appraise
    >>> content_number(appraise(believed=[0.9, 0.1], report=[0.1, 0.9])).words
    'Improbable'
    """
    return codes("content")[-1] if appraisal is None else _find("content", appraisal.share)


def meaning(code: str) -> tuple[Code, Code]:
    """Read a code such as "B2": what realism slope and what appraisal it stands for.

    >>> [part.words for part in meaning("B2")]
    ['Usually reliable', 'Probably true']
    """
    letters = {part.code: part for part in codes("source")}
    numbers = {part.code: part for part in codes("content")}
    text = code.strip().upper()
    if len(text) != 2 or text[0] not in letters or text[1] not in numbers:
        raise unknown("Admiralty code", code, known=[a + b for a in letters for b in numbers], see="A1 to F6.")
    return letters[text[0]], numbers[text[1]]


def _find(kind: str, value: float) -> Code:
    return next(part for part in codes(kind) if part.low <= value < part.high)
