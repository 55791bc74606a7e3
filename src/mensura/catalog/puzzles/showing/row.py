"""Rows: signs one after the other with a gap at the end, in a row or a column, from either end."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.catalog.puzzles.showing.prompt import GAP, PuzzlePrompt

LAYOUTS = ("row", "column")
JOINED = "joined"
"""A layout for signs of one character: a row without any space."""
DIRECTIONS = ("forward", "backward")


def row(kind: str, signs: Sequence[str], look: Presentation, *, question: str) -> PuzzlePrompt:
    """Show signs and the gap that follows them; where they run the other way, the question says so."""
    layout, backward = look.of("layout", LAYOUTS[0]), look.of("direction", DIRECTIONS[0]) == "backward"
    if backward:
        signs = signs[::-1]
    cells: list[Mapping[str, Any]] = [
        {"type": "text", "words": sign} for sign in (["".join(signs)] if layout == JOINED else signs)
    ]
    cells.insert(0 if backward else len(cells), GAP)
    if backward:
        question += " Read from the bottom up." if layout == "column" else " Read from right to left."
    return PuzzlePrompt(kind, question, cells, layout.replace(JOINED, "row"), presentation=look.as_json())


def signs_of(prompt: PuzzlePrompt) -> list[str]:
    """Return the signs in the order in which they are to be read, without the gap."""
    signs = [str(cell["words"]) for cell in prompt.cells if cell["type"] != "gap"]
    if prompt.presentation.get("layout") == JOINED:
        signs = list(signs[0])
    return signs[::-1] if prompt.presentation.get("direction") == "backward" else signs
