"""Summaries of all pairs where there are too many to list: counted by shared values, compared only where need be."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.scores.matching.arrays import Floats, Integers
from mensura.scores.matching.assignment import Candidates
from mensura.scores.matching.assignment.solving import TOLERANCE
from mensura.scores.matching.crowd import Common, unflagged
from mensura.scores.matching.threads import in_blocks

# Looks at pairs that are only counted, and at pairs that must be compared, beyond which summaries stay unknown.
MOST_COUNTED = 4_000_000_000
MOST_COMPARED = 200_000_000


@dataclass(frozen=True, slots=True)
class Survey:
    """A survey of the whole matrix of pairs.

    By reference the best recall and the number of candidates, by hypothesis the best precision and the number. Where
    candidates are not listed, also the reference that each hypothesis is worth most with (the first of equals; -1 for
    none).
    """

    best_recall: Floats
    best_precision: Floats
    per_reference: Integers
    per_hypothesis: Integers
    best_row: Integers | None = None


def survey_crowd(core: Candidates, common: Common, *, recall: Floats, precision: Floats) -> Survey | None:
    """Summarise all candidates, of which `core` are those that share something rare; None where it takes too long.

    Where nothing but sharing a value makes a candidate, candidates are counted. A reference whose best recall among
    the listed pairs exceeds what common values can give needs no further look, and likewise a hypothesis.
    """
    from mensura.scores.matching.assignment.entries import best_rows
    from mensura.scores.matching.crowd_search import survey_block
    from mensura.scores.matching.searching import work

    sides, cases = common.sides, common.cases
    rule = unflagged(common.rule)
    counting = rule.threshold <= 0 and len(sides.reference.low) == 0 and len(sides.reference.same) == 0
    looks = work(sides, rule)
    if looks > (MOST_COUNTED if counting else MOST_COMPARED):
        return None
    best_row, best_gain = best_rows(core.start, core.columns, core.worth, core.shape[1])
    # What pairs not listed can give at most, to within rounding; nothing where a listed pair gives as much.
    recall_wanted, precision_wanted = (
        np.where(found >= most, 0.0, most - TOLERANCE)
        for found, most in ((recall, common.recall), (precision, common.precision))
    )
    settled_column = (precision_wanted == 0) & (best_gain > common.column_bound + TOLERANCE)
    wanted = (recall_wanted, precision_wanted, np.maximum(best_gain, common.column_bound - TOLERANCE))

    def block(begin: int, end: int) -> Any:
        return survey_block(begin, end, sides, cases, rule, settled_column, *wanted, counting)

    parts = in_blocks(block, core.shape[0])
    gain, first = parts[0][4], parts[0][5]
    for part in parts[1:]:
        better = part[4] > gain
        gain, first = np.where(better, part[4], gain), np.where(better, part[5], first)
    return Survey(
        np.maximum(recall, np.concatenate([part[1] for part in parts])),
        np.maximum(precision, np.maximum.reduce([part[3] for part in parts])),
        np.concatenate([part[0] for part in parts]).astype(np.int64),
        np.add.reduce([part[2] for part in parts]).astype(np.int64),
        np.where(settled_column & counting, best_row, first).astype(np.int64),
    )
