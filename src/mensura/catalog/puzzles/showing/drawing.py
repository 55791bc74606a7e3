"""Drawing a cell of a puzzle: SVG or a small table, for pages and documents alike.

What a cell holds besides `type` and `words`:

- `text`: `text`, or its words where that is missing.
- `figure`: `objects`, each `[shape, size, fill, turn, flip, place]`; `marks`, places around the rim; `symbols`.
- `grid`: `rows` of whole numbers from 0 to 9, each a colour with its number in it.
- `pixels`: `rows` of levels from 0 (paper) upwards, as numbers or as a text of digits.
- `features`: `names` of attributes, and `rows` of numbers, one for each object; objects are drawn side by side.
- `polyomino`: `cells`, each `[x, y]`, y downwards.
- `gap`: nothing more.

Any of them may have a `label`, which stands beneath it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from mensura.catalog.puzzles.showing.outline import EDGE, SIDE, outline, ring_place

Cell = Mapping[str, Any]
INK = "#1c2733"
FILLS = {"plain": ("#ffffff", "#ccd5dd", "#7d8c9a", "#1c2733"), "other": ("#fffdf5", "#ffd97a", "#e07b28", "#7a1f1f")}
COLOURS = (
    ("#ffffff", INK), ("#005a8c", "#ffffff"), ("#a93f00", "#ffffff"), ("#00674c", "#ffffff"), ("#e6a817", INK),
    ("#8a8f94", INK), ("#8c3a6b", "#ffffff"), ("#f2c9a0", INK), ("#56b4e9", INK), ("#3b2a20", "#ffffff"),
)  # fmt: skip
"""Ground and ink by number; every number is also written, so that no colour need be told from another."""


def draw_cell(cell: Cell) -> str:
    """Draw a cell as HTML or SVG text, ready to stand in a page.

    >>> draw_cell({"type": "gap", "words": "?"})
    '<span class="pz-gap" role="img" aria-label="the missing one">?</span>'
    """
    return _DRAWN[str(cell["type"])](cell)


def _text(cell: Cell) -> str:
    text = str(cell.get("text", cell["words"]))
    # Rows of signs stand one beneath the other only where all signs are equally wide.
    look = "pz-text pz-lines" if "\n" in text else "pz-text"
    return f'<span class="{look}">{escape(text)}</span>'


def _gap(cell: Cell) -> str:
    return '<span class="pz-gap" role="img" aria-label="the missing one">?</span>'


def _figure(cell: Cell) -> str:
    symbols = str(cell.get("symbols", "plain"))
    marks = cell.get("marks")
    parts = []
    # The larger stand behind, so that what is inside is seen; a light rim tells black from black.
    for shape, size, fill, turn, flip, place in sorted(cell["objects"], key=lambda one: (-one[1], one[5])):
        corners = " ".join(f"{x:g},{y:g}" for x, y in outline(symbols, shape, size, turn, flip, place))
        parts.append(f'<polygon points="{corners}" fill="none" stroke="#ffffff" stroke-width="3.6"/>')
        parts.append(f'<polygon points="{corners}" fill="{FILLS[symbols][fill]}" stroke="{INK}" stroke-width="1.6"/>')
    for mark in marks or ():
        x, y = ring_place(mark)
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="4.5" fill="{INK}"/>')
    rim = 0.0 if marks is not None else EDGE - 2
    return _svg(cell, (rim, rim, SIDE - 2 * rim, SIDE - 2 * rim), parts)


def _grid(cell: Cell) -> str:
    parts = []
    for y, row in enumerate(cell["rows"]):
        for x, value in enumerate(row):
            ground, ink = COLOURS[int(value)]
            parts.append(f'<rect x="{x * 20}" y="{y * 20}" width="20" height="20" fill="{ground}" stroke="#aab4bd"/>')
            parts.append(f'<text x="{x * 20 + 10}" y="{y * 20 + 14}" fill="{ink}">{int(value)}</text>')
    wide, high = len(cell["rows"][0]) * 20 + 2, len(cell["rows"]) * 20 + 2
    return _svg(cell, (-1, -1, wide, high), parts, "pz-grid", wide)


def _pixels(cell: Cell) -> str:
    rows = [[int(value) for value in row] for row in cell["rows"]]
    most = max(4, *(value for row in rows for value in row))
    parts = [
        f'<rect x="{x}" y="{y}" width="1.03" height="1.03" fill="{_grey(value / most)}"/>'
        for y, row in enumerate(rows)
        for x, value in enumerate(row)
        if value
    ]
    return _svg(cell, (0, 0, len(rows[0]), len(rows)), parts, "pz-pixels")


def _polyomino(cell: Cell) -> str:
    places = cell["cells"]
    parts = [
        f'<rect x="{x * 20}" y="{y * 20}" width="20" height="20" fill="#9fc3dc" stroke="{INK}" stroke-width="1.6"/>'
        for x, y in places
    ]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    wide, high = max(x for x, _ in places) - left + 1, max(y for _, y in places) - top + 1
    # All shapes of one puzzle have squares of one size, however they lie.
    side = max(wide, high, 4) * 20 + 4
    return _svg(cell, (left * 20 - (side - wide * 20) / 2, top * 20 - (side - high * 20) / 2, side, side), parts)


def _features(cell: Cell) -> str:
    columns = zip(cell["names"], zip(*cell["rows"], strict=True), strict=True)
    rows = "".join(
        f'<tr><th scope="row">{escape(str(name))}</th>{"".join(f"<td>{value:.2f}</td>" for value in values)}</tr>'
        for name, values in columns
    )
    return f'<table class="pz-features"><tbody>{rows}</tbody></table>'


def _grey(share: float) -> str:
    return f"#{round(230 - 200 * share):02x}" + f"{round(235 - 196 * share):02x}" + f"{round(240 - 189 * share):02x}"


def _svg(cell: Cell, box: Sequence[float], parts: Iterable[str], look: str = "", width: int | None = None) -> str:
    words = escape(str(cell["words"]), quote=True)
    view = " ".join(f"{number:g}" for number in box)
    kind = f"pz-drawn {look}".strip()
    said = "" if width is None else f' width="{width}"'
    return f'<svg class="{kind}"{said} viewBox="{view}" role="img" aria-label="{words}">{"".join(parts)}</svg>'


_DRAWN: dict[str, Callable[[Cell], str]] = {
    "text": _text,
    "gap": _gap,
    "figure": _figure,
    "grid": _grid,
    "pixels": _pixels,
    "features": _features,
    "polyomino": _polyomino,
}
