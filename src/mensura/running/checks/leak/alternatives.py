"""Alternatives: whether the right option stands in one place too often, or is written in another way than others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.running.checks.leak.deciding import DECISIVE, FEWEST
from mensura.running.checks.leak.permutation import LEAST, Floats, Suspicion, chance_of, flipped, strands
from mensura.running.checks.leak.signs import EXCESS, NUMBER, excess, normal
from mensura.running.checks.leak.sitting import Showing

MOST = 300
"""Sets of options that are compared with one another."""

FEW = 3
"""Sets of options below which none is common to most."""
VISIBLE = ("letters", "capital letters", "a mark at its end", "punctuation")
"""Forms that a test may be about."""
MOST_PLACED = 600
"""Asks that are counted."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def telling_alternatives(shown: Sequence[Showing], rng: np.random.Generator) -> list[Suspicion]:
    """Compare the form of the right option with that of the others of its ask: capitals, marks, spaces, length."""
    asks = [one for one in shown if one.labels]
    if not asks:
        return []
    leans = dict(zip(map(id, asks), _leans(asks), strict=True))
    found = []
    for blocks in strands(asks, truth=lambda one: one.answer):
        if len(blocks) < LEAST:
            continue
        every = [one for block in blocks for one in block]
        sums = np.array([sum(leans[id(one)] for one in block) for block in blocks])
        for j, what in enumerate(EXCESS):
            column = np.array([leans[id(one)][j] for one in every])
            if not np.abs(column).max() > 1e-9:
                continue
            example = every[int((column * np.sign(column.sum())).argmax())]
            more, fewer = int((column > 1e-9).sum()), int((column < -1e-9).sum())
            words = f"the right option differs from the others by {what}: it has more in {more} and fewer in {fewer} of"
            words += f" {len(every)} asks, as {example.answer!r} in the ask {example.ask.key!r}"
            p = flipped(sums[:, [j]], rng)
            found.append(Suspicion(p, words, what in VISIBLE, "Write all options in one form."))
    return found + _central(asks, rng)


def _central(asks: Sequence[Showing], rng: np.random.Generator) -> list[Suspicion]:
    """Test whether the right option is as a rule the one that is most like the others, from which they were made."""
    once = {frozenset(one.labels): one for one in asks if len(one.labels) > 2}
    judged = []
    for one in list(once.values())[:MOST]:
        alike = np.array([sum(_alike(*sorted((a, b))) for b in one.labels if b != a) for a in one.labels])
        best = alike >= alike.max() - 1e-9
        judged.append((best[one.right] / best.sum(), 1 / len(best), one))
    hits, by_chance = (np.array([share[i] for share in judged]) for i in (0, 1))
    if len(judged) < FEWEST or hits.mean() - by_chance.mean() < DECISIVE * (1 - by_chance.mean()):
        return []

    def simulate(draws: int) -> Floats:
        shares: Floats = (rng.random((draws, len(hits))) < by_chance).mean(axis=1)
        return shares

    example = max(judged, key=lambda share: share[0])[2]
    words = f"the right option is the one most like the others in {hits.mean():.0%} of {len(hits)} asks, as"
    words += f" {example.answer!r} in the ask {example.ask.key!r}"
    p = chance_of(float(hits.mean()), simulate, width=len(hits))
    return [
        Suspicion(p, words, True, "Make wrong options from one another, too, and not all of them from the right one.")
    ]


@lru_cache(maxsize=65536)
def _alike(one: str, other: str) -> float:
    """Return how much two options have in common: the nearness of numbers, the letters in their order of texts."""
    if NUMBER.fullmatch(one) and NUMBER.fullmatch(other):
        return -abs(float(one.replace(",", "")) - float(other.replace(",", "")))
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _leans(asks: Sequence[Showing]) -> list[Floats]:
    """Return by how much the form of each right option exceeds that of the options it can be compared with.

    Of an option that is right in some asks and wrong in others only what changes of its form counts; an option that is
    always right, or always wrong, is compared with such others of its ask. Where most are of the first kind, all are of
    one stock. What most sets offer, such as "none of these", is known by its name and not by its form.
    """
    distinct = {frozenset(one.labels) for one in asks}
    sets = Counter(label for labels in distinct for label in labels)
    common = {label for label, count in sets.items() if len(distinct) >= FEW and count > len(distinct) / 2}
    counts = Counter(_name(label) for one in asks for label in one.labels)
    shared = {_name(one.answer) for one in asks}
    shared &= {_name(label) for one in asks for label in one.labels if label != one.answer}
    if 2 * sum(counts[name] for name in shared) > sum(counts.values()):
        shared = set(counts)
    forms: dict[str, list[Floats]] = {}
    for one in asks:
        for label in one.labels:
            forms.setdefault(_name(label), []).append(_excess(label))
    usual = {name: np.mean(forms[name], axis=0) for name in shared}
    found = []
    for one in asks:
        lean, name = np.zeros(len(EXCESS)), _name(one.answer)
        peers = [label for label in one.labels if (_name(label) in shared) == (name in shared) and label not in common]
        if one.answer in peers:
            own = {label: _excess(label) - usual.get(_name(label), 0.0) for label in peers}
            lean = own[one.answer] - np.mean(list(own.values()), axis=0)
        found.append(lean)
    return list(np.round(found, 9))


@lru_cache(maxsize=8192)
def _name(label: str) -> str:
    """Return what an option is, whatever its form; numbers by their size, which has to do with how they are written."""
    return normal(NUMBER.sub(lambda match: f" size{_size(match.group())} ", label)) or label


def _size(number: str) -> int:
    value = abs(float(number.replace(",", "")))
    return 100 + floor(4 * log10(value)) if value else 0


@lru_cache(maxsize=8192)
def _excess(label: str) -> Floats:
    return np.array(excess(label), dtype=float)


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
    return [one for one in moved if one.right in one.order and len(one.order) > 1][:MOST_PLACED]


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
