"""Alternatives: whether the right option is written in another way than the others."""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from math import floor, log10

import numpy as np

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
