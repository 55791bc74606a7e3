"""Tables of credit between values that need not be equal: near numbers, similar strings, and the user's functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.detection.scoring.arrays import Floats, Integers
from mensura.catalog.detection.scoring.credit import PIECES, REACH, Credit
from mensura.catalog.detection.scoring.specification import Attribute
from mensura.errors import BadParameter

# Different values that a function of the user's own, and that edit distance, may be tried on: about a minute each.
MOST_CALLS = 4_000_000
MOST_EDITS = 100_000_000

Entries = tuple[Integers, Integers, Floats]


@dataclass(frozen=True, slots=True)
class Table:
    """Credit between values of two sides: identifiers or scalars, and (row, column, F, recall, precision)."""

    reference: Mapping[Any, int]
    hypothesis: Mapping[Any, int]
    row: Integers
    column: Integers
    f: Floats
    recall: Floats
    precision: Floats


def scalar_table(attribute: Attribute, reference: list[Any], hypotheses: list[Any]) -> Table:
    """Credit between all different values of one scalar attribute that is not exact.

    Near numbers are found in order of size, strings with common words or trigrams by these. Edit distance and
    functions of the user's own are tried on every two different values, edit distance on those of fitting length.
    """
    credit = attribute.credit
    if credit.kind == "curve":
        found = _near(credit, reference, hypotheses)
    elif credit.kind == "similarity" and credit.name in PIECES:
        found = _sharing(PIECES[credit.name], reference, hypotheses)
    elif credit.kind == "similarity":
        _limit(attribute, reference, hypotheses, MOST_EDITS)
        found = _edited(credit, reference, hypotheses)
    else:
        _limit(attribute, reference, hypotheses, MOST_CALLS)
        found = _called(credit.function(), reference, hypotheses)
    row, column, value = found
    good = (value > 0) & (value >= credit.at_least)
    row, column, value = row[good].astype(np.int64), column[good].astype(np.int64), value[good]
    first, second = ({each: place for place, each in enumerate(side)} for side in (reference, hypotheses))
    return Table(first, second, row, column, value, value, value)


def _limit(attribute: Attribute, reference: Sequence[Any], hypotheses: Sequence[Any], most: int) -> None:
    if len(reference) * len(hypotheses) > most:
        raise BadParameter(
            f"{attribute.name} has {len(reference)} and {len(hypotheses)} different values; comparing each with each "
            f"by {attribute.credit.name} would take too long (at most {most} comparisons). Make it exact, take "
            f"similarity: trigrams or words, or group the values first."
        )


def _near(credit: Credit, reference: Sequence[float], hypotheses: Sequence[float]) -> Entries:
    first, second = np.array(reference, np.float64), np.array(hypotheses, np.float64)
    reach = credit.nominal * REACH[credit.name]
    order = np.argsort(second)
    low = np.searchsorted(second[order], first - reach, side="left")
    high = np.searchsorted(second[order], first + reach, side="right")
    row = np.repeat(np.arange(len(first)), high - low)
    column = order[np.arange(len(row)) - np.repeat(np.cumsum(high - low) - high, high - low)]
    function = credit.function()
    pairs = zip(row.tolist(), column.tolist(), strict=True)
    return row, column, np.array([function(reference[a], hypotheses[b]) for a, b in pairs], np.float64)


def _sharing(pieces: Callable[[str], set[str]], reference: Sequence[str], hypotheses: Sequence[str]) -> Entries:
    """Share of pieces that two strings have in common, for those that have any (Jaccard)."""
    from scipy.sparse import csr_array

    code: dict[str, int] = {}
    sides, sizes = [], []
    for strings in (reference, hypotheses):
        # Strings without any piece are alike: they share that they have none.
        held = [pieces(each) or {""} for each in strings]
        starts = np.concatenate(([0], np.cumsum([len(each) for each in held]))).astype(np.int64)
        codes = np.array([code.setdefault(piece, len(code)) for each in held for piece in sorted(each)], np.int64)
        sides.append((starts, codes))
        sizes.append(np.diff(starts))
    first, second = (
        csr_array((np.ones(len(codes)), codes, starts), shape=(len(starts) - 1, len(code))) for starts, codes in sides
    )
    shared = (first @ second.T).tocoo()
    return shared.row, shared.col, shared.data / (sizes[0][shared.row] + sizes[1][shared.col] - shared.data)


def _edited(credit: Credit, reference: Sequence[str], hypotheses: Sequence[str]) -> Entries:
    from mensura.catalog.detection.scoring.editing import edit_block
    from mensura.catalog.detection.scoring.threads import in_blocks

    def letters(strings: Sequence[str]) -> tuple[Integers, Integers]:
        starts = np.concatenate(([0], np.cumsum([len(each) for each in strings]))).astype(np.int64)
        return starts, np.array([ord(letter) for each in strings for letter in each], np.int64)

    sides = (*letters(reference), *letters(hypotheses))
    parts = in_blocks(lambda begin, end: edit_block(begin, end, *sides, credit.at_least), len(reference))
    row, column, value = (np.concatenate([part[place] for part in parts]) for place in range(3))
    return row, column, value


def _called(function: Callable[[Any, Any], float], reference: Sequence[Any], hypotheses: Sequence[Any]) -> Entries:
    matrix = np.array([[function(a, b) for b in hypotheses] for a in reference], np.float64)
    matrix = matrix.reshape(len(reference), len(hypotheses))
    row, column = np.nonzero(matrix)
    return row, column, matrix[row, column]
