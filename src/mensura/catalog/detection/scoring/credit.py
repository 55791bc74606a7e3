"""Credit for a pair of scalar values: one for the same, zero for strangers, something between by a stated rule."""

from collections.abc import Callable
from dataclasses import dataclass

from mensura.catalog.detection.scoring.function import load_function
from mensura.errors import BadParameter

CURVES = ("linear", "quadratic", "step", "halving")
SIMILARITIES = ("edit", "trigrams", "words")
REACH = {"linear": 1.0, "quadratic": 1.0, "step": 1.0, "halving": 10.0}


@dataclass(frozen=True, slots=True)
class Credit:
    """How two scalar values are credited.

    Parameters
    ----------
    kind : {"exact", "curve", "similarity", "function"}
        Equality, a curve of numeric distance, a similarity of strings, or a function of the user.
    name : str
        Of the curve, the similarity, or the function as ``package.module:function`` or ``file.py:function``.
    nominal : float
        For curves: the distance that counts as one.
    at_least : float
        For similarities and functions: lower credit counts as none.
    """

    kind: str = "exact"
    name: str = ""
    nominal: float = 1.0
    at_least: float = 0.0

    def function(self) -> Callable[[object, object], float]:
        """Give the credit as a function of the reference's and the hypothesis's value."""
        if self.kind == "exact":
            return lambda reference, hypothesis: float(reference == hypothesis)
        if self.kind == "curve":
            return lambda reference, hypothesis: curve(
                abs(float(reference) - float(hypothesis)) / self.nominal,  # type: ignore[arg-type]
                name=self.name,
            )
        measure = _SIMILARITY[self.name] if self.kind == "similarity" else load_function(self.name)

        def credit(reference: object, hypothesis: object) -> float:
            value = float(measure(reference, hypothesis))  # type: ignore[arg-type]
            if not 0 <= value <= 1:
                raise BadParameter(f"Credit lies between 0 and 1; {self.name} gave {value} for {reference!r}.")
            return value if value >= self.at_least else 0.0

        return credit


def curve(ratio: float, *, name: str) -> float:
    r"""Credit for a distance given as a ratio :math:`x` to the nominal distance.

    ``linear`` :math:`\max(0, 1 - x)` (the default, ours: the source's own curve is lost), ``quadratic``
    :math:`\max(0, 1 - x^2)`, ``step`` one up to :math:`x = 1`, ``halving`` :math:`2^{-x}` up to :math:`x = 10`.

    >>> [curve(0.5, name=name) for name in ("linear", "quadratic", "step")]
    [0.5, 0.75, 1.0]
    """
    if name == "linear":
        return max(0.0, 1.0 - ratio)
    if name == "quadratic":
        return max(0.0, 1.0 - ratio * ratio)
    if name == "step":
        return float(ratio <= 1.0)
    return 0.5**ratio if ratio <= REACH["halving"] else 0.0


def edit_similarity(reference: str, hypothesis: str) -> float:
    """One minus the Levenshtein distance over the longer length.

    >>> edit_similarity("truck bomb", "truck bombs")
    0.9090909090909091
    """
    if reference == hypothesis:
        return 1.0
    before = list(range(len(hypothesis) + 1))
    for row, letter in enumerate(reference, start=1):
        now = [row]
        for column, other in enumerate(hypothesis, start=1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != other)))
        before = now
    return 1.0 - before[-1] / max(len(reference), len(hypothesis))


def trigram_similarity(reference: str, hypothesis: str) -> float:
    """Share of three-letter pieces, padded with spaces, that both strings have (Jaccard)."""
    return _jaccard(trigrams(reference), trigrams(hypothesis))


def word_similarity(reference: str, hypothesis: str) -> float:
    """Share of words, without regard to case, that both strings have (Jaccard).

    >>> word_similarity("the Town bridge", "town bridge")
    0.6666666666666666
    """
    return _jaccard(words(reference), words(hypothesis))


def trigrams(text: str) -> set[str]:
    """Give the three-letter pieces of a string, padded with spaces."""
    padded = f"  {text.lower()} "
    return {padded[index : index + 3] for index in range(len(padded) - 2)}


def words(text: str) -> set[str]:
    """Give the words of a string, without regard to case."""
    return set(text.lower().split())


def _jaccard(first: set[str], second: set[str]) -> float:
    union = len(first | second)
    return len(first & second) / union if union else 1.0


_SIMILARITY: dict[str, Callable[[str, str], float]] = {
    "edit": edit_similarity,
    "trigrams": trigram_similarity,
    "words": word_similarity,
}
PIECES: dict[str, Callable[[str], set[str]]] = {"trigrams": trigrams, "words": words}
