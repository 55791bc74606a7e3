"""The loop that grows a mapping match by match, compiled."""

from pathlib import Path
from typing import Any

import numpy as np

from mensura.machine_code import compiler

compiled = compiler(Path(__file__).parent, extra="analogy")


@compiled
def _gain(
    one: int, other: int, places: Any, others: Any, links: Any, other_links: Any, concepts: Any, inverse: Any,
    relations: Any, likeness: Any, verb_likeness: Any, join: float, second: float,
) -> tuple[float, float]:  # fmt: skip
    """Return structure and likeness that mapping one relation to another adds; -1 where it cannot be mapped."""
    structure, alike = 1.0, verb_likeness[one, other]
    for role in range(2):
        mine, theirs = places[one, role], others[other, role]
        if mine < 0:
            if theirs >= 0:
                return -1.0, 0.0
            continue
        if theirs < 0:
            return -1.0, 0.0
        if concepts[mine] >= 0 or inverse[theirs] >= 0:
            if concepts[mine] != theirs:
                return -1.0, 0.0
            structure += join
        else:
            alike += likeness[mine, theirs]
    mine, theirs = places[one, 0], others[other, 0]
    if mine >= 0 and places[one, 1] >= 0:
        # A concept that is both subject and object must be so in both.
        if (mine == places[one, 1]) != (theirs == others[other, 1]):
            return -1.0, 0.0
        if mine == places[one, 1] and concepts[mine] < 0:
            structure += join
            alike -= likeness[mine, theirs]
    for at in range(len(links)):
        first, last = links[at, 1], links[at, 2]
        if first != one and last != one:
            continue
        to_first = other if first == one else relations[first]
        to_last = other if last == one else relations[last]
        if to_first < 0 or to_last < 0:
            continue
        for place in range(len(other_links)):
            if (
                other_links[place, 0] == links[at, 0]
                and other_links[place, 1] == to_first
                and other_links[place, 2] == to_last
            ):
                structure += second
                break
    return structure, alike


@compiled
def _take(
    one: int, other: int, places: Any, others: Any, concepts: Any, inverse: Any, relations: Any, back: Any
) -> None:
    relations[one] = other
    back[other] = one
    for role in range(2):
        if places[one, role] >= 0:
            concepts[places[one, role]] = others[other, role]
            inverse[others[other, role]] = places[one, role]


@compiled
def _together(
    first: int, to_first: int, last: int, to_last: int, places: Any, others: Any, links: Any, other_links: Any,
    concepts: Any, inverse: Any, relations: Any, likeness: Any, verb_likeness: Any, join: float, second: float,
    weight: float,
) -> float:  # fmt: skip
    """Return what each of two relations adds on average if both are mapped at once; -1 where that cannot be."""
    structure, alike = _gain(
        first, to_first, places, others, links, other_links, concepts, inverse, relations, likeness, verb_likeness,
        join, second,
    )  # fmt: skip
    if structure < 0:
        return -1.0
    fresh = np.zeros(2, np.bool_)
    for role in range(2):
        mine = places[first, role]
        if mine >= 0 and concepts[mine] < 0:
            fresh[role] = True
            concepts[mine] = others[to_first, role]
            inverse[others[to_first, role]] = mine
    relations[first] = to_first
    more, more_alike = _gain(
        last, to_last, places, others, links, other_links, concepts, inverse, relations, likeness, verb_likeness,
        join, second,
    )  # fmt: skip
    relations[first] = -1
    for role in range(2):
        if fresh[role]:
            concepts[places[first, role]] = -1
            inverse[others[to_first, role]] = -1
    if more < 0:
        return -1.0
    return (structure + more + weight * (alike + more_alike)) / 2


@compiled
def grow(
    places: Any, others: Any, links: Any, other_links: Any, likeness: Any, verb_likeness: Any, concepts: Any,
    relations: Any, join: float, second: float, weight: float, noise: Any,
) -> None:  # fmt: skip
    """Add to a mapping, in place, the match that adds most, until none can be added.

    Two relations with a second-order edge between them are added together; what they add is shared between the two.
    The best partner of every relation is kept until a match touches its subject, its object or that partner: nothing
    else can make another partner better.
    """
    inverse = np.full(likeness.shape[1], -1, np.int64)
    back = np.full(len(others), -1, np.int64)
    for at in range(len(concepts)):
        if concepts[at] >= 0:
            inverse[concepts[at]] = at
    for at in range(len(relations)):
        if relations[at] >= 0:
            back[relations[at]] = at
    kept = np.full(len(places), -1, np.int64)
    worth = np.zeros(len(places))
    stale = np.ones(len(places), np.bool_)
    while True:
        best, mine, theirs = 0.0, -1, -1
        next_mine, next_theirs = -1, -1
        for one in range(len(places)):
            if relations[one] >= 0:
                continue
            if stale[one]:
                stale[one] = False
                kept[one], worth[one] = -1, 0.0
                for other in range(len(others)):
                    if back[other] >= 0:
                        continue
                    structure, alike = _gain(
                        one, other, places, others, links, other_links, concepts, inverse, relations, likeness,
                        verb_likeness, join, second,
                    )  # fmt: skip
                    if structure >= 0:
                        gain = structure + weight * alike + noise[one, other]
                        if gain > worth[one]:
                            kept[one], worth[one] = other, gain
            if worth[one] > best:
                best, mine, theirs = worth[one], one, kept[one]
        for at in range(len(links)):
            first, last = links[at, 1], links[at, 2]
            if relations[first] >= 0 or relations[last] >= 0 or first == last:
                continue
            for place in range(len(other_links)):
                to_first, to_last = other_links[place, 1], other_links[place, 2]
                if other_links[place, 0] != links[at, 0] or to_first == to_last:
                    continue
                if back[to_first] >= 0 or back[to_last] >= 0:
                    continue
                gain = _together(
                    first, to_first, last, to_last, places, others, links, other_links, concepts, inverse, relations,
                    likeness, verb_likeness, join, second, weight,
                )  # fmt: skip
                if gain >= 0 and gain + noise[first, to_first] > best:
                    best, mine, theirs = gain + noise[first, to_first], first, to_first
                    next_mine, next_theirs = last, to_last
        if mine < 0:
            return
        _take(mine, theirs, places, others, concepts, inverse, relations, back)
        _touch(mine, theirs, places, others, links, relations, back, kept, stale)
        if next_mine >= 0:
            _take(next_mine, next_theirs, places, others, concepts, inverse, relations, back)
            _touch(next_mine, next_theirs, places, others, links, relations, back, kept, stale)


@compiled
def _touch(
    mine: int, theirs: int, places: Any, others: Any, links: Any, relations: Any, back: Any, kept: Any, stale: Any
) -> None:
    """Mark the relations whose best partner must be looked for again."""
    for one in range(len(places)):
        if relations[one] >= 0 or stale[one]:
            continue
        other = kept[one]
        if other >= 0 and back[other] >= 0:
            stale[one] = True
            continue
        for role in range(2):
            for held in range(2):
                if places[one, role] >= 0 and places[one, role] == places[mine, held]:
                    stale[one] = True
                if other >= 0 and others[other, role] >= 0 and others[other, role] == others[theirs, held]:
                    stale[one] = True
    for at in range(len(links)):
        if links[at, 1] == mine:
            stale[links[at, 2]] = True
        if links[at, 2] == mine:
            stale[links[at, 1]] = True
