"""Admiralty codes: a letter for the source and a number for the content, from and to realism and appraisal."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isnan

from mensura.errors import unknown
from mensura.track_record.appraisal.appraisal import Appraisal
from mensura.track_record.calibration.diagnosis import Diagnosis

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
    """Translate a source's record to a letter by its realism slope.

    F where there is no record, fewer than ten questions, or an interval of the slope that leaves both A and D possible.
    Earlier releases drew the slope towards one, and so called reliable who had said little. The letter loses the error
    of the slope and its height: show the realism function itself where you can.
    """
    line = None if source is None else source.realism
    if source is None or line is None or source.n < FEWEST or isnan(line.low):
        return codes("source")[-1]
    best, _, _, worst, *_ = codes("source")
    return codes("source")[-1] if line.low < worst.high and line.high >= best.low else _find("source", line.a)


def content_number(appraisal: Appraisal | None) -> Code:
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
