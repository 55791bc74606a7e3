"""Programs of one to three operations on grids: their table, and the search for all that fit."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from mensura.catalog.puzzles.grammar import grid as codes
from mensura.catalog.puzzles.grammar.derivation import Grammar, RuleStep, Use
from mensura.catalog.puzzles.grammar.forms import ProgramForms
from mensura.catalog.puzzles.grammar.grid import CODES, Grid, compiled, transformed

COLOURS = (1, 2, 3)
MIRRORS = ("left-right", "top-bottom", "diagonal", "antidiagonal")
SIDES = ("up", "down", "left", "right")
COPIES = ("", "across", "down", "both")
LONGEST = 3
"""A program of the grammar has at most so many rules."""
GRAMMAR = Grammar(
    "grid",
    {
        "rotate": Use(((1, 2, 3),)),
        "reflect": Use((MIRRORS,)),
        "translate": Use((SIDES,)),
        "scale": Use(((2, 3),)),
        "repeat": Use((COPIES[1:],)),
        "recolour": Use((tuple(f"{one}>{other}" for one in COLOURS for other in COLOURS if one != other),)),
        "swap": Use((("1-2", "1-3", "2-3"),)),
        "remove": Use((COLOURS,)),
        "crop": Use(),
        "fall": Use((SIDES,), background=("things fall",)),
        "fill": Use((COLOURS,)),
        "outline": Use((COLOURS,)),
        "symmetrise": Use((MIRRORS[:2],)),
        "clean": Use(),
        "keep-largest": Use(),
    },
)
PROGRAMS = ProgramForms(GRAMMAR, [(tuple(GRAMMAR.uses),) * rules for rules in range(1, LONGEST + 1)])
NAMED = {"reflect": MIRRORS, "symmetrise": MIRRORS, "translate": SIDES, "fall": SIDES, "repeat": COPIES}
"""Operation → the names of its constants, in the order in which compiled functions number them."""
Program = tuple[int, ...]
"""Places of its rules in `steps()`."""


@cache
def steps() -> tuple[RuleStep, ...]:
    """Return every rule that the grammar can say."""
    return tuple(step for operation in GRAMMAR.uses for step in GRAMMAR.steps(operation))


@cache
def table() -> tuple[Any, Any]:
    """Return every rule as numbers (code and two constants), and its length in bits."""
    rows = [(CODES[step.operation], *_constants(step)) for step in steps()]
    return np.array(rows, dtype=np.int64), np.array([GRAMMAR.length([step]) for step in steps()])


def _constants(step: RuleStep) -> tuple[int, int]:
    constant: Any = step.arguments[0] if step.arguments else 0
    if step.operation in ("recolour", "swap"):
        return int(constant[0]), int(constant[2])
    names = NAMED.get(step.operation)
    return (names.index(constant) if names else int(constant)), 0


def stages(program: Program, grid: Grid) -> list[Grid]:
    """Return a grid and what becomes of it rule by rule; it ends early where nothing is left or it grows too large."""
    rows, _ = table()
    made = [grid]
    for place in program:
        code, x, y = rows[place]
        grid = transformed(code, x, y, grid)
        if grid.size == 0:
            break
        made.append(grid)
    return made


def run(program: Program, grid: Grid) -> Grid | None:
    """Return what a program makes of a grid; None where it cannot be carried out."""
    made = stages(program, grid)
    return made[-1] if len(made) > len(program) else None


def fitting(pairs: Sequence[tuple[Grid, Grid]], limit: float) -> list[Program]:
    """Return all programs of at most `limit` bits that make the second of each pair from the first."""
    rows, bits = table()
    # The pair with the fewest cells is searched; what is found must fit the others.
    (before, after), *others = sorted(pairs, key=lambda pair: pair[0].size + pair[1].size)
    # Another layout in memory would have everything compiled anew.
    searched = _search(rows, bits, np.ascontiguousarray(before), np.ascontiguousarray(after), limit)
    # The last rule comes first there, and places that are not used are -1.
    found = [tuple(place for place in one[::-1] if place >= 0) for one in searched]
    return [one for one in found if all(_same(run(one, before), after) for before, after in others)]


def _same(one: Grid | None, other: Grid) -> bool:
    return one is not None and bool(np.array_equal(one, other))


@compiled
def _search(rows: Any, bits: Any, grid: Grid, target: Grid, limit: float) -> Any:
    found = [(-1, -1, -1)]
    aim, least = _counts(target), bits.min()
    states = [(grid, (-1, -1, -1), 0.0)]
    for depth in range(LONGEST):
        later = states[:0]
        for state, before, spent in states:
            counts = _counts(state)
            for place in range(len(rows)):
                total = spent + bits[place]
                if total > limit:
                    continue
                further = depth < LONGEST - 1 and total + least <= limit
                # Most last rules are ruled out before they are carried out.
                if not further and not _possible(rows[place], state, counts, target, aim):
                    continue
                made = transformed(rows[place, 0], rows[place, 1], rows[place, 2], state)
                if made.size == 0:
                    continue
                program = (place, before[0], before[1])
                if made.shape == target.shape and (made == target).all():
                    found.append(program)
                if further:
                    later.append((made, program, total))
        states = later
    return found[1:]


@compiled
def _counts(grid: Grid) -> Any:
    counts = np.zeros(10, dtype=np.int64)
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            counts[grid[i, j]] += 1
    return counts


@compiled
def _possible(row: Any, grid: Grid, counts: Any, target: Grid, aim: Any) -> bool:
    """Return whether a last rule could lead to the target, by sizes and numbers of cells; most cannot."""
    code, x, y = row
    height, width = grid.shape
    down = across = 1
    if code == codes.SCALE:
        down = across = x
    elif code == codes.REPEAT:
        down, across = (2 if x & 2 else 1), (2 if x & 1 else 1)
    elif code == codes.CROP:
        if target.shape[0] > height or target.shape[1] > width:
            return False
        height, width = target.shape
    elif (code == codes.ROTATE and x != 2) or (code == codes.REFLECT and x >= 2):
        height, width = width, height
    if target.shape[0] != height * down or target.shape[1] != width * across:
        return False
    for colour in range(1, 10):
        had = counts[colour] * down * across
        if code == codes.RECOLOUR:
            had = 0 if colour == x else had + (counts[x] if colour == y else 0)
        elif code == codes.SWAP:
            had = counts[y] if colour == x else counts[x] if colour == y else had
        elif code == codes.REMOVE:
            had = 0 if colour == x else had
        if code in (codes.CLEAN, codes.KEEP_LARGEST, codes.TRANSLATE):
            fits = aim[colour] <= had
        elif code == codes.SYMMETRISE or (code in (codes.FILL, codes.OUTLINE) and colour == x):
            fits = aim[colour] >= had
        else:
            fits = aim[colour] == had
        if not fits:
            return False
    return True
