"""Changes of figures: every program that makes one figure of another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import Any

from mensura.catalog.puzzles.grammar.derivation import RuleStep
from mensura.catalog.puzzles.grammar.figure import FILL, FLIP, PLACE, SHAPE, SIZE, TURN, Figure, Object
from mensura.catalog.puzzles.grammar.transformation import (
    GONE,
    GRAMMAR,
    MEANT,
    NEW,
    Effect,
    Key,
    effect,
    put_in,
    roles_of,
    touched,
)

STEPS = tuple(
    step for said in MEANT.values() for same in zip(*filter(None, said.values()), strict=True) for step in same
)
"""Every rule that the grammar can say."""
PLACES = {step: place for place, step in enumerate(STEPS)}
SHORTEST = min(GRAMMAR.lengths.values())


@dataclass(frozen=True)
class SharedEffect:
    """What some rules of one length all do to a figure."""

    effect: Effect
    bits: int
    length: float
    places: list[int]


Match = tuple[Object | None, ...]


@lru_cache(maxsize=4)
def programs_between(first: Figure, second: Figure, limit: float) -> tuple[list[tuple[RuleStep, ...]], int]:
    """Find every program of at most so many bits that makes the second figure of the first, and count what was tried.

    Objects are matched in every way, and what differs is covered by rules. The last few are remembered: what a
    puzzle shows, the puzzles of its options show too.
    """
    deeds = _deeds(first)
    tried = [one for match in _matches(first, second) for one in _covering(first, second, match, deeds, limit)]
    found = dict.fromkeys(tuple(sorted(one)) for one in tried)
    return [tuple(STEPS[place] for place in one) for one in found], len(tried)


@lru_cache(maxsize=4)
def _deeds(figure: Figure) -> list[SharedEffect]:
    meanings: dict[tuple[int, ...], list[str]] = {}
    roles = roles_of(figure)
    for role, meant in roles.items():
        meanings.setdefault(meant, []).append(role)
    found: dict[Any, SharedEffect] = {}
    for same in meanings.values():
        for name, by_role in MEANT.items():
            length = GRAMMAR.lengths[name]
            # Roles that mean the same object have rules that do the same.
            for steps in zip(*(by_role[role] for role in same), strict=True):
                done = effect(figure, steps[0], roles)
                if done is not None:
                    deed = found.setdefault((*done.items(), length), SharedEffect(done, touched(done), length, []))
                    deed.places.extend(PLACES[step] for step in steps)
    return list(found.values())


def _matches(first: Figure, second: Figure) -> Iterator[Match]:
    """Every way to say what became of each object of A: one of B, or nothing."""
    padded: list[Object | None] = [*second, *([None] * len(first))]
    yield from dict.fromkeys(permutations(padded, len(first)))


def _covering(
    first: Figure, second: Figure, match: Match, deeds: Sequence[SharedEffect], limit: float
) -> Iterator[tuple[int, ...]]:
    """Every set of rules within the limit that does all that this match needs, and nothing against it."""
    new = [one for one in second if one not in match]
    needed: set[Key] = set()
    for index, (one, became) in enumerate(zip(first, match, strict=True)):
        if became is None:
            needed.add((index, GONE))
        else:
            seen = (
                SHAPE,
                SIZE,
                FILL,
                PLACE,
                *((TURN,) if became[SHAPE] >= 4 else ()),
                *((FLIP,) if became[SHAPE] >= 8 else ()),
            )
            needed |= {(index, key) for key in seen if one[key] != became[key]}
    # A rule changes one attribute, but turn and flip go together.
    least = len({TURN if key == FLIP else key for _, key in needed}) + len(new)
    if least * SHORTEST > limit:
        return
    fitting = [deed for deed in deeds if all(_agrees(first, key, deed.effect[key], match, new) for key in deed.effect)]
    yield from _complete(first, fitting, needed, new, limit, ())


def _agrees(first: Figure, key: Key, value: int, match: Match, new: list[Object]) -> bool:
    index, attribute = key
    became = match[index]
    if attribute == GONE:
        return became is None
    if attribute == NEW:
        return put_in(value, first[index][PLACE]) in new
    if became is None:
        return False
    unseen = (attribute == TURN and became[SHAPE] < 4) or (attribute == FLIP and became[SHAPE] < 8)
    return unseen or became[attribute] == value


def _complete(
    first: Figure,
    fitting: Sequence[SharedEffect],
    needed: set[Key],
    new: list[Object],
    limit: float,
    chosen: tuple[SharedEffect, ...],
) -> Iterator[tuple[int, ...]]:
    """Go on with what is needed first, then with all that does no harm, each set once."""
    if not needed and not new and chosen:
        yield from product(*(deed.places for deed in chosen))
    wanted = min(needed) if needed else None
    for n, deed in enumerate(fitting):
        put = [put_in(value, first[index][PLACE]) for (index, key), value in deed.effect.items() if key == NEW]
        if deed.length > limit or (wanted not in deed.effect if wanted else new and new[0] not in put):
            continue
        rest = [other for other in fitting[0 if needed or new else n + 1 :] if not other.bits & deed.bits]
        left = [one for one in new if one not in put]
        yield from _complete(first, rest, needed - set(deed.effect), left, limit - deed.length, (*chosen, deed))
