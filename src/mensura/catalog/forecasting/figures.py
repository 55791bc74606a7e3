"""Figures of forecasting, as Altair charts; the same ones stand in reports, pages and notebooks."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from mensura.catalog.forecasting.calibration.diagnosis import Diagnosis
from mensura.catalog.forecasting.calibration.monotone import fit_monotone
from mensura.catalog.forecasting.calibration.quantity import BandCoverage, Pit
from mensura.catalog.forecasting.calibration.realism import Realism
from mensura.catalog.forecasting.calibration.sheet import Points
from mensura.catalog.forecasting.calibration.total import Total
from mensura.catalog.forecasting.calibration.validity import validity
from mensura.catalog.forecasting.use.kent import Chart, Spread
from mensura.catalog.forecasting.use.track_record import Cell
from mensura.scores.rule import Rule

BLUE, ORANGE, GREY, GREEN = "#2c6e9b", "#d1642e", "#8a8a8a", "#3f8f5f"


def _altair() -> Any:
    # Imported when a chart is drawn, for it is slow; and untyped, for its types are longer than the charts.
    return import_module("altair")


def validity_chart(points: Points, *, line: Realism | None = None, title: str = "") -> Any:
    """Draw the external validity graph: frequency against stated probability, with counts and consistency bands.

    Grey bars are the frequencies a perfect realist would show in 95 % of such samples; the dashed diagonal is ideal,
    the blue line the realism function, the green steps the isotonic curve.
    """
    alt = _altair()

    graph = validity(points)
    rows = [
        {"stated": s, "frequency": f, "count": int(n), "low": low, "high": high, "band_low": bl, "band_high": bh}
        for s, f, n, low, high, bl, bh in zip(
            graph.stated.tolist(),
            graph.frequency.tolist(),
            graph.questions.tolist(),
            graph.low.tolist(),
            graph.high.tolist(),
            graph.band_low.tolist(),
            graph.band_high.tolist(),
            strict=True,
        )
    ]
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("stated:Q", title="stated probability", scale=scale)
    base = alt.Chart(alt.Data(values=rows))
    bands = base.mark_bar(size=14, opacity=0.25, color=GREY).encode(
        x=x, y=alt.Y("band_low:Q", title="relative frequency", scale=scale), y2="band_high:Q"
    )
    errors = base.mark_rule(color=ORANGE).encode(x=x, y="low:Q", y2="high:Q")
    dots = base.mark_circle(color=ORANGE, opacity=1).encode(
        x=x, y="frequency:Q", size=alt.Size("count:Q", legend=None, scale=alt.Scale(range=[25, 300]))
    )
    counts = base.mark_text(dy=-12, fontSize=9, color=GREY).encode(x=x, y="frequency:Q", text="count:Q")
    layers = [_diagonal(), bands, errors, dots, counts, _steps(points)]
    if line is not None and not np.isnan(line.a):
        layers.append(_realism_line(line))
    return alt.layer(*layers).properties(width=260, height=260, title=title)


def _diagonal() -> Any:
    alt = _altair()

    ends = alt.Data(values=[{"x": 0, "y": 0}, {"x": 1, "y": 1}])
    return alt.Chart(ends).mark_line(strokeDash=[4, 4], color=GREY).encode(x="x:Q", y="y:Q")


def _steps(points: Points) -> Any:
    alt = _altair()

    curve = fit_monotone(points)
    steps = np.stack([curve.lows, curve.highs], axis=1).ravel()
    heights = np.repeat(curve.frequencies, 2)
    if len(steps) > 400:
        grid = np.linspace(steps[0], steps[-1], 200)
        steps, heights = grid, curve(grid)
    rows = [{"x": a, "y": b, "order": i} for i, (a, b) in enumerate(zip(steps.tolist(), heights.tolist(), strict=True))]
    chart = alt.Chart(alt.Data(values=rows)).mark_line(color=GREEN, opacity=0.7)
    return chart.encode(x="x:Q", y="y:Q", order="order:Q")


def _realism_line(line: Realism) -> Any:
    alt = _altair()

    # Only the part inside the square is drawn; the line itself may leave [0, 1].
    ends = [x for x in (0.0, 1.0, *((h - line.b) / line.a for h in (0.0, 1.0) if line.a)) if 0 <= x <= 1]
    inside = sorted(x for x in ends if -1e-9 <= line.a * x + line.b <= 1 + 1e-9)
    rows = [{"x": x, "y": line.a * x + line.b} for x in (inside[0], inside[-1])] if inside else []
    return alt.Chart(alt.Data(values=rows)).mark_line(color=BLUE, strokeWidth=2).encode(x="x:Q", y="y:Q")


def score_chart(diagnoses: Sequence[Diagnosis], *, title: str = "") -> Any:
    """Draw each forecaster's mean payoff with its interval, best first; the rule at zero is ignorance."""
    alt = _altair()

    rows: list[dict[str, Any]] = [
        {"forecaster": d.name, "score": d.score.value, "low": _or(d.score.low, d), "high": _or(d.score.high, d)}
        for d in diagnoses
        if np.isfinite(d.score.value)
    ]
    order = [row["forecaster"] for row in sorted(rows, key=lambda row: -row["score"])]
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("forecaster:N", sort=order, title=None))
    bars = base.mark_rule(color=BLUE).encode(x=alt.X("low:Q", title="mean payoff per question"), x2="high:Q")
    dots = base.mark_circle(color=BLUE, size=60, opacity=1).encode(x="score:Q")
    ignorance = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(strokeDash=[4, 4], color=GREY).encode(x="x:Q")
    return alt.layer(ignorance, bars, dots).properties(width=420, title=title)


