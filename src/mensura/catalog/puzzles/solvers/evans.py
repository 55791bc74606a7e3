"""Evans: geometric analogies by describing how A became B, and how C would become each of the options."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any, ClassVar

from mensura.catalog.puzzles.grammar.figure import figure_of, moved, reflected
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import OptionSolver

Object = Sequence[int]
Part = tuple[Any, ...]
"""How one object changed: what was done to each attribute."""
GONE: Part = ("gone",)
ABSENT = 4
"""What an object that has come or gone costs in a match, in changed attributes."""

MATCHES = 6
"""How many matches of two figures are kept, the simplest first."""


class Evans(OptionSolver):
    """Chooses the option that C becomes by the rule most like the one by which A becomes B.

    Objects of two figures are matched in every way. For a match of A with B each object has a description of what was
    done to it; the same for C with an option. A third match, of A with C, says which object plays which part. The
    option wins whose descriptions agree best with those of A and B, given that all three matches are the simplest.
    What is done may be read in two ways, by what it is now and by how far it went; Evans's program kept to such
    readings too.

    References
    ----------
    .. [1] Evans (1964), A heuristic program to solve geometric-analogy problems, AFIPS 25, 327-338.
    """

    attempts: ClassVar[tuple[str, ...]] = ("geometric-analogy",)

    def choose(self, kind: Kind, shown: Any, options: Sequence[Any]) -> int:
        """Return the option to which C changes most as A does to B."""
        first, second, third = shown
        costs = [dissimilarity(first, second, third, option) for option in options]
        return costs.index(min(costs))

    def solve(self, kind: Kind, shown: Any) -> list[list[int]] | None:
        """Do to C what the simplest match says was done to A, in every way that it can be read; keep what fits best."""
        first, second, third = shown
        made: dict[Any, None] = {}
        for parts, new, _ in _simplest(first, second):
            # What is put in stands inside of the object of which it is new.
            if new or len(parts) != len(third):
                continue
            orders = sorted(permutations(range(len(third))), key=lambda order: _roles_differ(first, third, order))
            for order in orders[:2]:
                ways = [_done(third[place], part, third) for part, place in zip(parts, order, strict=True)]
                made |= {figure: None for objects in product(*ways) if (figure := figure_of(filter(None, objects)))}
        best = min(made, key=lambda figure: dissimilarity(first, second, third, figure), default=None)
        return None if best is None else [list(one) for one in best]


def _done(old: Object, part: Part, figure: Sequence[Object]) -> list[Object | None]:
    """Return what an object may become by a description of what was done to another."""
    if part is GONE:
        return [None]
    others = [one for one in figure if one is not old]
    shape, size, fill, turn, place = part
    found = [list(old)]
    for attribute, ways in ((0, shape), (1, size), (2, fill)):
        values = sorted({_value(old, attribute, way, others) for way in ways or ()})
        found = [
            [*one[:attribute], value, *one[attribute + 1 :]] for one in found for value in values or [old[attribute]]
        ]
    # In one order, whatever the process: of equally good ones the first is kept.
    for way in sorted(turn or ()):
        turned = [old[3] + way[1], old[4]] if way[0] == "turned" else list(reflected(old[3], old[4], way[1]))
        found += [[*one[:3], *turned, one[5]] for one in found[: len(found)]]
    for way in sorted(place or ()):
        to = _place(old, way, others)
        found += [[*one[:5], to] for one in found] if to >= 0 else []
    whole = [
        one for one in found if (turn is None or one[3:5] != list(old[3:5])) and (place is None or one[5] != old[5])
    ]
    return [tuple(one) for one in whole]


def _value(old: Object, attribute: int, way: Any, others: Sequence[Object]) -> int:
    if way[0] == "by":
        return int(old[attribute] + way[1])
    return int(way[1] if way[0] == "is" or way[1] >= len(others) else others[way[1]][attribute])


def _place(old: Object, way: Any, others: Sequence[Object]) -> int:
    if way[0] == "by":
        return moved(old[5], way[1], way[2])
    largest = max(others, key=lambda one: one[1], default=old)
    return moved(largest[5], 0, -1) if way[0] == "above" else largest[5]


def dissimilarity(first: Any, second: Any, third: Any, option: Any) -> float:
    """Return how much the change from C to an option differs from that from A to B; less is better."""
    best = float("inf")
    roles = [(order, _roles_differ(first, third, order)) for order in permutations(range(len(third)))]
    there = _simplest(third, option)
    for parts, extra, cost in _simplest(first, second):
        for other, more, price in there:
            added = abs(len(extra) - len(more)) * ABSENT + sum(a != b for a, b in zip(extra, more, strict=False))
            for order, apart in roles:
                unlike = sum(_unlike(part, other[place]) for part, place in zip(parts, order, strict=False))
                best = min(best, unlike + added + 0.3 * apart + 0.2 * (cost + price))
    return best


def _simplest(before: Sequence[Object], after: Sequence[Object]) -> list[tuple[list[Part], list[Any], float]]:
    return sorted(_changes(before, after), key=lambda change: change[2])[:MATCHES]


def _changes(before: Sequence[Object], after: Sequence[Object]) -> Iterator[tuple[list[Part], list[Any], float]]:
    """Every match of the objects: what became of each, what is new, and how much had to change for it."""
    padded = [*after, *([None] * len(before))]
    seen = set()
    for match in permutations(range(len(padded)), len(before)):
        key = tuple(place if padded[place] is not None else None for place in match)
        if key in seen:
            continue
        seen.add(key)
        chosen = [padded[place] for place in match]
        new = [_bare(one, before) for place, one in enumerate(after) if place not in match]
        parts = [GONE if one is None else _part(old, one, before) for old, one in zip(before, chosen, strict=True)]
        changed = sum(ABSENT if part is GONE else sum(one is not None for one in part) for part in parts)
        yield parts, new, changed + ABSENT * len(new)


def _part(old: Object, new: Object, figure: Sequence[Object]) -> Part:
    """Describe what was done to an object: for each attribute None, or all the ways to say it."""
    others = [one for one in figure if one is not old]
    shape, fill = (
        {("is", new[at]), *(("as", n) for n, one in enumerate(others) if one[at] == new[at])} for at in (0, 2)
    )
    return (
        None if old[0] == new[0] else shape,
        None if old[1] == new[1] else {("by", new[1] - old[1])},
        None if old[2] == new[2] else fill,
        None if (old[3], old[4]) == (new[3], new[4]) else _turns(old, new),
        None if old[5] == new[5] else _moves(old, new, others),
    )


def _turns(old: Object, new: Object) -> set[Any]:
    ways: set[Any] = set()
    if old[4] == new[4]:
        ways.add(("turned", (new[3] - old[3]) % 4))
    for axis in (0, 1):
        if new[3] == (2 * axis - old[3]) % 4 and (new[0] < 8 or new[4] != old[4]):
            ways.add(("mirrored", axis))
    return ways


def _moves(old: Object, new: Object, others: Sequence[Object]) -> set[Any]:
    ways: set[Any] = {("by", new[5] % 3 - old[5] % 3, new[5] // 3 - old[5] // 3)}
    for one in others:
        if one[5] == new[5]:
            ways.add(("into" if one[1] > new[1] else "around",))
        if one[5] == new[5] + 3:
            ways.add(("above",))
    return ways


def _bare(one: Object, figure: Sequence[Object]) -> Any:
    return one[0], one[1], one[2], any(other[5] == one[5] for other in figure)


def _unlike(part: Part, other: Part) -> float:
    if part is GONE or other is GONE:
        return 0.0 if part is other else ABSENT
    # An object that looks alike at every quarter may have been turned unseen: less unlike than another colour.
    weights = (1.0, 1.0, 1.0, 0.6, 1.0)
    return sum(
        weight
        for a, b, weight in zip(part, other, weights, strict=True)
        if (a is None) != (b is None) or (a is not None and not a & b)
    )


def _roles_differ(first: Sequence[Object], third: Sequence[Object], order: Sequence[int]) -> int:
    """Count the pairs of objects whose relation in A is another than that of the objects that play them in C."""
    differing = 0
    for i in range(len(first)):
        for j in range(i):
            a, b = third[order[i]], third[order[j]]
            differing += sum(x != y for x, y in zip(_relation(first[i], first[j]), _relation(a, b), strict=True))
    return differing


def _relation(a: Object, b: Object) -> tuple[int, int, int]:
    """Say which is larger, which is further right, which is lower."""
    return _sign(a[1] - b[1]), _sign(a[5] % 3 - b[5] % 3), _sign(a[5] // 3 - b[5] // 3)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
