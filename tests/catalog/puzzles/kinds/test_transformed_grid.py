"""Grids: every rule changes something, and the options alone tell nothing."""

import numpy as np
import pytest

from mensura.catalog.puzzles.grammar.grid_program import run, steps
from mensura.catalog.puzzles.kinds.transformed_grid import TransformedGrid
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.dialogue.canonical import canonical
from tests.catalog.puzzles.kinds.blind_subject import leaks

KIND = TransformedGrid()


def made(count, *, start=0, **order):
    for number in range(start, start + count):
        structure, look = (np.random.default_rng([number, stream]) for stream in (1, 2))
        yield make_item(KIND, structure=structure, presentation=look, order=ItemOrder(**order))


def features(rows):
    grid = np.array(rows)
    shares = np.bincount(grid.ravel(), minlength=4) / grid.size
    mirrored = [float((grid == image).mean()) for image in (grid[::-1], grid[:, ::-1])]
    rim = [float((line > 0).mean()) for line in (grid[0], grid[-1], grid[:, 0], grid[:, -1])]
    edges = [float((np.diff(grid, axis=axis) != 0).sum()) for axis in (0, 1)]
    return [*grid.shape, *shares, int((shares > 0).sum()), *mirrored, *rim, *edges]


def blind(items):
    asked = []
    for item in items:
        options = list(KIND.read_options(item.prompt, item.space.options))
        asked.append((options, [canonical(one) for one in options].index(canonical(item.puzzle.answer))))
    return asked


# In the quick suite the table of all kinds has a blind subject too.
@pytest.mark.proof
def test_the_options_alone_do_not_give_the_answer_away():
    assert leaks(blind(made(120)), features) == {}


@pytest.mark.proof
@pytest.mark.parametrize("rules", [1, 2, 3])
def test_the_options_of_many_items_do_not_give_the_answer_away(rules):
    assert leaks(blind(made(4000, start=10**6, load=Wanted({"rules": (rules, rules)}))), features) == {}


def test_the_shortest_program_makes_what_is_shown_and_no_rule_is_idle():
    for item in made(20):
        program = tuple(steps().index(step) for step in item.puzzle.derivation.steps)
        shown = item.puzzle.shown
        for before, after in [*shown["pairs"], [shown["new"], item.puzzle.answer]]:
            grid = np.array(before, dtype=np.uint8)
            assert run(program, grid).tolist() == after
        assert 2 <= len(shown["pairs"]) <= 3
        # Programs without constants are the shortest: all three of them were compared at the least.
        assert item.proof.checked >= 3


def test_a_written_grid_of_another_shape_reads_otherwise():
    plain = Presentation()
    assert KIND.write([[1, 2, 3], [0, 0, 1]], plain) == "123/001"
    assert KIND.write([[1, 2], [3, 0], [0, 1]], plain) == "12/30/01"
    assert KIND.write([[1, 0]], Presentation({"symbols": "letters"})) == "LK"


def test_a_program_that_leaves_nothing_of_the_new_grid_answers_with_nothing():
    """Cropping fits both examples, and so the empty answer counts against another one."""
    shown = {"pairs": [[[[0, 1]], [[1]]], [[[2, 0]], [[2]]]], "new": [[0, 0]]}
    answers = [one.answer for one in KIND.explain(shown, limit=4.0).found]
    assert answers == [[]]
