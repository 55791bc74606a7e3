"""Printing: scored forecasters as a table for people."""

import sys
from math import isnan

from rich.console import Console
from rich.table import Table

from mensura.catalog.forecasting.calibration.diagnosis import Diagnosis
from mensura.catalog.forecasting.files.record import TrackRecord
from mensura.catalog.forecasting.files.scoring import Scored
from mensura.catalog.forecasting.files.summary import in_short
from mensura.catalog.forecasting.files.together import Together

SHOWN = 60


def print_scored(scored: Scored) -> None:
    """Print one line per forecaster, best score first, what matters most, and one sentence on each one's bias."""
    console = Console(width=None if sys.stdout.isatty() else 160)
    best = sorted(scored.diagnoses, key=lambda diagnosis: -diagnosis.score.value)
    table = Table(title=f"Mean payoff per question, rule {scored.options.rule.name}; losses and information in nats")
    for heading in ("forecaster", "n", "score [95 %]", "realism a", "b", "labelling", "sorting", "perceived", "actual"):
        table.add_column(heading, justify="left" if heading == "forecaster" else "right")
    table.add_column("lower tail", justify="right")
    timed = any(not isnan(diagnosis.coverage) for diagnosis in best)
    if timed:
        table.add_column("coverage", justify="right")
    for diagnosis in best[:SHOWN]:
        covered = "?" if isnan(diagnosis.coverage) else f"{diagnosis.coverage:.0%}"
        table.add_row(*_cells(diagnosis), *([covered] if timed else []))
    console.print(table)
    if len(best) > SHOWN:
        console.print(f"... and {len(best) - SHOWN} more; --json gives all.")
    for words in in_short(scored):
        console.print(words, highlight=False, markup=False)
    for diagnosis in best[:SHOWN]:
        console.print(f"{diagnosis.name}: {diagnosis.verdict.words}", highlight=False, markup=False)
        if diagnosis.name in scored.persistence:
            console.print(f"  {scored.persistence[diagnosis.name].words}", highlight=False, markup=False)
    if scored.record is not None:
        print_record(scored.record, console)
    if scored.together is not None:
        console.print(_skills(scored.together))
        if scored.together.pools:
            console.print(_pools(scored.together))


def print_record(record: TrackRecord, console: Console) -> None:
    """Print a track record, one line per label."""
    for name, cells in record.cells.items():
        console.print(f"Track record by {name}, score per question:", highlight=False)
        for cell in cells:
            told = str(cell.score) if cell.score is not None else "too few questions to be told"
            console.print(f"  {cell.label or 'without a label'}: {told}", highlight=False, markup=False)
    if record.stages:
        console.print("What each echelon adds to the one before, on the questions both dealt with:", highlight=False)
    for stage in record.stages:
        added = "" if stage.added is None else f"; adds {stage.added}"
        told = f"{stage.score}{added}" if stage.told else "too few questions to be told"
        console.print(f"  {stage.echelon}: {told}", highlight=False, markup=False)


def _skills(together: Together) -> Table:
    table = Table(title="On equal terms: skill per question above the average answer")
    for heading in ("forecaster", "skill [95 %]", "drawn to the average", "questions"):
        table.add_column(heading, justify="left" if heading == "forecaster" else "right")
    for standing in together.comparison.standings[:SHOWN]:
        skill = standing.skill
        interval = f"{_short(skill.value)} [{_short(skill.low)}, {_short(skill.high)}]"
        table.add_row(standing.name, interval, _short(standing.shrunk), str(standing.questions))
    return table


def _pools(together: Together) -> Table:
    table = Table(title="Pools, scored on questions they were not fitted to (log, floor .01)")
    for heading in ("pool", "score [95 %]", "against the mean [95 %]"):
        table.add_column(heading, justify="left" if heading == "pool" else "right")
    for pooled in together.pools:
        cells = [f"{_short(e.value)} [{_short(e.low)}, {_short(e.high)}]" for e in (pooled.score, pooled.against_mean)]
        table.add_row(pooled.method, *cells)
    return table


def _cells(diagnosis: Diagnosis) -> tuple[str, ...]:
    score, line, loss = diagnosis.score, diagnosis.realism, diagnosis.loss
    interval = f" [{_short(score.low)}, {_short(score.high)}]" if score.has_interval else " (no interval)"
    return (
        diagnosis.name,
        str(diagnosis.n),
        _short(score.value) + interval,
        f"{_short(line.a)} ± {_short(line.a_se)}",
        f"{_short(line.b)} ± {_short(line.b_se)}",
        _short(loss.labelling),
        _short(loss.sorting),
        _short(loss.perceived_information),
        _short(loss.actual_information),
        _short(diagnosis.total.tail),
    )


def _short(value: float) -> str:
    return "?" if isnan(value) else f"{value:.3g}".replace("inf", "∞").replace("-", "−")
