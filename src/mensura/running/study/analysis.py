"""Analysis: what the written plan asks of the data, and apart from it whatever else was looked at."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import isinf, isnan
from statistics import median
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Record, Scores
from mensura.errors import BadData
from mensura.running.scoring import estimates, session_means
from mensura.running.study.conduct import CellState, Progress, progress_of
from mensura.running.study.observing import Observations
from mensura.running.study.plan import ExclusionRule, Hypothesis, Study
from mensura.stats import Estimate, holm, paired_difference, record_generator
from mensura.stats.exhibit import Exhibit, Group
from mensura.stats.two_sample import two_sample_difference

if TYPE_CHECKING:
    from mensura.store import Store

SIGNS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True)
class Tested:
    """One comparison: planned or exploratory, with the p-value adjusted within its family."""

    name: str
    score: str
    sentence: str
    difference: Estimate
    p: float
    adjusted_p: float
    planned: bool
    supported: bool
    """Whether the difference stands after adjustment and goes the way that was expected."""


@dataclass(frozen=True)
class LeftOut:
    """A session that does not count, and why."""

    session: str
    cell: str
    reason: str
    planned: bool


@dataclass
class Analysis:
    """What a study found."""

    study: Study
    progress: Progress
    scores: dict[str, dict[str, Estimate]]
    """Cell → score → estimate."""
    planned: list[Tested]
    exploratory: list[Tested]
    left_out: list[LeftOut]
    family: str = ""
    simulated: bool = False
    notes: list[str] = field(default_factory=list)
    exhibits: list[Exhibit] = field(default_factory=list)
    """What the tests' own literature shows of such a study."""

    def as_json(self) -> dict[str, Any]:
        """Give the analysis as JSON."""
        return {
            "study": self.study.name,
            "hash": self.study.hash,
            "simulated": self.simulated,
            "cells": {
                cell: {name: estimate.as_json() for name, estimate in scores.items()}
                for cell, scores in self.scores.items()
            },
            "planned": [_tested_json(tested) for tested in self.planned],
            "exploratory": [_tested_json(tested) for tested in self.exploratory],
            "left_out": [vars_of(left) for left in self.left_out],
            "notes": self.notes,
            **({"exhibits": [exhibit.as_json() for exhibit in self.exhibits]} if self.exhibits else {}),
        }


@dataclass
class _Cell:
    """One cell with the scores of its usable sessions, by session id."""

    state: CellState
    usable: dict[str, Scores]

    def means(self, score: str) -> dict[str, float]:
        """Give the sessions' means of a score by address; none at all where one of them is without bound."""
        means = {
            session.rsplit("/", 1)[-1]: mean
            for session, mean in session_means(self.usable, score).items()
            if not isnan(mean)
        }
        return {} if any(map(isinf, means.values())) else means

    @property
    def names(self) -> list[str]:
        """The scores that the cell has."""
        return list(dict.fromkeys(name for scores in self.usable.values() for name in scores.values))


def analyse(study: Study, *, store: "Store") -> Analysis:
    """Analyse a study by its written plan; what the plan does not name is marked exploratory."""
    progress = progress_of(study, store=store)
    left_out: list[LeftOut] = []
    cells = {state.cell.name: _read_cell(study, state, store, left_out) for state in progress.cells}
    scores = {name: estimates(cell.usable.values()) for name, cell in cells.items()}
    planned = _adjusted([_test(hypothesis, cells, planned=True) for hypothesis in study.hypotheses])
    return Analysis(
        study,
        progress,
        scores,
        planned[0],
        _explore(study, cells),
        left_out,
        planned[1],
        any(state.cell.cast.simulated for state in progress.cells),
        _notes(progress, store),
        _exhibits(study, cells),
    )


def exhibits_of(study: Study, *, store: "Store") -> list[Exhibit]:
    """Give what the tests' own literature shows of a study, whether or not its hypotheses can be tested yet."""
    cells = {state.cell.name: _read_cell(study, state, store, []) for state in progress_of(study, store=store).cells}
    return _exhibits(study, cells)


def _exhibits(study: Study, cells: Mapping[str, _Cell]) -> list[Exhibit]:
    shown: list[Exhibit] = []
    for name in study.tests:
        test = find_test(name)
        groups = [
            Group(
                cell.state.cell.name,
                cell.state.cell.condition,
                test.fill(cell.state.cell.parameters),
                list(cell.usable.values()),
                cell.state.cell.cast.simulated,
            )
            for cell in cells.values()
            if cell.state.cell.test == name and cell.usable
        ]
        if test.exhibits is not None and groups:
            shown += test.exhibits(groups)
    return shown


def usable_scores(study: Study, state: CellState, *, store: "Store") -> dict[str, Scores]:
    """Give the scores of a cell's sessions that count: neither the plan nor anyone's decision leaves them out."""
    return _read_cell(study, state, store, []).usable


def _read_cell(study: Study, state: CellState, store: "Store", left_out: list[LeftOut]) -> _Cell:
    from mensura.store.exclusions import Exclusions

    usable: dict[str, Scores] = {}
    ledger = Exclusions(store)
    for head in state.runs:
        decided = ledger.excluded(head.id)
        results = store.results(head.id)
        for record in store.records(head.id):
            reason = _excluded_by(study.exclusions, record)
            decision = decided.get(record.session)
            if record.status == "open":
                continue
            if reason or decision is not None:
                words = reason or (decision.reason if decision else "")
                planned = bool(reason) or bool(decision and decision.planned)
                left_out.append(LeftOut(record.session, state.cell.name, words, planned))
                continue
            if record.session not in results:
                left_out.append(LeftOut(record.session, state.cell.name, f"no score: {record.status}", True))
                continue
            usable[record.session] = results[record.session]
    return _Cell(state, usable)