def _or(bound: float, diagnosis: Diagnosis) -> float:
    return bound if np.isfinite(bound) else diagnosis.score.value


def loss_chart(diagnoses: Sequence[Diagnosis], *, title: str = "") -> Any:
    """Draw the loss against certainty, split into labelling error (bias) and sorting error (ignorance)."""
    alt = _altair()

    rows = []
    for d in diagnoses:
        for kind, value in (("labelling (bias)", d.loss.labelling), ("sorting (ignorance)", d.loss.sorting)):
            if np.isfinite(value):
                rows.append({"forecaster": d.name, "loss": value, "kind": kind})
    colour = alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(domain=["sorting (ignorance)", "labelling (bias)"], range=[GREY, ORANGE]),
    )
    chart = alt.Chart(alt.Data(values=rows)).mark_bar()
    return chart.encode(
        y=alt.Y("forecaster:N", title=None), x=alt.X("loss:Q", title="nats per question, from certainty"), color=colour
    ).properties(width=420, title=title)


def information_chart(diagnoses: Sequence[Diagnosis], *, title: str = "") -> Any:
    """Draw the information each forecaster perceived against what the answers show; above the line is undervaluing."""
    alt = _altair()

    rows: list[dict[str, Any]] = [
        {"forecaster": d.name, "perceived": d.loss.perceived_information, "actual": d.loss.actual_information}
        for d in diagnoses
    ]
    top = max([0.05, *(max(row["perceived"], row["actual"]) for row in rows)]) * 1.05
    scale = alt.Scale(domain=[0, top])
    ends = alt.Data(values=[{"x": 0, "y": 0}, {"x": top, "y": top}])
    diagonal = alt.Chart(ends).mark_line(strokeDash=[4, 4], color=GREY).encode(x="x:Q", y="y:Q")
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("perceived:Q", title="perceived information (nats)", scale=scale),
        y=alt.Y("actual:Q", title="actual information (nats)", scale=scale),
    )
    dots = base.mark_circle(color=BLUE, size=70, opacity=1)
    names = base.mark_text(dx=7, align="left", fontSize=10).encode(text="forecaster:N")
    layers = [diagonal, dots] + ([names] if len(rows) <= 12 else [])
    return alt.layer(*layers).properties(width=300, height=300, title=title)


