"""The report of files of answers: what a test's own scorer found in them."""

import time
from math import isfinite

from mensura.dialogue import undeclared
from mensura.exhibit import FileScores
from mensura.report.content import Report, ScoreRow, ScoreTable, Section


def file_report(found: FileScores) -> Report:
    """Gather the report of what a scorer of files found."""
    declared = {score.name: score for score in found.declared}
    names = dict.fromkeys(name for group in found.groups for name in group.estimates)
    tables = [
        ScoreTable(
            declared.get(name) or undeclared(name),
            [
                ScoreRow(group.name, group.name, group.estimates[name], [v for v in group.values(name) if isfinite(v)])
                for group in found.groups
                if name in group.estimates
            ],
        )
        for name in names
    ]
    said = [*found.remarks, *(f"{file}: {digest}" for file, digest in found.sources.items())]
    sections = [Section(found.title, "", [], tables, [], "", [found.answer], said)] if tables else []
    return Report(
        title=found.title,
        question=found.answer,
        sections=sections,
        failures=[],
        exclusions=[] if tables else said,
        written=time.time(),
        simulated=any(group.simulated for group in found.groups),
        exhibits=list(found.exhibits),
    )
