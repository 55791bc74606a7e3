"""Markdown: a report as plain text that any editor shows."""

from collections.abc import Sequence

from mensura.exhibit import Exhibit
from mensura.report.content import Difference, Report, Section
from mensura.report.page import interval, number


def markdown_page(report: Report) -> str:
    """Lay a report out as Markdown."""
    lines = [f"# {report.title}", "", report.question, ""]
    if report.simulated:
        lines += ["**The subjects of this report are simulated.**", ""]
    if report.plan:
        lines += ["## The plan, written before the data", "", *(f"- {words}" for words in report.plan), ""]
        lines += _differences("### What it found", report.planned, "supported")
        lines += [*report.notes, ""]
    for exhibit in report.exhibits:
        lines += _exhibit(exhibit)
    heading = "## Exploratory: not in the plan, to be tested in another study"
    lines += _differences(heading, report.exploratory, "stands")
    for section in report.sections:
        lines += _section(section)
    if report.exclusions:
        lines += ["## Exclusions", "", *(f"- {words}" for words in report.exclusions), ""]
    if report.failures:
        lines += ["## Sessions that failed, with their last words", ""]
        lines += [f"- {_cell(words)[:400]}" for words in report.failures[:50]]
    return "\n".join(lines).rstrip() + "\n"


def _section(section: Section) -> list[str]:
    lines = [f"## {section.test}", ""]
    lines += [section.about, ""] if section.about else []
    lines += ["### What may be concluded", "", *(f"- {words}" for words in section.may), ""]
    lines += ["### What may not", "", *(f"- {words}" for words in section.may_not), ""]
    lines += ["### Scores", ""]
    rows = [
        (
            f"{table.score.title} ({table.score.direction})",
            row.label,
            number(row.estimate.value),
            interval(row.estimate),
            row.estimate.n,
            row.estimate.population,
            row.account or "all answered",
            row.estimate.method,
        )
        for table in section.scores
        for row in table.rows
    ]
    lines += _table(
        ("score", "subject", "value", "95 % interval", "n", "generalises to", "what was asked", "method"), rows
    )
    beneath = dict.fromkeys(sentence for table in section.scores for sentence in table.beneath)
    lines += [*(f"- {sentence}" for sentence in beneath), ""] if beneath else []
    lines += _differences("### Is the difference real?", section.differences, "stands")
    lines += [section.family, ""] if section.family else []
    lines += ["### Who took what", ""]
    return lines + _table(
        ("run", "subject", "isolation", "condition", "sessions", "seed", "instance", "environment", "chain"),
        [
            (
                run.head.id,
                " against ".join(run.head.who),
                run.isolation or "–",
                run.head.condition or "–",
                ", ".join(f"{count} {status}" for status, count in run.counts.items() if count),
                run.head.seed if run.head.seed_public else "secret",
                run.head.instance_hash,
                run.head.environment_hash,
                run.chain or "–",
            )
            for run in section.runs
        ],
    )


def _differences(heading: str, differences: Sequence[Difference], verdict: str) -> list[str]:
    if not differences:
        return []
    rows = [(d.score, d.sentence, number(d.adjusted_p), d.answer) for d in differences]
    return [heading, "", *_table(("score", "in words", "adjusted p", verdict), rows)]


def _table(head: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return [*lines, *(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows), ""]


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")


def _exhibit(exhibit: Exhibit) -> list[str]:
    lines = [f"## {exhibit.title}", "", *([exhibit.words, ""] if exhibit.words else [])]
    return lines + (_table(tuple(exhibit.columns), [tuple(line) for line in exhibit.lines]) if exhibit.rows else [])