def discrimination_chart(diagnosis: Diagnosis, *, title: str = "") -> Any:
    """Draw how stated probabilities lie for what happened and for what did not."""
    alt = _altair()

    found = diagnosis.discrimination
    rows = []
    for kind, shares in (("happened", found.happened), ("did not", found.other)):
        for low, high, share in zip(found.edges[:-1], found.edges[1:], shares, strict=True):
            rows.append({"stated": f"{low:.1f}–{high:.1f}", "share": float(share), "kind": kind})
    colour = alt.Color("kind:N", title=None, scale=alt.Scale(domain=["happened", "did not"], range=[BLUE, ORANGE]))
    chart = alt.Chart(alt.Data(values=rows)).mark_bar()
    return chart.encode(
        x=alt.X("stated:N", title="stated probability"),
        xOffset="kind:N",
        y=alt.Y("share:Q", title="share of events", axis=alt.Axis(format="%")),
        color=colour,
    ).properties(width=240, height=260, title=title)


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
    rows = [
        {"low": float(a), "high": float(b), "share": float(share)}
        for a, b, share in zip(edges[:-1], edges[1:], shares, strict=True)
    ]
    bars = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(color=BLUE, opacity=0.6)
        .encode(
            x=alt.X("low:Q", bin="binned", title="total score", scale=alt.Scale(zero=False)),
            x2="high:Q",
            y=alt.Y("share:Q", title="probability", axis=alt.Axis(format="%")),
        )
    )
    layers = [bars]
    if np.isfinite(total.observed):
        came = alt.Chart(alt.Data(values=[{"x": total.observed}]))
        layers.append(came.mark_rule(color=ORANGE, strokeWidth=3).encode(x="x:Q"))
    return alt.layer(*layers).properties(width=260, height=260, title=title)


def record_chart(cells: Sequence[Cell], *, title: str = "") -> Any:
    """Draw the score of each area, topic or period with its interval, in the order given; small cells are left out."""
    alt = _altair()

    rows = [
        {"label": cell.label or "without a label", "score": e.value, "low": e.low, "high": e.high}
        for cell in cells
        if (e := cell.score) is not None
    ]
    order = [row["label"] for row in rows]
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("label:N", sort=order, title=None))
    x = alt.X("low:Q", title="score per question", scale=alt.Scale(zero=False))
    ignorance = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(strokeDash=[4, 4], color=GREY).encode(x="x:Q")
    bars = base.mark_rule(color=BLUE).encode(x=x, x2="high:Q")
    return alt.layer(ignorance, bars, base.mark_circle(color=BLUE, size=60, opacity=1).encode(x="score:Q")).properties(
        width=420, title=title
    )


def words_chart(spreads: Sequence[Spread], chart: Chart, *, title: str = "") -> Any:
    """Draw how people read each phrase: what the chart means in grey, middle eight tenths of the readings, median."""
    alt = _altair()

    rows: list[dict[str, Any]] = []
    for spread in spreads:
        meant = chart.find(spread.words)
        row = {"phrase": spread.words, "low": spread.low, "median": spread.median, "high": spread.high}
        rows.append(row | ({} if meant is None else {"from": meant.low, "to": max(meant.high, meant.low + 0.01)}))
    order = [row["phrase"] for row in sorted(rows, key=lambda row: row["median"])]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("phrase:N", sort=order, title=None, axis=alt.Axis(labelLimit=240))
    )
    x = alt.X("from:Q", title="probability", scale=alt.Scale(domain=[0, 1]))
    meant_bars = base.mark_bar(color=GREY, opacity=0.35, height=16).encode(x=x, x2="to:Q")
    read = base.mark_rule(color=ORANGE, strokeWidth=3).encode(x="low:Q", x2="high:Q")
    dots = base.mark_circle(color=ORANGE, size=70, opacity=1).encode(x="median:Q")
    return alt.layer(meant_bars, read, dots).properties(width=420, title=title)


