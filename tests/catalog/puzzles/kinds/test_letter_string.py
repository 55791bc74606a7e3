"""Letter strings: Copycat's problems have the answers people give, weighed by one rule."""

from itertools import groupby, product

import numpy as np
import pytest

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.kinds.kind import Puzzle
from mensura.catalog.puzzles.kinds.letter_string import GOOD, GRAMMAR

KIND = find_kind("letter-string")


def places(word):
    return [ord(one) - 97 for one in word]


def answers(source, changed, target):
    """Return the shortest program's bits of each answer."""
    bits = {}
    for one in KIND.explain([places(source), places(changed), places(target)], limit=25).found:
        word = "".join(chr(97 + letter) for letter in one.answer)
        bits[word] = min(bits.get(word, 99), one.derivation.length)
    return bits


@pytest.mark.parametrize(
    ("source", "changed", "target", "best", "good"),
    [
        ("abc", "abd", "ijk", "ijl", "ijd"),
        ("abc", "abd", "iijjkk", "iijjll", "iijjkl"),
        ("abc", "abd", "mrrjjj", "mrrkkk", "mrrjjk"),
        # Nothing follows z.
        ("abc", "abd", "xyz", "xyd", "xyd"),
        ("abc", "cba", "iijjkk", "kkjjii", "kkjjii"),
        ("aabc", "aabd", "ijkk", "ijll", "ijkl"),
        ("abc", "qbc", "ijk", "qjk", "qjk"),
    ],
)
def test_copycats_problems_have_their_answers_in_order(source, changed, target, best, good):
    found = answers(source, changed, target)
    assert min(found, key=found.get) == best
    assert good in found
    assert found[good] <= found[best] + GOOD + 1e-6


def test_worth_halves_with_every_bit():
    rng = np.random.default_rng(2)
    several = 0
    for puzzle in filter(None, (KIND.draw(rng, rules=1) for _ in range(30))):
        source, changed, target = ("".join(chr(97 + one) for one in string) for string in puzzle.shown)
        bits = answers(source, changed, target)
        assert puzzle.answers
        for answer, worth in puzzle.answers:
            word = "".join(chr(97 + one) for one in answer)
            assert worth == pytest.approx(2 ** (min(bits.values()) - bits[word]), abs=1e-4)
        several += len(puzzle.answers) > 1
    assert several > 5


def changed_by_trial(string, program):
    """Carry out a program on text, by its words."""
    units = list(string) if program[0][0] == "split" else ["".join(run) for _, run in groupby(string)]
    for name, constants, on in program:
        at = {"first": [0], "last": [len(units) - 1], "all": range(len(units))}.get(on, [])
        for place in at:
            if name == "add":
                moved = chr(ord(units[place][0]) + constants[0])
                if not "a" <= moved <= "z":
                    return None
                units[place] = moved * len(units[place])
            elif name == "replace":
                units[place] = chr(97 + constants[0]) * len(units[place])
            elif name == "repeat":
                units[place] *= constants[0]
            else:
                units[place] = ""
        units = [unit for unit in units if unit]
        if name == "reverse":
            units.reverse()
        elif name == "swap":
            units[0], units[-1] = units[-1], units[0]
        elif name == "rotate":
            units = np.roll(np.array(units, dtype=object), -constants[0]).tolist()
        if len(units) < 2:
            return None
    return "".join(units)


def test_every_program_is_found_that_trying_all_of_them_finds():
    def steps(on, names):
        return [(name, one, on) for name in names for one in product(*GRAMMAR.uses[name].domains)]

    first, last = ([None, *steps(on, ("add", "replace", "repeat", "remove"))] for on in ("first", "last"))
    whole = [None, *steps("", ("reverse", "swap", "rotate"))]
    pairs = [*product(first, last), *((one,) for one in steps("all", ("add", "repeat")))]
    programs = [
        tuple(one for one in (start, *units, order) if one is not None)
        for start in (None, ("split", (), ""))
        for units in pairs
        for order in whole
        if any(units) or order
    ]
    programs = [one for one in programs if sum(GRAMMAR.lengths[name] for name, _, _ in one) <= 15]
    rng = np.random.default_rng(4)
    for puzzle in filter(None, (KIND.draw(rng, rules=2) for _ in range(3))):
        source, changed, target = ("".join(chr(97 + one) for one in string) for string in puzzle.shown)
        found = [(one, changed_by_trial(target, one)) for one in programs if changed_by_trial(source, one) == changed]
        ours = [
            (tuple((step.operation, step.arguments, step.on) for step in one.derivation.steps), one.answer)
            for one in KIND.explain(puzzle.shown, limit=15).found
        ]
        theirs = [(one, places(answer)) for one, answer in found if answer is not None]
        assert sorted(map(str, ours)) == sorted(map(str, theirs))
        assert ours


def test_no_option_is_too_near_an_end_of_the_alphabet_to_be_the_answer():
    """Otherwise the options betray it: one with an A beside one with a B was never right."""
    rng = np.random.default_rng(5)
    beside = {}
    for first in range(23):
        shown = [[8, 9, 10], [8, 9, 11], [first, first + 1, first + 2]]
        derivation = KIND.explain(shown, limit=7).found[0].derivation
        answer = [first, first + 1, first + 3]
        puzzle = Puzzle(shown, answer, derivation, ((answer, 1.0),))
        drawn = [KIND.options(puzzle, rng) for _ in range(100)]
        beside[tuple(answer)] = {frozenset(map(tuple, options)) for options in drawn if options}
    offered = set().union(*beside.values())
    assert len(offered) > 20
    alike = [(one, options) for options in offered for one in options if one in beside]
    assert [found for found in alike if found[1] not in beside[found[0]]] == []
