"""Rasters: grids and polyominoes as cells of a prompt, and read back from them."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.catalog.puzzles.showing.presentation import Presentation

FORMS = ("drawn", "described", "pixels")
SYMBOLS = {"digits": "0123456789", "letters": "KLMNPRSTVW", "signs": "⟁⋈⍟⌬⏃⎈⍜⌖⏧⎔"}
"""What stands for each colour, the background first."""
INK = {"digits": ".#", "letters": "OX", "signs": "⋈⌬"}
"""What stands for an empty and a full square of a polyomino."""
DOT = 2
"""Pixels per side of a square."""
FULL = 4
"""Level of grey of a full square of a polyomino, 0 being paper; those of a grid are its colours."""


def written(rows: Sequence[Sequence[int]], symbols: str) -> str:
    """Write rows of numbers as lines of symbols.

    >>> written([[0, 1], [2, 0]], "KLM")
    'KL\\nMK'
    """
    return "\n".join("".join(symbols[value] for value in row) for row in rows)


def unwritten(text: str, symbols: str) -> list[list[int]]:
    """Read lines of symbols back."""
    return [[symbols.index(sign) for sign in line] for line in text.splitlines()]


def grid_cell(rows: Sequence[Sequence[int]], presentation: Presentation) -> Mapping[str, Any]:
    """Show a grid: drawn by its symbols, in words only, or as grey pixels."""
    symbols = SYMBOLS[presentation.of("symbols", "digits")]
    form = presentation.of("form", "drawn")
    if form == "pixels":
        return _pixels(rows)
    words = written(rows, symbols)
    if form == "described":
        return {"type": "text", "words": words}
    return {"type": "grid", "rows": [list(row) for row in rows], "symbols": symbols, "words": words}


def read_grid(cell: Mapping[str, Any], presentation: Presentation) -> list[list[int]]:
    """Read a grid back from its cell."""
    if cell["type"] == "pixels":
        return _unpixels(cell)
    return unwritten(cell["words"], SYMBOLS[presentation.of("symbols", "digits")])


def polyomino_cell(cells: Sequence[Sequence[int]], presentation: Presentation) -> Mapping[str, Any]:
    """Show a polyomino: drawn, in words as rows of full and empty squares, or as black and white pixels."""
    width, height = (1 + max(place[axis] for place in cells) for axis in (0, 1))
    full = {(x, y) for x, y in cells}
    rows = [[int((x, y) in full) for x in range(width)] for y in range(height)]
    form = presentation.of("form", "drawn")
    if form == "pixels":
        return _pixels([[value * FULL for value in row] for row in rows])
    words = written(rows, INK[presentation.of("symbols", "digits")])
    if form == "described":
        return {"type": "text", "words": words}
    return {"type": "polyomino", "cells": [list(place) for place in cells], "words": words}


def read_polyomino(cell: Mapping[str, Any], presentation: Presentation) -> list[list[int]]:
    """Read the squares of a polyomino back, in order."""
    if cell["type"] == "pixels":
        rows = _unpixels(cell)
    else:
        rows = unwritten(cell["words"], INK[presentation.of("symbols", "digits")])
    return sorted([x, y] for y, row in enumerate(rows) for x, value in enumerate(row) if value)


def _pixels(rows: Sequence[Sequence[int]]) -> Mapping[str, Any]:
    grey = [[value for value in row for _ in range(DOT)] for row in rows for _ in range(DOT)]
    words = "\n".join(" ".join(map(str, row)) for row in grey)
    return {"type": "pixels", "rows": grey, "words": words}


def _unpixels(cell: Mapping[str, Any]) -> list[list[int]]:
    return [list(row[::DOT]) for row in cell["rows"][::DOT]]