def gain_chart(rules: Mapping[str, Rule], *, title: str = "") -> Any:
    """Draw expected gain against what is believed of one of two events (the report's figure 7)."""
    alt = _altair()

    beliefs = np.linspace(0, 1, 101)
    pairs = np.stack([beliefs, 1 - beliefs], axis=1)
    rows = []
    for name, each in rules.items():
        gains = each.gain(pairs) if each.proper else np.abs(2 * beliefs - 1)
        rows += [{"belief": float(p), "gain": float(g), "rule": name} for p, g in zip(beliefs, gains, strict=True)]
    chart = alt.Chart(alt.Data(values=rows)).mark_line()
    return chart.encode(
        x=alt.X("belief:Q", title="probability believed"),
        y=alt.Y("gain:Q", title="expected gain"),
        color=alt.Color("rule:N", title=None),
    ).properties(width=320, height=220, title=title)


def payoff_chart(rules: Mapping[str, Rule], *, title: str = "") -> Any:
    """Draw the score against the probability given to what happened, of two events (the report's figure 6)."""
    alt = _altair()

    given = np.linspace(0.01, 1, 100)
    pairs = np.stack([given, 1 - given], axis=1)
    rows = []
    for name, each in rules.items():
        scores = each.payoffs(pairs)[:, 0]
        rows += [{"given": float(p), "score": float(s), "rule": name} for p, s in zip(given, scores, strict=True)]
    chart = alt.Chart(alt.Data(values=rows)).mark_line()
    return chart.encode(
        x=alt.X("given:Q", title="probability given to what happened"),
        y=alt.Y("score:Q", title="score"),
        color=alt.Color("rule:N", title=None),
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

    rows = []
    for name, steps in standing.items():
        known = [*steps, (resolved, steps[-1][1])] if steps else []
        rows += [{"time": t, "probability": p, "forecaster": name} for t, p in known]
    lines = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("time:Q", title=unit, scale=alt.Scale(zero=False)),
            y=alt.Y("probability:Q", scale=alt.Scale(domain=[0, 1]), title="probability"),
            color=alt.Color("forecaster:N", title=None),
        )
    )
    end = alt.Chart(alt.Data(values=[{"time": resolved, "outcome": outcome}]))
    mark = end.mark_point(size=90, filled=True, color="black", shape="diamond").encode(x="time:Q", y="outcome:Q")
    return alt.layer(lines, end.mark_rule(color=GREY).encode(x="time:Q"), mark).properties(
        width=420, height=220, title=title
    )


def band_chart(bands: Mapping[str, BandCoverage], *, title: str = "") -> Any:
    """Draw the share of truths outside each forecaster's band with its interval, and the share the band allows."""
    alt = _altair()

    rows = [
        {"forecaster": name, "outside": e.value, "low": e.low, "high": e.high, "allowed": 1 - band.claimed}
        for name, band in bands.items()
        if (e := band.outside) is not None
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(y=alt.Y("forecaster:N", title=None))
    axis = alt.Axis(format="%")
    bars = base.mark_rule(color=ORANGE, strokeWidth=2).encode(
        x=alt.X("low:Q", title="truths outside the band", axis=axis), x2="high:Q"
    )
    dots = base.mark_circle(color=ORANGE, size=70, opacity=1).encode(x="outside:Q")
    allowed = base.mark_tick(color="black", thickness=3).encode(x="allowed:Q")
    return alt.layer(bars, dots, allowed).properties(width=420, title=title)


def pit_chart(pit: Pit, *, title: str = "") -> Any:
    """Draw the histogram of the probability integral transform with the range chance allows honest densities."""
    alt = _altair()

    rows = [
        {"low": float(low), "high": float(high), "count": float(count)}
        for low, high, count in zip(pit.edges[:-1], pit.edges[1:], pit.counts, strict=True)
    ]
    bars = (
        alt.Chart(alt.Data(values=rows))
        .mark_bar(color=BLUE)
        .encode(
            x=alt.X("low:Q", bin="binned", title="where the truth fell in the stated distribution"),
            x2="high:Q",
            y=alt.Y("count:Q", title="questions"),
        )
    )
    band = alt.Chart(alt.Data(values=[{"low": pit.low, "high": pit.high}]))
    range_ = band.mark_rect(opacity=0.2, color=GREY).encode(y="low:Q", y2="high:Q")
    return alt.layer(range_, bars).properties(width=320, height=200, title=title)
