"""Grid: what two or three examples turn one grid into another by, and what it makes of a new one (after ARC)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation
from mensura.catalog.puzzles.grammar.grid import LARGEST_SIDE, Grid
from mensura.catalog.puzzles.grammar.grid_program import (
    COLOURS,
    GRAMMAR,
    PROGRAMS,
    fitting,
    run,
    stages,
    steps,
)
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import GAP, PuzzlePrompt
from mensura.catalog.puzzles.showing.raster import FORMS, SYMBOLS, grid_cell, read_grid, written
from mensura.dialogue import Space, Text
from mensura.dialogue.canonical import canonical

SMALLEST, LARGEST = 5, 8
"""Sides of the grids that are given."""
WORDINGS = {
    "plain": "Each pair shows a grid and what becomes of it, always by the same rules. What becomes of the last grid?",
    "short": "One transformation, several examples. Transform the last grid.",
}
ROWS = "Write its rows from top to bottom, with / between them."
INPUTS = 6
"""Grids that are tried before a program is given up: on most, most programs change nothing somewhere."""


class TransformedGrid(Kind):
    """Grids transformed by one to three operations, each of which changes something in every example."""

    name = "grid"
    about = "Two or three grids are shown with what becomes of them; what becomes of another?"
    combines: ClassVar[str] = (
        "A program is one to three rules, carried out one after the other on the whole grid, and the same for all "
        "pairs. Elements are grids."
    )
    grammar = GRAMMAR
    rules = (1, 3)
    axes: ClassVar[dict[str, tuple[str, ...]]] = {
        "form": FORMS,
        "symbols": tuple(SYMBOLS),
        "layout": ("pairs", "matrix"),
        "wording": tuple(WORDINGS),
    }

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw a program and grids that each of its rules changes."""
        program = tuple(_step(rng) for _ in range(rules))
        runs: list[list[Grid]] = []
        examples = int(rng.integers(2, 4))
        for _ in range(INPUTS):
            made = stages(program, _grid(rng))
            if _tells(made, rules):
                runs.append(made)
                if len(runs) > examples:
                    break
        if len(runs) <= examples or len({made[-1].tobytes() for made in runs}) < len(runs):
            return None
        *shown, new = runs
        pairs = [[made[0].tolist(), made[-1].tolist()] for made in shown]
        derivation = Derivation(GRAMMAR, tuple(steps()[place] for place in program), size=new[0].size)
        return Puzzle({"pairs": pairs, "new": new[0].tolist()}, new[-1].tolist(), derivation)

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Try every program of one to three rules; those that fit all pairs are carried out on the new grid."""
        pairs = [(_array(before), _array(after)) for before, after in shown["pairs"]]
        new = _array(shown["new"])
        found = []
        for program in fitting(pairs, limit):
            made = run(program, new)
            # A program that leaves nothing of the new grid gives an answer too: an empty one.
            answer = [] if made is None else made.tolist()
            rules = tuple(steps()[place] for place in program)
            found.append(Explanation(Derivation(GRAMMAR, rules, size=new.size), answer))
        return Explained(tuple(found), PROGRAMS.within(limit))

    def options(self, puzzle: Puzzle, rng: np.random.Generator) -> list[Any] | None:
        """Return the answer and what programs with one or two wrong rules make of the new grid.

        Wrong rules are drawn as right ones are, and must change something too, so that no option looks more made up.
        """
        program = [steps().index(step) for step in puzzle.derivation.steps]
        new = _array(puzzle.shown["new"])
        options = [puzzle.answer]
        for spoiled in _spoiled(program, rng):
            made = stages(tuple(spoiled), new)
            if not _tells(made, len(spoiled)):
                return None
            options.append(made[-1].tolist())
        if len({canonical(option) for option in options}) < self.offered:
            return None
        return [options[place] for place in rng.permutation(len(options))]

    def construct(self, presentation: Presentation) -> Space:
        """Return a text that holds the largest grid."""
        return Text(longest=LARGEST_SIDE * (LARGEST_SIDE + 1), lines=2)

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Show the pairs, the new grid and the gap."""
        grids = [grid for pair in shown["pairs"] for grid in pair] + [shown["new"]]
        cells = [grid_cell(grid, presentation) for grid in grids]
        question = WORDINGS[presentation.of("wording")] + ("" if options else f" {ROWS}")
        layout = "pairs" if presentation.of("layout", "pairs") == "pairs" else "matrix:2"
        drawn = [grid_cell(option, presentation) for option in options]
        return PuzzlePrompt(self.name, question, [*cells, GAP], layout, drawn)

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a grid as rows of symbols, parted so that a grid of another shape never reads the same."""
        return written(value, SYMBOLS[presentation.of("symbols", "digits")]).replace("\n", "/")

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read pairs and new grid; pixels are read too."""
        look = Presentation(prompt.presentation)
        grids = [read_grid(cell, look) for cell in prompt.cells[:-1]]
        return {"pairs": [list(pair) for pair in zip(grids[:-1:2], grids[1::2], strict=True)], "new": grids[-1]}

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read the drawn grids."""
        return [read_grid(cell, Presentation(prompt.presentation)) for cell in prompt.options]


def _array(rows: Sequence[Sequence[int]]) -> Grid:
    return np.array(rows, dtype=np.uint8)


def _step(rng: np.random.Generator, instead_of: int = -1) -> int:
    """Draw a rule: an operation first, then its constants, as lengths in bits suppose."""
    names = tuple(GRAMMAR.uses)
    while True:
        name = names[int(rng.integers(len(names)))]
        places = [place for place, step in enumerate(steps()) if step.operation == name]
        place = places[int(rng.integers(len(places)))]
        if place != instead_of:
            return place


def _spoiled(program: list[int], rng: np.random.Generator) -> list[list[int]]:
    """Return a program with one wrong rule, with another, and with both; of one rule, three that are wrong."""
    if len(program) == 1:
        return [[_step(rng, program[0])] for _ in range(3)]
    first, second = (int(place) for place in rng.permutation(len(program))[:2])
    one, other, both = list(program), list(program), list(program)
    one[first] = both[first] = _step(rng, program[first])
    other[second] = both[second] = _step(rng, program[second])
    return [one, other, both]


def _tells(made: list[Grid], rules: int) -> bool:
    """Return whether every rule was carried out and changed something."""
    return len(made) > rules and all(
        before.shape != after.shape or bool((before != after).any()) for before, after in pairwise(made)
    )


def _grid(rng: np.random.Generator) -> Grid:
    """Draw a grid with a frame, one or two blocks and single cells, which may lie over one another."""
    height, width = (int(side) for side in rng.integers(SMALLEST, LARGEST + 1, size=2))
    grid = np.zeros((height, width), dtype=np.uint8)
    blocks = int(rng.integers(1, 3))
    for number, (down, right, tall, wide, colour) in enumerate(rng.random((1 + blocks + 2, 5))):
        frame, single = number == 0, number > blocks
        rows = 1 if single else 3 + int(tall * (height - 3)) if frame else 1 + int(tall * 3)
        columns = 1 if single else 3 + int(wide * (width - 3)) if frame else 1 + int(wide * 3)
        top, left = int(down * (height - rows + 1)), int(right * (width - columns + 1))
        grid[top : top + rows, left : left + columns] = COLOURS[int(colour * len(COLOURS))]
        if frame:
            grid[top + 1 : top + rows - 1, left + 1 : left + columns - 1] = 0
    return grid
