"""Matrices as in Raven's test: the attributes of the cells keep rules along the rows; which cell is missing?"""

from collections.abc import Sequence
from itertools import product
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, RuleStep, Use
from mensura.catalog.puzzles.grammar.row import RING, Levels, follows, kept
from mensura.catalog.puzzles.kinds.kind import Change, Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.showing.figure_cell import (
    FORMS,
    SYMBOLS,
    denoised,
    figure_cell,
    noisy_cell,
    note,
    read_cell,
    words,
)
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import GAP, PuzzlePrompt

SCALES = {
    "shape": Levels(4, 9),
    "size": Levels(0, 2),
    "fill": Levels(0, 3),
    "turn": Levels(0, 3, round=True),
    "number": Levels(1, 9),
    "marks": Levels(0, 2**RING - 1),
}
"""The attributes of a cell in their order: how many objects of one look, and the marks around them."""
RULES = {
    "shape": ("same", "distribute-three"),
    "size": ("same", "progression", "distribute-three"),
    "fill": ("same", "progression", "distribute-three", "distribute-two"),
    "turn": ("same", "progression", "distribute-three"),
    "number": ("same", "progression", "sum-of-two", "difference-of-two", "distribute-three"),
    "marks": ("same", "rotate", "union", "intersection", "exclusive-or", "distribute-three", "distribute-two"),
}
VECTOR = (*tuple(SCALES)[:5], *(f"mark {n + 1}" for n in range(RING)))
NARROW = ("same", "progression", "rotate")
"""Rules that rows of two can keep."""
SHAPES = ((2, 2), (2, 3), (3, 2), (3, 3), (3, 3), (3, 3))
PLACES = ((4,), (3, 5), (3, 4, 5), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 1, 2, 6, 7, 8), (0, 1, 2, 4, 6, 7, 8))
"""Where so many objects stand; eight and nine fill the places in their order."""


class Matrix(Kind):
    """Two or three rows of two or three cells."""

    name = "matrix"
    about = "The cells of each row follow from one another by the same rules; which is missing?"
    combines: ClassVar[str] = (
        "A program is one rule for each of the six attributes, the same in all rows. Elements are the cells of a "
        "row before the last; rows of two keep same, progression and rotate only, and distribute-three takes its "
        "three values from the first row. "
        + "; ".join(f"{attribute} keeps {', '.join(names)}" for attribute, names in RULES.items())
        + "."
    )
    grammar: ClassVar[Grammar] = Grammar(
        "matrix",
        {
            "same": Use(),
            "progression": Use(((1, -1, 2, -2),)),
            "sum-of-two": Use(needs=2),
            "difference-of-two": Use(needs=2),
            "union": Use(needs=2),
            "intersection": Use(needs=2),
            "exclusive-or": Use(needs=2),
            "distribute-three": Use(needs=2),
            "distribute-two": Use(needs=2),
            "rotate": Use((tuple(range(1, RING)),)),
        },
        tuple(SCALES),
    )
    rules = (1, 4)
    offered = 8
    axes: ClassVar = {"form": FORMS, "symbols": SYMBOLS, "layout": ("matrix", "row")}

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw a rule for each attribute, and rows that keep it."""
        height, width = SHAPES[int(rng.integers(len(SHAPES)))]
        ruled = set(rng.permutation(len(SCALES))[:rules].tolist())
        steps, columns = [], []
        for place, (attribute, scale) in enumerate(SCALES.items()):
            fitting = [name for name in RULES[attribute][1:] if width == 3 or name in NARROW]
            if place in ruled and not fitting:
                return None
            name = fitting[int(rng.integers(len(fitting)))] if place in ruled else "same"
            arguments = self._arguments(rng, name)
            rows = _rows(rng, (name, (arguments or (0,))[0]), scale, height, width)
            if rows is None:
                return None
            steps.append(self.grammar.step(name, *arguments, on=attribute))
            columns.append([value for row in rows for value in row])
        cells = [list(cell) for cell in zip(*columns, strict=True)]
        shown = {"width": width, "cells": cells[:-1]}
        return Puzzle(shown, cells[-1], Derivation(self.grammar, tuple(steps), size=width))

    def _arguments(self, rng: np.random.Generator, name: str) -> tuple[int, ...]:
        return tuple(domain[int(rng.integers(len(domain)))] for domain in self.grammar.uses[name].domains)

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Find the rules that each attribute keeps; every choice of one for each is a program."""
        candidates = [self.candidates(shown, place) for place in range(len(SCALES))]
        programs = [
            (
                Derivation(self.grammar, tuple(step for step, _ in chosen), size=shown["width"]),
                [one for _, one in chosen],
            )
            for chosen in product(*candidates)
        ]
        found = tuple(Explanation(*one) for one in programs if one[0].length <= limit)
        return Explained(found, sum(len(_tried(attribute, self.grammar)) for attribute in SCALES))

    def candidates(self, shown: Any, place: int) -> list[tuple[RuleStep, int]]:
        """Return each rule that an attribute keeps in all that is shown, with what is missing by it."""
        width, attribute = shown["width"], tuple(SCALES)[place]
        values = [cell[place] for cell in shown["cells"]]
        rows = [values[start : start + width] for start in range(0, len(values), width)]
        found = []
        for step in _tried(attribute, self.grammar):
            value = kept(step.operation, (step.arguments or (0,))[0], rows, SCALES[attribute])
            if value is not None and (width == 3 or step.operation in NARROW):
                found.append((step, value))
        return found

    def changes(self, puzzle: Puzzle, rng: np.random.Generator) -> Sequence[Change]:
        """Change one attribute to what its rule gives for another row, those first that change along the rows.

        The other row is drawn as the right one was, so that neither value looks likelier than the other.
        """
        found: tuple[list[Change], list[Change]] = ([], [])
        width = puzzle.shown["width"]
        for place, step in enumerate(puzzle.derivation.steps):
            name, value = step.operation, puzzle.answer[place]
            if name == "distribute-three":
                values = sorted({cell[place] for cell in puzzle.shown["cells"][:3]} - {value})
                other = values[int(rng.integers(len(values)))]
            else:
                rule = (name, (self._arguments(rng, name) or (0,))[0])
                rows = _rows(rng, rule, SCALES[step.on], 1, width)
                other = value if rows is None else rows[0][-1]
            if other != value:
                found[name == "same"].append(_setting(place, other))
        for changes in found:
            rng.shuffle(changes)
        return [*found[0], *found[1]]

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Show the rows, with a gap for the last cell."""
        cells = [_cell(cell, presentation) for cell in shown["cells"]]
        rows = "" if presentation.of("layout", "matrix") == "matrix" else f" The rows have {shown['width']} cells each."
        question = "Which figure is missing?" if options else "What is missing? Describe the figure."
        layout, drawn = "row" if rows else f"matrix:{shown['width']}", [_cell(one, presentation) for one in options]
        return PuzzlePrompt(self.name, question + rows + note(presentation), [*cells, GAP], layout, drawn)

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a cell in words."""
        objects, marks = _objects(value)
        return words(objects, presentation.of("symbols"), marks)

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the cells back."""
        name, _, number = prompt.layout.partition(":")
        width = int(number) if name == "matrix" else int(prompt.question.split(" cells each")[0].rsplit(" ", 1)[1])
        cells = [_read(cell) for cell in prompt.cells[:-1]]
        return None if None in cells else {"width": width, "cells": cells}

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read the drawn options back."""
        return [_read(cell) for cell in prompt.options]


