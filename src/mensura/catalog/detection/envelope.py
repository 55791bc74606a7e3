"""The performance envelope: how a score changes along the parameters that a study sweeps."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from mensura.catalog.detection.figures import envelope_chart
from mensura.exhibit import Exhibit, Figure, Group
from mensura.stats import skewed_mean_estimate

Row = dict[str, Any]


def envelope(groups: Sequence[Group], *, score: str, words: str) -> list[Exhibit]:
    """Give one table and picture per swept number: the score along it, a line for each subject and other setting.

    Parameters
    ----------
    score : str
        Which score is shown.
    words : str
        What it is called.
    """
    swept = _swept(groups)
    return [_along(name, groups, swept, score=score, words=words) for name in swept if len(swept[name]) > 2] or [
        _along(name, groups, swept, score=score, words=words) for name in swept
    ]


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
            f"{row[words].value:.3f}",
            f"{row[words].low:.3f} to {row[words].high:.3f}" if row[words].has_interval else "unknown",
            str(row[words].n),
        )
        for row in rows
    )
    said = f"Simulated worlds; means over worlds with 95 % intervals ({rows[0][words].method})."
    title = f"Envelope: {words} by {name.replace('_', ' ')}"
    shown = [Figure(envelope_chart(points, x=name, y=words), f"{title}, with 95 % intervals.")] if points else []
    return Exhibit(title, said, columns, table, shown)
