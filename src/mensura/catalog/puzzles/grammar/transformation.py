"""Transformations of figures: what a rule does to the objects that it means, all rules of a program at once."""

from collections.abc import Sequence
from functools import lru_cache

from mensura.catalog.puzzles.grammar.derivation import Grammar, RuleStep, Use
from mensura.catalog.puzzles.grammar.figure import (
    FILL,
    FLIP,
    LEVELS,
    PLACE,
    SHAPE,
    SIZE,
    TURN,
    Figure,
    Object,
    figure_of,
    moved,
    reflected,
    within,
)

ROLES = ("larger", "smaller", "upper", "lower", "left", "right", "inner", "outer", "every")
"""How a rule says which object it means, so that it means one in another figure too."""
MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
SWAPPED = {"shape": SHAPE, "fill": FILL, "place": PLACE}
SHAPES = tuple(range(LEVELS[SHAPE]))
GRAMMAR = Grammar(
    "geometric-analogy",
    {
        "rotate": Use(((1, 2, 3),)),
        "reflect": Use(((0, 1),)),
        "scale": Use(((1, -1),)),
        "recolour": Use((tuple(range(LEVELS[FILL])),)),
        "reshape": Use((SHAPES,)),
        "translate": Use((tuple(MOVES),)),
        "move-inside": Use(needs=2),
        "move-above": Use(needs=2),
        "swap": Use((tuple(SWAPPED),), needs=2),
        "remove": Use(),
        "insert": Use((SHAPES,)),
    },
    ROLES,
)
MEANT = {
    name: {role: GRAMMAR.steps(name, role) if name != "swap" or role == "every" else [] for role in ROLES}
    for name in GRAMMAR.uses
}
"""Operation → role → the rules that say so, one for each constant; only all objects are swapped."""
GONE, NEW = 6, 7
Key = tuple[int, int]
"""An object and an attribute, or GONE, or NEW with the shape in its value."""
Effect = dict[Key, int]


@lru_cache(maxsize=64)
def roles_of(figure: Figure) -> dict[str, tuple[int, ...]]:
    """Return which object each role means; a role that means none or several is left out.

    >>> roles_of(((4, 2, 0, 0, 0, 4), (0, 0, 3, 0, 0, 4)))["inner"]
    (1,)
    """
    found: dict[str, tuple[int, ...]] = {"every": tuple(range(len(figure)))}
    keys = {
        "larger": [-one[SIZE] for one in figure],
        "smaller": [one[SIZE] for one in figure],
        "upper": [one[PLACE] // 3 for one in figure],
        "lower": [-(one[PLACE] // 3) for one in figure],
        "left": [one[PLACE] % 3 for one in figure],
        "right": [-(one[PLACE] % 3) for one in figure],
    }
    for role, values in keys.items():
        least = min(values, default=0)
        if len(figure) > 1 and values.count(least) == 1:
            found[role] = (values.index(least),)
    pairs = within(figure)
    if len(pairs) == 1:
        found["inner"], found["outer"] = (pairs[0][0],), (pairs[0][1],)
    return found


def effect(figure: Figure, step: RuleStep, roles: dict[str, tuple[int, ...]]) -> Effect | None:
    """Return what a rule does to a figure; None where it means nothing there or cannot be done."""
    meant = roles.get(step.on)
    if meant is None or (step.operation in ("swap", "move-inside", "move-above") and not _fits(figure, step)):
        return None
    if step.operation == "swap":
        attribute = SWAPPED[step.arguments[0]]
        return {(0, attribute): figure[1][attribute], (1, attribute): figure[0][attribute]}
    done: Effect = {}
    for index in meant:
        for key, value in _on_one(figure, index, step):
            if value < 0 or (key == SIZE and value == LEVELS[SIZE]):
                return None
            done[index, key] = value
    return done


def _fits(figure: Figure, step: RuleStep) -> bool:
    if step.operation == "swap":
        return len(figure) == 2 and step.on == "every"
    return len(figure) > 1 and step.on != "every"


def _on_one(figure: Figure, index: int, step: RuleStep) -> list[tuple[int, int]]:
    one = figure[index]
    operation, argument = step.operation, (step.arguments or (None,))[0]
    if operation == "rotate":
        return [(TURN, (one[TURN] + argument) % 4)]
    if operation == "reflect":
        turn, flip = reflected(one[TURN], one[FLIP], argument)
        return [(TURN, turn), (FLIP, flip)]
    if operation == "scale":
        return [(SIZE, one[SIZE] + argument)]
    if operation == "recolour":
        return [(FILL, argument)]
    if operation == "reshape":
        return [(SHAPE, argument)]
    if operation == "translate":
        return [(PLACE, moved(one[PLACE], *MOVES[argument]))]
    if operation == "remove":
        return [(GONE, 1)]
    if operation == "insert":
        # What is put in is small: only something larger can hold it.
        return [(NEW, argument if one[SIZE] else -1)]
    others = [other for n, other in enumerate(figure) if n != index]
    largest = max(others, key=lambda other: other[SIZE])
    if operation == "move-above":
        return [(PLACE, moved(largest[PLACE], 0, -1))]
    return [(PLACE, largest[PLACE] if one[SIZE] < largest[SIZE] else -1)]


def put_in(shape: int, place: int) -> Object:
    """Return what `insert` puts in: a small white object."""
    return shape, 0, 0, 0, 0, place


def touched(done: Effect) -> int:
    """Return what an effect touches, a bit for each attribute of each object; two that share one clash."""
    bits = 0
    for index, key in done:
        bits |= (255 if key == GONE else 1 << key) << 8 * index
    return bits


def changed(figure: Figure, effects: Sequence[Effect]) -> Figure | None:
    """Carry out effects that do not clash, all at once; None where no figure comes of it."""
    objects = [list(one) for one in figure]
    gone, new = set(), []
    for done in effects:
        for (index, key), value in done.items():
            if key == GONE:
                gone.add(index)
            elif key == NEW:
                new.append(put_in(value, figure[index][PLACE]))
            else:
                objects[index][key] = value
    left = [one for index, one in enumerate(objects) if index not in gone]
    return figure_of([*left, *new]) if left else None


def effects_of(figure: Figure, steps: Sequence[RuleStep]) -> list[Effect] | None:
    """Return what each rule of a program does to a figure; None where one cannot be done, or two touch the same."""
    roles = roles_of(figure)
    effects: list[Effect] = []
    bits = 0
    for step in steps:
        done = effect(figure, step, roles)
        if done is None or touched(done) & bits:
            return None
        bits |= touched(done)
        effects.append(done)
    return effects


def transform(figure: Figure, steps: Sequence[RuleStep]) -> Figure | None:
    """Carry out the rules of a program on a figure; None where no figure comes of it."""
    effects = effects_of(figure, steps)
    return None if effects is None else changed(figure, effects)
