"""Features of figures: what is or is not so of one, and rules that join two of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log2

from mensura.catalog.puzzles.grammar.derivation import Grammar, RuleStep, Use
from mensura.catalog.puzzles.grammar.figure import FILL, LEVELS, PLACE, SHAPE, SIZE, TURN, Figure, mirror_image, within

TARGETS = {"shape": SHAPE, "size": SIZE, "fill": FILL, "turn": TURN, "figure": -1}
MOST = 4
"""The most objects of a figure whose features are asked for."""
JOINED = ("intersection", "union", "exclusive-or")
SEVERAL = ("alike", "distinct", "ordered", "inside", "above")
"""What is said of several objects: of figures among which one has a single object it says nothing."""
CONVENTION = (
    "What compares objects (alike, distinct, ordered, inside, above) is a rule only where every figure has two or "
    "more; where an object stands is a rule only beside another. Any feature has log2(116) bits, for there are 116; to "
    "join a second adds log2(3 x 116)."
)
BOTH = (True, False)


@dataclass(frozen=True)
class FigureFeature:
    """Something that a figure has, or lacks where `holds` is false."""

    operation: str
    on: str
    value: int | None
    holds: bool

    @property
    def text(self) -> str:
        """Name it, as rules do that join it to another."""
        value = "" if self.value is None else f" {self.value}"
        return f"{'' if self.holds else 'not '}{self.operation} {self.on}{value}"

    @property
    def arguments(self) -> tuple[int | bool, ...]:
        """Its constants."""
        return (self.holds,) if self.value is None else (self.value, self.holds)


def _affirmed() -> Iterator[FigureFeature]:
    for name in ("shape", "size", "fill", "turn"):
        for operation in ("some", "every"):
            yield from (FigureFeature(operation, name, value, True) for value in range(LEVELS[TARGETS[name]]))
        yield FigureFeature("alike", name, None, True)
        if name != "turn":
            yield FigureFeature("distinct", name, None, True)
    yield from (FigureFeature("count", "figure", number, True) for number in range(1, MOST + 1))
    yield from (FigureFeature("ordered", name, None, True) for name in ("size", "fill"))
    yield from (FigureFeature(operation, "figure", None, True) for operation in ("inside", "above", "symmetric"))


AFFIRMED = tuple(_affirmed())
FEATURES = (*AFFIRMED, *(FigureFeature(one.operation, one.on, one.value, False) for one in AFFIRMED))
TEXTS = tuple(one.text for one in FEATURES)
STEPS = tuple(RuleStep(one.operation, one.arguments, one.on) for one in FEATURES)


def grammar_of(kind: str) -> Grammar:
    """Return the grammar of a kind whose rules are features: one, or one joined to another."""
    levels = tuple(range(max(LEVELS)))
    valued = {name: Use((levels, BOTH)) for name in ("some", "every", "count")}
    plain = {name: Use((BOTH,), needs=2) for name in ("alike", "distinct", "ordered", "inside", "above")}
    plain["symmetric"] = Use((BOTH,))
    joined = {name: Use((TEXTS,)) for name in JOINED}
    grammar = Grammar(kind, {**valued, **plain, **joined}, tuple(TARGETS), version=2)
    # Each feature is as plain to see as another, with a constant or without: it is one of a list.
    one = log2(len(FEATURES))
    grammar.lengths.update({**dict.fromkeys((*valued, *plain), one), **dict.fromkeys(JOINED, one + log2(len(JOINED)))})
    return grammar


@lru_cache(maxsize=65536)
def features_of(figure: Figure) -> int:
    """Return which of the affirmed features a figure has, a bit for each."""
    bits, bit = 0, 1
    columns = {name: [one[place] for one in figure] for name, place in TARGETS.items() if place >= 0}
    for one in AFFIRMED:
        if _has(figure, one, columns.get(one.on, [])):
            bits |= bit
        bit <<= 1
    return bits


def _has(figure: Figure, feature: FigureFeature, values: list[int]) -> bool:
    operation, value = feature.operation, feature.value
    if operation == "some":
        return value in values
    if operation == "every":
        return values.count(value) == len(values)  # type: ignore[arg-type]
    if operation in ("alike", "distinct"):
        return len(set(values)) == (1 if operation == "alike" else len(values))
    if operation == "count":
        return len(figure) == value
    if operation == "inside":
        return bool(within(figure))
    if operation == "symmetric":
        return mirror_image(figure) == figure
    if operation == "ordered":
        line = sorted((one[PLACE] % 3, one[TARGETS[feature.on]]) for one in figure)
        return len(line) > 1 and all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(line))
    sizes = sorted(figure, key=lambda one: one[SIZE])
    apart = len(sizes) > 1 and sizes[0][SIZE] < sizes[1][SIZE] and sizes[-2][SIZE] < sizes[-1][SIZE]
    return apart and sizes[-1][PLACE] // 3 < sizes[0][PLACE] // 3


def masks(figures: Sequence[Figure]) -> dict[int, int]:
    """Return for each of `FEATURES` that can be said of the figures, by its place there, which of them have it.

    A set of figures has a bit for each, the first lowest.
    """
    rows = [features_of(figure) for figure in figures]
    full = 2 ** len(figures) - 1
    alone = any(len(figure) < 2 for figure in figures)
    said = [n for n, one in enumerate(AFFIRMED) if not (alone and one.operation in SEVERAL)]
    found = {n: sum((row >> n & 1) << place for place, row in enumerate(rows)) for n in said}
    return found | {len(AFFIRMED) + n: full ^ mask for n, mask in found.items()}


def join(operation: str, first: int, second: int) -> int:
    """Join two sets of figures."""
    return first & second if operation == "intersection" else first | second if operation == "union" else first ^ second


def compared(figures: Sequence[Figure], grammar: Grammar, limit: float) -> int:
    """Count the rules within a limit that can be said of the figures."""
    lengths = [grammar.lengths[FEATURES[n].operation] for n in masks(figures)]
    joined = [grammar.lengths[name] + length for name in JOINED for length in lengths]
    return sum(length <= limit for length in lengths) + len(lengths) * sum(length <= limit for length in joined)


@dataclass(frozen=True)
class Separation:
    """A rule that holds for some of the figures: its steps, its bits, and for which."""

    steps: tuple[RuleStep, ...]
    length: float
    mask: int


def separations(
    figures: Sequence[Figure], grammar: Grammar, *, wanted: Sequence[int], relevant: int, limit: float
) -> Iterator[Separation]:
    """Find all rules within a limit that hold for just one of the wanted sets among the relevant figures.

    Parameters
    ----------
    wanted
        Sets of figures, a bit for each.
    relevant
        The figures that decide; others may have it or not.
    """
    goals = set(wanted)
    grouped: dict[int, list[int]] = {}
    for n, mask in masks(figures).items():
        grouped.setdefault(mask, []).append(n)
    firsts = {mask: [(STEPS[n], grammar.lengths[STEPS[n].operation]) for n in group] for mask, group in grouped.items()}
    for mask, steps in firsts.items():
        if mask & relevant in goals:
            yield from (Separation((step,), length, mask) for step, length in steps if length <= limit)
    for operation in JOINED:
        room = limit - grammar.lengths[operation]
        if room < min(grammar.lengths.values()):
            continue
        for first, steps in firsts.items():
            for second, group in grouped.items():
                mask = join(operation, first, second)
                if mask & relevant not in goals:
                    continue
                for n in group:
                    joined = RuleStep(operation, (TEXTS[n],), "figure")
                    for step, length in steps:
                        if length <= room:
                            yield Separation((step, joined), length + grammar.lengths[operation], mask)
