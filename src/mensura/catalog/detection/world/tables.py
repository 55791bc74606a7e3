"""The world as relational tables: what a detector may see, and the truth behind it."""

from typing import Any

import numpy as np
from numpy.random import Generator

from mensura.catalog.detection.world.evidence import STATES
from mensura.catalog.detection.world.making import ThreatWorld
from mensura.catalog.detection.world.means import Integers
from mensura.catalog.detection.world.parameters import WorldParameters
from mensura.catalog.detection.world.patterns import CONTEXTS, KINDS
from mensura.catalog.detection.world.society import Population

Columns = dict[str, Any]


def evidence_tables(world: ThreatWorld, rng: Generator) -> dict[str, Columns]:
    """Return what a detector may see: reports, and what is known of the world; chance decides what is left out."""
    p, society, means, evidence = world.parameters, world.society, world.means, world.evidence
    bearer, asset = _papers(society.holdings, society, rng)
    able = asset < means.capabilities
    held = rng.random(len(asset)) < np.where(able, p.capability_known, p.resource_known)
    group = np.repeat(np.arange(society.groups), np.diff(society.group_start))
    member, group = _papers(np.stack((_covered(p, society, rng)[society.member], group), axis=1), society, rng)
    shown = np.flatnonzero(rng.random(len(group)) < p.membership_known)
    shown = shown[np.lexsort((member[shown], group[shown]))]
    supported = np.concatenate((means.productive, means.destructive), axis=1)
    target = np.repeat(np.arange(means.targets), supported.shape[1])
    told = rng.random(len(target)) < p.target_mode_known
    mode = np.repeat(np.arange(len(means.needs)), [len(need) for need in means.needs])
    return {
        "transactions": {
            "number": np.arange(len(evidence)),
            "reported": evidence.reported,
            "day": evidence.day,
            "kind": _Labels(evidence.kind, KINDS),
            "actor": _prefixed(evidence.actor, "I"),
            "other": _prefixed(evidence.other, "I"),
            "item": _Labels(evidence.item, tuple(means.asset_names())),
            "target": _prefixed(evidence.target, "T"),
        },
        "names": {"name": _prefixed(np.arange(society.identities), "I")},
        "capabilities": {"name": _prefixed(bearer[held & able], "I"), "capability": _prefixed(asset[held & able], "C")},
        "resources": {
            "name": _prefixed(bearer[held & ~able], "I"),
            "resource": _prefixed(asset[held & ~able] - means.capabilities, "R"),
        },
        "memberships": {"group": _prefixed(group[shown], "G"), "name": _prefixed(member[shown], "I")},
        "modes": {
            "mode": _prefixed(mode, "M"),
            "destructive": mode >= means.productive_modes,
            "asset": _Labels(np.concatenate(means.needs), tuple(means.asset_names())),
        },
        "targets": {"target": _prefixed(target[told], "T"), "mode": _prefixed(supported.ravel()[told], "M")},
    }


def _covered(p: WorldParameters, society: Population, rng: Generator) -> Integers:
    """Return as whom everyone is listed: most members of threat groups change places with someone else.

    So neither what is listed of a group nor how often someone is listed tells who is a threat.
    """
    listed_as = np.arange(society.persons)
    threats = society.threat_persons()
    hidden = threats[rng.random(len(threats)) >= p.threat_membership_known]
    others = rng.permutation(np.setdiff1d(listed_as, threats))[: len(hidden)]
    hidden = hidden[: len(others)]
    listed_as[hidden], listed_as[others] = others, hidden
    return listed_as


def _papers(facts: Integers, society: Population, rng: Generator) -> tuple[Integers, Integers]:
    """Return names and what is said of each: the truth of usual names, and as much that is made up of other ones."""
    usual = society.identity[society.alias_start[:-1]]
    others = np.setdiff1d(society.identity, usual)
    counts = np.bincount(facts[:, 0], minlength=society.persons)[rng.integers(society.persons, size=len(others))]
    invented = facts[rng.integers(max(len(facts), 1), size=counts.sum()), 1]
    names = np.concatenate((usual[facts[:, 0]], np.repeat(others, counts)))
    said = np.append(facts[:, 1], invented)
    width = int(said.max(initial=0)) + 1
    once = np.unique(names * width + said)
    return once // width, once % width


def truth_tables(world: ThreatWorld) -> dict[str, Columns]:
    """Return what lies behind the evidence."""
    society, events = world.society, world.exploitations
    return {
        "origins": {
            "number": np.arange(len(world.evidence)),
            "exploitation": _prefixed(world.evidence.event, "E"),
            "state": _Labels(world.evidence.state, STATES),
        },
        "exploitations": {
            "exploitation": _prefixed(np.arange(len(events)), "E"),
            "context": _Labels(events.context, CONTEXTS),
            "group": _prefixed(events.group, "G"),
            "mode": _prefixed(events.mode, "M"),
            "target": _prefixed(events.target, "T"),
            "start": np.floor(events.start).astype(np.int64),
            "end": np.floor(events.start + events.length * events.stop).astype(np.int64),
            "finished": events.stop >= 1.0,
        },
        "persons": {
            "person": np.repeat(np.arange(society.persons), np.diff(society.alias_start)),
            "name": _prefixed(society.identity, "I"),
            "usual": np.isin(np.arange(society.identities), society.alias_start[:-1]),
        },
        "true_memberships": {
            "group": _prefixed(np.repeat(np.arange(society.groups), np.diff(society.group_start)), "G"),
            "threat": np.repeat(society.threat, np.diff(society.group_start)),
            "person": society.member,
        },
    }


class _Labels:
    """Numbers that stand for words, or are written with a letter in front; negative ones are null."""

    def __init__(self, numbers: Any, words: tuple[str, ...] = (), *, prefix: str = "") -> None:
        self.numbers, self.words, self.prefix = np.asarray(numbers), words, prefix

    def sql(self, name: str) -> str:
        """Return how the database writes the column."""
        column = f'"{name}"'
        words = ", ".join(f"'{word}'" for word in self.words)
        shown = f"list_extract([{words}], {column} + 1)" if self.words else f"'{self.prefix}' || {column}"
        return f"CASE WHEN {column} >= 0 THEN {shown} END"

    def texts(self) -> list[str | None]:
        """Return the column as text."""
        numbers = self.numbers.tolist()
        if self.words:
            return [self.words[number] if number >= 0 else None for number in numbers]
        return [f"{self.prefix}{number}" if number >= 0 else None for number in numbers]


def _prefixed(numbers: Any, prefix: str) -> _Labels:
    return _Labels(numbers, prefix=prefix)


def plain(columns: Columns) -> dict[str, list[Any]]:
    """Return a table as lists of plain values, numbers and text."""
    return {
        name: column.texts() if isinstance(column, _Labels) else np.asarray(column).tolist()
        for name, column in columns.items()
    }
