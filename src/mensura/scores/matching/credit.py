"""Credit for two scalar values: one for the same, zero for strangers, something between by a stated rule."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.errors import BadParameter
from mensura.scores.matching.arrays import Floats, Integers

# How many nominal distances each curve reaches.
CURVES = {"linear": 1.0, "quadratic": 1.0, "step": 1.0, "halving": 10.0}
SIMILARITIES = ("edit", "trigrams", "words")
# Different values that a function of the user's own, and that edit distance, may be tried on: about a minute each.
MOST_CALLS = 4_000_000
MOST_EDITS = 100_000_000

Entries = tuple[Integers, Integers, Floats]


@dataclass(frozen=True, slots=True)
class CreditTable:
    """Credit between values of two sides: identifiers or scalars, and (row, column, F, recall, precision)."""

    reference: Mapping[Any, int]
    hypothesis: Mapping[Any, int]
    row: Integers
    column: Integers
    f: Floats
    recall: Floats
    precision: Floats


@dataclass(frozen=True, slots=True)
class Credit:
    r"""How two scalar values are credited.

    Curves take the ratio :math:`x` of a distance to the nominal one: ``linear`` :math:`\max(0, 1 - x)`, ``quadratic``
    :math:`\max(0, 1 - x^2)`, ``step`` one up to :math:`x = 1`, ``halving`` :math:`2^{-x}` up to :math:`x = 10`.
    Similarities are one minus the Levenshtein distance over the longer length (``edit``), and the share of three-letter
    pieces, padded with spaces, or of words that both strings have, whatever their case (``trigrams``, ``words``).

    Parameters
    ----------
    kind : {"exact", "curve", "similarity", "function"}
        Equality, a curve of numeric distance, a similarity of strings, or a function of the user.
    name : str
        Of the curve, the similarity, or the function.
    nominal : float
        For curves: the distance that counts as one.
    at_least : float
        For similarities and functions: lower credit counts as none.
    measure : callable, optional
        The function of the user: reference's and hypothesis's value to a number between 0 and 1.
    """

    kind: str = "exact"
    name: str = ""
    nominal: float = 1.0
    at_least: float = 0.0
    measure: Callable[[Any, Any], float] | None = field(default=None, compare=False)

    def between(self, reference: Sequence[Any], hypotheses: Sequence[Any], *, what: str = "a value") -> CreditTable:
        """Return the credit between different values of two sides; `what` names them in an error.

        Near numbers are found in order of size, strings with common words or trigrams by these. Edit distance and
        functions of the user's own are tried on every two different values, edit distance on those of fitting length.

        >>> Credit("similarity", "words").between(["the Town bridge"], ["town bridge", "harbour"]).f
        array([0.66666667])
        """
        first, second = ({each: place for place, each in enumerate(side)} for side in (reference, hypotheses))
        row, column, value = self._entries(reference, hypotheses, what)
        good = (value > 0) & (value >= self.at_least)
        row, column, value = row[good].astype(np.int64), column[good].astype(np.int64), value[good]
        return CreditTable(first, second, row, column, value, value, value)

    def _entries(self, reference: Sequence[Any], hypotheses: Sequence[Any], what: str) -> Entries:
        if self.kind == "exact":
            found = [
                (i, j) for i, value in enumerate(reference) for j, other in enumerate(hypotheses) if value == other
            ]
            rows, columns = np.array(found, np.int64).reshape(-1, 2).T
            return rows, columns, np.ones(len(rows))
        if self.kind == "curve":
            return self._near(reference, hypotheses)
        if self.kind == "similarity" and self.name != "edit":
            return _sharing(_trigrams if self.name == "trigrams" else _words, reference, hypotheses)
        most = MOST_CALLS if self.kind == "function" else MOST_EDITS
        if len(reference) * len(hypotheses) > most:
            raise BadParameter(
                f"{what} has {len(reference)} and {len(hypotheses)} different values; comparing each with each "
                f"by {self.name} would take too long (at most {most} comparisons). Make it exact, take "
                f"similarity: trigrams or words, or group the values first."
            )
        if self.kind == "function":
            return self._called(reference, hypotheses)
        return _edited(self.at_least, reference, hypotheses)

    def _near(self, reference: Sequence[float], hypotheses: Sequence[float]) -> Entries:
        from mensura.scores.matching.kernels import curve_credit

        first, second = np.array(reference, np.float64), np.array(hypotheses, np.float64)
        reach = self.nominal * CURVES[self.name]
        order = np.argsort(second)
        low = np.searchsorted(second[order], first - reach, side="left")
        high = np.searchsorted(second[order], first + reach, side="right")
        row = np.repeat(np.arange(len(first)), high - low)
        column = order[np.arange(len(row)) - np.repeat(np.cumsum(high - low) - high, high - low)]
        curve = list(CURVES).index(self.name)
        ratios = (np.abs(first[row] - second[column]) / self.nominal).tolist()
        return row, column, np.array([curve_credit(ratio, curve) for ratio in ratios], np.float64)

    def _called(self, reference: Sequence[Any], hypotheses: Sequence[Any]) -> Entries:
        assert self.measure is not None
        shape = (len(reference), len(hypotheses))
        matrix = np.array([[self.measure(a, b) for b in hypotheses] for a in reference], np.float64).reshape(shape)
        wrong = np.argwhere(~((matrix >= 0) & (matrix <= 1)))
        if len(wrong):
            i, j = wrong[0]
            raise BadParameter(f"Credit lies between 0 and 1; {self.name} gave {matrix[i, j]} for {reference[i]!r}.")
        row, column = np.nonzero(matrix)
        return row, column, matrix[row, column]


def _trigrams(text: str) -> set[str]:
    padded = f"  {text.lower()} "
    return {padded[index : index + 3] for index in range(len(padded) - 2)}


def _words(text: str) -> set[str]:
    return set(text.lower().split())


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


def _edited(at_least: float, reference: Sequence[str], hypotheses: Sequence[str]) -> Entries:
    from mensura.scores.matching.editing import edit_block
    from mensura.scores.matching.threads import in_blocks

    def letters(strings: Sequence[str]) -> tuple[Integers, Integers]:
        starts = np.concatenate(([0], np.cumsum([len(each) for each in strings]))).astype(np.int64)
        return starts, np.array([ord(letter) for each in strings for letter in each], np.int64)

    sides = (*letters(reference), *letters(hypotheses))
    parts = in_blocks(lambda begin, end: edit_block(begin, end, *sides, at_least), len(reference))
    row, column, value = (np.concatenate([part[place] for part in parts]) for place in range(3))
    return row, column, value
