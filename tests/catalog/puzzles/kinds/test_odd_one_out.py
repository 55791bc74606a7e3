"""Odd ones and sides: what compares objects needs two of them, and no other figure stands out by one feature."""

import numpy as np
import pytest

from mensura.catalog.puzzles.grammar.derivation import Derivation
from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.kinds.kind import Puzzle
from mensura.catalog.puzzles.making.item import make_item
from mensura.catalog.puzzles.making.proof import prove

COMPARING = ("alike", "distinct", "ordered", "inside", "above")


def pair(place, *fills):
    return [[n, 1, fill, 0, 0, place + n] for n, fill in enumerate(fills)]


def made(name, count):
    for number in range(count):
        structure, look = (np.random.default_rng([number, stream]) for stream in (1, 2))
        yield make_item(find_kind(name), structure=structure, presentation=look)


def figures_of(shown):
    return [*shown["left"], *shown["right"], shown["new"]] if isinstance(shown, dict) else shown


def test_one_object_among_pairs_is_odd_by_number_and_not_by_what_compares():
    shown = [pair(place, 1, 1) for place in (0, 3, 6, 7)] + [pair(4, 1)]
    found = find_kind("odd-one-out").explain(shown, limit=11.0).found
    assert {one.answer for one in found} == {4}
    told = {step.operation for one in found for step in one.derivation.steps}
    assert "count" in told
    assert told.isdisjoint(COMPARING)


def test_another_that_is_the_only_white_one_makes_it_ambiguous():
    kind = find_kind("odd-one-out")
    shown = [pair(0, 1, 1), pair(1, 0, 0), pair(3, 2, 2), pair(4, 1, 1), pair(6, 1, 2)]
    drawn = Derivation(kind.grammar, (kind.grammar.step("alike", True, on="fill"),), size=5)
    assert prove(kind, Puzzle(shown, 4, drawn)) is None
    shown[1] = pair(1, 2, 2)
    assert prove(kind, Puzzle(shown, 4, drawn)) is not None


@pytest.mark.parametrize("name", ["odd-one-out", "classification"])
def test_no_key_compares_the_objects_of_a_figure_that_has_one(name):
    for item in made(name, 60):
        if min(len(figure) for figure in figures_of(item.puzzle.shown)) == 1:
            told = str(item.puzzle.derivation.data())
            assert not any(word in told for word in COMPARING)


def test_no_figure_but_the_odd_one_stands_out_by_a_value_or_a_number():
    for item in made("odd-one-out", 60):
        figures, answer = item.puzzle.shown, item.puzzle.answer
        for attribute in range(4):
            held = [{one[attribute] for one in figure} for figure in figures]
            for value in set().union(*held):
                for having in ([value in one for one in held], [one == {value} for one in held]):
                    for kept in (having, [not one for one in having]):
                        assert sum(kept) != 1 or kept[answer]
        numbers = [len(figure) for figure in figures]
        assert all(numbers.count(number) != 1 or numbers[answer] == number for number in numbers)


@pytest.mark.parametrize("name", ["odd-one-out", "classification"])
def test_the_convention_is_said_where_the_kind_is_described(name):
    assert all(word in find_kind(name).combines for word in COMPARING)
