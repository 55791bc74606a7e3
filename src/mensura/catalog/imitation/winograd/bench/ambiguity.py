"""Ambiguity: whether people who know what is meant give different answers, and how sure they are of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mensura.catalog.imitation.winograd.schema import Schema
from mensura.stats import Estimate, proportion_estimate
from mensura.stats.wording import several

Verdict = Literal["clear", "ambiguous", "undecided", "not checked"]
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


def check_ambiguity(
    schema: Schema, number: int, answers: Sequence[tuple[str, float | None]], *, sample: str = "people"
) -> Ambiguity:
    """Return whether a sentence has one answer: by people's answers first, else by the readings that its author gives.

    Parameters
    ----------
    schema, number
        The schema and which of its sentences.
    answers
        Each person's answer and confidence (0 to 1, None where it was not asked).
    sample
        Who the people are, in words.
    """
    held = schema.sentences[number].people
    said = [(name, None) for name, many in zip(schema.candidates, held, strict=False) for _ in range(many)]
    rows: list[tuple[str, float | None]] = [*answers, *said]
    if rows:
        whole, sure = _agreement(rows), _agreement([row for row in rows if (row[1] or 0) >= SURE])
        assert whole is not None
        counts = {name: sum(row[0] == name for row in rows) for name in schema.candidates}
        words = f"{several(len(rows), 'answer')} of {sample}: {_listed(counts)}"
        # Those who are sure and still disagree show two readings; doubt alone may be haste.
        split = [one for one in (whole, sure) if one is not None and one.high < AGREED]
        verdict: Verdict = "ambiguous" if split else "clear" if whole.low >= AGREED else "undecided"
        return Ambiguity(verdict, words, whole, sure)
    if schema.ambiguous:
        return Ambiguity("ambiguous", "its author gives circumstances for either answer; people were not asked")
    mine = [reading for reading in schema.readings if reading.sentence == number]
    if len({reading.right for reading in mine}) > 1:
        words = "; ".join(f"{schema.candidates[one.right]} if {one.when}" for one in mine)
        return Ambiguity("ambiguous", f"readings that its author gives ({words}); people were not asked")
    return Ambiguity("not checked", "no people's answers")


def _agreement(rows: Sequence[tuple[str, float | None]]) -> Estimate | None:
    if not rows:
        return None
    counts: Mapping[str, int] = {name: sum(row[0] == name for row in rows) for name in {row[0] for row in rows}}
    return proportion_estimate(max(counts.values()), n=len(rows))


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {many}" for name, many in counts.items())