def _excluded_by(rules: tuple[ExclusionRule, ...], record: Record) -> str:
    counts: dict[str, Any] = record.counts()
    seconds = [answer.seconds for answer in record.answers if answer.seconds is not None]
    measures = {**counts, "status": record.status, "median_seconds": median(seconds) if seconds else None}
    for rule in rules:
        measure, sign, bound = rule.parts()
        value = measures[measure]
        if value is not None and SIGNS[sign](value, bound):
            return f"{rule.name}: {measure} is {value}, and the plan leaves out {rule.when}"
    return ""


def _test(hypothesis: Hypothesis, cells: Mapping[str, _Cell], *, planned: bool) -> tuple[Hypothesis, Any, bool]:
    first, second = (_side(side, cells) for side in hypothesis.compare)
    left, right = (_pooled(side, hypothesis.score) for side in (first, second))
    if not left or not right:
        raise BadData(
            f"Hypothesis {hypothesis.name} compares {' and '.join(hypothesis.compare)} on {hypothesis.score}, but one "
            "side has no such score yet, or one without bound. Run the study first; `mensura study status` shows how "
            "far it is."
        )
    names = hypothesis.compare
    if _same_items(first, second):
        rng = record_generator(list(left.values()), list(right.values()))
        return hypothesis, paired_difference(first=left, second=right, names=names, rng=rng, unit="session"), planned
    values = (list(left.values()), list(right.values()))
    return hypothesis, two_sample_difference(first=values[0], second=values[1], names=names), planned


def _side(name: str, cells: Mapping[str, _Cell]) -> list[_Cell]:
    """Find the cells that a side of a comparison means: one cell, all of a cast, or all of a condition."""
    if name in cells:
        return [cells[name]]
    return [cell for cell in cells.values() if name in (cell.state.cell.cast.name, cell.state.cell.condition)]


def _pooled(side: list[_Cell], score: str) -> dict[str, float]:
    """Gather a side's session means; the cast is part of the key only where the side has several."""
    pooled = {}
    for cell in side:
        cast = cell.state.cell.cast.name if _mixed(side) else ""
        for address, value in cell.means(score).items():
            pooled[f"{cell.state.cell.condition}/{cast}/{address}"] = value
    return pooled


def _mixed(side: list[_Cell]) -> bool:
    return len({cell.state.cell.cast.name for cell in side}) > 1


def _same_items(first: list[_Cell], second: list[_Cell]) -> bool:
    """Say whether both sides met the same worlds: the same conditions and seeds, other subjects."""

    def worlds(side: list[_Cell]) -> set[tuple[Any, ...]]:
        return {(head.instance_hash, head.seed) for cell in side for head in cell.state.runs}

    return worlds(first) == worlds(second) and not (_mixed(first) or _mixed(second))


def _adjusted(found: list[tuple[Hypothesis, Any, bool]]) -> tuple[list[Tested], str]:
    if not found:
        return [], ""
    family = holm([finding.p for _, finding, _ in found])
    tested = []
    for (hypothesis, finding, planned), p, kept in zip(found, family.adjusted, family.kept, strict=True):
        way = {"greater": finding.difference.value > 0, "less": finding.difference.value < 0}.get(
            hypothesis.expect, True
        )
        tested.append(
            Tested(
                hypothesis.name,
                hypothesis.score,
                finding.sentence,
                finding.difference,
                finding.p,
                p,
                planned,
                bool(kept and way),
            )
        )
    return tested, family.sentence


def _explore(study: Study, cells: Mapping[str, _Cell]) -> list[Tested]:
    """Compare what the plan does not name: every pair of cells of one test on every score they share."""
    planned = {(frozenset(h.compare), h.score) for h in study.hypotheses}
    found = []
    for first, second in combinations(cells.values(), 2):
        one, other = first.state.cell, second.state.cell
        # Cells that differ in both cast and condition answer no question.
        if one.test != other.test or (one.cast.name != other.cast.name and one.condition != other.condition):
            continue
        names = (one.name, other.name)
        for score in first.names:
            if (frozenset(names), score) in planned or min(len(first.means(score)), len(second.means(score))) < 2:
                continue
            found.append(_test(Hypothesis("exploratory", score, names), cells, planned=False))
    return _adjusted(found)[0]


def _notes(progress: Progress, store: "Store") -> list[str]:
    short = [state.cell.name for state in progress.cells if state.counts.get("open") or not state.runs]
    notes = [f"Not finished yet: {', '.join(short)}."] if short else []
    flagged = [one.subject_number for one in Observations(store).pending(progress.study)]
    if flagged:
        notes.append(f"Flagged by an observer, not judged yet, and counted here: {', '.join(flagged)}.")
    return notes


def vars_of(left: LeftOut) -> dict[str, Any]:
    """Write an exclusion as JSON."""
    return {name: getattr(left, name) for name in LeftOut.__dataclass_fields__}


def _tested_json(tested: Tested) -> dict[str, Any]:
    return {
        "name": tested.name,
        "score": tested.score,
        "sentence": tested.sentence,
        "difference": tested.difference.as_json(),
        "p": tested.p,
        "adjusted_p": tested.adjusted_p,
        "planned": tested.planned,
        "supported": tested.supported,
    }
