"""Finds the pairs worth considering: by shared values where they are few, all of them where most share something."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.errors import BadParameter
from mensura.scores.matching.arrays import Admission, Cases, Sides
from mensura.scores.matching.assignment import Candidates
from mensura.scores.matching.crowd import Common, bounded, mark_common
from mensura.scores.matching.survey import Survey, survey_crowd
from mensura.scores.matching.threads import in_blocks

# A full matrix is kept up to this many entries (2 GB); sparse rows come from at most this many looks, and beyond
# that the values that most pairs share are set aside.
MOST_ENTRIES = 250_000_000
MOST_LOOKS = 40_000_000
# Above this share of all pairs, looking at each pair once is quicker than going by shared values.
_CROWDED = 0.2

Blocks = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Candidates, and what is known of the whole matrix of pairs (None where nothing is).

    Where `common` is set, pairs that share only very common values are not among the candidates.
    """

    candidates: Candidates
    survey: Survey | None
    common: Common | None = None


def find_candidates(sides: Sides, rule: Admission, *, listed_for: str = "") -> tuple[Shortlist, Admission | None]:
    """Find all pairs that the rule admits, or all but those that share only very common values.

    `listed_for` says what needs every candidate listed; then too many of them are an error. The rule that comes with
    them marks the common values that were set aside; it is None where none were.
    """
    from mensura.scores.matching.searching import work

    height, width = len(sides.reference.basis), len(sides.hypothesis.basis)
    if height == 0 or width == 0:
        none = Candidates((height, width), np.zeros(height + 1, np.int64), np.empty(0, np.int64), np.empty(0))
        nothing, nobody = np.zeros(height, np.int64), np.zeros(width, np.int64)
        return Shortlist(none, Survey(np.zeros(height), np.zeros(width), nothing, nobody)), None
    looks = work(sides, rule)
    if looks >= _CROWDED * height * width and height * width <= MOST_ENTRIES:
        return _dense(sides, rule, height, width), None
    if looks <= MOST_LOOKS:
        return _sparse(sides, rule, height, width), None
    if listed_for:
        raise BadParameter(
            f"{height} references and {width} hypotheses share values in about {looks:.2g} ways, too many to list "
            f"every pair (at most {MOST_LOOKS}), which {listed_for} needs. Raise the threshold: pairs that cannot "
            f"reach it are not looked at."
        )
    marked = mark_common(sides, rule, budget=MOST_LOOKS / 2)
    return _sparse(sides, marked, height, width), marked


def with_crowd(found: Shortlist, sides: Sides, cases: Cases, *, rule: Admission, marked: Admission) -> Shortlist:
    """Add to the candidates what is needed to pair over those that were not listed, and survey all of them.

    `rule` says what a pair of whole cases is worth, `marked` which values were set aside.
    """
    common = bounded(sides, cases, rule=rule, marked=marked)
    assert found.survey is not None
    best = {"recall": found.survey.best_recall, "precision": found.survey.best_precision}
    return Shortlist(found.candidates, survey_crowd(found.candidates, common, **best), common)


def _dense(sides: Sides, rule: Admission, height: int, width: int) -> Shortlist:
    from mensura.scores.matching.searching import dense_block

    matrix = np.empty((height, width))
    parts = in_blocks(lambda begin, end: dense_block(begin, end, sides, rule, matrix), height)
    return Shortlist(Candidates.full(matrix), _survey(*zip(*parts, strict=True)))


def _sparse(sides: Sides, rule: Admission, height: int, width: int) -> Shortlist:
    from mensura.scores.matching.searching import sparse_block

    parts = in_blocks(lambda begin, end: sparse_block(begin, end, sides, rule), height)
    counts, columns, worth, *best = zip(*parts, strict=True)
    survey = _survey(counts, *best)
    start = np.concatenate(([0], np.cumsum(survey.per_reference))).astype(np.int64)
    return Shortlist(Candidates((height, width), start, np.concatenate(columns), np.concatenate(worth)), survey)


def _survey(counts: Blocks, recall: Blocks, precision: Blocks, per_hypothesis: Blocks) -> Survey:
    found = np.concatenate(recall), np.maximum.reduce(precision), np.concatenate(counts)
    return Survey(*found, np.add.reduce(per_hypothesis))
