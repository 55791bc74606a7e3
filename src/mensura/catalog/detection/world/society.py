"""Who lives in the world: persons with capabilities and names, and the groups they belong to."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.parameters import WorldParameters


@dataclass(frozen=True, slots=True)
class Population:
    """Persons and groups as arrays.

    Members of group ``g`` are ``member[group_start[g] : group_start[g + 1]]``, its core first. Names (identities) of
    person ``i`` are ``identity[alias_start[i] : alias_start[i + 1]]``, the usual one first; names are numbered at
    random, so a number says nothing. `holdings` are pairs of person and asset: the capabilities and resources that
    someone has from the start. `modes[g]` lists the modes of use that a group commands, and `supplier_of[g]` the person
    from whom it usually buys.
    """

    persons: int
    threat: NDArray[np.bool_]
    group_start: Integers
    member: Integers
    alias_start: Integers
    identity: Integers
    holdings: Integers
    suppliers: Integers
    supplier_of: Integers
    modes: tuple[Integers, ...]
    vulnerabilities: tuple[Integers, ...]

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return len(self.threat)

    @property
    def identities(self) -> int:
        """How many names there are."""
        return len(self.identity)

    def members(self, group: int) -> Integers:
        """Return the members of a group."""
        return self.member[self.group_start[group] : self.group_start[group + 1]]

    def names(self, person: int) -> Integers:
        """Return the names of a person."""
        return self.identity[self.alias_start[person] : self.alias_start[person + 1]]

    def threat_persons(self) -> Integers:
        """Return everyone who belongs to a threat group."""
        of_threat = np.repeat(self.threat, np.diff(self.group_start))
        return np.unique(self.member[of_threat])


def make_society(parameters: WorldParameters, means: Means, rng: Generator) -> Population:
    """Draw persons, names, capabilities and groups."""
    p = parameters
    groups = max(2, round(p.groups_per_thousand * p.individuals / 1000))
    threat = np.zeros(groups, np.bool_)
    threat[rng.permutation(groups)[: max(1, round(p.threat_group_share * groups))]] = True
    group_start, member = _memberships(p, threat, rng)
    of_threat = np.zeros(p.individuals, np.bool_)
    of_threat[member[np.repeat(threat, np.diff(group_start))]] = True
    alias_start, identity = _names(p, of_threat, rng)
    suppliers = rng.permutation(p.individuals)[: max(1, round(p.supplier_share * p.individuals))]
    destructive = np.arange(means.productive_modes, len(means.needs))
    vulnerabilities = tuple(
        np.sort(rng.permutation(destructive)[: p.modes_per_threat_group]) if each else np.empty(0, np.int64)
        for each in threat
    )
    return Population(
        persons=p.individuals,
        threat=threat,
        group_start=group_start,
        member=member,
        alias_start=alias_start,
        identity=identity,
        holdings=_holdings(p, rng),
        suppliers=suppliers,
        supplier_of=suppliers[rng.integers(len(suppliers), size=groups)],
        modes=tuple(np.sort(rng.permutation(means.productive_modes)[: p.modes_per_group]) for _ in range(groups)),
        vulnerabilities=vulnerabilities,
    )


def _memberships(p: WorldParameters, threat: NDArray[np.bool_], rng: Generator) -> tuple[Integers, Integers]:
    spread = p.group_size_spread
    sizes = np.exp(rng.normal(np.log(p.group_size_mean) - spread**2 / 2, spread, len(threat)))
    sizes = np.clip(np.round(sizes), p.group_size_least, max(p.group_size_least, p.individuals // 2)).astype(np.int64)
    group = np.repeat(np.arange(len(threat)), sizes)
    hidden = threat[group]
    # Threat groups choose first, so that their members are in one threat group only while there are people enough.
    order = np.argsort(~hidden, kind="stable")
    fresh = rng.permutation(p.individuals)
    again = ~hidden[order] & (rng.random(len(group)) < p.double_membership)
    turn = np.cumsum(~again) - 1
    person = np.where(again | (turn >= p.individuals), rng.integers(p.individuals, size=len(group)), 0)
    known = ~again & (turn < p.individuals)
    person[known] = fresh[turn[known]]
    group, hidden = group[order], hidden[order]
    harmless = np.flatnonzero(~threat)
    second = person[hidden & (rng.random(len(group)) < p.threat_double_membership)]
    if len(harmless):
        group = np.concatenate((group, harmless[rng.integers(len(harmless), size=len(second))]))
        person = np.concatenate((person, second))
    _, first = np.unique(group * p.individuals + person, return_index=True)
    keep = np.sort(first)
    group, person = group[keep], person[keep]
    order = np.argsort(group, kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(group, minlength=len(threat))))).astype(np.int64)
    return start, person[order].astype(np.int64)


def _names(p: WorldParameters, of_threat: NDArray[np.bool_], rng: Generator) -> tuple[Integers, Integers]:
    share = np.where(of_threat, p.threat_alias_share, p.alias_share)
    several = rng.random(p.individuals) < share
    count = np.where(several, rng.integers(2, p.aliases_most + 1, size=p.individuals), 1)
    start = np.concatenate(([0], np.cumsum(count))).astype(np.int64)
    return start, rng.permutation(int(start[-1])).astype(np.int64)


def _holdings(p: WorldParameters, rng: Generator) -> Integers:
    """Draw what everyone has from the start; drawing the same asset twice gives it once."""
    has = np.zeros((p.individuals, p.capabilities + p.resource_types), np.bool_)
    for first, kinds, mean in (
        (0, p.capabilities, p.intrinsic_capabilities_mean),
        (p.capabilities, p.resource_types, p.intrinsic_resources_mean),
    ):
        person = np.repeat(np.arange(p.individuals), np.minimum(rng.poisson(mean, p.individuals), kinds))
        has[person, first + rng.integers(kinds, size=len(person))] = True
    return np.argwhere(has)
