"""Mental rotation: which of four polyominoes is the one shown, turned; the others are mirrored or have a cell moved."""

from collections.abc import Sequence
from itertools import product
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.cells import Cells, mirrored, settled, turned
from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar, Use
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import LETTERS, PuzzlePrompt
from mensura.catalog.puzzles.showing.raster import FORMS, INK, polyomino_cell, read_polyomino

SIDES = ("left", "right")
TURNS = (1, 2, 3)
GRAMMAR = Grammar("mental-rotation", {"rotate": Use((TURNS,))}, targets=SIDES, version=2)
SMALLEST, LARGEST = 6, 9
"""Squares of a figure."""
WORDINGS = {
    "plain": "One of the four is the figure above turned, not mirrored or altered. Which one?",
    "sheet": "The figure is cut from paper and turned without lifting it from the table. Which one can it become?",
}
PAIRS = " Each consists of two figures, and each of the two is turned by itself."
BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))


class MentalRotation(Kind):
    """Figures and the four among which each is found again turned; two side by side where there are two rules.

    The four belong to the problem: they are its structure, and where the answer is constructed they are shown as well
    and the letter is written. Each part of the four is one of two forms, and the answer is drawn last: nothing about
    the four tells which of them is shown above. A figure that a turn or mirror leaves as it is has no part in it, and
    no two of the four are one pair in either order.
    """

    name = "mental-rotation"
    about = "A figure of squares is shown; which of four is the same, turned rather than mirrored or altered?"
    combines: ClassVar[str] = (
        "A program is one turn by one, two or three quarters for each figure, of which there are one or two; each "
        "turns by itself. Elements are figures."
    )
    grammar = GRAMMAR
    rules = (1, 2)
    axes: ClassVar[dict[str, tuple[str, ...]]] = {
        "form": FORMS,
        "symbols": tuple(INK),
        "layout": ("row", "column"),
        "wording": tuple(WORDINGS),
    }

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw the forms that each part may have, their four combinations as they lie, and which of them is shown."""
        forms = [_forms(rng, single=rules == 1) for _ in range(rules)]
        if any(not one for one in forms):
            return None
        combined = list(product(*forms))
        if len({_unordered(pair) for pair in combined}) < self.offered:
            return None
        turns = rng.integers(4, size=(self.offered, rules))
        order = rng.permutation(self.offered)
        four = [
            [_data(turned(part, int(turn))) for part, turn in zip(combined[place], turns[place], strict=True)]
            for place in order
        ]
        answer = int(rng.integers(self.offered))
        back = [int(turn) for turn in rng.integers(1, 4, size=rules)]
        figure = [_data(turned(_cells(part), 4 - turn)) for part, turn in zip(four[answer], back, strict=True)]
        rotations = tuple(GRAMMAR.step("rotate", turn, on=side) for turn, side in zip(back, SIDES, strict=False))
        return Puzzle({"figure": figure, "four": four}, answer, Derivation(GRAMMAR, rotations, size=_size(figure)))

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Turn every part of the figure in every way, and compare each of the four with the result."""
        sides = SIDES[: len(shown["figure"])]
        found, checked = [], 0
        pair = _unordered([_cells(part) for part in shown["figure"]])
        alike = [_unordered([_cells(part) for part in one]) == pair for one in shown["four"]]
        for program in product(TURNS, repeat=len(sides)):
            rotations = tuple(GRAMMAR.step("rotate", turn, on=side) for turn, side in zip(program, sides, strict=True))
            if GRAMMAR.length(rotations) > limit:
                continue
            checked += 1
            parts = zip(shown["figure"], program, strict=True)
            result = [_data(turned(_cells(part), turn)) for part, turn in parts]
            derivation = Derivation(GRAMMAR, rotations, size=_size(shown["figure"]))
            # Where two of the four are the pair with its figures in either order, both can be defended.
            fits = [one == result or (alike[place] and sum(alike) > 1) for place, one in enumerate(shown["four"])]
            found += [Explanation(derivation, place) for place, fit in enumerate(fits) if fit]
        return Explained(tuple(found), checked)

    def offers(self, shown: Any) -> Sequence[Any]:
        """Return the places of the four: what is offered belongs to the problem."""
        return range(self.offered)

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Show the figure, and the four as options or, where the letter is written, as further cells."""
        figure, *four = [_cell(one, presentation) for one in (shown["figure"], *shown["four"])]
        question = WORDINGS[presentation.of("wording")] + (PAIRS if len(shown["figure"]) > 1 else "")
        layout = presentation.of("layout", "row")
        if options:
            return PuzzlePrompt(self.name, question, [figure], layout, four)
        labelled = [
            {**one, "label": letter, "words": f"{letter}:\n{one['words']}"}
            for letter, one in zip(LETTERS, four, strict=False)
        ]
        return PuzzlePrompt(self.name, f"{question} Write its letter.", [figure, *labelled], layout)

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write the place as its letter."""
        return LETTERS[value]

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the figure and the four, wherever these are shown."""
        look = Presentation(prompt.presentation)
        figure, *labelled = prompt.cells
        four = prompt.options or [{**one, "words": one["words"].split("\n", 1)[1]} for one in labelled]
        return {"figure": _parts(figure, look), "four": [_parts(one, look) for one in four]}

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Return the places of the four."""
        return [LETTERS.index(letter) for letter in options]


