"""The report of files of answers: what a test's own scorer found in them."""

from dataclasses import replace
from math import isfinite

from mensura.dialogue import undeclared
from mensura.exhibit import Exhibit, FileScores, Group
from mensura.exhibit.score_table import ScoreRow, ScoreTable, scores_exhibit
from mensura.report.answer import headline
from mensura.report.content import Report, Section, folds


def file_report(found: FileScores) -> Report:
    """Gather the report of what a scorer of files found."""
    declared = {score.name: score for score in found.declared}
    tables = [
        ScoreTable(
            declared.get(name) or undeclared(name),
            [_row(group, name) for group in found.groups if name in group.estimates],
        )
        for name in dict.fromkeys(name for group in found.groups for name in group.estimates)
    ]
    main = headline(tables)
    drawn = [figure for exhibit in found.exhibits for figure in exhibit.figures] + (main.figures if main else [])
    read = Exhibit("Which files were read", "", ("File", "Hash"), list(found.sources.items()))
    scores = [Section("Scores", exhibits=[scores_exhibit(tables)])] if tables else []
    sources = [Section(read.title, exhibits=[read])] if found.sources else []
    parts = [*scores, *folds(found.exhibits), *sources]
    return Report(
        title=found.title,
        question="",
        answer=found.answer.split("\n"),
        figure=next(iter(drawn), None),
        beside={"What must be said beside it": list(found.remarks)},
        sections=[*(replace(one, folded=False) for one in parts[:1]), *parts[1:]],
        simulated=any(group.simulated for group in found.groups),
    )


def _row(group: Group, name: str) -> ScoreRow:
    estimate = group.estimates[name]
    single = [value for value in group.values(name) if isfinite(value)]
    like = f"Generalises to {estimate.population} like these." if estimate.population else ""
    return ScoreRow(group.name, estimate, single, generalises=like)
