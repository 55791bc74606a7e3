"""Charts of track records; the same ones are in reports, pages and notebooks."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from mensura.exhibit import COLOURS
from mensura.scores.rule import Rule
from mensura.stats import Estimate
from mensura.track_record.calibration.diagnosis import Diagnosis
from mensura.track_record.calibration.monotone import fit_monotone
from mensura.track_record.calibration.realism import Realism
from mensura.track_record.calibration.sheet import Points
from mensura.track_record.calibration.total.total import Total
from mensura.track_record.calibration.validity import validity
from mensura.track_record.quantities.coverage import BandCoverage, Pit
from mensura.track_record.skill import LabelRecord

BLUE, ORANGE, GREEN, GREY = *COLOURS[:3], "#8a8a8a"


def _altair() -> Any:
    # Imported when a chart is drawn, for it is slow; and untyped, for its types are longer than the charts.
    return import_module("altair")


def _chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    alt = _altair()
    return alt.Chart(alt.Data(values=[dict(row) for row in rows]))


def _columns(**columns: Iterable[Any]) -> list[dict[str, Any]]:
    listed = [np.asarray(column).tolist() for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*listed, strict=True)]


def validity_chart(points: Points, *, line: Realism | None = None, title: str = "") -> Any:
    """Draw the external validity graph: frequency against stated probability, with counts and consistency bands.

    Grey bars are the frequencies a perfect realist would show in 95 % of such samples; the dashed diagonal is ideal,
    the blue line the realism function, the green steps the isotonic curve.
    """
    alt = _altair()
    graph = validity(points)
    base = _chart(_columns(**vars(graph) | {"count": graph.questions.astype(int)}))
    scale = alt.Scale(domain=[0, 1])
    base = base.encode(x=alt.X("stated:Q", title="stated probability", scale=scale))
    bands = base.mark_bar(size=14, opacity=0.25, color=GREY).encode(
        y=alt.Y("band_low:Q", title="relative frequency", scale=scale), y2="band_high:Q"
    )
    errors = base.mark_rule(color=ORANGE).encode(y="low:Q", y2="high:Q")
    dots = base.mark_circle(color=ORANGE, opacity=1).encode(
        y="frequency:Q", size=alt.Size("count:Q", legend=None, scale=alt.Scale(range=[25, 300]))
    )
    counts = base.mark_text(dy=-12, fontSize=9, color=GREY).encode(y="frequency:Q", text="count:Q")
    layers = [_diagonal(1), bands, errors, dots, counts, _steps(points)]
    if line is not None and not np.isnan(line.a):
        layers.append(_realism_line(line))
    return alt.layer(*layers).properties(width=260, height=260, title=title)


def _diagonal(top: float) -> Any:
    ends = _chart([{"x": 0, "y": 0}, {"x": top, "y": top}])
    return ends.mark_line(strokeDash=[4, 4], color=GREY).encode(x="x:Q", y="y:Q")


def _steps(points: Points) -> Any:
    curve = fit_monotone(points)
    steps = np.stack([curve.lows, curve.highs], axis=1).ravel()
    heights = np.repeat(curve.frequencies, 2)
    if len(steps) > 400:
        steps = np.linspace(steps[0], steps[-1], 200)
        heights = curve(steps)
    chart = _chart(_columns(x=steps, y=heights, order=range(len(steps)))).mark_line(color=GREEN, opacity=0.7)
    return chart.encode(x="x:Q", y="y:Q", order="order:Q")


def _realism_line(line: Realism) -> Any:
    # Only the part inside the square is drawn; the line itself may leave [0, 1].
    ends = [x for x in (0.0, 1.0, *((h - line.b) / line.a for h in (0.0, 1.0) if line.a)) if 0 <= x <= 1]
    inside = sorted(x for x in ends if -1e-9 <= line.a * x + line.b <= 1 + 1e-9)
    rows = [{"x": x, "y": line.a * x + line.b} for x in (inside[0], inside[-1])] if inside else []
    return _chart(rows).mark_line(color=BLUE, strokeWidth=2).encode(x="x:Q", y="y:Q")


def score_chart(diagnoses: Sequence[Diagnosis], *, title: str = "") -> Any:
    """Draw each forecaster's mean payoff with its interval, best first; the rule at zero is ignorance."""
    rows = [
        _told(d.name, d.score) for d in sorted(diagnoses, key=lambda d: -d.score.value) if np.isfinite(d.score.value)
    ]
    return _intervals(rows, axis="mean payoff per question", title=title)


