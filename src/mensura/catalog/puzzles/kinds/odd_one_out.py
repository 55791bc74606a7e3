"""Odd one out: four of five figures share what the fifth lacks."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar
from mensura.catalog.puzzles.grammar.feature import CONVENTION, compared, grammar_of, separations
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.kinds.palette import draw_mixed, draw_pool, listed, read_figures
from mensura.catalog.puzzles.showing.figure_cell import FORMS, SYMBOLS, figure_cell, note
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt

COUNT = 5
ALL = 2**COUNT - 1


class OddOneOut(Kind):
    """Five figures; the options are the figures themselves, so that nothing but their order could give one away."""

    name = "odd-one-out"
    about = "Four of five figures share what the fifth lacks; which is the odd one?"
    combines: ClassVar[str] = (
        "A program is one feature of figures or of what they lack, or one joined to a second by intersection, "
        "union or exclusive-or; it must hold for exactly four of the five figures. " + CONVENTION
    )
    grammar: ClassVar[Grammar] = grammar_of("odd-one-out")
    rules = (1, 2)
    offered = COUNT
    axes: ClassVar = {"form": FORMS, "symbols": SYMBOLS, "layout": ("row", "column")}

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw four figures that keep a rule and one that does not, in random order."""
        if rules == 1:
            pool = draw_pool(rng, self.grammar, rules=1, varied=int(rng.integers(1, 4)), least=COUNT - 1)
        else:
            pool = draw_mixed(rng, self.grammar)
        if pool is None:
            return None
        figures = [pool.figures[n] for n in (*pool.inside[: COUNT - 1], pool.outside[0])]
        order = rng.permutation(COUNT).tolist()
        shown = [listed(figures[n]) for n in order]
        return Puzzle(shown, order.index(COUNT - 1), Derivation(self.grammar, pool.steps, size=COUNT))

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Find every rule that holds for four of the figures."""
        figures = [tuple(tuple(one) for one in figure) for figure in shown]
        odd = {ALL ^ (1 << place): place for place in range(COUNT)}
        found = separations(figures, self.grammar, wanted=tuple(odd), relevant=ALL, limit=limit)
        return Explained(
            tuple(Explanation(Derivation(self.grammar, one.steps, size=COUNT), odd[one.mask]) for one in found),
            compared(figures, self.grammar, limit),
        )

    def offers(self, shown: Any) -> Sequence[Any]:
        """Return the places of the figures."""
        return range(COUNT)

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Show the five figures, numbered."""
        cells = [figure_cell(figure, presentation) for figure in shown]
        numbered = [{**cell, "label": str(n + 1), "words": f"{n + 1}: {cell['words']}"} for n, cell in enumerate(cells)]
        question = "Four of the five figures share something that the other lacks. Which is the odd one out?"
        return PuzzlePrompt(self.name, question + note(presentation), numbered, presentation.of("layout", "row"))

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write the number of a figure."""
        return str(value + 1)

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the five figures back."""
        return read_figures(prompt.cells)

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read numbers back."""
        return [int(option) - 1 for option in options]
