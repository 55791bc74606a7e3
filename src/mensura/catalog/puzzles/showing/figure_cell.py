"""Cells that hold a figure: drawn, described, as a raster, or as numbers with noise; and what can be read back."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from mensura.catalog.puzzles.grammar.figure import ATTRIBUTES, FILL, SIZE, Figure, figure_of
from mensura.catalog.puzzles.showing.outline import EDGE, SIDE, covers, outline, ring_place
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.dialogue.canonical import short_hash

FORMS = ("drawn", "described", "pixels", "features")
SYMBOLS = ("plain", "other")
NOISE = 0.3
"""Numbers of the form `features` are off by less than this: rounded, they are right."""
STEP = 1.6
"""How far apart the pixels of a raster are; at this step no two objects look alike."""
NAMES = {
    "plain": ["circle", "square", "plus", "diamond", "triangle", "arrow", "half-disc", "T", "L", "flag"],
    "other": ["octagon", "star-of-four", "cross-star", "clover", "kite", "chevron", "cup", "bell", "ramp", "hook"],
}
SIZES = ("small", "middle-sized", "large")
FILLS = {"plain": ("white", "light grey", "dark grey", "black"), "other": ("white", "yellow", "orange", "dark red")}
TURNS = ("", " turned right", " turned upside down", " turned left")
PLACES = ["top left", "top", "top right", "left", "centre", "right", "bottom left", "bottom", "bottom right"]
RIM = ["top", "top right", "right", "bottom right", "bottom", "bottom left", "left", "top left"]
NOTES = {
    "pixels": " Each figure is a raster of numbers: 0 is paper, 1 to 4 are fills from light to dark.",
    "features": f" Figures are given as numbers: the attributes of their objects, each off by less than {NOISE}.",
}


def note(look: Presentation) -> str:
    """Return what must be said of the form in which figures are shown."""
    return NOTES.get(look.of("form", "drawn"), "")


def figure_cell(
    figure: Sequence[Sequence[int]], look: Presentation, *, marks: Sequence[int] | None = None
) -> dict[str, Any]:
    """Show a figure, with the marks around it where it has any, as a cell of a prompt."""
    form, symbols = look.of("form", "drawn"), look.of("symbols")
    objects = [list(one) for one in figure_of(figure) or figure]
    if form == "pixels":
        rows = raster(figure_of(objects) or (), symbols, None if marks is None else tuple(marks))
        return {"type": "pixels", "rows": list(rows), "words": "\n".join(rows)}
    if form == "features" and marks is None:
        return noisy_cell(ATTRIBUTES, objects)
    held: dict[str, Any] = {"objects": objects, "symbols": symbols, "words": words(objects, symbols, marks)}
    if marks is not None:
        held["marks"] = sorted(marks)
    return {"type": "figure" if form == "drawn" else "text", **held}


def noisy_cell(names: Sequence[str], rows: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Show attributes as numbers with noise, which is drawn from a stream of these numbers' own."""
    rng = np.random.default_rng(int(short_hash(rows), 16))
    noisy = np.round(np.array(rows, float) + rng.uniform(-NOISE, NOISE, (len(rows), len(names))), 2).tolist()
    lines = [", ".join(f"{name} {value:.2f}" for name, value in zip(names, row, strict=True)) for row in noisy]
    return {"type": "features", "names": list(names), "rows": noisy, "words": "; ".join(lines)}


def denoised(cell: Mapping[str, Any]) -> list[list[int]]:
    """Round the numbers of such a cell to what they were."""
    return [[round(value) for value in row] for row in cell["rows"]]


def read_cell(cell: Mapping[str, Any]) -> tuple[Figure, tuple[int, ...]] | None:
    """Read a figure and its marks back from a cell; None from a raster, which would have to be looked at."""
    if cell["type"] == "features":
        figure = figure_of(denoised(cell))
        return None if figure is None else (figure, ())
    figure = figure_of(cell["objects"]) if "objects" in cell else None
    return None if figure is None else (figure, tuple(cell.get("marks", ())))


def words(objects: Sequence[Sequence[int]], symbols: str, marks: Sequence[int] | None = None) -> str:
    """Describe a figure completely, for those who cannot see it.

    >>> words([[4, 2, 3, 1, 0, 4], [0, 0, 0, 0, 0, 4]], "plain")
    'a large black triangle turned right in the centre; a small white circle in the centre'
    """
    parts = []
    for shape, size, fill, turn, flip, place in objects:
        where = "in the centre" if place == 4 else f"at the {PLACES[place]}"
        looks = (
            f"{SIZES[size]} {FILLS[symbols][fill]}{' mirrored' if flip else ''} {NAMES[symbols][shape]}{TURNS[turn]}"
        )
        parts.append(f"a {looks} {where}")
    if marks is not None:
        parts.append(f"marks at the {', '.join(RIM[mark] for mark in sorted(marks))}" if marks else "no marks")
    return "; ".join(parts)


@lru_cache(maxsize=4096)
def raster(figure: Figure, symbols: str, marks: tuple[int, ...] | None = None) -> tuple[str, ...]:
    """Return a figure as rows of digits: 0 for paper, one more than its fill for an object, 4 for marks."""
    rim = 0.0 if marks is not None else EDGE - 2
    count = int((SIDE - 2 * rim) / STEP)
    rows = [[0] * count for _ in range(count)]
    for one in sorted(figure, key=lambda one: -one[SIZE]):
        inside, around = _covered(symbols, (*one[:FILL], *one[FILL + 1 :]), rim, count)
        for x, y in around:
            rows[y][x] = 0
        for x, y in inside:
            rows[y][x] = one[FILL] + 1
    for mark in marks or ():
        x, y = (int((value - rim) / STEP) for value in ring_place(mark))
        for across in (-1, 0, 1):
            for down in (-1, 0, 1):
                rows[y + down][x + across] = 4
    return tuple("".join(map(str, row)) for row in rows)


@lru_cache(maxsize=8192)
def _covered(symbols: str, one: tuple[int, ...], rim: float, count: int) -> tuple[frozenset[Any], frozenset[Any]]:
    """Return the pixels of an object, and the paper around it that tells it from what it lies upon."""
    points = outline(symbols, *one)
    low, high = min(map(min, points)), max(map(max, points))
    span = range(max(0, int((low - rim) / STEP) - 1), min(count, int((high - rim) / STEP) + 2))
    inside = frozenset(
        (x, y) for x in span for y in span if covers(points, rim + (x + 0.5) * STEP, rim + (y + 0.5) * STEP)
    )
    near = {(x + across, y + down) for x, y in inside for across, down in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return inside, frozenset((x, y) for x, y in near - inside if 0 <= x < count and 0 <= y < count)
