"""Pictures of a scoring: curves, pairing matrix, scores with intervals, the envelope of a sweep."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.result import TypeScore

_BLUE = "#2f6f9f"
_NAMES = {"precision": "precision", "recall": "recall", "f": "F", "nacc": "NACC"}
# A matrix with more cells than this is no longer a picture that can be read.
_MOST_CELLS = 60


def curve_chart(score: TypeScore) -> Any:
    """Precision against recall as hypotheses are added in order of confidence."""
    import altair as alt

    if score.curve is None:
        return None
    curve = score.curve
    rows = [
        {"recall": float(r), "precision": float(p), "confidence": float(c)}
        for r, p, c in zip(curve.recall, curve.precision, curve.confidence, strict=True)
    ]
    return (
        alt.Chart(_data(rows))
        .mark_line(point=True, interpolate="step-before", color=_BLUE)
        .encode(
            x=alt.X("recall:Q", scale=alt.Scale(domain=[0, 1]), title="recall"),
            y=alt.Y("precision:Q", scale=alt.Scale(domain=[0, 1]), title="precision"),
            order=alt.Order("confidence:Q", sort="descending"),
            tooltip=["recall:Q", "precision:Q", "confidence:Q"],
        )
        .properties(width=320, height=260, title=f"Precision against recall, area {curve.area:.3f}")
    )


def estimates_chart(scores: Mapping[str, TypeScore]) -> Any:
    """Scores of all types with their intervals."""
    import altair as alt

    rows = []
    for name, score in scores.items():
        for measure in ("precision", "recall", "f", "nacc"):
            estimate = score.estimates[measure]
            if not np.isnan(estimate.value):
                shown = {"type": name, "score": _NAMES[measure], "value": estimate.value}
                rows.append(shown | ({"low": estimate.low, "high": estimate.high} if estimate.has_interval else {}))
    base = alt.Chart(_data(rows)).encode(y=alt.Y("score:N", title=None, sort=None))
    bars = base.mark_rule(color=_BLUE, strokeWidth=2).encode(x=alt.X("low:Q", title="score"), x2="high:Q")
    points = base.mark_point(filled=True, size=60, color=_BLUE).encode(x="value:Q")
    return (
        alt.layer(bars, points)
        .properties(width=420, height=90)
        .facet(row=alt.Row("type:N", title=None, header=alt.Header(labelAngle=0, labelAlign="left"), sort=list(scores)))
    )


def matrix_chart(score: TypeScore) -> Any:
    """F of every candidate pair, the pairs taken marked; None where there are too many cases for a picture."""
    import altair as alt

    sparse = score.pairing.shortlist.candidates.sparse()
    if not 0 < max(sparse.shape) <= _MOST_CELLS:
        return None
    rows = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.start))
    both = np.concatenate((rows, score.pairs.reference)), np.concatenate((sparse.columns, score.pairs.hypothesis))
    # Pairs made by force are no candidates and would be missing from the picture.
    keys = np.unique(both[0] * sparse.shape[1] + both[1])
    pairs = score.pairing.likeness.pairs(keys // sparse.shape[1], keys % sparse.shape[1])
    cells = [
        {"reference": score.reference_uids[i], "hypothesis": score.hypothesis_uids[j], "F": float(f)}
        for i, j, f in zip(pairs.reference, pairs.hypothesis, pairs.f, strict=True)
    ]
    taken = [
        {"reference": score.reference_uids[i], "hypothesis": score.hypothesis_uids[j], "F": float(f)}
        for i, j, f in zip(score.pairs.reference, score.pairs.hypothesis, score.pairs.f, strict=True)
    ]
    axes = {
        "x": alt.X("reference:N", scale=alt.Scale(domain=score.reference_uids), title="reference"),
        "y": alt.Y("hypothesis:N", scale=alt.Scale(domain=score.hypothesis_uids), title="hypothesis"),
    }
    heat = (
        alt.Chart(_data(cells))
        .mark_rect()
        .encode(**axes, color=alt.Color("F:Q", scale=alt.Scale(domain=[0, 1], scheme="blues")), tooltip=["F:Q"])
    )
    marks = alt.Chart(_data(taken)).mark_circle(color="white", stroke="#c43c39", size=45).encode(**axes)
    return alt.layer(heat, marks).properties(title="F of candidate pairs; those taken are marked")


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
    data = _data([dict(row) for row in rows])
    if len(panels) == 1:
        return alt.layer(band, line, data=data).properties(width=420, height=260)
    panel = alt.Facet("panel:N", title=None, sort=panels)
    return alt.layer(band, line, data=data).properties(width=280, height=240).facet(panel, columns=2)


def _data(values: Sequence[Mapping[str, Any]]) -> Any:
    import altair as alt

    return alt.Data(values=values)  # type: ignore[no-untyped-call]
