"""What a run, a comparison or a study shows: evidence, alerts, costs, and the envelope along what was swept."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from mensura.catalog.detection.hypotheses.exhibits import data_of, from_details
from mensura.exhibit import Exhibit, Figure, Group
from mensura.stats import skewed_mean_estimate

Row = dict[str, Any]


def detection_exhibits(groups: Sequence[Group]) -> Iterator[Exhibit]:
    """Show how attacks were found."""
    yield from detection_envelope(groups)
    yield from from_details(groups)


def patrol_exhibits(groups: Sequence[Group]) -> Iterator[Exhibit]:
    """Show what a patrol paid and whom it arrested."""
    yield from patrol_envelope(groups)
    arrests = ("right_arrests", "false_arrests")
    costs = ("cost_loss", "information_cost", "alert_cost")
    rows = [
        (
            group.name,
            *(skewed_mean_estimate(group.values(name)) for name in costs),
            *(sum(each.details[name] for each in group.scores) for name in arrests),
        )
        for group in groups
        if all(name in each.details for each in group.scores for name in arrests)
    ]
    if rows:
        words = "Means over sessions with 95 % intervals; arrests of all sessions together."
        columns = ("", "cost", "information", "alerts", "right arrests", "wrong arrests")
        yield Exhibit("What it cost", words, columns, rows)


def envelope(groups: Sequence[Group], *, score: str, words: str) -> list[Exhibit]:
    """Return one table and picture per swept number: the score along it, a line for each subject and other setting."""
    swept = _swept(groups)
    shown = [name for name, values in swept.items() if len(values) > 2] or swept
    return [_along(name, groups, swept, score=score, words=words) for name in shown]


detection_envelope = partial(envelope, score="attack_mean_f", words="mean F of attacks")
patrol_envelope = partial(envelope, score="saved_score", words="share of damage saved")


def _swept(groups: Sequence[Group]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for name, value in groups[0].parameters.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            values = sorted({float(group.parameters[name]) for group in groups})
            if len(values) > 1:
                found[name] = values
    return found


def _along(name: str, groups: Sequence[Group], swept: dict[str, list[float]], *, score: str, words: str) -> Exhibit:
    rows: list[Row] = []
    for group in groups:
        estimate = skewed_mean_estimate(group.values(score))
        others = [f"{other.replace('_', ' ')} {group.parameters[other]:g}" for other in swept if other != name]
        subject, panel = group.name.split(" in ")[0], ", ".join(others)
        rows.append({"detector": subject, "panel": panel, name: float(group.parameters[name]), words: estimate})
    rows.sort(key=lambda row: (row["panel"], row["detector"], row[name]))
    points = [
        {**row, words: row[words].value, "low": row[words].low, "high": row[words].high}
        for row in rows
        if row[words].has_interval
    ]
    columns = ("subject", name.replace("_", " "), words, "95 % interval", "n")
    table = tuple(
        (
            ", ".join(part for part in (row["detector"], row["panel"]) if part),
            f"{row[name]:g}",
            row[words].rounded[0],
            row[words].ends,
            str(row[words].n),
        )
        for row in rows
    )
    said = f"Simulated worlds; means over worlds with 95 % intervals ({rows[0][words].method})."
    title = f"Envelope: {words} by {name.replace('_', ' ')}"
    shown = [Figure(envelope_chart(points, x=name, y=words), f"{title}, with 95 % intervals.")] if points else []
    return Exhibit(title, said, columns, table, shown)


def envelope_chart(rows: Sequence[Mapping[str, Any]], *, x: str, y: str) -> Any:
    """How a score falls as a parameter of the world grows, one line and band per detector, one panel per other setting.

    Rows hold the parameter, the score, its `low` and `high`, and the names of `detector` and `panel`.
    """
    import altair as alt

    colour = alt.Color("detector:N", title=None, legend=alt.Legend(symbolOpacity=1, symbolType="circle"))
    base = alt.Chart().encode(x=alt.X(f"{x}:Q", title=x.replace("_", " ")), color=colour)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title=y.replace("_", " ")), y2="high:Q")
    line = base.mark_line(point=True).encode(y=f"{y}:Q")
    panels = list(dict.fromkeys(row["panel"] for row in rows))
    data = data_of([dict(row) for row in rows])
    if len(panels) == 1:
        return alt.layer(band, line, data=data).properties(width=420, height=260)
    panel = alt.Facet("panel:N", title=None, sort=panels)
    return alt.layer(band, line, data=data).properties(width=280, height=240).facet(panel, columns=2)
