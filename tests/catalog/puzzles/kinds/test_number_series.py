"""Number series: all programs that explain a series are found, and as many terms are shown as that needs."""

from itertools import product
from math import isqrt

import numpy as np
import pytest

from mensura.catalog.puzzles.grammar.derivation import Derivation
from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.kinds.kind import Puzzle
from mensura.catalog.puzzles.kinds.series.program import GRAMMAR, PROGRAMS
from mensura.catalog.puzzles.making.proof import prove

KIND = find_kind("number-series")
PRIMES = [n for n in range(2, 1000) if not any(n % d == 0 for d in range(2, isqrt(n) + 1))]


def sequence(name, constants, start, count):
    """Write a family down from its definition, from terms to start from; None where it cannot go on so far."""
    terms = list(start)
    if name == "power":
        exponent, shift = constants
        root = next((r for r in range(1001) if r**exponent == start[0] - shift), None)
        return None if root is None else [(root + place) ** exponent + shift for place in range(count)]
    if name == "prime":
        if start[0] - constants[0] not in PRIMES:
            return None
        place = PRIMES.index(start[0] - constants[0])
        return [prime + constants[0] for prime in PRIMES[place : place + count]]
    while len(terms) < count:
        last, before = terms[-1], terms[-2] if len(terms) > 1 else 0
        if name in ("multiply", "product-of-two") and 0 in terms[-2:]:
            return None
        if name == "divide" and (last == 0 or last % constants[0]):
            return None
        if name == "multiply-growing" and (not before or not last or last % before):
            return None
        match name, constants:
            case "same", ():
                terms.append(last)
            case "add", (step,):
                terms.append(start[0] + step * len(terms))
            case "add-growing", (growth,):
                terms.append(last + (start[1] - start[0]) + growth * (len(terms) - 1))
            case "multiply", (factor,):
                terms.append(start[0] * factor ** len(terms))
            case "divide", (by,):
                terms.append(last // by)
            case "multiply-add", (factor, rest):
                terms.append(rest + factor * last)
            case "sum-of-two", (rest,):
                terms.append(last + before + rest)
            case "difference-of-two", ():
                terms.append(last - before)
            case "product-of-two", ():
                terms.append(last * before)
            case "multiply-growing", (growth,):
                terms.append(last * (start[1] // start[0] + growth * (len(terms) - 1)))
    return terms


TWO = {"add-growing", "sum-of-two", "difference-of-two", "product-of-two", "multiply-growing"}
SINGLE = [
    (name, constants)
    for name, use in GRAMMAR.uses.items()
    if name != "accumulate"
    for constants in product(*use.domains)
]


def streams(terms):
    """Find what gives these terms by trying every program there is: rules as (operation, constants), what follows."""
    found = []
    for name, constants in SINGLE:
        for gaps in (False, True):
            given = np.diff(terms).tolist() if gaps else list(terms)
            starts = 1 + (name in TWO)
            if len(given) <= starts:
                continue
            whole = sequence(name, constants, given[:starts], len(given) + 1)
            if whole is not None and whole[:-1] == given:
                rules = ((("accumulate", ()),) if gaps else ()) + ((name, constants),)
                found.append((rules, whole[-1] + (terms[-1] if gaps else 0)))
    return found


def turning(terms, turns):
    places = []
    for place in range(turns):
        pairs = [(terms[at], terms[at + 1]) for at in range(place, len(terms) - 1, turns)]
        fits = [
            (name, constants)
            for name, constants in SINGLE
            if name in ("same", "add", "multiply", "divide")
            and pairs
            and all(sequence(name, constants, [first], 2) == [first, second] for first, second in pairs)
        ]
        places.append(fits)
    for chosen in product(*places):
        after = sequence(*chosen[(len(terms) - 1) % turns], [terms[-1]], 2)
        if after is not None:
            yield chosen, after[-1]


def explained_by_trial(terms, limit):
    """Find every program by trial, as texts to compare."""
    programs = [(rules, after) for rules, after in streams(terms)]
    for (first, a), (second, b) in product(streams(terms[::2]), streams(terms[1::2])):
        programs.append((first + second, (a, b)[len(terms) % 2]))
    programs += [one for turns in (2, 3) for one in turning(terms, turns)]
    return sorted(
        str((tuple(rules), after))
        for rules, after in programs
        if sum(GRAMMAR.lengths[name] for name, _ in rules) <= limit + 1e-6
    )


@pytest.mark.parametrize("rules", [1, 2, 3, 4])
def test_every_program_is_found_that_trying_all_of_them_finds(rules):
    rng = np.random.default_rng(rules)
    drawn = [puzzle for puzzle in (KIND.draw(rng, rules=rules) for _ in range(4)) if puzzle is not None]
    cases = [(puzzle.shown, puzzle.derivation.length) for puzzle in drawn]
    # Shorter ones have more explanations, and what nobody drew may have none.
    cases += [(puzzle.shown[:5], 40.0) for puzzle in drawn]
    cases += [(rng.integers(-4, 9, size=5).tolist(), 40.0) for _ in range(4)] + [
        ([7] * 5, 40.0),
        ([0, 0, 0, 1, 0], 40.0),
    ]
    for shown, limit in cases:
        found = KIND.explain(shown, limit=limit).found
        ours = [
            str((tuple((step.operation, step.arguments) for step in one.derivation.steps), one.answer)) for one in found
        ]
        assert sorted(ours) == explained_by_trial(shown, limit), shown


def test_the_number_of_programs_compared_is_that_of_the_grammar():
    assert PROGRAMS.within(0) == 0
    single = len(SINGLE)
    turning = sum(name in ("same", "add", "multiply", "divide") for name, _ in SINGLE)
    assert PROGRAMS.within(1e3) == 2 * single + (2 * single) ** 2 + turning**2 + turning**3


def test_more_terms_are_shown_where_fewer_are_ambiguous():
    """A series is shortened until another answer is as simple: those that were shown are not one too few."""
    rng = np.random.default_rng(3)
    lengths = set()
    for _ in range(300):
        puzzle = KIND.draw(rng, rules=2)
        if puzzle is None:
            continue
        lengths.add(len(puzzle.shown))
        if len(puzzle.shown) > 6:
            found = KIND.explain(puzzle.shown[:-1], limit=puzzle.derivation.length).found
            assert any(one.answer != puzzle.shown[-1] for one in found)
            assert prove(KIND, puzzle) is not None
    assert min(lengths) == 6
    assert max(lengths) > 6


@pytest.mark.parametrize(
    ("shown", "answer", "operations"),
    [
        ([3, 7, 11, 15, 19], 23, {"add"}),
        ([1, 2, 4, 7, 11, 16], 22, {"add-growing"}),
        ([3, 6, 12, 24, 48], 96, {"multiply"}),
        ([1, 5, 13, 29, 61], 125, {"multiply-add"}),
        ([1, 1, 2, 3, 5, 8], 13, {"sum-of-two"}),
        ([1, 10, 3, 9, 5, 8, 7, 7], 9, {"add"}),
        ([1, 3, 6, 8, 16, 18, 36], 38, {"add", "multiply"}),
        ([2, 3, 5, 7, 11, 13], 17, {"prime"}),
        ([1, 8, 27, 64, 125], 216, {"power"}),
        ([1, 3, 6, 11, 18, 29], 42, {"accumulate", "prime"}),
        ([1, 1, 2, 6, 24, 120], 720, {"multiply-growing"}),
    ],
)
def test_known_series_are_explained_as_everybody_does(shown, answer, operations):
    shortest = min(KIND.explain(shown, limit=30).found, key=lambda one: one.derivation.length)
    assert shortest.answer == answer
    assert {step.operation for step in shortest.derivation.steps} == operations


def test_whatever_stands_beside_an_answer_would_stand_beside_each_other_option_were_it_the_answer():
    """Otherwise the options betray it: beside 10, 11 and 20 only 21 was once an answer."""
    rng, step_by_one = np.random.default_rng(5), Derivation(GRAMMAR, (GRAMMAR.step("add", 1, on=""),), 1)
    beside = {
        answer: {
            frozenset(options)
            for _ in range(200)
            if (options := KIND.options(Puzzle(list(range(answer - 6, answer)), answer, step_by_one), rng))
        }
        for answer in range(-80, 81)
    }
    offered = {options for sets in beside.values() for options in sets if max(map(abs, options)) <= 80}
    assert len(offered) > 100
    assert [sorted(options) for options in offered for one in options if options not in beside[one]] == []