def _cell(parts: Sequence[Any], presentation: Presentation) -> Any:
    """Show one figure, or two beside one another with a column between them empty."""
    first, *rest = parts
    if rest:
        step = 2 + max(x for x, _ in first)
        first = [*first, *([x + step, y] for x, y in rest[0])]
    return polyomino_cell(sorted(first), presentation)


def _parts(cell: Any, presentation: Presentation) -> list[Any]:
    """Part what is shown at the empty column."""
    cells = read_polyomino(cell, presentation)
    columns = {x for x, _ in cells}
    gap = next((x for x in range(max(columns)) if x not in columns), None)
    if gap is None:
        return [cells]
    return [_data(settled(one for one in cells if (one[0] > gap) == beyond)) for beyond in (False, True)]


def _cells(data: Sequence[Sequence[int]]) -> Cells:
    return tuple((x, y) for x, y in data)


def _data(cells: Cells) -> list[list[int]]:
    return [[x, y] for x, y in cells]


def _unordered(parts: Sequence[Cells]) -> tuple[Cells, ...]:
    """Return the parts in normal form: however each of them lies, and whichever comes first."""
    return tuple(sorted(min(turned(part, quarters) for quarters in range(4)) for part in parts))


def _size(figure: Sequence[Any]) -> int:
    return sum(len(part) for part in figure)


def _forms(rng: np.random.Generator, *, single: bool) -> list[Cells]:
    """Draw what a part may look like: four forms where it stands alone, else two; none where two of them are one."""
    one = _grown(rng)
    other = _moved(one, rng)
    forms = [one, mirrored(one), other, mirrored(other)]
    if not single:
        forms = forms[:2] if rng.random() < 0.5 else [one, other]
    # Four ways to lie each, and none of them shared: no symmetry, and no form is another one turned.
    ways = {turned(form, quarters) for form in forms for quarters in range(4)}
    return forms if len(ways) == 4 * len(forms) else []


def _grown(rng: np.random.Generator) -> Cells:
    """Grow a figure square by square."""
    size = int(rng.integers(SMALLEST, LARGEST + 1))
    cells = [(0, 0)]
    while len(cells) < size:
        x, y = cells[int(rng.integers(len(cells)))]
        right, down = BESIDE[int(rng.integers(4))]
        if (x + right, y + down) not in cells:
            cells.append((x + right, y + down))
    return settled(cells)


def _moved(cells: Cells, rng: np.random.Generator) -> Cells:
    """Move one square of a figure elsewhere on its rim; it stays in one piece."""
    left = list(cells)
    left.pop(int(rng.integers(len(left))))
    rim = sorted({(x + right, y + down) for x, y in left for right, down in BESIDE} - set(cells))
    made = [*left, rim[int(rng.integers(len(rim)))]]
    return settled(made) if _whole(made) else cells


def _whole(cells: list[tuple[int, int]]) -> bool:
    reached, waiting = {cells[0]}, [cells[0]]
    while waiting:
        x, y = waiting.pop()
        beside = {(x + right, y + down) for right, down in BESIDE} & set(cells) - reached
        reached |= beside
        waiting += beside
    return len(reached) == len(cells)
