"""Chart: the picture of a chart prompt, in the look of every other picture, and the rows of its table."""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from math import isfinite
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.exhibit import COLOURS, Figure
from mensura.json_file import loads

WIDTH, HEIGHT = 420, 220


def draw(prompt: Mapping[str, Any]) -> dict[str, Any]:
    """Return the picture of a chart, and its numbers for those who cannot see it.

    >>> draw({"mark": "bar", "columns": {"share": [0.25], "group": ["A"]}, "x": "group", "y": "share"})["rows"]
    [('A', 0.25)]
    """
    columns: Mapping[str, Sequence[Any]] = prompt["columns"]
    # Stored data have lost the order of their names, and must look as they did.
    first = [name for name in (prompt["x"], prompt["y"], prompt.get("colour")) if name]
    names = [*first, *sorted(set(columns) - set(first))]
    shown = tuple(tuple(columns[name]) for name in first)
    figure = _figure(prompt["mark"], canonical(shown), tuple(first), prompt.get("words", ""))
    return {"figure": figure, "columns": names, "rows": list(zip(*(columns[name] for name in names), strict=True))}


@lru_cache(maxsize=256)
def _figure(mark: str, data: str, names: tuple[str, ...], words: str) -> Figure:
    """Keep the picture: several people and the replay are shown the same."""
    import altair

    columns = loads(data)
    rows = [dict(zip("xyc", cells, strict=False)) | {"y": _number(cells[1])} for cells in zip(*columns, strict=True)]
    numeric = mark != "bar" and all(_number(value) is not None for value in columns[0])
    label = altair.Axis(labelAngle=0, labelLimit=WIDTH // max(1, len(set(map(str, columns[0])))), grid=False)
    across: Any = altair.Scale(zero=False) if numeric else altair.Undefined
    encoding: dict[str, Any] = {
        "x": altair.X(f"x:{'Q' if numeric else 'N'}", title=names[0], sort=None, axis=label, scale=across),
        "y": altair.Y("y:Q", title=names[1], scale=altair.Scale(zero=mark == "bar")),
    }
    if len(names) > 2:
        encoding["color"] = altair.Color("c:N", title=names[2], sort=None, legend=altair.Legend(orient="bottom"))
        if mark == "bar":
            encoding["xOffset"] = altair.XOffset("c:N", sort=None)
    chart = altair.Chart(altair.InlineData(rows), width=WIDTH, height=HEIGHT)
    marks: dict[str, Any] = {"bar": chart.mark_bar, "line": partial(chart.mark_line, point=True)}
    return Figure(marks.get(mark, partial(chart.mark_circle, size=60))(color=COLOURS[0]).encode(**encoding), words)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if isfinite(value) else None
