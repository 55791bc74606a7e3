"""Ambiguity: whether people who know what is meant give different answers, and how sure they are of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from mensura.catalog.imitation.winograd.calibration.ease import ease_of
from mensura.catalog.imitation.winograd.schema import Schema
from mensura.stats import Estimate, Scale, proportion_estimate, two_sample_difference
from mensura.stats.wording import several

Verdict = Literal["clear", "ambiguous", "too narrow", "undecided", "not checked"]
PersonSaid = tuple[str, float | None] | tuple[str, float | None, str]
"""A person's answer, how sure they are of it (None where it was not asked), and their group if they have one."""
SPLIT: tuple[Verdict, ...] = ("ambiguous", "too narrow")
"""Verdicts on sentences that have no one answer for those who were asked."""
AGREED = 0.8
"""An item is ambiguous if fewer people than this share surely agree, and clear if more surely do."""
SURE = 0.75
"""From this confidence on a person counts as sure of their answer."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Whether a sentence has one answer, and what that rests on."""

    verdict: Verdict
    rests_on: str
    agreement: Estimate | None = None
    """Share of people who gave the most frequent answer."""
    sure: Estimate | None = None
    """The same among those who are sure of theirs."""

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "verdict": self.verdict,
            "rests_on": self.rests_on,
            "agreement": self.agreement.as_json() if self.agreement else None,
            "agreement_of_the_sure": self.sure.as_json() if self.sure else None,
        }


def check_ambiguity(schema: Schema, number: int, answers: Sequence[PersonSaid], *, sample: str = "people") -> Ambiguity:
    """Return whether a sentence has one answer: by people's answers first, else by the readings that its author gives.

    The bench and the calibration both give this verdict. A sentence is too narrow, and not ambiguous, if people split
    and mostly know that they guess.

    Parameters
    ----------
    schema, number
        The schema and which of its sentences.
    answers
        Each person's answer and confidence (0 to 1, None where it was not asked), and group.
    sample
        Who the people are, in words.
    """
    held = schema.sentences[number].people
    said = [(name, None) for name, many in zip(schema.candidates, held, strict=False) for _ in range(many)]
    rows: list[PersonSaid] = [*answers, *said]
    if rows:
        whole, sure = _agreement(rows), _agreement([row for row in rows if (row[1] or 0) >= SURE])
        apart = _groups_apart(rows)
        assert whole is not None
        counts = {name: sum(row[0] == name for row in rows) for name in schema.candidates}
        words = f"{several(len(rows), 'answer')} of {sample}: {_listed(counts)}"
        # Those who are sure and still disagree show two readings; doubt alone may be haste.
        split = [one for one in (whole, sure) if one is not None and one.high < AGREED]
        verdict: Verdict = "clear" if whole.low >= AGREED else "undecided"
        if apart:
            verdict, words = "ambiguous", f"{words}; {apart}"
        elif split:
            verdict = "too narrow" if _guessed(rows, schema, number) else "ambiguous"
        return Ambiguity(verdict, words, whole, sure)
    if schema.ambiguous:
        return Ambiguity("ambiguous", "its author gives circumstances for either answer; people were not asked")
    mine = [reading for reading in schema.readings if reading.sentence == number]
    if len({reading.right for reading in mine}) > 1:
        words = "; ".join(f"{schema.candidates[one.right]} if {one.when}" for one in mine)
        return Ambiguity("ambiguous", f"readings that its author gives ({words}); people were not asked")
    return Ambiguity("not checked", "no people's answers")


def _groups_apart(rows: Sequence[PersonSaid]) -> str:
    """Return which two groups surely prefer different answers; "" where no two do."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        if len(row) > 2 and row[2]:
            groups.setdefault(row[2], []).append(row[0])
    for one, other in combinations(sorted(groups), 2):
        first, second = (Counter(groups[name]).most_common(1)[0][0] for name in (one, other))
        if first == second:
            continue
        shares = [[float(answer == first) for answer in groups[name]] for name in (one, other)]
        if two_sample_difference(first=shares[0], second=shares[1], scale=Scale()).difference.low > 0:
            return f"most of {one} answer {first}, most of {other} {second}"
    return ""


def _guessed(rows: Sequence[PersonSaid], schema: Schema, number: int) -> bool:
    """Return whether people who split rather guessed than read the sentence in two ways; False if nobody says so."""
    right, cells = schema.candidates[schema.sentences[number].right], [0, 0, 0, 0]
    for row in rows:
        if row[1] is None:
            return False
        cells[2 * (row[0] != right) + (row[1] < SURE)] += 1
    chances = ease_of((cells[0], cells[1], cells[2], cells[3]), options=len(schema.candidates))
    return chances["too narrow"] > chances["ambiguous"]


def _agreement(rows: Sequence[PersonSaid]) -> Estimate | None:
    if not rows:
        return None
    counts: Mapping[str, int] = {name: sum(row[0] == name for row in rows) for name in {row[0] for row in rows}}
    return proportion_estimate(max(counts.values()), n=len(rows))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {many}" for name, many in counts.items())
