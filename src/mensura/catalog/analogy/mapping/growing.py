"""The loop that grows a mapping match by match, compiled."""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _take(
    one: int, other: int, places: Any, others: Any, concepts: Any, inverse: Any, relations: Any, back: Any
) -> None:
    relations[one] = other
    back[other] = one
    for role in range(2):
        if places[one, role] >= 0:
            concepts[places[one, role]] = others[other, role]
            inverse[others[other, role]] = places[one, role]


@njit(cache=True, nogil=True)
def grow(
    places: Any, others: Any, links: Any, other_links: Any, likeness: Any, verb_likeness: Any, concepts: Any,
    relations: Any, join: float, second: float, weight: float, noise: Any,
) -> None:  # fmt: skip
    """Add to a mapping, in place, the match that adds most, until none can be added.

    Two relations with a second-order edge between them are added together; what they add is shared between the two.
    """
    inverse = np.full(likeness.shape[1], -1, np.int64)
    back = np.full(len(others), -1, np.int64)
    for at in range(len(concepts)):
        if concepts[at] >= 0:
            inverse[concepts[at]] = at
    for at in range(len(relations)):
        if relations[at] >= 0:
            back[relations[at]] = at
    while True:
        best, mine, theirs = 0.0, -1, -1
        next_mine, next_theirs = -1, -1
        for one in range(len(places)):
            if relations[one] >= 0:
                continue
            for other in range(len(others)):
                if back[other] >= 0:
                    continue
                structure, alike = _gain(
                    one, other, places, others, links, other_links, concepts, inverse, relations, likeness,
                    verb_likeness, join, second,
                )  # fmt: skip
                if structure < 0:
                    continue
                gain = structure + weight * alike + noise[one, other]
                if gain > best:
                    best, mine, theirs, next_mine = gain, one, other, -1
        for at in range(len(links)):
            first, last = links[at, 1], links[at, 2]
            if relations[first] >= 0 or relations[last] >= 0 or first == last:
                continue
            for place in range(len(other_links)):
                if other_links[place, 0] != links[at, 0]:
                    continue
                to_first, to_last = other_links[place, 1], other_links[place, 2]
                if back[to_first] >= 0 or back[to_last] >= 0 or to_first == to_last:
                    continue
                structure, alike = _gain(
                    first, to_first, places, others, links, other_links, concepts, inverse, relations, likeness,
                    verb_likeness, join, second,
                )  # fmt: skip
                if structure < 0:
                    continue
                before = concepts.copy()
                before_inverse = inverse.copy()
                _take(first, to_first, places, others, concepts, inverse, relations, back)
                more, more_alike = _gain(
                    last, to_last, places, others, links, other_links, concepts, inverse, relations, likeness,
                    verb_likeness, join, second,
                )  # fmt: skip
                concepts[:] = before
                inverse[:] = before_inverse
                relations[first] = -1
                back[to_first] = -1
                if more < 0:
                    continue
                gain = (structure + more + weight * (alike + more_alike)) / 2 + noise[first, to_first]
                if gain > best:
                    best, mine, theirs, next_mine, next_theirs = gain, first, to_first, last, to_last
        if mine < 0:
            return
        _take(mine, theirs, places, others, concepts, inverse, relations, back)
        if next_mine >= 0:
            _take(next_mine, next_theirs, places, others, concepts, inverse, relations, back)
