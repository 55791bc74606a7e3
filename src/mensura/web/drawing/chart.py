"""Chart: bars, lines or points as SVG, small and quick enough to be drawn for every ask."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from markupsafe import Markup

from mensura.exhibit.look import COLOURS
from mensura.web.drawing.map import nice_length

WIDTH, HEIGHT = 480.0, 280.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 16.0, 12.0, 50.0


def draw(prompt: Mapping[str, Any]) -> dict[str, Any]:
    """Lay a chart out: its picture, its legend and the rows of its table.

    >>> chart = {"mark": "bar", "columns": {"group": ["A", "B"], "share": [0.25, 0.75]}, "x": "group", "y": "share"}
    >>> draw(chart)["svg"].count("<rect")
    2
    """
    columns: Mapping[str, Sequence[Any]] = prompt["columns"]
    x_values, y_values = list(columns[prompt["x"]]), [_number(value) for value in columns[prompt["y"]]]
    by = prompt.get("colour") or ""
    groups = [str(value) for value in columns[by]] if by else [""] * len(x_values)
    names = list(dict.fromkeys(groups))
    # Stored data have lost the order of their names, and must look as they did.
    first = [name for name in (prompt["x"], prompt["y"], by) if name]
    names_of_columns = [*first, *sorted(set(columns) - set(first))]
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    numeric = prompt["mark"] != "bar" and all(_number(value) is not None for value in x_values)
    across = _Numbers(x_values, LEFT, WIDTH - RIGHT) if numeric else _Names(x_values, LEFT, WIDTH - RIGHT)
    known = [value for value in y_values if value is not None]
    up = _Numbers([0.0, *known] if prompt["mark"] == "bar" else known, HEIGHT - BOTTOM, TOP)
    rows = [(x, y, group) for x, y, group in zip(x_values, y_values, groups, strict=True) if y is not None]
    marks = {"bar": _bars, "line": _lines}.get(prompt["mark"], _points)(rows, across, up, names, colours)
    return {
        "svg": _axes(across, up, str(prompt["x"]), str(prompt["y"])) + marks,
        "width": WIDTH,
        "height": HEIGHT,
        "legend": [{"name": name, "colour": colours[name]} for name in names if name],
        "columns": names_of_columns,
        "rows": list(zip(*(columns[name] for name in names_of_columns), strict=True)),
    }


class _Numbers:
    """A scale for numbers, from nice number to nice number."""

    def __init__(self, values: Sequence[Any], start: float, end: float) -> None:
        numbers = [float(value) for value in values] or [0.0, 1.0]
        low, high = min(numbers), max(numbers)
        if low == high:
            low, high = low - 0.5, high + 0.5
        step = nice_length((high - low) / 4)
        first, last = low // step, -(-high // step)
        self.ticks = [(round(i * step, 12), f"{round(i * step, 12):g}") for i in range(int(first), int(last) + 1)]
        self._low, self._span = first * step, (last - first) * step
        self._start, self._end = start, end
        self.band = 0.0

    def at(self, value: Any) -> float:
        return round(self._start + (float(value) - self._low) / self._span * (self._end - self._start), 2)


class _Names:
    """A scale for names, each in the middle of its band."""

    def __init__(self, values: Sequence[Any], start: float, end: float) -> None:
        names = list(dict.fromkeys(str(value) for value in values)) or [""]
        self.band = (end - start) / len(names)
        self._place = {name: start + (i + 0.5) * self.band for i, name in enumerate(names)}
        room = max(3, int(self.band / 7))
        self.ticks = [(name, name if len(name) <= room else name[: room - 1] + "…") for name in names]

    def at(self, value: Any) -> float:
        return round(self._place[str(value)], 2)


Rows = list[tuple[Any, float, str]]
Scale = _Numbers | _Names


def _axes(across: Scale, up: _Numbers, x: str, y: str) -> Markup:
    floor = HEIGHT - BOTTOM
    parts = []
    for value, words in up.ticks:
        place = up.at(value)
        parts.append(
            Markup(
                '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>'
                '<text class="tick" x="{}" y="{}" text-anchor="end">{}</text>'
            ).format(LEFT, WIDTH - RIGHT, place, place, LEFT - 8, place + 4, words)
        )
    for name, words in across.ticks:
        parts.append(
            Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>').format(
                across.at(name), floor + 18, words
            )
        )
    middle = round((TOP + floor) / 2, 2)
    parts.append(
        Markup(
            '<line class="axis" x1="{}" x2="{}" y1="{}" y2="{}"/>'
            '<text class="title" x="{}" y="{}" text-anchor="middle">{}</text>'
            '<text class="title" transform="translate(14 {}) rotate(-90)" text-anchor="middle">{}</text>'
        ).format(LEFT, WIDTH - RIGHT, floor, floor, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x, middle, y)
    )
    return Markup("").join(parts)


def _bars(rows: Rows, across: Scale, up: _Numbers, names: Sequence[str], colours: Mapping[str, str]) -> Markup:
    width = across.band * 0.7 / len(names)
    zero = up.at(0.0)
    drawn = []
    for x, y, group in rows:
        left = across.at(x) - width * len(names) / 2 + width * names.index(group)
        top = up.at(y)
        drawn.append(
            Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="{}"/>').format(
                round(left, 2), min(top, zero), round(width, 2), round(abs(zero - top), 2), colours[group]
            )
        )
    return Markup("").join(drawn)


def _lines(rows: Rows, across: Scale, up: _Numbers, names: Sequence[str], colours: Mapping[str, str]) -> Markup:
    drawn = []
    for name in names:
        points = " ".join(f"{across.at(x)},{up.at(y)}" for x, y, group in rows if group == name)
        drawn.append(Markup('<polyline class="line" points="{}" stroke="{}"/>').format(points, colours[name]))
    return Markup("").join(drawn) + _points(rows, across, up, names, colours)


def _points(rows: Rows, across: Scale, up: _Numbers, names: Sequence[str], colours: Mapping[str, str]) -> Markup:
    return Markup("").join(
        Markup('<circle cx="{}" cy="{}" r="4" fill="{}"/>').format(across.at(x), up.at(y), colours[group])
        for x, y, group in rows
    )


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if isfinite(value) else None
