"""Markdown: a report as plain text that any editor shows."""

from collections.abc import Mapping, Sequence

from mensura.exhibit import Exhibit
from mensura.report.content import Report, Section


def markdown_page(report: Report) -> str:
    """Lay a report out as Markdown."""
    lines = [f"# {report.title}", "", report.question, ""]
    if report.simulated:
        lines += ["**The subjects of this report are simulated.**", ""]
    lines += [part for words in report.answer for part in (f"**{words}**", "")]
    lines += [report.figure.words, ""] if report.figure else []
    lines += _points(report.beside, "##")
    lines += _exhibit(report.overview, "##") if report.overview else []
    for section in report.sections:
        lines += _section(section)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: Section) -> list[str]:
    lines = [f"## {section.title}", "", *([section.about, ""] if section.about else [])]
    lines += _points(section.points, "###")
    for exhibit in filter(None, [*section.exhibits, section.sources]):
        lines += _exhibit(exhibit, "###" if exhibit.title != section.title else "")
    return lines + (["```", *section.commands, "```", ""] if section.commands else [])


def _points(points: Mapping[str, Sequence[str]], level: str) -> list[str]:
    lines = []
    for heading, said in points.items():
        if said:
            lines += [*([f"{level} {heading}", ""] if heading else []), *(f"- {_cell(words)}" for words in said), ""]
    return lines


def _exhibit(exhibit: Exhibit, level: str) -> list[str]:
    lines = [f"{level} {exhibit.title}", ""] if level else []
    lines += [part for words in filter(None, exhibit.words.split("\n")) for part in (words, "")]
    notes = _points({"": exhibit.notes}, "")
    if not exhibit.rows:
        return [*lines, *(part for figure in exhibit.figures for part in (figure.words, "")), *notes]
    table = [f"| {' | '.join(map(_cell, line))} |" for line in [exhibit.columns, *exhibit.lines]]
    return [*lines, table[0], "|" + "---|" * len(exhibit.columns), *table[1:], "", *notes]


def _cell(value: str) -> str:
    return " ".join(value.split()).replace("|", "\\|")
