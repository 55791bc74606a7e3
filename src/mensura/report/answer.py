"""Answer: what a report comes to, in a sentence for each test and in one table of all of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mensura.exhibit import Exhibit, cell_words
from mensura.exhibit.score_table import ScoreTable
from mensura.stats.wording import listed, several

if TYPE_CHECKING:
    from mensura.report.runs import SameTest

MOST_SUBJECTS = 6
KNOWS = "(knows the truth)"
FEW = "{} scored best on {}: {}. Nobody can be told from another yet: there is too little data."


def headline(tables: Sequence[ScoreTable], lead: str = "") -> ScoreTable | None:
    """Choose the score that stands for a test: the one named, else the first that is declared and has a good side."""
    known = sorted((table for table in tables if table.ranked), key=lambda table: table.score.name != lead)
    good = [table for table in known if table.score.best is not None or table.score.better in ("more", "less")]
    return next(iter([*good, *known]), None)


def answer(taken: Sequence["SameTest"]) -> list[str]:
    """Return who does best on the first test and from whom that can be told; count the other tests."""
    said = [_best(taken[0])] if taken else []
    others = taken[1:]
    if others:
        told = sum(any(one.stands for one in other.compared) for other in others)
        said.append(f"The table below shows {several(len(others), 'other test')}; on {told} some subjects differ.")
    return said


def _best(taken: "SameTest") -> str:
    table = headline(taken.tables)
    if table is None:
        return "Nothing was scored."
    # Someone who was given the truth shows how much can be scored, not how well anyone does.
    ranked = [row for row in table.ranked if KNOWS not in row.label] or table.ranked
    top, rest = ranked[0], [row.label for row in ranked[1:]]
    interval = f"; 95 % interval {top.estimate.ends}" if top.estimate.has_interval else ""
    scored = f"{top.estimate.rounded[0]} ({table.score.direction}{interval})"
    if not rest:
        return f"{top.label} scores {scored} on {table.title}."
    standing = [one.finding.names for one in taken.compared if one.stands and one.score.name == table.score.name]
    beaten = [label for label in rest if any({label, top.label} == set(names) for names in standing)]
    if not beaten and not taken.compare:
        return f"{top.label} scored best on {table.title}: {scored}."
    if not beaten:
        return FEW.format(top.label, table.title, scored)
    level = [label for label in rest if label not in beaten]
    alike = f"; it cannot be told from {listed(level)}" if level else ""
    # That two values differ does not show which is nearer to a best one between them.
    above = "better than" if table.score.better else "and differs from"
    return f"{top.label} does best on {table.title}, {above} {listed(beaten)}{alike}: {scored}."


def overview(taken: Sequence["SameTest"]) -> Exhibit:
    """Put all tests and subjects into one table: a column for each subject, or all in one where there are many."""
    chosen = [(one, table) for one in taken if (table := headline(one.tables))]
    subjects = list(dict.fromkeys(row.label for _, table in chosen for row in table.rows))
    few = len(subjects) <= MOST_SUBJECTS
    rows = []
    for one, table in chosen:
        found = {row.label: row.estimate for row in table.ranked}
        scores = [found.get(name) for name in subjects] if few else []
        if not few:
            scores = ["; ".join(f"{name} {cell_words(estimate)}" for name, estimate in found.items())]  # type: ignore[list-item]
        apart = any(each.stands for each in one.compared)
        rows.append((one.test, f"{table.title}, {table.score.direction}", *scores, *([apart] if one.compare else ())))
    columns = ("Test", "Score", *(subjects if few else ["Subjects, the best first"]), "Told apart")
    words = "The first score of each test, with 95 % intervals. Told apart: some difference is larger than chance."
    return Exhibit("All tests", words, columns[: len(rows[0])] if rows else columns, rows)
