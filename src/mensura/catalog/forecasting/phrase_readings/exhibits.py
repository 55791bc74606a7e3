"""Exhibits of phrase readings: how people read each phrase, beside what the chart means; for runs and files alike."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from mensura.catalog.forecasting.phrase_readings.kent import KentChart, PhraseSpread, kent_chart, readings_spread
from mensura.dialogue import Items
from mensura.exhibit import Exhibit, Figure, Group
from mensura.track_record.figures import GREY, ORANGE


def reading_exhibits(groups: Sequence[Group], *, chart: KentChart | None = None) -> list[Exhibit]:
    """Show the spread of the readings of each group."""
    return [_readings(group, chart or kent_chart(), several=len(groups) > 1) for group in groups]


def spreads_of(group: Group, chart: KentChart) -> list[PhraseSpread]:
    """Summarise the readings of a group, phrase by phrase."""
    found = [scores.values["reading"] for scores in group.scores if "reading" in scores.values]
    readings = [
        (key, value)
        for items in found
        if isinstance(items, Items)
        for key, value in zip(items.keys, items.values.tolist(), strict=True)
        if value == value
    ]
    return readings_spread(readings, chart=chart)


def _readings(group: Group, chart: KentChart, *, several: bool) -> Exhibit:
    spreads = spreads_of(group, chart)
    rows = [
        [
            one.words,
            one.n,
            f"{one.median:.0%}",
            f"{one.low:.0%} to {one.high:.0%}",
            "not on the chart" if one.outside is None else one.outside,
            one.lost(chart),
        ]
        for one in spreads
    ]
    columns = ["phrase", "n", "median", "eight in ten", "outside the chart", "nats lost by the median reader"]
    words = "Where numbers can be given, give numbers."
    if spreads:
        widest = max(spreads, key=lambda one: one.high - one.low)
        said = f"{widest.low:.0%} to {widest.high:.0%}"
        words = f'Readers differ most on "{widest.words}": eight in ten take it for {said}. {words}'
    seen = "What the chart means in grey; the line holds eight of ten readings, the dot is their median."
    figures = [Figure(lambda: words_chart(spreads, chart), seen)] if spreads else []
    return Exhibit(f"How phrases are read{f': {group.name}' if several else ''}", words, columns, rows, figures)


def words_chart(spreads: Sequence[PhraseSpread], chart: KentChart, *, title: str = "") -> Any:
    """Draw how people read each phrase: what the chart means in grey, middle eight tenths of the readings, median."""
    alt = import_module("altair")
    rows: list[dict[str, Any]] = []
    for spread in sorted(spreads, key=lambda one: one.median):
        meant = chart.find(spread.words)
        row = {"phrase": spread.words, "low": spread.low, "median": spread.median, "high": spread.high}
        rows.append(row | ({} if meant is None else {"from": meant.low, "to": max(meant.high, meant.low + 0.01)}))
    order = [row["phrase"] for row in rows]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("phrase:N", sort=order, title=None, axis=alt.Axis(labelLimit=240))
    )
    x = alt.X("from:Q", title="probability", scale=alt.Scale(domain=[0, 1]))
    meant_bars = base.mark_bar(color=GREY, opacity=0.35, height=16).encode(x=x, x2="to:Q")
    read = base.mark_rule(color=ORANGE, strokeWidth=3).encode(x="low:Q", x2="high:Q")
    dots = base.mark_circle(color=ORANGE, size=70, opacity=1).encode(x="median:Q")
    return alt.layer(meant_bars, read, dots).properties(width=420, title=title)
