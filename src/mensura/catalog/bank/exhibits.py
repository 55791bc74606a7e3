"""Exhibits of banks: probabilities as track records are shown, and where the right option stood."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mensura.dialogue import UNANSWERED, Answer, Bank, Columns, Record, columns_of
from mensura.errors import BadData
from mensura.exhibit import Exhibit, Group
from mensura.exhibit.exhibit import Cell
from mensura.scores.natural import natural
from mensura.stats import Scale, goodness_of_fit, unit_estimate
from mensura.track_record.calibration.diagnosis import Diagnosis, DiagnosisOptions, diagnose
from mensura.track_record.calibration.sheet import Block, Sheet
from mensura.track_record.exhibits import forecaster_exhibits

WORK = 2e7
"""Turns of the inversion: a report of many runs is not kept waiting for the last digit of a tail."""
COLUMNS = ("subject", "position", "right option there", "accuracy there", "chosen", "share chosen")


def exhibits(items: Bank, groups: Sequence[Group]) -> list[Exhibit]:
    """Show how groups that gave probabilities are calibrated, and where the right option stood if it was permuted."""
    stated = any(item.space.kind == "distribution" for item in items)
    asked = [group for group in groups if stated or group.parameters.get("elicit") == "probabilities"]
    permuted = [group for group in groups if group.parameters.get("shuffle")]
    return [*_calibration(asked), *_positions(permuted)]


def _calibration(groups: Sequence[Group]) -> list[Exhibit]:
    options = DiagnosisOptions(work=WORK)
    found = [one for group in groups if (one := _diagnosis(group, options)) is not None]
    return forecaster_exhibits(found, options=options) if found else []


def _diagnosis(group: Group, options: DiagnosisOptions) -> Diagnosis | None:
    sheet = Sheet(tuple(map(_block, columns_of(_observed(group)))))
    if not len(sheet):
        return None
    first = Sheet(tuple(block.of(np.unique(block.questions, return_index=True)[1]) for block in sheet))
    found = diagnose(sheet, first=first, name=group.name, options=options)
    return replace(found, score=group.estimates.get("logarithmic_score", found.score))


def _observed(group: Group) -> Iterator[tuple[Record, Mapping[str, Any]]]:
    """Return the records without answers that came from a cache and are no new observations.

    Without their addresses too: an item is one question, in whatever order its options stood.
    """
    seen: set[str] = set()
    for record, truths in group.records:
        fresh = [one for one in record.answers if one.key not in seen or (one.notes or {}).get("cached") is not True]
        seen.update(one.key for one in fresh)
        yield replace(record, addresses={}, answers=fresh), truths


def _block(page: Columns) -> Block:
    """Let every item count once, however often it was asked."""
    _, place, times = np.unique(page.key, return_inverse=True, return_counts=True)
    return Block(page.value, page.truth, page.key, 1 / times[place])


@dataclass(frozen=True)
class Placed:
    """One answer to a choice whose options were permuted: where the right option stood, and which was chosen."""

    item: str
    options: int
    right: int
    chosen: tuple[int, ...]
    """The positions chosen; several where probabilities tie, none where nothing was answered."""
    accuracy: float


def placed_answers(group: Group) -> Iterator[Placed]:
    """Return the answers of a group to choices whose order is in the record; what was lost is left out."""
    for record, truths in group.records:
        for answer in record.answers:
            placed = _placed(record, answer, truths)
            if placed is not None:
                yield placed


def _placed(record: Record, answer: Answer, truths: Mapping[str, Any]) -> Placed | None:
    truth, outcome = truths.get(answer.key), record.outcome_of(answer)
    if truth is None or answer.kind not in ("choice", "distribution") or outcome not in ("answered", *UNANSWERED):
        return None
    options = list(((record.content(answer.number) or {}).get("space") or {}).get("options") or ())
    if truth not in options:
        return None
    if outcome != "answered":
        return Placed(answer.key, len(options), options.index(truth), (), 0.0)
    shares = answer.value if isinstance(answer.value, Mapping) else {answer.value: 1.0}
    most = max(shares.values())
    chosen = tuple(place for place, option in enumerate(options) if shares.get(option, 0.0) > most - 1e-9)
    accuracy = float(natural(answer.kind, [answer.value], [truth])["accuracy"][0])
    return Placed(answer.key, len(options), options.index(truth), chosen, accuracy)


def _positions(groups: Sequence[Group]) -> list[Exhibit]:
    rows: list[Sequence[Cell]] = []
    notes = []
    for group in groups:
        answers = list(placed_answers(group))
        rows += _rows(group.name, answers)
        notes += _bias(group.name, answers)
    if not rows:
        return []
    words = (
        "Options were permuted at every ask. A subject that prefers no position is as often right wherever the right "
        "option stands, and chooses every position as often."
    )
    return [Exhibit("Accuracy by the position of the right option", words, COLUMNS, rows, notes=notes)]


def _rows(name: str, answers: Sequence[Placed]) -> Iterator[Sequence[Cell]]:
    given = sum(bool(one.chosen) for one in answers)
    for place in range(max((one.options for one in answers), default=0)):
        there = [one for one in answers if one.right == place]
        items: dict[str, list[float]] = {}
        for one in there:
            items.setdefault(one.item, []).append(one.accuracy)
        means = [float(np.mean(values)) for values in items.values()]
        accuracy = unit_estimate(means, unit="item", scale=Scale(0, 1)) if means else None
        chosen = _times_chosen(answers, place)
        yield name, place + 1, len(there), accuracy, chosen, chosen / given if given else None


def _bias(name: str, answers: Sequence[Placed]) -> list[str]:
    """Test whether all positions were chosen alike, where all items have equally many options."""
    counts = {one.options for one in answers}
    if len(counts) != 1 or any(len(one.chosen) > 1 for one in answers):
        return []
    try:
        fit = goodness_of_fit([_times_chosen(answers, place) for place in range(counts.pop())])
    except BadData:
        return []
    return [f"{name}, positions chosen: {fit}"]


def _times_chosen(answers: Sequence[Placed], place: int) -> float:
    return sum(1 / len(one.chosen) for one in answers if place in one.chosen)
