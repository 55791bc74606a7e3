"""Says a scoring in a table for the terminal."""

from collections.abc import Iterator

from mensura.catalog.detection.hypotheses.files import FileScore
from mensura.catalog.detection.hypotheses.result import TypeScore
from mensura.stats import Estimate

_COLUMNS = ("type", "references", "hypotheses", "pairs", "precision", "recall", "F", "traditional F", "AUC", "NACC")


def table(found: FileScore) -> str:
    """Lay the scores out, roots first, one line per type."""
    rows = [_COLUMNS, *(_row(score) for score in reversed(found.score.types.values()))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def remarks(found: FileScore) -> Iterator[str]:
    """Say what the table does not: intervals, the greedy gap, ties, the second detector, evidence, alerts."""
    for name, score in reversed(found.score.types.items()):
        for words in about(score):
            yield f"{name}: {words}"
        for differences, other in ((found.differences, "the second detector"), (found.over_evidence, "evidence alone")):
            if name in differences:
                change = differences[name]
                yield f"{name}: F is {signed(change.differences['f'])} against {other}, p = {change.p:.3g}."
        if name in found.parts:
            parts = ", ".join(f"{state} {number(part.recall)}" for state, part in found.parts[name].items())
            yield f"{name}: recall by state in evidence: {parts}."
        if name in found.alerts:
            alerts = found.alerts[name]
            yield (
                f"{name}: {alerts.in_time} of {alerts.alerts} alerts in time, {alerts.false_alarms} false; "
                f"timely F {number(alerts.timely.f)}."
            )


def about(score: TypeScore) -> Iterator[str]:
    """Say what is to be known of one type's scores."""
    interval = score.estimates["f"]
    if interval.has_interval:
        yield f"F {interval}."
    if score.pairing.greedy_gap > 1e-9:
        yield f"Greedy pairing would lose {score.pairing.greedy_gap:.3g} of mean F."
    if score.pairing.unique is False:
        yield "Another pairing reaches the same sum, so single pairs are not the only possible ones."
    yield from score.notes


def _row(score: TypeScore) -> tuple[str, ...]:
    return (
        score.name,
        str(score.references),
        str(score.hypotheses),
        str(len(score.pairs)),
        number(score.counts.precision),
        number(score.counts.recall),
        number(score.counts.f),
        number(score.traditional.f),
        "no curve" if score.curve is None else number(score.curve.area),
        number(score.cost.nacc),
    )


def number(value: float) -> str:
    """Write a score; an unknown one is said to be so."""
    return "unknown" if value != value else f"{value:.3f}"


def signed(estimate: Estimate) -> str:
    """Write a difference with its sign and, where it has one, its interval."""
    if estimate.value != estimate.value:
        return "unknown"
    if not estimate.has_interval:
        return f"{estimate.value:+.3f}"
    return f"{estimate.value:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}]"
