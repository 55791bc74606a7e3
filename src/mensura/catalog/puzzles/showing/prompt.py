"""The prompt of a puzzle: what is shown as data, from which pages draw and solvers read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mensura.catalog.puzzles.showing.drawing import draw_cell
from mensura.dialogue.prompts.base import Prompt

LETTERS = "ABCDEFGH"
GAP: Mapping[str, Any] = {"type": "gap", "words": "?"}
"""The cell that stands for what is missing."""


@dataclass(frozen=True)
class PuzzlePrompt(Prompt):
    """A question about cells; pages draw the cells from these data, terminals and models read the words.

    Parameters
    ----------
    puzzle
        The kind of puzzle.
    question
        What is asked, in a sentence or two.
    cells
        What is shown, in reading order. Each is a mapping with a `type` that its drawing knows (`text`, `figure`,
        `grid`, `pixels`, `features`, `polyomino`, `gap`: `drawing` says what each holds) and `words`, the description
        for those who cannot see it.
    layout
        How the cells stand: `row`, `column`, `matrix:3` (rows of three), `analogy` (A : B :: C : ?), `sides:6` (six
        against six, then the new one), `pairs` (examples: before, after).
    options
        The options where they are drawn, A first; empty where the space itself names them.
    presentation
        How it is presented, by axis: part of what is asked, since the question may depend on it (base 8).
    """

    kind: ClassVar[str] = "puzzle"
    beside: ClassVar[tuple[str, ...]] = (
        *("kind", "derivation", "load", "structure", "presentation", "grammar", "proof", "source", "answers"),
    )
    page: ClassVar[Mapping[str, Any]] = {
        "package": "mensura.catalog.puzzles",
        "template": "puzzle.html",
        "style": "puzzle.css",
        "draw": draw_cell,
    }
    puzzle: str
    question: str
    cells: Sequence[Mapping[str, Any]]
    layout: str = "row"
    options: Sequence[Mapping[str, Any]] = ()
    presentation: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "PuzzlePrompt":
        """Make the prompt again from its data."""
        return cls(**{name: value for name, value in data.items() if name != "kind"})

    def text(self) -> str:
        """Say it in words: the question, the cells as they stand, and the options where they are drawn."""
        lines = [self.question, "", *self._lines()]
        for letter, option in zip(LETTERS, self.options, strict=False):
            # Rows of a grid must stand below one another.
            lines += [f"{letter}:{chr(10) if chr(10) in option['words'] else ' '}{option['words']}"]
        return "\n".join(lines)

    def _lines(self) -> list[str]:
        words = [str(cell["words"]) for cell in self.cells]
        name, _, number = self.layout.partition(":")
        if name == "row" and all("\n" not in one for one in words):
            return [", ".join(words)]
        if name == "matrix":
            width = int(number)
            return [" | ".join(words[start : start + width]) for start in range(0, len(words), width)]
        if name == "analogy":
            return [f"{words[0]} is to {words[1]} as {words[2]} is to {words[3]}."]
        if name == "sides":
            width = int(number)
            left, right, rest = words[:width], words[width : 2 * width], words[2 * width :]
            return ["Left:", *left, "Right:", *right, *(["New:", *rest] if rest else [])]
        if name == "pairs":
            pairs = zip(words[::2], words[1::2], strict=True)
            return [line for before, after in pairs for line in ("From:", before, "To:", after)]
        return words
