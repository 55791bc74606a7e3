"""Cases of one type as arrays, so that comparing millions of pairs is a tight loop."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Side(NamedTuple):
    """Cases of one side.

    Tokens stand for values that match all or nothing: sorted codes of case ``i`` are
    ``codes[start[i] : start[i + 1]]``. `numbers` hold one row per numeric attribute, NaN where missing. Values that
    are credited by a table stand in `table_codes`, with one row of `table_start` per such attribute. `low` and `high`
    are the intervals and `same` the codes of the conditions. `basis` is the summed weight of all assertions.
    """

    basis: Floats
    start: Integers
    codes: Integers
    numbers: Floats
    table_start: Integers
    table_codes: Integers
    low: Floats
    high: Floats
    same: Integers


class Postings(NamedTuple):
    """Which hypotheses hold a value: by token, by table code, and by numbers in order."""

    start: Integers
    cases: Integers
    order: Integers
    ordered: Floats
    known: Integers
    table_start: Integers
    table_cases: Integers


class Credits(NamedTuple):
    """The worth of agreement, weights included.

    A token in common adds `recall` to the recall contribution and `precision` to the precision contribution. A number
    adds its weight times a curve of the distance. Table entries hold F, recall and precision of two values; values
    are paired one-to-one to the greatest sum of F.
    """

    recall: Floats
    precision: Floats
    number_weight: Floats
    nominal: Floats
    curve: Integers
    table_weight: Floats
    table_start: Integers
    table_column: Integers
    table_f: Floats
    table_recall: Floats
    table_precision: Floats


class Admission(NamedTuple):
    """Which pairs are candidates and what a pair is worth.

    `objective` 0 is F, 1 recall, 2 the cost that the pair saves. Cases whose flag is set in `skip_reference` or
    `skip_hypothesis` are paired already. Tokens, numbers and tables flagged as `common` are held by so many cases
    that no search starts from them.
    """

    threshold: float
    objective: int
    false_negative: Floats
    false_positive: Floats
    skip_reference: NDArray[np.bool_]
    skip_hypothesis: NDArray[np.bool_]
    common_token: NDArray[np.bool_]
    common_number: NDArray[np.bool_]
    common_table: NDArray[np.bool_]


class Cases(NamedTuple):
    """Which rows of the hypotheses' side are the alternatives of one case, and how likely each is.

    Rows of case ``j`` are ``first_row[j]`` to ``first_row[j + 1]``, and `case_of_row` leads back.
    """

    first_row: Integers
    case_of_row: Integers
    probability: Floats


class Sides(NamedTuple):
    """Both sides of one type, the index of the hypotheses, and what agreement is worth."""

    reference: Side
    hypothesis: Side
    postings: Postings
    credits: Credits


def f_values(recall: Floats, precision: Floats | float) -> Floats:
    """Return the harmonic mean of recall and precision, 0 where both are 0.

    >>> f_values(np.array([1 / 3, 0.0]), np.array([1 / 2, 0.0]))
    array([0.4, 0. ])
    """
    total = recall + precision
    return np.divide(2 * recall * precision, total, out=np.zeros_like(total), where=total > 0)
