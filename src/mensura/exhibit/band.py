"""Figures of courses: lines with bands, and a matrix of pairs."""

from collections.abc import Mapping, Sequence
from typing import Any

from mensura.exhibit.exhibit import Figure
from mensura.exhibit.look import COLOURS

BANDS = "Bands and intervals are 95 % over courses, each for its own point."
PAIRED = "The same course number has the same seed, and so the same instances, in every arm and for every subject."


def band(points: Sequence[Mapping[str, Any]], *, x: str, y: str, words: str) -> Figure:
    """Draw estimates over a quantity, a line with a band for each series; those of several beside each other."""
    rows = [
        {"x": point["x"], "series": point["series"], "of": point.get("of", ""), "value": one.value}
        | ({"low": one.low, "high": one.high} if one.has_interval else {"low": one.value, "high": one.value})
        for point in points
        if (one := point["estimate"]).value == one.value
    ]

    def chart() -> Any:
        import altair

        whole = altair.Axis(tickMinStep=1) if all(float(row["x"]).is_integer() for row in rows) else altair.Axis()
        # Below the picture, so that it stays readable on a phone; as strong as the lines, not as faint as the bands.
        legend = altair.Legend(orient="bottom", direction="vertical", labelLimit=460, symbolOpacity=1, labelFontSize=12)
        base = altair.Chart(altair.InlineData(rows)).encode(
            x=altair.X("x:Q", title=x, axis=whole),
            color=altair.Color("series:N", title=None, scale=altair.Scale(range=list(COLOURS)), legend=legend),
        )
        area = base.mark_area(opacity=0.15).encode(y=altair.Y("low:Q", title=y), y2="high:Q")
        line = base.mark_line(strokeWidth=2, point={"size": 25}).encode(y=altair.Y("value:Q", title=y))
        if len({row["of"] for row in rows}) < 2:
            return (area + line).properties(width=480, height=280)
        beside = (area + line).properties(width=190, height=160)
        return beside.facet(altair.Facet("of:N", title=None), columns=2)

    def several(by: Mapping[str, Figure]) -> Figure:
        """Draw one line for each where each has one, else a small picture for each."""
        single = all(len({point["series"] for point in one.data}) < 2 for one in by.values())
        joined = [
            {**point, "series": who} if single else {**point, "of": who}
            for who, one in by.items()
            for point in one.data
        ]
        return band(joined, x=x, y=y, words=" ".join(dict.fromkeys(one.words for one in by.values())))

    return Figure(chart, words, list(points), several)


def heat(
    cells: Sequence[Mapping[str, Any]],
    *,
    words: str,
    column: str = "probed on",
    value: str = "level",
    order: Sequence[str] | None = None,
) -> Figure:
    """Draw a matrix of numbers, each cell with its own; rows and columns in an order, else as they come."""
    rows = [dict(cell) for cell in cells]

    def chart() -> Any:
        import altair

        base = altair.Chart(altair.InlineData(rows)).encode(
            x=altair.X("column:N", title=column, sort=order),
            y=altair.Y("row:N", title=None, sort=order, axis=altair.Axis(labelLimit=400)),
        )
        tiles = base.mark_rect(opacity=0.7).encode(
            color=altair.Color("value:Q", title=value, scale={"scheme": "blues"})
        )
        text = base.mark_text(fontSize=12).encode(text=altair.Text("value:Q", format=".2f"))
        return (tiles + text).properties(width=240)

    def several(by: Mapping[str, Figure]) -> Figure:
        joined = [{**cell, "row": f"{who}: {cell['row']}"} for who, one in by.items() for cell in one.data]
        rows_first = list(dict.fromkeys(cell["row"] for cell in joined))
        return heat(joined, words=words, column=column, value=value, order=[*(order or ()), *rows_first])

    return Figure(chart, words, rows, several)
