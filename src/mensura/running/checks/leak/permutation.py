"""Permutation: how often chance alone would fit the truths to what was shown as well as they were found to fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.running.checks.leak.sitting import Showing

MANY = 199_999
SUSPICIOUS = 0.02
STAGES = ((999, SUSPICIOUS), (19_999, SUSPICIOUS / 10), (MANY, 0.0))
"""Draws, a few at first and many where those leave a suspicion, with the p-value above which they leave none."""
BEYOND = 1e-7
FAR = 4.0
"""How many times the reach of a few draws."""
LEAST = 7
"""Blocks that it takes: fewer have too few orders for any to be improbable."""
AT_ONCE = 2_000_000
"""Numbers that are drawn at a time."""
CLASSES = 6
"""Truths of at most so many values are compared by value, others by size."""

EXPLAINED = "which the words and numbers of the prompt explain"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Suspicion:
    """Something that may tell the truth: how probable it is by chance alone, and what it is."""

    p: float
    words: str
    excused: bool = False
    """Whether a test that shows its truths rightly may do this."""
    remedy: str = ""
    """What the author can do about it, as a sentence."""
    explained: str = ""
    """Why it is a remark and no fault, as a clause; "" where it is a fault."""

    def __str__(self) -> str:
        p = f"p = {self.p:.1g}" if self.p >= 1e-9 else "p < 1e-9"
        if self.explained:
            return f"{self.words} ({p}), {self.explained}."
        hint = 'If that is what the test is about, say so in its @test: shows_truth="why".' if self.excused else ""
        return " ".join(part for part in (f"{self.words}; {p}.", self.remedy, hint) if part)


def worst(found: Sequence[Suspicion], *, level: float) -> Suspicion | None:
    """Return the least probable of all, if it still is after Bonferroni's correction for having looked at all."""
    if not found:
        return None
    least = min(found, key=lambda one: one.p)
    corrected = min(1.0, least.p * len(found))
    return replace(least, p=corrected) if corrected < level else None


def noted(found: Sequence[Suspicion], *, level: float) -> tuple[str, ...]:
    """Return the least probable of those that are no fault, as a remark, where it is improbable by chance."""
    least = worst([one for one in found if one.explained], level=level)
    return (str(least),) if least else ()


