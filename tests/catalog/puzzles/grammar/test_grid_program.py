"""All programs that fit are found: compared with an enumeration by other means, on arrays of numpy and scipy."""

from itertools import product

import numpy as np
import pytest
from scipy import ndimage

from mensura.catalog.puzzles.grammar.grid import LARGEST_SIDE
from mensura.catalog.puzzles.grammar.grid_program import GRAMMAR, LONGEST, PROGRAMS, fitting, run, steps
from mensura.catalog.puzzles.kinds.transformed_grid import _grid

TOUCHING = np.ones((3, 3), dtype=int)


def carried_out(step, grid):
    """Carry out one rule; None where it cannot be."""
    [value] = step.arguments or [None]
    mirrors = {"left-right": np.fliplr, "top-bottom": np.flipud, "diagonal": np.transpose}
    mirrors["antidiagonal"] = lambda one: np.rot90(one, 2).T
    turns = {"up": 0, "right": 1, "down": 2, "left": 3}
    if step.operation == "rotate":
        return np.rot90(grid, -value)
    if step.operation == "reflect":
        return mirrors[value](grid)
    if step.operation == "translate":
        up = np.rot90(grid, turns[value])
        return np.rot90(np.vstack([up[1:], np.zeros_like(up[:1])]), -turns[value])
    if step.operation == "fall":
        up = np.rot90(grid, turns[value])
        columns = [[*column[column > 0], *column[column == 0]] for column in up.T]
        return np.rot90(np.array(columns).T, -turns[value])
    if step.operation in ("scale", "repeat"):
        times = {"across": (1, 2), "down": (2, 1), "both": (2, 2)}.get(value, (value, value))
        if max(grid.shape[axis] * times[axis] for axis in (0, 1)) > LARGEST_SIDE:
            return None
        return np.kron(grid, np.ones(times, int)) if step.operation == "scale" else np.tile(grid, times)
    if step.operation == "crop":
        if not grid.any():
            return None
        rows, columns = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
        return grid[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if step.operation == "recolour":
        return np.where(grid == int(value[0]), int(value[-1]), grid)
    if step.operation == "swap":
        one, other = int(value[0]), int(value[-1])
        return np.where(grid == one, other, np.where(grid == other, one, grid))
    if step.operation == "remove":
        return np.where(grid == value, 0, grid)
    if step.operation == "fill":
        return np.where(ndimage.binary_fill_holes(grid > 0) & (grid == 0), value, grid)
    if step.operation == "outline":
        return np.where(ndimage.binary_dilation(grid > 0, TOUCHING) & (grid == 0), value, grid)
    if step.operation == "symmetrise":
        return np.where(grid == 0, mirrors[value](grid), grid)
    labels, _ = ndimage.label(grid > 0, TOUCHING)
    sizes = np.bincount(labels.ravel(), minlength=2)
    sizes[0] = 0
    if step.operation == "clean":
        return np.where(sizes[labels] > 1, grid, 0)
    return np.where(labels == sizes.argmax(), grid, 0)


def by_hand(program, grid):
    for place in program:
        grid = carried_out(steps()[place], grid)
        if grid is None:
            return None
    return grid


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def test_every_rule_does_what_one_of_another_make_does(rng):
    for _ in range(10):
        grid = _grid(rng)
        for place, step in enumerate(steps()):
            ours, theirs = run((place,), grid), carried_out(step, grid)
            assert (ours is None) == (theirs is None), step
            assert ours is None or np.array_equal(ours, theirs), step


def test_programs_of_up_to_two_rules_that_fit_are_those_that_all_enumeration_finds(rng):
    places = range(len(steps()))
    lengths = {place: GRAMMAR.length([steps()[place]]) for place in places}
    limit = 2 * max(lengths.values())
    programs = [(place,) for place in places] + list(product(places, repeat=2))
    hits = 0
    for _ in range(3):
        grids = [_grid(rng) for _ in range(2)]
        asked = tuple(int(place) for place in rng.integers(len(places), size=2))
        wanted = [by_hand(asked, grid) for grid in grids]
        if any(one is None for one in wanted):
            continue
        found = {
            program
            for program in programs
            if all(
                (made := by_hand(program, grid)) is not None and np.array_equal(made, one)
                for grid, one in zip(grids, wanted, strict=True)
            )
        }
        pairs = [(grid, one.astype(np.uint8)) for grid, one in zip(grids, wanted, strict=True)]
        ours = fitting(pairs, limit)
        assert asked in ours
        assert {program for program in ours if len(program) < 3} == found
        assert len(ours) == len(set(ours))
        hits += len(found)
    assert hits > 2


def test_programs_of_three_rules_are_found_by_their_length(rng):
    short = [
        place for place, step in enumerate(steps()) if not step.arguments or step.operation in ("scale", "symmetrise")
    ]
    limit = 3 * GRAMMAR.lengths["crop"] + 1.5
    programs = [
        program
        for rules in range(1, LONGEST + 1)
        for program in product(range(len(steps())), repeat=rules)
        if (rules < 3 or set(program) <= set(short)) and GRAMMAR.length(steps()[one] for one in program) <= limit
    ]
    assert PROGRAMS.within(limit) == len(programs)
    grid = _grid(rng)
    asked = next(program for program in programs if len(program) == 3 and run(program, grid) is not None)
    wanted = run(asked, grid)
    found = {one for one in programs if (made := by_hand(one, grid)) is not None and np.array_equal(made, wanted)}
    assert set(fitting([(grid, wanted)], limit)) == found
    assert asked in found


def test_colours_beyond_those_of_the_grammar_are_carried_along():
    grid = np.array([[9, 0], [0, 7]], dtype=np.uint8)
    assert (0,) in fitting([(grid, np.rot90(grid, -1))], 9.0)
