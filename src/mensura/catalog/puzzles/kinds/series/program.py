"""Programs of number series: rules that act on all terms, on every other one, on differences, or in turn."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, RuleStep, Use
from mensura.catalog.puzzles.grammar.forms import ProgramForms
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation
from mensura.catalog.puzzles.kinds.series.family import FAMILIES, FROM_TWO, Constants, Family, fitting, turning

STREAMS = ("first", "second")
"""Terms in odd places, and in even places."""
TURNS = {2: ("step 1 of 2", "step 2 of 2"), 3: ("step 1 of 3", "step 2 of 3", "step 3 of 3")}
"""Rules that take turns from one term to the next."""
TURNING = ("same", "add", "multiply", "divide")
GRAMMAR = Grammar(
    "number-series",
    {
        **{
            name: Use(one.domains, ("primes",) if name == "prime" else (), needs=3 if name in FROM_TWO else 2)
            for name, one in FAMILIES.items()
        },
        "accumulate": Use(needs=3),
    },
    targets=("", *STREAMS, *TURNS[2], *TURNS[3]),
)
_ANY, _GAPS = tuple(FAMILIES), ("accumulate",)
_STREAM = ((_ANY,), (_GAPS, _ANY))
PROGRAMS = ProgramForms(
    GRAMMAR,
    (*_STREAM, *(one + other for one in _STREAM for other in _STREAM), *((TURNING,) * turns for turns in TURNS)),
)
BITS = GRAMMAR.lengths
CHEAPEST = min(BITS.values())

Part = tuple[float, tuple[RuleStep, ...], int]
"""Bits, rules, and the term that follows."""


@lru_cache(maxsize=4)
def explain_numbers(shown: tuple[int, ...], limit: float) -> Explained:
    """Find every program of at most so many bits; constants are solved for, so that all of them are compared.

    A program is a rule for all terms; or one for their differences (`accumulate`); or two of these, for the terms in
    odd and in even places; or two or three simple rules that take turns. Every rule gives at least one term shown.
    The last few are remembered: what a draw asks to find how many terms must be shown, its proof asks again.
    """
    parts = [(1, one) for one in _stream(shown, "", limit)]
    for turns in TURNS:
        if limit >= turns * CHEAPEST and len(shown) > turns:
            parts += [(turns, one) for one in _turns(shown, turns, limit)]
    if limit >= 2 * CHEAPEST and len(shown) > 3:
        parts += [(2, one) for one in _interleaved(shown, limit)]
    found = tuple(Explanation(Derivation(GRAMMAR, steps, size), after) for size, (_, steps, after) in parts)
    return Explained(found, PROGRAMS.within(limit))


def _stream(terms: Sequence[int], on: str, limit: float) -> list[Part]:
    """Find what gives these terms, by themselves or by their differences."""
    found: list[Part] = [
        (BITS[name], (GRAMMAR.step(name, *constants, on=on),), after)
        for name, constants, after in fitting(terms)
        if BITS[name] <= limit
    ]
    left = limit - BITS["accumulate"]
    if left >= CHEAPEST and len(terms) > 2:
        gaps = [terms[place] - terms[place - 1] for place in range(1, len(terms))]
        found += [
            (
                BITS["accumulate"] + BITS[name],
                (GRAMMAR.step("accumulate", on=on), GRAMMAR.step(name, *constants, on=on)),
                terms[-1] + gap,
            )
            for name, constants, gap in fitting(gaps)
            if BITS[name] <= left
        ]
    return found


def _interleaved(shown: Sequence[int], limit: float) -> list[Part]:
    turn = len(shown) % 2
    first = _stream(shown[::2], STREAMS[0], limit - CHEAPEST)
    second = _stream(shown[1::2], STREAMS[1], limit - CHEAPEST) if first else []
    return [(a[0] + b[0], a[1] + b[1], (a, b)[turn][2]) for a, b in product(first, second) if a[0] + b[0] <= limit]


def _turns(shown: Sequence[int], turns: int, limit: float) -> list[Part]:
    """Find rules that take turns: each gives the terms after every second or third one."""
    columns = []
    for place, on in enumerate(TURNS[turns]):
        fits = [
            (BITS[name], GRAMMAR.step(name, *constants, on=on))
            for name, constants in turning(shown[place], shown[place + 1])
            if _repeats(FAMILIES[name], constants, shown, range(place + turns, len(shown) - 1, turns))
        ]
        if not fits:
            return []
        columns.append(fits)
    acting = (len(shown) - 1) % turns
    found: list[Part] = []
    for chosen in product(*columns):
        bits, act = sum(one[0] for one in chosen), chosen[acting][1]
        after = FAMILIES[act.operation].follow(0, shown[-1], *act.arguments)
        if after is not None and bits <= limit:
            found.append((bits, tuple(one[1] for one in chosen), after))
    return found


def _repeats(family: Family, constants: Constants, shown: Sequence[int], places: range) -> bool:
    follow = family.follow
    return all(follow(0, shown[place], *constants) == shown[place + 1] for place in places)


def acting(derivation: Derivation, shown: Sequence[int]) -> tuple[Family, Constants, Sequence[int]]:
    """Return the rule that gives the next term, its constants, and the terms or differences that it reads."""
    steps, terms = derivation.steps, shown
    if steps[0].on in STREAMS:
        turn = len(shown) % 2
        steps, terms = tuple(one for one in steps if one.on == STREAMS[turn]), shown[turn::2]
    elif steps[0].on:
        steps = (steps[(len(shown) - 1) % len(steps)],)
    if steps[0].operation == "accumulate":
        terms = [terms[place] - terms[place - 1] for place in range(1, len(terms))]
    return FAMILIES[steps[-1].operation], steps[-1].arguments, terms