def record_chart(cells: Sequence[LabelRecord], *, title: str = "") -> Any:
    """Draw the score of each area, topic or period with its interval, in the order given; small ones are left out."""
    rows = [_told(cell.label or "without a label", cell.score) for cell in cells if cell.score is not None]
    return _intervals(rows, axis="score per question", title=title)


def band_chart(bands: Mapping[str, BandCoverage], *, title: str = "") -> Any:
    """Draw the share of truths outside each forecaster's band with its interval, and the share the band allows."""
    rows = [_told(name, band.outside) | {"allowed": 1 - band.claimed} for name, band in bands.items()]
    chart = _intervals(rows, axis="truths outside the band", title=title, percent=True)
    return chart + _labelled(rows).mark_tick(color="black", thickness=3).encode(x="allowed:Q")


def _told(label: str, e: Estimate) -> dict[str, Any]:
    low, high = (end if np.isfinite(end) else e.value for end in (e.low, e.high))
    return {"label": label, "value": e.value, "low": low, "high": high}


def _intervals(rows: Sequence[Mapping[str, Any]], *, axis: str, title: str, percent: bool = False) -> Any:
    """Draw a dot and its interval for each label, over a dashed line at zero."""
    alt = _altair()
    base = _labelled(rows)
    shown = alt.Axis(format="%") if percent else alt.Axis()
    zero = _chart([{"x": 0}]).mark_rule(strokeDash=[4, 4], color=GREY).encode(x="x:Q")
    bars = base.mark_rule(color=BLUE, strokeWidth=2).encode(x=alt.X("low:Q", title=axis, axis=shown), x2="high:Q")
    dots = base.mark_circle(color=BLUE, size=60, opacity=1).encode(x="value:Q")
    return alt.layer(zero, bars, dots).properties(width=420, title=title)


def _labelled(rows: Sequence[Mapping[str, Any]]) -> Any:
    return _chart(rows).encode(y=_altair().Y("label:N", sort=[row["label"] for row in rows], title=None))


def loss_chart(diagnoses: Sequence[Diagnosis], *, title: str = "") -> Any:
    """Draw the loss against certainty, split into labelling error (bias) and sorting error (ignorance)."""
    alt = _altair()
    rows = [
        {"forecaster": d.name, "loss": value, "kind": kind}
        for d in diagnoses
        for kind, value in (("labelling (bias)", d.loss.labelling), ("sorting (ignorance)", d.loss.sorting))
        if np.isfinite(value)
    ]
    scale = alt.Scale(domain=["sorting (ignorance)", "labelling (bias)"], range=[GREY, ORANGE])
    chart = _chart(rows).mark_bar()
    return chart.encode(
        y=alt.Y("forecaster:N", title=None),
        x=alt.X("loss:Q", title="nats per question, from certainty"),
        color=alt.Color("kind:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
    ).properties(width=420, title=title)


def information_chart(diagnoses: Sequence[Diagnosis], *, title: str = "") -> Any:
    """Draw the information each forecaster perceived against what the answers show; above the line is undervaluing."""
    alt = _altair()
    rows = [
        {"forecaster": d.name, "perceived": d.loss.perceived_information, "actual": d.loss.actual_information}
        for d in diagnoses
    ]
    top = 1.05 * max(0.05, *(value for row in rows for value in row.values() if isinstance(value, float)))
    scale = alt.Scale(domain=[0, top])
    base = _chart(rows).encode(
        x=alt.X("perceived:Q", title="perceived information (nats)", scale=scale),
        y=alt.Y("actual:Q", title="actual information (nats)", scale=scale),
    )
    layers = [_diagonal(top), base.mark_circle(color=BLUE, size=70, opacity=1)]
    if len(rows) <= 12:
        layers.append(base.mark_text(dx=7, align="left", fontSize=10).encode(text="forecaster:N"))
    return alt.layer(*layers).properties(width=300, height=300, title=title)


def discrimination_chart(diagnosis: Diagnosis, *, title: str = "") -> Any:
    """Draw how stated probabilities lie for what happened and for what did not."""
    alt = _altair()
    found = diagnosis.discrimination
    ranges = [f"{low:.1f}–{high:.1f}" for low, high in zip(found.edges[:-1], found.edges[1:], strict=True)]
    rows = [
        row | {"kind": kind}
        for kind, shares in (("happened", found.happened), ("did not", found.other))
        for row in _columns(stated=ranges, share=shares)
    ]
    scale = alt.Scale(domain=["happened", "did not"], range=[BLUE, ORANGE])
    chart = _chart(rows).mark_bar()
    return chart.encode(
        x=alt.X("stated:N", title="stated probability"),
        xOffset="kind:N",
        y=alt.Y("share:Q", title="share of events", axis=alt.Axis(format="%")),
        color=alt.Color("kind:N", title=None, scale=scale, legend=alt.Legend(orient="top")),
    ).properties(width=260, height=260, title=title)


def total_chart(total: Total, *, title: str = "") -> Any:
    """Draw the distribution of the total score that the stated probabilities imply, and the total that came."""
    alt = _altair()
    totals, chances = total.curve
    likely = (chances > 1e-4) & (np.concatenate([[0.0], chances[:-1]]) < 1 - 1e-4)
    low, high = float(totals[likely][0]), float(totals[likely][-1])
    if not high > low:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, min(40, 4 * len(totals)) + 1)
    # What lies at or below each edge; what lies below the first belongs to it.
    places = np.searchsorted(totals, edges + 1e-9 * (high - low), side="right")
    below = np.concatenate([[0.0], chances])[places] if total.error == 0 else np.interp(edges, totals, chances)
    shares = np.diff(below)
    shares[0] += below[0]
    y = alt.Y("height:Q", title="probability", axis=alt.Axis(format="%"))
    layers = [_histogram(edges, shares, axis="total score", y=y)]
    if np.isfinite(total.observed):
        layers.append(_chart([{"x": total.observed}]).mark_rule(color=ORANGE, strokeWidth=3).encode(x="x:Q"))
    return alt.layer(*layers).properties(width=260, height=260, title=title)


