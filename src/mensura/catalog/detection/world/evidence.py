"""What can be seen of what happened: partly, under several names, partly wrong, partly invented."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.catalog.detection.world.exploitation import ATTACK, Exploitations
from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.parameters import Parameters
from mensura.catalog.detection.world.patterns import KINDS
from mensura.catalog.detection.world.society import Society
from mensura.catalog.detection.world.transactions import NONE, Transactions

TRUE, CORRUPTED, FALSE, DUPLICATE = 0, 1, 2, 3
STATES = ("true", "corrupted", "false", "duplicate")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Reports in the order they come in. Actors and others are names (identities), not persons; -1 is unknown.

    `event` and `state` belong to the truth: the exploitation behind a report, and whether it is true, corrupted,
    false or said twice.
    """

    reported: Integers
    day: Integers
    kind: Integers
    actor: Integers
    other: Integers
    item: Integers
    target: Integers
    event: Integers
    state: Integers

    def __len__(self) -> int:
        return len(self.day)

    def only(self, chosen: Integers | NDArray[np.bool_] | slice) -> "Evidence":
        """Give some of the rows."""
        return Evidence(*(getattr(self, each.name)[chosen] for each in fields(self)))


def observe(
    parameters: Parameters,
    means: Means,
    society: Society,
    exploitations: Exploitations,
    transactions: Transactions,
    rng: Generator,
) -> Evidence:
    """Report transactions."""
    p = parameters
    chance = np.array([getattr(p, f"observe_{kind}") for kind in KINDS])[transactions.kind] * p.observability
    attack = np.zeros(len(transactions), np.bool_)
    within = transactions.event >= 0
    attack[within] = exploitations.context[transactions.event[within]] == ATTACK
    chance = np.where(attack, chance * (1 - p.threat_secrecy), chance)
    seen = transactions.only(rng.random(len(transactions)) < chance)
    table = _named(p, society, seen, rng)
    table = _corrupted(p, means, society, table, rng)
    invented = round(p.false_transactions * p.corruption * len(table))
    twice = table.only(rng.random(len(table)) < p.duplicate_reports * p.corruption)
    twice = Evidence(**_columns(twice) | {"state": np.full(len(twice), DUPLICATE)})
    parts = (table, twice, _invented(p, means, society, invented, rng))
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _columns(table)}
    delay = rng.exponential(max(p.report_delay_mean, 1e-9), len(joined["day"])).astype(np.int64)
    joined["reported"] = np.maximum(joined["day"], 0) + delay
    order = np.lexsort((rng.random(len(delay)), joined["reported"]))
    return Evidence(**joined).only(order)


def _columns(evidence: Evidence) -> dict[str, Integers]:
    return {each.name: getattr(evidence, each.name) for each in fields(evidence)}


def _named(p: Parameters, society: Society, seen: Transactions, rng: Generator) -> Evidence:
    size = len(seen)
    day = np.clip(np.floor(seen.day), 0, p.days - 1).astype(np.int64)
    return Evidence(
        reported=day,
        day=day,
        kind=seen.kind,
        actor=_name(p, society, seen.actor, rng),
        other=_name(p, society, seen.other, rng),
        item=seen.item,
        target=seen.target,
        event=seen.event,
        state=np.full(size, TRUE),
    )


def _name(p: Parameters, society: Society, person: Integers, rng: Generator) -> Integers:
    """Call a person by the usual name, or by another one."""
    count = np.diff(society.alias_start)[np.maximum(person, 0)]
    other = 1 + np.floor(rng.random(len(person)) * (count - 1)).astype(np.int64)
    place = np.where((count > 1) & (rng.random(len(person)) < p.alias_use), other, 0)
    return np.where(person >= 0, society.identity[society.alias_start[np.maximum(person, 0)] + place], NONE)


def _corrupted(p: Parameters, means: Means, society: Society, table: Evidence, rng: Generator) -> Evidence:
    size = len(table)
    columns = _columns(table)
    touched = np.zeros(size, np.bool_)
    capability = columns["item"] < means.capabilities
    stranger = {
        "actor": rng.integers(society.identities, size=size),
        "other": rng.integers(society.identities, size=size),
        "item": np.where(
            capability,
            rng.integers(means.capabilities, size=size),
            means.capabilities + rng.integers(means.resource_types, size=size),
        ),
        "target": rng.integers(means.targets, size=size),
    }
    for name, value in stranger.items():
        filled = columns[name] >= 0
        wrong = filled & (rng.random(size) < getattr(p, f"corrupt_{name}") * p.corruption)
        missing = filled & (rng.random(size) < getattr(p, f"missing_{name}") * p.corruption)
        columns[name] = np.where(missing, NONE, np.where(wrong, value, columns[name]))
        touched |= wrong | missing
    wrong = rng.random(size) < p.corrupt_day * p.corruption
    error = np.ceil(rng.exponential(max(p.day_error, 1e-9), size)).astype(np.int64) * rng.choice((-1, 1), size)
    columns["day"] = np.where(wrong, np.clip(columns["day"] + error, 0, p.days - 1), columns["day"])
    columns["state"] = np.where(touched | wrong, CORRUPTED, TRUE)
    return Evidence(**columns)


def _invented(p: Parameters, means: Means, society: Society, size: int, rng: Generator) -> Evidence:
    """Reports of what never happened."""
    kind = rng.integers(KINDS.index("application") + 1, size=size)
    name = np.array(KINDS)[kind]
    resource = means.capabilities + rng.integers(means.resource_types, size=size)
    capability = rng.integers(means.capabilities, size=size)
    item = np.where(np.isin(name, ("purchase", "transfer")), resource, NONE)
    item = np.where(name == "training", capability, item)
    item = np.where(name == "application", rng.integers(means.assets, size=size), item)
    placed = np.isin(name, ("visit", "application"))
    day = rng.integers(p.days, size=size)
    return Evidence(
        reported=day,
        day=day,
        kind=kind,
        actor=rng.integers(society.identities, size=size),
        other=np.where(placed, NONE, rng.integers(society.identities, size=size)),
        item=item,
        target=np.where(placed, rng.integers(means.targets, size=size), NONE),
        event=np.full(size, NONE),
        state=np.full(size, FALSE),
    )
