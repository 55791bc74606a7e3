"""Position: whether the right alternative stands in one place too often, among the options or in the prompt."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.running.checks.leak.permutation import Suspicion, chance_of
from mensura.running.checks.leak.sitting import Showing

MOST = 600
"""Asks that are counted."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True)
class Ordered:
    """An ask with its alternatives in some order."""

    shown: Showing
    order: tuple[str, ...]

    @property
    def right(self) -> str:
        """The right alternative."""
        return self.shown.labels[self.shown.right]

    @property
    def place(self) -> int:
        """The place of the right one, from 0."""
        return self.order.index(self.right)


def telling_positions(shown: Sequence[Showing], rng: np.random.Generator) -> list[Suspicion]:
    """Count where the right alternative stands: among the options, among their mentions in the prompt."""
    asks = [one for one in shown if one.labels]
    found = []
    for what, order in (("among the options", _as_listed), ("where the prompt names them", _as_mentioned)):
        counted = _countable([Ordered(one, order(one)) for one in asks if order(one)])
        found += [_count(counted, f"the right option is {{}} {what} {{}}", rng)]
        if len({len(one.order) for one in counted}) > 1:
            backwards = [Ordered(one.shown, one.order[::-1]) for one in counted]
            found += [_count(backwards, f"the right option, counted from the last, is {{}} {what} {{}}", rng)]
    return [one for one in found if one is not None]


def _as_listed(one: Showing) -> tuple[str, ...]:
    return one.labels


def _as_mentioned(one: Showing) -> tuple[str, ...]:
    """Order alternatives as the prompt names them; empty where it does not name them all, or two at once."""
    text = one.prompt
    at = {label: text.find(label) for label in one.labels}
    if min(at.values()) < 0 or len(set(at.values())) < len(at):
        return ()
    return tuple(sorted(at, key=lambda label: at[label]))


def _countable(asks: Sequence[Ordered]) -> list[Ordered]:
    """Leave out what says nothing of places.

    Where the same alternatives always come in the same order, place and name are one: that "yes" is right more often
    than "no" is no leak, unless it is always right. An item that comes again in the same order is counted once.
    Alternatives that keep their place, such as "none of these", are no part of the order.
    """
    groups: dict[frozenset[str], list[Ordered]] = {}
    for one in asks:
        groups.setdefault(frozenset(one.order), []).append(one)
    kept: list[Ordered] = []
    for group in groups.values():
        once = list({one.shown.item: one for one in group}.values())
        if len({one.order for one in group}) == 1:
            kept += once if len({one.right for one in group}) == 1 else []
            continue
        orders: dict[Any, set[Any]] = {}
        for one in group:
            orders.setdefault(one.shown.item, set()).add((one.order, one.right))
        kept += [one for one in group if len(orders[one.shown.item]) > 1]
        kept += [one for one in once if len(orders[one.shown.item]) == 1]
    return _movable(kept)


def _movable(asks: Sequence[Ordered]) -> list[Ordered]:
    where: dict[str, list[tuple[int, int, bool, tuple[str, ...]]]] = {}
    for one in asks:
        for i, label in enumerate(one.order):
            where.setdefault(label, []).append((i, i - len(one.order), label == one.right, one.order))
    still = set()
    for label, seen in where.items():
        starts, ends, rights, orders = (set(part) for part in zip(*seen, strict=True))
        often = sum(right for _, _, right, _ in seen) / len(seen)
        if len(orders) > 2 and (len(starts) == 1 or len(ends) == 1) and often < 0.5 and rights:
            still.add(label)
    moved = [Ordered(one.shown, tuple(label for label in one.order if label not in still)) for one in asks]
    return [one for one in moved if one.right in one.order and len(one.order) > 1][:MOST]


def _count(asks: Sequence[Ordered], words: str, rng: np.random.Generator) -> Suspicion | None:
    """Compare how often each place is right with even chances, all of one order in one session moving together."""
    if not asks:
        return None
    sizes, places = np.array([len(one.order) for one in asks]), np.array([one.place for one in asks])
    names = {name: i for i, name in enumerate(dict.fromkeys((one.shown.session, one.order) for one in asks))}
    cluster = np.array([names[one.shown.session, one.order] for one in asks])
    expected = np.array([(1 / sizes[sizes > place]).sum() for place in range(sizes.max())])

    def score(where: NDArray[np.int64]) -> NDArray[np.float64]:
        counts = np.stack([(where == place).sum(axis=-1) for place in range(len(expected))], axis=-1)
        total: NDArray[np.float64] = ((counts - expected) ** 2 / expected).sum(axis=-1)
        return total

    def simulate(draws: int) -> NDArray[np.float64]:
        moved = rng.random((draws, len(names)))[:, cluster]
        return score((places + np.floor(moved * sizes).astype(int)) % sizes)

    p = chance_of(float(score(places)), simulate, width=len(asks) * len(expected))
    counts = Counter(places.tolist())
    most = max(range(len(expected)), key=lambda place: abs(counts[place] - expected[place]) / expected[place] ** 0.5)
    return Suspicion(p, words.format(*_share(most, counts[most], len(asks), expected[most])))


def _share(place: int, count: int, n: int, expected: float) -> tuple[str, str]:
    ordinal = ORDINALS[place] if place < len(ORDINALS) else f"number {place + 1}"
    how = "always" if count == n else "never" if count == 0 else "too often" if count > expected else "too seldom"
    return f"{how} {ordinal}", f"({count} of {n}, where {expected:.3g} would be even)"
