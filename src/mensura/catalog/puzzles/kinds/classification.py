"""Classification as in Bongard's problems: a rule parts six figures from six others; where does a new one belong?"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar
from mensura.catalog.puzzles.grammar.feature import CONVENTION, compared, grammar_of, separations
from mensura.catalog.puzzles.kinds.kind import Explained, Explanation, Kind, Puzzle
from mensura.catalog.puzzles.kinds.palette import draw_pool, listed, read_figures
from mensura.catalog.puzzles.showing.figure_cell import FORMS, SYMBOLS, figure_cell, note
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt

EACH = 6
LEFT = 2**EACH - 1
SHOWN = 2 ** (2 * EACH) - 1
SIDES = ("left", "right")


class Classification(Kind):
    """Six figures on the left keep a rule that none of the six on the right does."""

    name = "classification"
    about = "A rule holds for six figures on the left and for none on the right; where does a new one belong?"
    combines: ClassVar[str] = (
        "A program is one feature of figures or of what they lack, or one joined to a second by intersection, "
        "union or exclusive-or; it must hold for all six figures on the left and for none on the right. " + CONVENTION
    )
    grammar: ClassVar[Grammar] = grammar_of("classification")
    rules = (1, 2)
    offered = 2
    axes: ClassVar = {"form": FORMS, "symbols": SYMBOLS, "layout": ("sides", "column")}

    def draw(self, rng: np.random.Generator, *, rules: int) -> Puzzle | None:
        """Draw six figures for either side and a new one.

        Every rule is as likely as its opposite, so that neither side is the likelier one.
        """
        pool = draw_pool(rng, self.grammar, rules=rules, varied=int(rng.integers(2, 7)), least=EACH + 1)
        if pool is None:
            return None
        sides = [[listed(pool.figures[n]) for n in half[: EACH + 1]] for half in (pool.inside, pool.outside)]
        answer = int(rng.integers(2))
        shown = {"left": sides[0][:EACH], "right": sides[1][:EACH], "new": sides[answer][EACH]}
        return Puzzle(shown, SIDES[answer], Derivation(self.grammar, pool.steps, size=2 * EACH))

    def explain(self, shown: Any, *, limit: float) -> Explained:
        """Find every rule that holds for all on the left and none on the right."""
        figures = [tuple(tuple(one) for one in f) for f in (*shown["left"], *shown["right"], shown["new"])]
        found = separations(figures, self.grammar, wanted=(LEFT,), relevant=SHOWN, limit=limit)
        return Explained(
            tuple(
                Explanation(Derivation(self.grammar, one.steps, size=2 * EACH), SIDES[one.mask <= SHOWN])
                for one in found
            ),
            compared(figures, self.grammar, limit),
        )

    def offers(self, shown: Any) -> Sequence[Any]:
        """Return the two sides."""
        return SIDES

    def show(self, shown: Any, presentation: Presentation, *, options: Sequence[Any] = ()) -> PuzzlePrompt:
        """Show both sides and the new figure."""
        figures = (*shown["left"], *shown["right"], shown["new"])
        cells = [figure_cell(figure, presentation) for figure in figures]
        question = (
            "The six figures on the left share something that none on the right has. Where does the new one belong?"
        )
        layout = f"sides:{EACH}"
        if presentation.of("layout", "sides") == "column":
            layout, names = "column", [*["Left"] * EACH, *["Right"] * EACH, "New"]
            labelled = zip(cells, names, strict=True)
            cells = [{**cell, "label": name, "words": f"{name}: {cell['words']}"} for cell, name in labelled]
        return PuzzlePrompt(self.name, question + note(presentation), cells, layout)

    def write(self, value: Any, presentation: Presentation) -> str:
        """Write a side."""
        return str(value)

    def read(self, prompt: PuzzlePrompt) -> Any:
        """Read the figures of both sides and the new one back."""
        figures = read_figures(prompt.cells)
        if figures is None:
            return None
        return {"left": figures[:EACH], "right": figures[EACH : 2 * EACH], "new": figures[-1]}

    def read_options(self, prompt: PuzzlePrompt, options: Sequence[str]) -> Sequence[Any]:
        """Read sides back."""
        return list(options)
