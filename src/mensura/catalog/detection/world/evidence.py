"""What can be seen of what happened: partly, under several names, partly wrong, partly invented."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mensura.catalog.detection.world.array_table import ArrayTable
from mensura.catalog.detection.world.clutter import CHUNK
from mensura.catalog.detection.world.exploitation import ATTACK, Exploitations
from mensura.catalog.detection.world.means import Integers, Means
from mensura.catalog.detection.world.parameters import WorldParameters
from mensura.catalog.detection.world.patterns import KINDS
from mensura.catalog.detection.world.society import Population
from mensura.catalog.detection.world.transactions import NONE, Transactions

TRUE, CORRUPTED, FALSE, DUPLICATE = 0, 1, 2, 3
STATES = ("true", "corrupted", "false", "duplicate")


@dataclass(frozen=True, slots=True)
class Evidence(ArrayTable):
    """Reports in the order they come in. Actors and others are names (identities), not persons; -1 is unknown.

    `event` and `state` belong to the truth: the exploitation behind a report, and whether it is true, corrupted,
    false or said twice.
    """

    reported: NDArray[np.int32]
    day: NDArray[np.int32]
    kind: NDArray[np.int8]
    actor: NDArray[np.int32]
    other: NDArray[np.int32]
    item: NDArray[np.int16]
    target: NDArray[np.int32]
    event: NDArray[np.int32]
    state: NDArray[np.int8]


def observe(
    parameters: WorldParameters,
    means: Means,
    society: Population,
    exploitations: Exploitations,
    transactions: Transactions,
    rng: Generator,
) -> Evidence:
    """Report transactions, a stretch of them at a time, and put the reports in order."""
    p = parameters
    chance = np.array([getattr(p, f"observe_{kind}") for kind in KINDS]) * p.observability
    parts: list[Evidence] = []
    for begin in range(0, len(transactions), CHUNK):
        done = transactions.only(slice(begin, begin + CHUNK))
        attack = np.zeros(len(done), np.bool_)
        within = done.event >= 0
        attack[within] = exploitations.context[done.event[within]] == ATTACK
        seen = np.where(attack, 1 - p.threat_secrecy, 1.0) * chance[done.kind]
        table = _named(p, society, done.only(rng.random(len(done)) < seen), rng)
        table = _corrupted(p, means, society, table, rng)
        twice = table.only(rng.random(len(table)) < p.duplicate_reports * p.corruption)
        parts += [table, Evidence(**twice.columns() | {"state": np.full(len(twice), DUPLICATE, np.int8)})]
    true = sum(len(table) for table in parts[::2])
    invented = round(p.false_transactions * p.corruption * true)
    parts += [_invented(p, means, society, min(CHUNK, invented - begin), rng) for begin in range(0, invented, CHUNK)]
    if not parts:
        parts = [_invented(p, means, society, 0, rng)]
    for part in parts:
        delay = rng.exponential(max(p.report_delay_mean, 1e-9), len(part)).astype(np.int32)
        part.reported[:] += delay
        # What is said of the day may be wrong, but nobody reports what is still to come.
        part.day[:] = np.minimum(part.day, part.reported)
    order = _shuffled_by_day(np.concatenate([part.reported for part in parts]), rng)
    # One column at a time, so that all of them together never stand in memory twice.
    return Evidence(
        **{name: np.concatenate([getattr(part, name) for part in parts])[order] for name in Evidence.names()}
    )


def _shuffled_by_day(reported: NDArray[np.int32], rng: Generator) -> Integers:
    """Order by day of report; within a day by chance, as the order of making gives away what belongs to what."""
    few = reported.max(initial=0) < 1 << 16
    # Sixteen bits are sorted by counting, which takes time in proportion to the rows.
    order = np.argsort(reported.astype(np.uint16) if few else reported, kind="stable")
    counts = np.bincount(reported)
    for begin, end in zip(np.cumsum(counts) - counts, np.cumsum(counts), strict=True):
        if end - begin > 1:
            rng.shuffle(order[begin:end])
    return order


def _named(p: WorldParameters, society: Population, seen: Transactions, rng: Generator) -> Evidence:
    day = np.clip(np.floor(seen.day), 0, p.days - 1).astype(np.int64)
    return Evidence.of(
        reported=day,
        day=day,
        kind=seen.kind,
        actor=_name(p, society, seen.actor, rng),
        other=_name(p, society, seen.other, rng),
        item=seen.item,
        target=seen.target,
        event=seen.event,
        state=np.full(len(seen), TRUE),
    )


def _name(p: WorldParameters, society: Population, person: NDArray[np.int32], rng: Generator) -> Integers:
    """Call a person by the usual name, or by another one."""
    first = society.alias_start[np.maximum(person, 0)]
    count = society.alias_start[np.maximum(person, 0) + 1] - first
    other = 1 + np.floor(rng.random(len(person)) * (count - 1)).astype(np.int64)
    place = np.where((count > 1) & (rng.random(len(person)) < p.alias_use), other, 0)
    return np.where(person >= 0, society.identity[first + place], NONE)


def _corrupted(p: WorldParameters, means: Means, society: Population, table: Evidence, rng: Generator) -> Evidence:
    size = len(table)
    columns = table.columns()
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
    return Evidence.of(**columns)


def _invented(p: WorldParameters, means: Means, society: Population, size: int, rng: Generator) -> Evidence:
    """Reports of what never happened."""
    kind = rng.integers(KINDS.index("application") + 1, size=size)
    resource = means.capabilities + rng.integers(means.resource_types, size=size)
    capability = rng.integers(means.capabilities, size=size)
    item = np.where(np.isin(kind, _kinds("purchase", "transfer")), resource, NONE)
    item = np.where(np.isin(kind, _kinds("training")), capability, item)
    item = np.where(np.isin(kind, _kinds("application")), rng.integers(means.assets, size=size), item)
    placed = np.isin(kind, _kinds("visit", "application"))
    day = np.floor(p.keep_week(rng.random(size) * p.days, rng))
    return Evidence.of(
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


def _kinds(*names: str) -> list[int]:
    return [KINDS.index(name) for name in names]
