"""Alternatives: whether the right option is written in another way than the others."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from mensura.running.checks.leak.permutation import LEAST, Floats, Suspicion, flipped, strands
from mensura.running.checks.leak.signs import EXCESS, excess, normal
from mensura.running.checks.leak.sitting import Showing


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
            found.append(Suspicion(p, words, what == "letters", "Write all options in one form."))
    return found


def _leans(asks: Sequence[Showing]) -> list[Floats]:
    """Return by how much the form of each right option exceeds that of all options of its ask.

    The form of an option that is right in some asks and wrong in others is its own: only what changes of it counts.
    Where most options are such, the others are of the same stock.
    """
    right = {_name(one.answer) for one in asks}
    wrong = {_name(label) for one in asks for label in one.labels if label != one.answer}
    counts = Counter(_name(label) for one in asks for label in one.labels)
    shared = right & wrong
    if 2 * sum(counts[name] for name in shared) > sum(counts.values()):
        shared = set(counts)
    forms: dict[str, list[tuple[float, ...]]] = {}
    for one in asks:
        for label in one.labels:
            forms.setdefault(_name(label) if _name(label) in shared else "", []).append(_excess(label))
    usual = {name: np.mean(rows, axis=0) for name, rows in forms.items()}
    found = []
    for one in asks:
        own = np.array([np.array(_excess(label)) - usual.get(_name(label), usual.get("", 0.0)) for label in one.labels])
        found.append(np.round(own[one.right] - own.mean(axis=0), 9))
    return found


@lru_cache(maxsize=8192)
def _name(label: str) -> str:
    return normal(label) or label


@lru_cache(maxsize=8192)
def _excess(label: str) -> tuple[float, ...]:
    return excess(label)
