"""A scoring as one HTML file that needs nothing else."""

from html import escape
from pathlib import Path

from mensura.catalog.detection import figures
from mensura.catalog.detection.scoring.files import FileScore
from mensura.catalog.detection.scoring.result import TypeScore
from mensura.catalog.detection.scoring.words import remarks, table

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222 }
table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: .2rem .7rem; text-align: right }
th { border-bottom: 1px solid #888 } td:first-child, th:first-child { text-align: left }
tr:nth-child(even) td { background: #f4f6f8 } svg { max-width: 100%; height: auto } small { color: #666 }
"""
_MOST_PAIRS = 500


def write_report(found: FileScore, *, path: Path) -> None:
    """Write tables and pictures of a scoring to an HTML file."""
    path.write_text(page(found), encoding="utf-8")


def page(found: FileScore) -> str:
    """Make the HTML page."""
    scores = dict(reversed(found.score.types.items()))
    parts = [
        f"<h1>Detection: {escape(found.score.specification.name)}</h1>",
        _lines_as_table(table(found)),
        "<ul>",
        *(f"<li>{escape(remark)}</li>" for remark in remarks(found)),
        "</ul>",
    ]
    if any(score.references or score.hypotheses for score in scores.values()):
        parts += ["<h2>Scores with their intervals</h2>", figures.svg(figures.estimates_chart(scores))]
        method = next(iter(scores.values())).estimates["f"].method
        parts.append(f"<p><small>95 % intervals; {escape(method)}.</small></p>")
    for score in scores.values():
        parts += _section(score)
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Detection</title><style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def _section(score: TypeScore) -> list[str]:
    parts = [f"<h2>{escape(score.name)}</h2>"]
    for chart in (figures.matrix_chart(score), figures.curve_chart(score)):
        if chart is not None:
            parts.append(figures.svg(chart))
    rows = score.as_json()["pairs"]
    if rows:
        shown = rows[:_MOST_PAIRS]
        cells = "".join(
            f"<tr><td>{escape(row['reference'])}</td><td>{escape(row['hypothesis'])}</td>"
            f"<td>{row['precision']:.3f}</td><td>{row['recall']:.3f}</td><td>{row['f']:.3f}</td></tr>"
            for row in shown
        )
        head = "<tr><th>reference<th>hypothesis<th>precision<th>recall<th>F</tr>"
        more = f"<p><small>{len(rows) - len(shown)} more pairs are in the JSON.</small></p>" * (len(rows) > len(shown))
        parts.append(f"<details><summary>{len(rows)} pairs</summary><table>{head}{cells}</table>{more}</details>")
    return parts


def _lines_as_table(text: str) -> str:
    head, *lines = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines()]
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table><tr>{top}</tr>{rows}</table>"
