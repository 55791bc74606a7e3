"""A scoring as one HTML file that needs nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from mensura.catalog.detection import figures
from mensura.catalog.detection.hypotheses.files import FileScore
from mensura.catalog.detection.hypotheses.measures.intervals import Advantage
from mensura.catalog.detection.hypotheses.result import Scoring, TypeScore
from mensura.catalog.detection.hypotheses.words import about, number, signed
from mensura.exhibit.look import as_svg

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; color: #222 }
.scroll { overflow-x: auto } table { border-collapse: collapse; margin: .5rem 0 1rem; font-size: .95rem }
td, th { padding: .25rem .5rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
th { border-bottom: 1px solid #888; white-space: normal; vertical-align: bottom } ul { padding-left: 1.2rem }
td:first-child, th:first-child { text-align: left; padding-left: 0 } tr:nth-child(even) td { background: #f4f6f8 }
svg { max-width: 100%; height: auto } small, .note { color: #5a6570; overflow-wrap: anywhere } h2 { margin-top: 2rem }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start }
.pictures > * { min-width: 0; max-width: 100% } h1, h2 { overflow-wrap: anywhere } summary { cursor: pointer }
"""
_MOST_PAIRS = 500
_SCORES = ("type", "references", "hypotheses", "pairs", "precision", "recall", "F", "traditional F", "AUC", "NACC")
_PAIRS = ("reference", "hypothesis", "precision", "recall", "F")


def write_report(found: FileScore, *, path: Path) -> None:
    """Write tables and pictures of a scoring to an HTML file."""
    path.write_text(page(found), encoding="utf-8")


def page(found: FileScore) -> str:
    """Make the HTML page."""
    scores = dict(reversed(found.score.types.items()))
    name = escape(found.score.specification.name)
    parts = [f"<h1>Detection: {name}</h1>", _table(_SCORES, (_score_row(score) for score in scores.values()))]
    parts += _comparison("Against the second detector", scores, found.against, found.differences)
    parts += _comparison("Against evidence taken as hypotheses", scores, found.evidence, found.over_evidence)
    parts += _by_evidence(found) + _alerts(found)
    if any(score.references or score.hypotheses for score in scores.values()):
        methods = {each.estimates["f"].method for each in scores.values()}
        parts += ["<h2>Scores with their intervals</h2>", as_svg(figures.estimates_chart(scores))]
        parts.append(f'<p class="note">95 % intervals. {escape("; ".join(sorted(methods)))}.</p>')
    for score in scores.values():
        parts += _section(score)
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Detection: {name}</title><style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def _score_row(score: TypeScore) -> tuple[str, ...]:
    return (
        score.name,
        *(str(each) for each in (score.references, score.hypotheses, len(score.pairs))),
        *(number(each) for each in (score.counts.precision, score.counts.recall, score.counts.f)),
        number(score.traditional.f),
        "no curve" if score.curve is None else number(score.curve.area),
        number(score.cost.nacc),
    )


def _comparison(
    title: str, scores: Mapping[str, TypeScore], other: Scoring | None, differences: Mapping[str, Advantage]
) -> list[str]:
    if other is None:
        return []
    rows = [
        (
            name,
            number(score.counts.f),
            number(other.types[name].counts.f),
            signed(differences[name].differences["f"]) if name in differences else "unknown",
            f"{differences[name].p:.3g}" if name in differences else "unknown",
        )
        for name, score in scores.items()
    ]
    head = ("type", "F", "F of the other", "difference", "p")
    note = "p by exchanging the two on the same references at random; intervals by drawing references anew."
    return [f"<h2>{title}</h2>", _table(head, rows), f'<p class="note">{note}</p>']


def _by_evidence(found: FileScore) -> list[str]:
    if not found.parts:
        return []
    rows = [
        (name, *(f"{number(part.recall)} of {part.weight:g}" if part.weight else "none" for part in parts.values()))
        for name, parts in reversed(found.parts.items())
    ]
    head = ("type", "correct in evidence", "corrupted in evidence", "omitted")
    note = "Recall of the reference's content by its state in evidence, and the weight of that content."
    return ["<h2>What was added to evidence</h2>", _table(head, rows), f'<p class="note">{note}</p>']


def _alerts(found: FileScore) -> list[str]:
    if not found.alerts:
        return []
    rows = [
        (
            name,
            *(str(each) for each in (alerts.alerts, alerts.in_time, alerts.false_alarms)),
            *(number(each) for each in (alerts.timely.precision, alerts.timely.recall, alerts.timely.f)),
        )
        for name, alerts in found.alerts.items()
    ]
    head = ("type", "alerts", "in time", "false", "timely precision", "timely recall", "timely F")
    return ["<h2>Alerts</h2>", _table(head, rows)]


def _section(score: TypeScore) -> list[str]:
    parts = [f"<h2>{escape(score.name)}</h2>"]
    notes = "".join(f"<li>{escape(words)}</li>" for words in about(score))
    parts += [f"<ul>{notes}</ul>"] if notes else []
    charts = [chart for chart in (figures.matrix_chart(score), figures.curve_chart(score)) if chart is not None]
    if charts:
        drawn = "".join(f"<div>{as_svg(chart)}</div>" for chart in charts)
        parts.append(f'<div class="pictures">{drawn}</div>')
    rows = score.as_json()["pairs"]
    if rows:
        shown = [(each["reference"], each["hypothesis"], *_numbers(each)) for each in rows[:_MOST_PAIRS]]
        left = len(rows) - len(shown)
        more = f'<p class="note">{left} more pairs are in the JSON.</p>' if left else ""
        parts.append(f"<details><summary>{len(rows)} pairs</summary>{_table(_PAIRS, shown)}{more}</details>")
    return parts


def _numbers(pair: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(number(pair[key]) for key in ("precision", "recall", "f"))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll" tabindex="0"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
