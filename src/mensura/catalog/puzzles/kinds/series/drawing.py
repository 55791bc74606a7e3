"""Drawing number series: a program with so many rules, and its terms."""

from collections.abc import Callable, Sequence

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, RuleStep
from mensura.catalog.puzzles.kinds.series.family import FAMILIES
from mensura.catalog.puzzles.kinds.series.program import GRAMMAR, STREAMS, TURNS

MOST = 24
LARGEST = 99_999
"""No term lies farther from zero."""
CHANGING = tuple(name for name in FAMILIES if name != "same")
PLAIN = tuple(name for name in CHANGING if name != "product-of-two")
"""Products of two grow so fast that only a handful stay small: their answers could be learned by heart."""
IN_TURN = ("add", "multiply")


def draw_program(rng: np.random.Generator, rules: int, count: int) -> tuple[Derivation, list[int]] | None:
    """Draw a program with this many rules and its first terms, at most `count`; fewer where they grow too large."""
    # By far the fastest way to draw small numbers, of which no program needs more; their bias is one in 10¹⁵.
    chance = iter(rng.random(MOST).tolist()).__next__

    def draw(low: int, high: int) -> int:
        return low + int(chance() * (high + 1 - low))

    form = draw(0, 4)
    if rules == 1:
        if form:
            steps, terms = _stream(draw, "", count, 1)
            return Derivation(GRAMMAR, steps, 1), terms
        if draw(0, 1):
            return _in_turn(draw, 2, 1, count)
        return _interleaved(draw, ((0, 1), (1, 0))[draw(0, 1)], count)
    if rules == 2 and form < 2:
        steps, terms = _stream(draw, "", count, 2)
        return Derivation(GRAMMAR, steps, 1), terms
    if rules < 4 and form == 2:
        return _in_turn(draw, rules, rules, count)
    return _interleaved(draw, {2: (1, 1), 3: ((1, 2), (2, 1))[draw(0, 1)], 4: (2, 2)}[rules], count)


Draw = Callable[[int, int], int]


def _stream(draw: Draw, on: str, count: int, rules: int) -> tuple[tuple[RuleStep, ...], list[int]]:
    """Draw one rule (none: the same over and over; two: for the differences) and its terms."""
    among = (("same",), PLAIN, CHANGING)[rules]
    family = FAMILIES[among[draw(0, len(among) - 1)]]
    constants = tuple([domain[draw(0, len(domain) - 1)] for domain in family.domains])
    terms: list[int] = family.open(draw, *constants)
    last = GRAMMAR.step(family.name, *constants, on=on)
    for _ in range(count - len(terms)):
        after = family.follow(terms[-2] if len(terms) > 1 else 0, terms[-1], *constants)
        if after is None or not -LARGEST <= after <= LARGEST:
            break
        terms.append(after)
    if rules < 2:
        return (last,), terms
    sums = [draw(1, 30)]
    for gap in terms:
        sums.append(sums[-1] + gap)
    return (GRAMMAR.step("accumulate", on=on), last), sums


def _interleaved(draw: Draw, rules: Sequence[int], count: int) -> tuple[Derivation, list[int]]:
    half = count // 2 + 1
    first, odd = _stream(draw, STREAMS[0], half, rules[0])
    second, even = _stream(draw, STREAMS[1], half, rules[1])
    terms = [term for pair in zip(odd, even, strict=False) for term in pair]
    return Derivation(GRAMMAR, first + second, 2), terms


def _in_turn(draw: Draw, turns: int, rules: int, count: int) -> tuple[Derivation, list[int]] | None:
    names = [IN_TURN[draw(0, 1)] if place < rules else "same" for place in range(turns)]
    if names.count("multiply") == turns:
        return None
    chosen = [(FAMILIES[name], tuple([one[draw(0, len(one) - 1)] for one in FAMILIES[name].domains])) for name in names]
    terms = [draw(1, 40)]
    for place in range(count - 1):
        family, constants = chosen[place % turns]
        after = family.follow(0, terms[-1], *constants)
        if after is None or not -LARGEST <= after <= LARGEST:
            break
        terms.append(after)
    steps = [
        GRAMMAR.step(family.name, *constants, on=on)
        for (family, constants), on in zip(chosen, TURNS[turns], strict=True)
    ]
    return Derivation(GRAMMAR, tuple(steps), turns), terms