def chance_of(observed: float, simulate: Callable[[int], Floats], *, width: int) -> float:
    """Return how often simulated statistics reach the observed one, which counts as one of them.

    What lies far beyond all of many draws is rarer than their number can say; it is then given as `BEYOND`.
    """
    p, beyond = 1.0, 0.0
    for draws, enough in STAGES:
        block = max(1, min(draws, AT_ONCE // max(1, width)))
        values = np.concatenate([simulate(min(block, draws - done)) for done in range(0, draws, block)])
        p = (1 + int((values >= observed - 1e-9).sum())) / (draws + 1)
        beyond = (observed - values.mean()) / max(float(values.max() - values.mean()), 1e-9)
        # What lies so far beyond a thousand draws would lie beyond many more.
        if p > enough or beyond > FAR:
            break
    return BEYOND if beyond > FAR or (beyond > 1.5 and p <= 1 / MANY) else p


def exchanged(matrices: NDArray[Any], rng: np.random.Generator, *, one_sided: bool = False) -> float:
    """Test whether blocks go with their own truths better than with those of other blocks.

    Parameters
    ----------
    matrices
        One n by n matrix or several; row a and column b hold how well what block a showed goes with the truths of b.
    one_sided
        Whether only a good fit counts; otherwise a bad one tells as much.
    """
    stack = np.atleast_3d(np.asarray(matrices, dtype=float)) if np.ndim(matrices) == 3 else np.array([matrices], float)
    n = stack.shape[1]
    if n < LEAST:
        return 1.0
    centred = stack - stack.mean(axis=1, keepdims=True) - stack.mean(axis=2, keepdims=True)
    centred += stack.mean(axis=(1, 2), keepdims=True)
    spread = np.sqrt((centred**2).sum(axis=(1, 2)) / max(1, n - 1))
    kept = centred[spread > 1e-12] / spread[spread > 1e-12][:, None, None]
    if not len(kept):
        return 1.0

    def score(order: NDArray[np.int64]) -> Floats:
        sums = np.stack([matrix[np.arange(n), order].sum(axis=-1) for matrix in kept])
        total: Floats = sums.sum(axis=0) if one_sided else (sums**2).sum(axis=0)
        return total

    own = float(score(np.arange(n)))
    return chance_of(own, lambda draws: score(rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)), width=n)


def flipped(rows: Floats, rng: np.random.Generator) -> float:
    """Test whether sessions lean to one side: rows of one number or several per session, whose signs are drawn anew."""
    spread = np.sqrt((rows**2).sum(axis=0))
    kept = rows[:, spread > 1e-12] / spread[spread > 1e-12]
    if kept.shape[1] == 0:
        return 1.0

    def simulate(draws: int) -> Floats:
        signs = 1.0 - 2.0 * rng.integers(2, size=(draws, len(kept)))
        total: Floats = ((signs @ kept) ** 2).sum(axis=1)
        return total

    return chance_of(float((kept.sum(axis=0) ** 2).sum()), simulate, width=len(kept))


def shifted(rows: Floats, rng: np.random.Generator) -> float:
    """Test whether what comes goes with its place in the session.

    Sessions are turned round by as much as chance has it: what hangs together in one stays together, in other places.

    Parameters
    ----------
    rows
        Sessions by places by columns of the truths.
    """
    n, length, _ = rows.shape
    centred = rows - rows.mean(axis=1, keepdims=True)

    def score(values: Floats) -> Floats:
        total: Floats = (values.sum(axis=-3) ** 2).sum(axis=(-2, -1))
        return total

    def simulate(draws: int) -> Floats:
        turned = (np.arange(length) + rng.integers(length, size=(draws, n, 1))) % length
        return score(centred[np.arange(n)[:, None], turned])

    return chance_of(float(score(centred)), simulate, width=rows.size)


def goes_with(
    rows: Sequence[Sequence[Showing]],
    feature: Callable[[Showing], Any],
    truth: Callable[[Showing], Any],
    rng: np.random.Generator,
) -> float | None:
    """Test whether a feature, one number or several, goes with the truths of its own block better than with others."""
    blocks = even(rows)
    every = [one for block in blocks for one in block]
    truths = columns([truth(one) for one in every])
    values = np.array([feature(one) for one in every], dtype=float).reshape(len(every), -1)
    if len(blocks) < LEAST or not truths.shape[1] or not varies(values):
        return None
    shape = len(blocks), -1
    # Each less the mean of its place in the session: what the place tells is another question.
    xs = [ranks(column.tolist()).reshape(shape) for column in values.T if (column != column[0]).any()]
    ys = [column.reshape(shape) for column in truths.T]
    return exchanged(np.stack([(x - x.mean(axis=0)) @ (y - y.mean(axis=0)).T for x in xs for y in ys]), rng)


def strands(
    shown: Sequence[Showing],
    *,
    item: Callable[[Showing], Any] = lambda one: one.item,
    truth: Callable[[Showing], Any] = lambda one: one.truth,
) -> list[list[list[Showing]]]:
    """Part asks into blocks that may be exchanged: items that come again with the same truth, and fresh sessions.

    An item that every session asks is one block, however many sessions ask it: what its truth happens to go with is
    no more certain for being seen thirty times. Items that always come together, though not always, are one block
    too, and so is what a session asks that no other does: it may all hang together.
    """
    by_item: dict[Any, list[Showing]] = {}
    for one in shown:
        by_item.setdefault(item(one), []).append(one)
    every = {one.session for one in shown}
    fixed: dict[Any, list[Showing]] = {}
    fresh: dict[int, list[Showing]] = {}
    for name, again in by_item.items():
        sessions = frozenset(one.session for one in again)
        if len(sessions) > 1 and len({str(truth(one)) for one in again}) == 1:
            fixed.setdefault(name if sessions == every else sessions, []).append(again[0])
            continue
        for one in again:
            fresh.setdefault(one.session, []).append(one)
    rows = [sorted(row, key=lambda one: one.number) for row in fresh.values()]
    return [blocks for blocks in (list(fixed.values()), rows) if blocks]


def even(blocks: Sequence[Sequence[Showing]]) -> list[list[Showing]]:
    """Cut blocks to one length, that which keeps most asks: only what has the same shape can be exchanged."""
    lengths = np.array([len(block) for block in blocks])
    best = max(set(lengths.tolist()), key=lambda length: int((lengths >= length).sum()) * length)
    return [list(block[:best]) for block in blocks if len(block) >= best]


def ranks(values: Sequence[float]) -> Floats:
    """Rank values, equal ones alike, around a mean of 0."""
    _, where, counts = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    return middle[where] - (len(values) + 1) / 2


def columns(truths: Sequence[Any]) -> Floats:
    """Write truths as numbers, one row each: a column per value where there are few, else their ranks."""
    names = sorted({str(truth) for truth in truths})
    if 2 <= len(names) <= CLASSES:
        one_of = np.array([[float(str(truth) == name) for name in names] for truth in truths])
        return one_of[:, :1] if len(names) == 2 else one_of
    if len(names) > CLASSES and all(isinstance(truth, (int, float, np.number)) for truth in truths):
        return ranks([float(truth) for truth in truths])[:, None]
    return np.zeros((len(truths), 0))


def varies(rows: Floats) -> bool:
    """Return whether rows are not all the same."""
    return bool(rows.size) and bool((rows != rows[0]).any())
