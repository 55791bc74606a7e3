"""Everyday life: transactions that are real but belong to no exploitation."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.parameters import WorldParameters
from mensura.catalog.detection.world.patterns import KINDS
from mensura.catalog.detection.world.society import Population
from mensura.catalog.detection.world.transactions import NONE, Transactions

EVERYDAY = ("call", "meeting", "purchase", "transfer", "payment", "visit", "training", "application")
# Rows drawn at a time: what is worked on stays in the processor's cache, so that time grows as the number of rows.
CHUNK = 1 << 18


def make_clutter(
    parameters: WorldParameters, means: Means, society: Population, rng: Generator, *, signal: int
) -> Transactions:
    """Draw everyday transactions: friends of one group call and meet, people buy, visit, learn and use things.

    `signal` transactions belong to attacks, for a given ratio of signal to noise.
    """
    p = parameters
    wanted = signal / p.signal_to_noise if p.signal_to_noise > 0 else p.clutter_per_individual * p.individuals
    size = round(wanted)
    weights = np.array([getattr(p, f"clutter_{kind}") for kind in EVERYDAY])
    if size == 0 or weights.sum() == 0:
        size, weights = 0, np.ones(len(EVERYDAY))
    kinds = np.array([KINDS.index(name) for name in EVERYDAY])
    edges = np.cumsum(weights / weights.sum())
    edges[-1] = 1.0
    actors = _active(p, society, size, rng)
    circle = _Circle(society)
    parts = []
    for begin in range(0, max(size, 1), CHUNK):
        actor = actors[begin : begin + CHUNK].astype(np.int64)
        drawn = np.searchsorted(edges, rng.random(len(actor)), side="right")
        other = circle.partner(p, actor, rng)
        seller = np.isin(drawn, _places("purchase", "training"))
        other = np.where(seller, society.suppliers[rng.integers(len(society.suppliers), size=len(actor))], other)
        other = np.where(other == actor, (other + 1) % society.persons, other)
        alone = np.isin(drawn, _places("visit", "application"))
        parts.append(
            Transactions.of(
                event=np.full(len(actor), NONE),
                kind=kinds[drawn],
                day=p.keep_week(rng.random(len(actor)) * p.days, rng),
                actor=actor,
                other=np.where(alone, NONE, other),
                item=_items(drawn, means, rng),
                target=np.where(alone, rng.integers(means.targets, size=len(actor)), NONE),
            )
        )
    return Transactions.joined(parts)


def _places(*names: str) -> list[int]:
    return [EVERYDAY.index(name) for name in names]


def _active(p: WorldParameters, society: Population, size: int, rng: Generator) -> NDArray[np.int32]:
    """Draw persons by a power law of rank, ranks dealt at random; each person's transactions stand together.

    Someone with several names does as much under each as others under one, or rarity would give the names away.
    """
    weights = (1.0 + rng.permutation(p.individuals)) ** -p.clutter_popularity * np.diff(society.alias_start)
    counts = rng.multinomial(size, weights / weights.sum())
    return np.repeat(np.arange(p.individuals, dtype=np.int32), counts)


class _Circle:
    """Who is in a group with whom; people with several names as often as they have names."""

    def __init__(self, society: Population) -> None:
        names = np.diff(society.alias_start)
        self.identities = society.identities
        self.bearer = np.repeat(np.arange(society.persons), names)
        rows = np.repeat(np.arange(len(society.member)), names[society.member])
        self.member = society.member[rows]
        group = np.repeat(np.arange(society.groups), np.diff(society.group_start))[rows]
        self.sizes = np.bincount(group, minlength=society.groups)
        self.start = np.cumsum(self.sizes) - self.sizes
        self.group_of = group[np.argsort(self.member, kind="stable")]
        self.count = np.bincount(self.member, minlength=society.persons)
        self.first = np.cumsum(self.count) - self.count

    def partner(self, p: WorldParameters, actor: Integers, rng: Generator) -> Integers:
        """Draw a fellow member for those who have one and a chance of it, anyone for the rest."""
        count = self.count[actor]
        place = self.first[actor] + rng.integers(0, np.maximum(count, 1))
        own = self.group_of[np.minimum(place, len(self.group_of) - 1)]
        fellow = self.member[self.start[own] + rng.integers(0, self.sizes[own])]
        anyone = self.bearer[rng.integers(self.identities, size=len(actor))]
        chosen = np.where((count > 0) & (rng.random(len(actor)) < p.clutter_in_group), fellow, anyone)
        return np.where(chosen == actor, anyone, chosen)


def _items(drawn: Integers, means: Means, rng: Generator) -> Integers:
    resource = means.capabilities + rng.integers(means.resource_types, size=len(drawn))
    capability = rng.integers(means.capabilities, size=len(drawn))
    either = rng.integers(means.assets, size=len(drawn))
    item = np.full(len(drawn), NONE)
    for name, values in (
        ("purchase", resource),
        ("transfer", resource),
        ("training", capability),
        ("application", either),
    ):
        of_kind = drawn == EVERYDAY.index(name)
        item[of_kind] = values[of_kind]
    return item
