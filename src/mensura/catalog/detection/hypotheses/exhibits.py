"""Tables and pictures of scored hypotheses: by type, against others, against evidence, alerts, and every pairing."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import nan
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.measures.evidence import STATES
from mensura.catalog.detection.hypotheses.measures.intervals import Advantage
from mensura.catalog.detection.hypotheses.result import Scoring, TypeScore
from mensura.exhibit import COLOURS, Exhibit, Figure, Group
from mensura.stats import Estimate

# A matrix with more cells than this is no longer a picture that can be read.
_MOST_CELLS = 60
_MOST_PAIRS = 500
_BY_TYPE = ("type", "references", "hypotheses", "pairs", "precision", "recall", "F", "traditional F", "AUC", "NACC")


def by_type(scores: Mapping[str, TypeScore]) -> Exhibit:
    """Show the scores of all types with their intervals."""
    rows = [
        (
            *(score.name, score.references, score.hypotheses, len(score.pairs)),
            *(score.counts.precision, score.counts.recall, score.counts.f, score.traditional.f),
            "no curve" if score.curve is None else score.curve.area,
            score.cost.nacc,
        )
        for score in scores.values()
    ]
    methods = sorted({score.estimates["f"].method for score in scores.values()})
    chart = partial(_estimates_chart, scores)
    words = "Precision, recall, F and NACC of every type, with 95 % intervals where they are known."
    filled = any(score.references or score.hypotheses for score in scores.values())
    return Exhibit(
        "Scores by type",
        f"The picture shows 95 % intervals: {'; '.join(methods)}.",
        _BY_TYPE,
        rows,
        [Figure(chart, words)] if filled else (),
    )


def against(title: str, scores: Mapping[str, TypeScore], other: Scoring, found: Mapping[str, Advantage]) -> Exhibit:
    """Compare two sets of hypotheses on the same truth."""
    rows = [
        (
            name,
            score.counts.f,
            other.types[name].counts.f,
            *((signed(found[name].differences["f"]), found[name].p) if name in found else (None, None)),
        )
        for name, score in scores.items()
    ]
    words = "p by exchanging the two on the same references at random; intervals by resampling references."
    return Exhibit(title, words, ("type", "F", "F of the other", "difference", "p"), rows)


def from_details(groups: Sequence[Group]) -> Iterator[Exhibit]:
    """Show what was added to evidence, and the alerts, of types in a file or of subjects in sessions alike."""
    parts = {group.name: [each.details["by_evidence"] for each in _with(group, "by_evidence")] for group in groups}
    rows = [(name, *(_recalled(each, state) for state in STATES)) for name, each in parts.items() if each]
    if rows:
        words = "Recall of the reference's content by its state in evidence, and the weight of that content."
        yield Exhibit("What was added to evidence", words, ("", *(f"{state} in evidence" for state in STATES)), rows)
    alerts = {group.name: [each.details["alerts"] for each in _with(group, "alerts")] for group in groups}
    table = [
        (
            name,
            *(sum(each[key] for each in found) for key in ("references", "alerts", "in_time", "false_alarms")),
            *(_mean(found, key) for key in ("mean_lead", "precision", "recall", "f")),
        )
        for name, found in alerts.items()
        if found
    ]
    if table:
        columns = ("", "references", "alerts", "in time", "false", "days ahead")
        words = "Every pair of an alert and a reference counts by how early the alert came."
        yield Exhibit("Alerts", words, (*columns, "timely precision", "timely recall", "timely F"), table)


def pairing(score: TypeScore) -> Exhibit:
    """Show how the cases of one type were paired, and how far to trust it."""
    figures = []
    if min(shape := score.pairing.likeness.shape) > 0 and max(shape) <= _MOST_CELLS:
        words = f"F of every candidate pair of {score.name}; the {len(score.pairs)} pairs taken are marked."
        figures.append(Figure(partial(_matrix_chart, score), words))
    if score.curve is not None:
        words = f"Precision against recall of {score.name} as hypotheses are added in order of confidence."
        figures.append(Figure(partial(_curve_chart, score.curve), f"{words} Area {score.curve.area:.3f}."))
    shown = [tuple(pair.values()) for pair in score.named_pairs(_MOST_PAIRS)]
    left = len(score.pairs) - len(shown)
    more = [f"{left} more pairs are in the JSON."] if left else []
    columns = ("reference", "hypothesis", "precision", "recall", "F")
    return Exhibit(f"Pairs of {score.name}", " ".join([*_about(score), *more]), columns, shown, figures)


def _about(score: TypeScore) -> Iterator[str]:
    """Return how far the pairs themselves may be trusted."""
    if score.pairing.greedy_gap > 1e-9:
        yield f"Greedy pairing would lose {score.pairing.greedy_gap:.3g} of mean F."
    if score.pairing.unique is False:
        yield "Another pairing reaches the same sum, so single pairs are not the only possible ones."


def signed(estimate: Estimate) -> str | None:
    """Write a difference with its sign and, where it has one, its interval."""
    if estimate.value != estimate.value:
        return None
    value, low, high = estimate.signed
    return f"{value} ({low} to {high})" if estimate.has_interval else value


def _with(group: Group, key: str) -> list[Any]:
    return [scores for scores in group.scores if scores.details.get(key)]


def _recalled(sessions: Sequence[Mapping[str, Any]], state: str) -> str:
    weight = sum(parts[state]["weight"] for parts in sessions)
    recalled = sum(parts[state]["weight"] * (parts[state]["recall"] or 0.0) for parts in sessions)
    return f"{recalled / weight:.3f} of {weight:.4g}" if weight else "none"


def _mean(found: Sequence[Mapping[str, Any]], key: str) -> float:
    known = [each[key] for each in found if each[key] is not None]
    return float(np.mean(known)) if known else nan


def _curve_chart(curve: Any) -> Any:
    import altair as alt

    points = zip(curve.recall.tolist(), curve.precision.tolist(), curve.confidence.tolist(), strict=True)
    rows = [dict(zip(("recall", "precision", "confidence"), point, strict=True)) for point in points]
    return (
        alt.Chart(data_of(rows))
        .mark_line(point=True, interpolate="step-before", color=COLOURS[0])
        .encode(
            x=alt.X("recall:Q", scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("precision:Q", scale=alt.Scale(domain=[0, 1])),
            order=alt.Order("confidence:Q", sort="descending"),
        )
        .properties(width=320, height=260, title=f"Precision against recall, area {curve.area:.3f}")
    )


def _estimates_chart(scores: Mapping[str, TypeScore]) -> Any:
    import altair as alt

    names = {"precision": "precision", "recall": "recall", "f": "F", "nacc": "NACC"}
    found = [(name, names[key], score.estimates[key]) for name, score in scores.items() for key in names]
    rows = [
        {"type": name, "score": label, "value": one.value}
        | ({"low": one.low, "high": one.high} if one.has_interval else {})
        for name, label, one in found
        if one.value == one.value
    ]
    base = alt.Chart(data_of(rows)).encode(y=alt.Y("score:N", title=None, sort=None))
    bars = base.mark_rule(color=COLOURS[0], strokeWidth=2).encode(x=alt.X("low:Q", title="score"), x2="high:Q")
    points = base.mark_point(filled=True, size=60, color=COLOURS[0]).encode(x="value:Q")
    header = alt.Header(labelAngle=0, labelAnchor="start", labelOrient="top")
    return (
        alt.layer(bars, points)
        .properties(width=420, height=90)
        .facet(row=alt.Row("type:N", title=None, header=header, sort=list(scores)))
    )


def _matrix_chart(score: TypeScore) -> Any:
    import altair as alt

    rows, columns = score.pairing.shortlist.candidates.positions()
    taken = {(pair["reference"], pair["hypothesis"]): pair["f"] for pair in score.named_pairs()}
    found = score.pairing.likeness.pairs(rows, columns)
    mine, theirs = score.reference_uids, score.hypothesis_uids
    cells = {(mine[i], theirs[j]): float(f) for i, j, f in zip(rows, columns, found.f, strict=True)}
    # Pairs made by force are no candidates and would be missing from the picture.
    drawn, marked = (
        [{"reference": i, "hypothesis": j, "F": f} for (i, j), f in each.items()] for each in (taken | cells, taken)
    )
    axes = {
        "x": alt.X("reference:N", scale=alt.Scale(domain=mine)),
        "y": alt.Y("hypothesis:N", scale=alt.Scale(domain=theirs)),
    }
    colour = alt.Color("F:Q", scale=alt.Scale(domain=[0, 1], scheme="blues"))
    heat = alt.Chart(data_of(drawn)).mark_rect().encode(**axes, color=colour)
    marks = alt.Chart(data_of(marked)).mark_circle(color="white", stroke=COLOURS[1], size=45).encode(**axes)
    return alt.layer(heat, marks).properties(title="F of candidate pairs; those taken are marked")


def data_of(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Put rows into a chart."""
    import altair as alt

    return alt.Data(values=rows)  # type: ignore[no-untyped-call]