def pit_chart(pit: Pit, *, title: str = "") -> Any:
    """Draw the histogram of the probability integral transform with the range chance allows honest densities."""
    alt = _altair()
    y = alt.Y("height:Q", title="questions")
    bars = _histogram(pit.edges, pit.counts, axis="where the truth fell in the stated distribution", y=y)
    band = _chart([{"low": pit.low, "high": pit.high}]).mark_rect(opacity=0.2, color=GREY)
    return alt.layer(band.encode(y="low:Q", y2="high:Q"), bars).properties(width=320, height=200, title=title)


def _histogram(edges: Any, heights: Any, *, axis: str, y: Any) -> Any:
    alt = _altair()
    bars = _chart(_columns(low=edges[:-1], high=edges[1:], height=heights)).mark_bar(color=BLUE, opacity=0.7)
    return bars.encode(x=alt.X("low:Q", bin="binned", title=axis, scale=alt.Scale(zero=False)), x2="high:Q", y=y)


def gain_chart(rules: Mapping[str, Rule], *, title: str = "") -> Any:
    """Draw expected gain against what is believed of one of two events (the report's figure 7)."""
    beliefs = np.linspace(0, 1, 101)
    pairs = np.stack([beliefs, 1 - beliefs], axis=1)
    gains = {name: each.gain(pairs) if each.proper else np.abs(2 * beliefs - 1) for name, each in rules.items()}
    rows = [row | {"rule": name} for name, gain in gains.items() for row in _columns(belief=beliefs, gain=gain)]
    alt = _altair()
    chart = _chart(rows).mark_line()
    return chart.encode(
        x=alt.X("belief:Q", title="probability believed"),
        y=alt.Y("gain:Q", title="expected gain"),
        color=alt.Color("rule:N", title=None, legend=alt.Legend(orient="top")),
    ).properties(width=320, height=220, title=title)


def timeline_chart(
    standing: Mapping[str, Sequence[tuple[float, float]]],
    *,
    resolved: float,
    outcome: float,
    unit: str = "time",
    title: str = "",
) -> Any:
    """Draw a probability over time for several forecasters until the question is resolved (figures 1 and 2)."""
    alt = _altair()
    rows = [
        {"time": t, "probability": p, "forecaster": name}
        for name, steps in standing.items()
        for t, p in ([*steps, (resolved, steps[-1][1])] if steps else [])
    ]
    lines = _chart(rows).mark_line(interpolate="step-after")
    lines = lines.encode(
        x=alt.X("time:Q", title=unit, scale=alt.Scale(zero=False)),
        y=alt.Y("probability:Q", scale=alt.Scale(domain=[0, 1]), title="probability"),
        color=alt.Color("forecaster:N", title=None, legend=alt.Legend(orient="top", columns=3)),
    )
    end = _chart([{"time": resolved, "outcome": outcome}]).encode(x="time:Q")
    mark = end.mark_point(size=90, filled=True, color="black", shape="diamond").encode(y="outcome:Q")
    return alt.layer(lines, end.mark_rule(color=GREY), mark).properties(width=420, height=220, title=title)
