"""`make demo`: four forecasters, forty sessions: who is better, and how sure are we?"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import click

from mensura.console import say
from mensura.errors import MensuraError, NotInstalled
from mensura.exhibit.score_table import ScoreRow, ScoreTable
from mensura.exhibit.template_page import template_page
from mensura.report.runs import Compared, SameTest
from mensura.running.results.counting import counted
from mensura.running.results.summary import RunResult
from mensura.running.run import run
from mensura.stats import Estimate
from mensura.stats.wording import frequency
from mensura.store import Store, open_store

TEST = "coin-v1"
SCORE = "quadratic_score"
POINTS = 100
"""A quadratic score lies between -0.75 and 0.25; newcomers read points more easily."""
EXPECTED = 1 / 12
"""The expected score of a forecaster who knows each chance: 1/4 - E[b (1 - b)] for evenly spread chances b."""
SESSIONS = 40
SEED = 1
TITLE = "Which forecaster should we listen to?"
FORECASTERS = {
    "stated": ("Informed", "says the chance that it was told"),
    "overconfident": ("Overconfident", "goes too far: told 70 %, it says 84 %"),
    "team:mean(stated,chance)": ("Half-informed", "says the mean of what Informed and Guesser say"),
    "chance": ("Guesser", "ignores what it is told and says a random probability"),
}
NEXT = {
    "make tour": "shows twelve larger tests, with a picture from each, in about two minutes",
    ".venv/bin/mensura take coin --as human": "lets you be the forecaster, in your browser",
}


@dataclass(frozen=True)
class Lead:
    """How far the best forecaster is ahead of another, and whether that could be luck."""

    best: str
    other: str
    ahead: Estimate
    by_luck: str
    real: bool
    overlap: bool
    """Whether their intervals overlap."""

    @property
    def points(self) -> str:
        """The lead in points a coin."""
        return _points(self.ahead.value)

    @property
    def ends(self) -> str:
        """The interval of the lead in points a coin."""
        return _ends(self.ahead)


def main() -> None:
    """Take the sessions in a new store, write report.html and print the answer."""
    path = Path("report.html")
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "demo.db") as store:
        results, lacking = _take(store)
        if not results:
            raise MensuraError("No forecaster could be asked. " + " ".join(lacking))
        taken = SameTest(results, {one.head.id: counted(one.head, store=store).scores for one in results}, store)
        table = next(table for table in taken.tables if table.score.name == SCORE)
        leads = _leads(table, taken.compared)
    figure = _in_points(table).figures[0]
    lacking += [figure.lacking] if figure.lacking else []
    answer = _answer(table, leads)
    page = template_page(
        "mensura.cli",
        "demo.html",
        style=(files("mensura.report") / "templates" / "report.css").read_text(encoding="utf-8"),
        title=TITLE,
        answer=answer,
        picture="" if figure.lacking else figure.svg,
        rows=[(*FORECASTERS[row.label], _points(row.estimate.value), _ends(row.estimate)) for row in table.ranked],
        lead=leads[0] if leads else None,
        lucky=table.ranked[0].estimate.value > EXPECTED,
        lacking=lacking,
        next=NEXT,
        sessions=SESSIONS,
        coins=SESSIONS * 20,
    )
    path.write_text(page, encoding="utf-8")
    for words in lacking:
        say(words)
    click.echo(f"{TITLE} {answer}")
    click.echo(f"The report is in {path.resolve()}")
    for command, words in NEXT.items():
        say(f"Next: {command}  ({words})")


def _take(store: Store) -> tuple[list[RunResult], list[str]]:
    """Let every forecaster take the test; return what came of it, and what this machine lacks."""
    results, lacking = [], []
    for subject, (name, _) in FORECASTERS.items():
        try:
            results.append(run(TEST, subject, store=store, sessions=SESSIONS, seed=SEED))
        except NotInstalled as error:
            lacking.append(error.leaves_out(f"The forecaster {name}"))
    return results, lacking


def _leads(table: ScoreTable, compared: Sequence[Compared]) -> list[Lead]:
    """Compare the best forecaster with each of the others, the second best first."""
    rows = {row.label: row.estimate for row in table.ranked}
    best, *others = rows
    found = {frozenset(one.finding.names): one for one in compared if one.score.name == SCORE}
    leads = []
    for other in others:
        one = found[frozenset((best, other))]
        ahead = one.finding.difference
        if one.finding.names[0] != best:
            ahead = replace(ahead, value=-ahead.value, low=-ahead.high, high=-ahead.low)
        overlap = rows[best].low < rows[other].high
        leads.append(Lead(_name(best), _name(other), ahead, frequency(one.adjusted_p), one.stands, overlap))
    return leads


def _answer(table: ScoreTable, leads: Sequence[Lead]) -> str:
    """Return who is best and whether the lead is real."""
    best = _name(table.ranked[0].label)
    if not leads:
        return f"Only one forecaster could be asked: {best}."
    lead = leads[0]
    ahead = f"{best} scores best, {lead.points} points a coin ahead of {lead.other}"
    if not lead.real:
        return f"{ahead}. That may be luck: {SESSIONS} sessions are too few to tell."
    return (
        f"{ahead}. The lead is almost certainly real: if both were equally good, luck would give a lead this large in "
        f"no more than {lead.by_luck} comparisons."
    )


def _in_points(table: ScoreTable) -> ScoreTable:
    """Call the forecasters in the picture what the report calls them, and give points."""
    rows = []
    for row in table.ranked:
        one = row.estimate
        estimate = replace(one, value=POINTS * one.value, low=POINTS * one.low, high=POINTS * one.high)
        rows.append(ScoreRow(_name(row.label), estimate, [POINTS * value for value in row.single]))
    return ScoreTable(replace(table.score, label="points a coin"), rows)


def _name(subject: str) -> str:
    return FORECASTERS[subject][0]


def _points(value: float) -> str:
    return f"{POINTS * value:.1f}".replace("-", "\N{MINUS SIGN}")


def _ends(estimate: Estimate) -> str:
    return f"{_points(estimate.low)} to {_points(estimate.high)}" if estimate.has_interval else "unknown"


if __name__ == "__main__":
    try:
        main()
    except MensuraError as error:
        sys.exit(f"mensura: {error}")
