"""Series: a small extrapolator of number series that tries one type of pattern after the other."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver

PRIMES = [n for n in range(2, 1000) if all(n % d for d in range(2, n) if d * d <= n)]
LEAST = 3
"""Terms below which nothing can be confirmed."""


class Series(PuzzleSolver):
    """Extrapolates number series as Sanghi and Dowe's program did: the first type of pattern that fits is believed.

    It knows nothing of complexity, so that it may believe a wrong pattern, and it does not look behind what it tries:
    differences, ratios, recurrences over two terms, streams and steps in turn, primes.

    References
    ----------
    .. [1] Sanghi & Dowe (2003), A computer program capable of passing IQ tests, ICCS'03, 570-575.
    """

    attempts: ClassVar[tuple[str, ...]] = ("number-series",)

    def __init__(self, *, depth: int = 3) -> None:
        self.depth = depth

    def solve(self, kind: Kind, shown: Any) -> int | None:
        return extrapolated(shown, depth=self.depth)


def extrapolated(terms: Sequence[int], *, depth: int = 3) -> int | None:
    """Return the next term by the first type of pattern that fits, or None.

    >>> extrapolated([1, 1, 2, 3, 5, 8]), extrapolated([2, 10, 4, 20, 6, 40]), extrapolated([3, 1, 4, 1, 5, 9])
    (13, 8, None)
    """
    return next(_patterns(list(terms), depth), None)


def _patterns(terms: list[int], depth: int) -> Iterator[int]:
    count = len(terms)
    if count < LEAST:
        return
    gaps = [after - before for before, after in pairwise(terms)]
    if len(set(gaps)) == 1:
        yield terms[-1] + gaps[0]
    ratios = [Fraction(after, before) for before, after in pairwise(terms) if before]
    if len(ratios) == count - 1:
        following = ratios[-1] if len(set(ratios)) == 1 else _rising(ratios)
        if following and (terms[-1] * following).denominator == 1:
            yield int(terms[-1] * following)
    if count > LEAST:
        yield from _recurrences(terms)
    for shift in range(-2, 3):
        if terms[0] - shift in PRIMES:
            place = PRIMES.index(terms[0] - shift)
            if [term - shift for term in terms] == PRIMES[place : place + count] and place + count < len(PRIMES):
                yield PRIMES[place + count] + shift
    if depth:
        for turns in (2, 3):
            if count > 2 * turns:
                yield from _in_turn(terms, turns)
        if count > LEAST and (after := next(_patterns(gaps, depth - 1), None)) is not None:
            yield terms[-1] + after
        streams = [next(_patterns(terms[start::2], depth - 1), None) for start in (0, 1)]
        if None not in streams and (after := streams[count % 2]) is not None:
            yield after


def _rising(ratios: Sequence[Fraction]) -> Fraction | None:
    """Return the next ratio where they rise by the same whole number."""
    steps = {after - before for before, after in pairwise(ratios)}
    return ratios[-1] + steps.pop() if len(steps) == 1 and len(ratios) > 2 and ratios[0].denominator == 1 else None


def _recurrences(terms: Sequence[int]) -> Iterator[int]:
    """Try a x + b y + c and x y, of the last two terms; c is read off the third."""
    rows = list(zip(terms, terms[1:], terms[2:], strict=False))
    for a, b in ((0, 2), (0, 3), (0, 4), (0, 5), (0, -2), (1, 1), (-1, 1), (1, -1), (1, 2), (2, 1)):
        rest = rows[0][2] - a * rows[0][0] - b * rows[0][1]
        if all(after == a * before + b * last + rest for before, last, after in rows):
            yield a * terms[-2] + b * terms[-1] + rest
    if all(after == before * last for before, last, after in rows):
        yield terms[-2] * terms[-1]


def _in_turn(terms: Sequence[int], turns: int) -> Iterator[int]:
    """Try steps that take turns, each adding or multiplying by something of its own."""
    after: int | None = None
    for start in range(turns):
        pairs = [(terms[at], terms[at + 1]) for at in range(start, len(terms) - 1, turns)]
        added = {second - first for first, second in pairs}
        factors = {Fraction(second, first) if first else Fraction(0) for first, second in pairs}
        if len(pairs) < 2 or (len(added) > 1 and len(factors) > 1):
            return
        if start == (len(terms) - 1) % turns:
            after = terms[-1] + added.pop() if len(added) == 1 else int(terms[-1] * factors.pop())
    if after is not None:
        yield after
