"""Everyday life: transactions that are real but belong to no exploitation."""

import numpy as np
from numpy.random import Generator

from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.parameters import Parameters
from mensura.catalog.detection.world.patterns import KINDS
from mensura.catalog.detection.world.society import Society
from mensura.catalog.detection.world.transactions import NONE, Floats, Transactions

EVERYDAY = ("call", "meeting", "purchase", "transfer", "payment", "visit", "training", "application")


def make_clutter(
    parameters: Parameters, means: Means, society: Society, rng: Generator, *, signal: int
) -> Transactions:
    """Draw everyday transactions: friends of one group call and meet, people buy, visit, learn and use things.

    Parameters
    ----------
    signal : int
        How many transactions belong to attacks, for a given ratio of signal to noise.
    """
    p = parameters
    wanted = signal / p.signal_to_noise if p.signal_to_noise > 0 else p.clutter_per_individual * p.individuals
    size = round(wanted)
    weights = np.array([getattr(p, f"clutter_{kind}") for kind in EVERYDAY])
    if size == 0 or weights.sum() == 0:
        size, weights = 0, np.ones(len(EVERYDAY))
    drawn = rng.choice(len(EVERYDAY), size=size, p=weights / weights.sum())
    kind = np.array([KINDS.index(name) for name in EVERYDAY])[drawn]
    actor = _active(p, size, rng)
    other = _partner(p, society, actor, rng)
    seller = np.isin(drawn, [EVERYDAY.index(name) for name in ("purchase", "training")])
    other = np.where(seller, society.suppliers[rng.integers(len(society.suppliers), size=size)], other)
    alone = np.isin(drawn, [EVERYDAY.index(name) for name in ("visit", "application")])
    target = np.where(alone, rng.integers(means.targets, size=size), NONE)
    return Transactions(
        event=np.full(size, NONE),
        kind=kind,
        day=_days(p, size, rng),
        actor=actor,
        other=np.where(alone, NONE, other),
        item=_items(drawn, means, rng),
        target=target,
    )


def _active(p: Parameters, size: int, rng: Generator) -> Integers:
    """Draw persons by a power law of rank; ranks are dealt at random."""
    weights = (1.0 + np.arange(p.individuals)) ** -p.clutter_popularity
    edges = np.cumsum(weights / weights.sum())
    rank = np.minimum(np.searchsorted(edges, rng.random(size)), p.individuals - 1)
    return rng.permutation(p.individuals)[rank]


def _partner(p: Parameters, society: Society, actor: Integers, rng: Generator) -> Integers:
    """Draw a fellow member for those who have one and a chance of it, anyone for the rest."""
    group = np.repeat(np.arange(society.groups), np.diff(society.group_start))
    order = np.argsort(society.member, kind="stable")
    count = np.bincount(society.member, minlength=society.persons)
    first = np.cumsum(count) - count
    has = count[actor] > 0
    place = first[actor] + rng.integers(0, np.maximum(count[actor], 1))
    own = group[order[np.minimum(place, len(order) - 1)]]
    size = np.diff(society.group_start)[own]
    fellow = society.member[society.group_start[own] + rng.integers(0, size)]
    anyone = rng.integers(society.persons, size=len(actor))
    chosen = np.where(has & (rng.random(len(actor)) < p.clutter_in_group), fellow, anyone)
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


def _days(p: Parameters, size: int, rng: Generator) -> Floats:
    day = rng.random(size) * p.days
    rest = (day % 7 >= 5) & (rng.random(size) < p.weekly_rhythm)
    return np.where(rest, np.clip(day - rng.random(size) * 5 - 2, 0, None), day)
