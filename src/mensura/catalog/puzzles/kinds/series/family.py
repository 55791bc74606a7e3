"""Families of number series: how a term follows from the last two, and which constants can have given these terms."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt

Constants = tuple[int, ...]
ADDED = tuple(number for number in range(-20, 21) if number)
GROWN = tuple(number for number in range(-5, 6) if number)
FACTORS = (-3, -2, 2, 3, 4, 5)
DIVISORS = (2, 3)
DIVISIONS = {2: 7, 3: 4}
"""How often the first term can be divided at least."""
AFFINE = (-2, 2, 3, 4, 5)
REST = tuple(number for number in range(-9, 10) if number)
EXPONENTS = (2, 3)
SHIFTS = tuple(range(-9, 10))
SLIGHT = tuple(range(-5, 6))
STEEPER = (1, 2)
NEAR = tuple(range(-2, 3))
_GROWN, _REST, _SHIFTS, _SLIGHT = map(frozenset, (GROWN, REST, SHIFTS, SLIGHT))
PRIMES = tuple(n for n in range(2, 1000) if all(n % d for d in range(2, isqrt(n) + 1)))
NEXT_PRIME = dict(pairwise(PRIMES))
WIDEST_GAP = max(after - prime for prime, after in NEXT_PRIME.items())
LARGEST_POWER = 10**15
"""Roots of larger ones are not exact in floating point."""


@dataclass(frozen=True)
class Family:
    """One rule for numbers.

    Parameters
    ----------
    domains
        Which constants it takes.
    follow
        (last but one, last, constants) → the next term, or None where the rule says nothing.
    open
        (draw of a number between two, constants) → terms to start from.
    """

    name: str
    domains: tuple[tuple[int, ...], ...]
    follow: Callable[..., int | None]
    open: Callable[..., list[int]]


def _next_power(_: int, last: int, exponent: int, shift: int) -> int | None:
    power = last - shift
    if not 0 <= power < LARGEST_POWER:
        return None
    root = isqrt(power) if exponent == 2 else round(power ** (1 / 3))
    return (root + 1) ** exponent + shift if root**exponent == power else None


def _next_factor(before: int, last: int, growth: int) -> int | None:
    return last * (last // before + growth) if before and last and not last % before else None


def _next_prime(_: int, last: int, shift: int) -> int | None:
    after = NEXT_PRIME.get(last - shift)
    return None if after is None else after + shift


_ALL = (
    Family("same", (), lambda _, last: last, lambda draw: [draw(1, 30)]),
    Family("add", (ADDED,), lambda _, last, step: last + step, lambda draw, step: [draw(1, 60)]),
    Family(
        "add-growing",
        (GROWN,),
        lambda before, last, growth: 2 * last - before + growth,
        lambda draw, growth: [first := draw(1, 40), first + draw(-6, 15)],
    ),
    # Nothing follows from zero by multiplying: every factor would do.
    Family("multiply", (FACTORS,), lambda _, last, factor: last * factor or None, lambda draw, _: [draw(1, 30)]),
    Family(
        "divide",
        (DIVISORS,),
        lambda _, last, by: last // by if last and not last % by else None,
        lambda draw, by: [draw(1, 99) * by ** DIVISIONS[by]],
    ),
    Family(
        "multiply-add",
        (AFFINE, REST),
        lambda _, last, factor, rest: last * factor + rest,
        lambda draw, factor, rest: [draw(1, 9)],
    ),
    Family("power", (EXPONENTS, SHIFTS), _next_power, lambda draw, power, shift: [draw(1, 9) ** power + shift]),
    Family(
        "sum-of-two",
        (SLIGHT,),
        lambda before, last, rest: before + last + rest,
        lambda draw, rest: [draw(1, 12), draw(1, 12)],
    ),
    Family("difference-of-two", (), lambda before, last: last - before, lambda draw: [draw(1, 40), draw(1, 40)]),
    Family("product-of-two", (), lambda before, last: before * last or None, lambda draw: [draw(1, 3), draw(1, 3)]),
    Family(
        "multiply-growing",
        (STEEPER,),
        _next_factor,
        lambda draw, growth: [first := draw(1, 60), first * draw(1, 2)],
    ),
    Family("prime", (NEAR,), _next_prime, lambda draw, shift: [PRIMES[draw(0, 30)] + shift]),
)
FROM_TWO = ("add-growing", "sum-of-two", "difference-of-two", "product-of-two", "multiply-growing")
"""Those that start from two terms; the others start from one."""
FAMILIES = {one.name: one for one in _ALL}
"""By the name of the operation. Each term follows from at most two before it."""


def turning(first: int, second: int, adds: bool = True, multiplies: bool = True) -> list[tuple[str, Constants]]:
    """Solve for the constants of the rules that may take turns: same, add, multiply and divide."""
    step = second - first
    found: list[tuple[str, Constants]] = []
    if adds:
        if not step:
            found.append(("same", ()))
        elif -20 <= step <= 20:
            found.append(("add", (step,)))
    if multiplies and first and second:
        if not second % first:
            if second // first in FACTORS:
                found.append(("multiply", (second // first,)))
        elif not first % second and first // second in DIVISORS:
            found.append(("divide", (first // second,)))
    return found


def candidates(first: int, second: int, third: int | None) -> list[tuple[str, Constants]]:
    """Solve for the constants of every family that gives the second of two terms, or the third of three.

    The terms that a rule starts from, one or two, are read off the series and cost nothing. Of two terms only rules
    that start from one are solved: others would give none of them.
    """
    step = second - first
    if third is None:
        found = turning(first, second)
    else:
        found = turning(first, second, third - second == step, second * second == first * third)
    if step and third is not None:
        factor, left = divmod(third - second, step)
        if not left and factor in AFFINE and second - factor * first in _REST:
            found.append(("multiply-add", (factor, second - factor * first)))
    else:
        found += [("multiply-add", (one, second - one * first)) for one in AFFINE if second - one * first in _REST]
    if step > 0:
        if step % 2:
            # (p + 1)² - p² = 2 p + 1, and (p + 1)³ - p³ = 3 p (p + 1) + 1.
            root = (isqrt(4 * (step // 3) + 1) - 1) // 2
            roots = ((2, step // 2), (3, root)) if 3 * root * (root + 1) + 1 == step else ((2, step // 2),)
            found += [("power", (one, first - p**one)) for one, p in roots if first - p**one in _SHIFTS]
        if step <= WIDEST_GAP:
            found += [("prime", (one,)) for one in NEAR if NEXT_PRIME.get(first - one) == second - one]
    if third is None:
        return found
    if third - second - step in _GROWN:
        found.append(("add-growing", (third - second - step,)))
    if third - second - first in _SLIGHT:
        found.append(("sum-of-two", (third - second - first,)))
    if third == step:
        found.append(("difference-of-two", ()))
    if first and second:
        if third == first * second:
            found.append(("product-of-two", ()))
        if not second % first and not third % second and third // second - second // first in STEEPER:
            found.append(("multiply-growing", (third // second - second // first,)))
    return found


def fitting(terms: Sequence[int]) -> list[tuple[str, Constants, int]]:
    """Find every rule that gives the terms, with its constants and the term that follows.

    A rule that gives none of the terms, or that cannot go on, is no explanation of them.
    """
    found = []
    count = len(terms)
    for name, constants in candidates(terms[0], terms[1], terms[2] if count > 2 else None):
        follow = FAMILIES[name].follow
        for place in range(2, count):
            if follow(terms[place - 2], terms[place - 1], *constants) != terms[place]:
                break
        else:
            after = follow(terms[-2], terms[-1], *constants)
            if after is not None:
                found.append((name, constants, after))
    return found