def _tried(attribute: str, grammar: Grammar) -> list[RuleStep]:
    return [step for name in RULES[attribute] for step in grammar.steps(name, attribute)]


def _rows(
    rng: np.random.Generator, rule: tuple[str, int], scale: Levels, height: int, width: int
) -> list[list[int]] | None:
    """Draw rows that keep a rule; None where none was found."""
    name, argument = rule
    if name == "distribute-three":
        return _distributed(rng, scale, height)
    rows: list[list[int]] = []
    for _ in range(60):
        if len(rows) == height:
            break
        if name == "same" and rows and rng.random() < 0.5:
            rows.append(rows[-1])
            continue
        start = [_value(rng, scale)]
        if name == "distribute-two":
            start = [[start[0], start[0]], [0, start[0]], [start[0], 0]][int(rng.integers(3))]
        while len(start) < width - 1:
            after = _value(rng, scale) if name not in ("same", *NARROW) else follows(name, argument, start, [], scale)
            if after is None:
                break
            start.append(after)
        end = follows(name, argument, start, [], scale) if len(start) == width - 1 else None
        if end is not None:
            rows.append([*start, end])
    return rows if len(rows) == height else None


def _distributed(rng: np.random.Generator, scale: Levels, height: int) -> list[list[int]] | None:
    values: list[int] = []
    while len(values) < 3:
        value = _value(rng, scale)
        values += [] if value in values else [value]
    return [[values[n] for n in rng.permutation(3)] for _ in range(height)]


def _value(rng: np.random.Generator, scale: Levels) -> int:
    if scale.high < 2**RING - 1:
        return int(rng.integers(scale.low, scale.high + 1))
    # Two to four marks: fewer or more make the rules of sets too easy to confuse.
    return sum(1 << place for place in rng.permutation(RING)[: int(rng.integers(2, 5))].tolist())


def _setting(place: int, value: int) -> Change:
    return lambda option: [*option[:place], value, *option[place + 1 :]]


def _objects(cell: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    shape, size, fill, turn, number, marks = cell
    places = PLACES[number - 1] if number <= len(PLACES) else range(number)
    return [[shape, size, fill, turn, 0, place] for place in places], [n for n in range(RING) if marks >> n & 1]


def _cell(cell: Sequence[int], look: Presentation) -> dict[str, Any]:
    objects, marks = _objects(cell)
    if look.of("form") == "features":
        return noisy_cell(VECTOR, [[*cell[:5], *(int(n in marks) for n in range(RING))]])
    return figure_cell(objects, look, marks=marks)


def _read(cell: Any) -> list[int] | None:
    if cell["type"] == "features":
        values = denoised(cell)[0]
        return [*values[:5], sum(on << n for n, on in enumerate(values[5:]))]
    read = read_cell(cell)
    if read is None:
        return None
    figure, marks = read
    return [*figure[0][:4], len(figure), sum(1 << mark for mark in marks)]
