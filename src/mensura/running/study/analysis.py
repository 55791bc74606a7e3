"""Analysis: what the written plan asks of the data, and apart from it whatever else was looked at."""

import operator
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from math import isinf, isnan
from statistics import median
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Record, Score, Scores, undeclared
from mensura.errors import BadData
from mensura.exhibit import Exhibit, Group
from mensura.running.results.comparing import compare_samples, same_session
from mensura.running.results.estimating import Circumstances, Estimated, Sample, sample_of, score_names, session_place
from mensura.running.results.exhibits import run_group, shown_by
from mensura.running.results.summary import estimates_of
from mensura.running.scoring.declared import declared_of
from mensura.running.study.conduct import CellState, Progress, progress_of
from mensura.running.study.observing import ObserverNotes
from mensura.running.study.plan import ExclusionRule, Hypothesis, Study
from mensura.stats import Estimate, ScoreDifference, holm, read_population

if TYPE_CHECKING:
    from mensura.store import RunHead, Store

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
    verdict: str
    """"supported", "contradicted" (it stands, and goes the other way), "undecided" (too little data), or "not tested"
    (nothing could be computed)."""


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
    estimated: dict[str, dict[str, Estimated]]
    """Cell → score → its estimate, with what became of everything that was asked."""
    planned: list[Tested]
    exploratory: list[Tested]
    left_out: list[LeftOut]
    family: str = ""
    simulated: bool = False
    generalise: str | None = None
    """The population that was asked for; None: what the data are."""
    notes: list[str] = field(default_factory=list)
    exhibits: list[Exhibit] = field(default_factory=list)
    """What the tests' own literature shows of such a study."""

    @property
    def scores(self) -> dict[str, dict[str, Estimate]]:
        """Cell → score → estimate."""
        return {
            cell: {name: found.estimate for name, found in scores.items()} for cell, scores in self.estimated.items()
        }

    def as_json(self) -> dict[str, Any]:
        """Return the analysis as JSON."""
        return {
            "study": self.study.name,
            "hash": self.study.hash,
            "simulated": self.simulated,
            "cells": {
                cell: {name: found.as_json() for name, found in scores.items()}
                for cell, scores in self.estimated.items()
            },
            "planned": [_tested_json(tested) for tested in self.planned],
            "exploratory": [_tested_json(tested) for tested in self.exploratory],
            "left_out": [asdict(left) for left in self.left_out],
            "notes": self.notes,
            **({"exhibits": [exhibit.as_json() for exhibit in self.exhibits]} if self.exhibits else {}),
        }


@dataclass
class _Cell:
    """One cell with the scores of its usable sessions, by session id."""

    state: CellState
    usable: dict[str, Scores]

    @property
    def head(self) -> "RunHead":
        """The run of the cell; every run of a cell is of the same kind."""
        return self.state.runs[0]

    def sample(self, score: str) -> Sample:
        """Gather the numbers of a score; none at all where one of them is without bound."""
        sample = sample_of(self.usable, score, circumstances=Circumstances.of(self.head))
        return replace(sample, rows=()) if any(isinf(row.value) for row in sample.rows) else sample

    def units(self, score: str) -> int:
        """Count the sessions that have a score."""
        return len({row.session for row in self.sample(score).rows if not isnan(row.value)})

    def estimated(self, generalise: str | None) -> dict[str, Estimated]:
        """Estimate the scores of the cell."""
        return estimates_of(self.head, self.usable, generalise=generalise) if self.state.runs else {}

    def group(self, store: "Store", estimated: Mapping[str, Estimated]) -> Group:
        """Put the cell into the form that exhibits are made of."""
        cell = self.state.cell
        group = run_group(cell.name, self.state.runs, scores=self.usable, estimated=estimated, store=store)
        return replace(group, condition=cell.condition, simulated=cell.cast.simulated)

    def declared(self, name: str) -> Score:
        """Return what is declared of a score."""
        return declared_of(self.head, self.usable).get(name) or undeclared(name)

    @property
    def names(self) -> list[str]:
        """The scores that the cell has."""
        return score_names(self.usable.values())


def analyse(study: Study, *, store: "Store", generalise: str | None = None) -> Analysis:
    """Analyse a study by its written plan; what the plan does not name is marked exploratory.

    Parameters
    ----------
    generalise
        The population to speak of where it is not the plan's; the analysis then says that it was chosen afterwards.
    """
    population = generalise or study.generalise
    population = None if population is None else read_population(population)
    progress = progress_of(study, store=store)
    left_out: list[LeftOut] = []
    cells = {state.cell.name: _read_cell(study, state, store, left_out) for state in progress.cells}
    scores = {name: cell.estimated(population) for name, cell in cells.items()}
    planned = _adjusted([_test(hypothesis, cells, population, planned=True) for hypothesis in study.hypotheses])
    notes = _notes(study, progress, store)
    if generalise is not None and generalise != study.generalise:
        notes.append(f"The population, {population}, was chosen for this analysis and is not in the plan.")
    return Analysis(
        study,
        progress,
        scores,
        planned[0],
        _explore(study, cells, population),
        left_out,
        planned[1],
        any(state.cell.cast.simulated for state in progress.cells),
        population,
        notes,
        _exhibits(study, cells, scores, store),
    )


def exhibits_of(study: Study, *, store: "Store") -> list[Exhibit]:
    """Return what the tests' own literature shows of a study, whether or not its hypotheses can be tested yet."""
    cells = {state.cell.name: _read_cell(study, state, store, []) for state in progress_of(study, store=store).cells}
    return _exhibits(study, cells, {name: cell.estimated(None) for name, cell in cells.items()}, store)


Estimates = Mapping[str, Mapping[str, Estimated]]


def _exhibits(study: Study, cells: Mapping[str, _Cell], scores: Estimates, store: "Store") -> list[Exhibit]:
    taken = {name: cell for name, cell in cells.items() if cell.usable}
    return [
        exhibit
        for test in study.tests
        for exhibit in shown_by(
            find_test(test),
            [cell.group(store, scores[name]) for name, cell in taken.items() if cell.state.cell.test == test],
        )
    ]


def usable_scores(study: Study, state: CellState, *, store: "Store") -> dict[str, Scores]:
    """Return the scores of a cell's sessions that count: neither the plan nor anyone's decision excludes them."""
    return _read_cell(study, state, store, []).usable


def _read_cell(study: Study, state: CellState, store: "Store", left_out: list[LeftOut]) -> _Cell:

    usable: dict[str, Scores] = {}
    ledger = store.exclusions
    for head in state.runs:
        decided = ledger.excluded(head.id)
        results = store.results.of(head.id)
        for record in store.records.of(head.id):
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
            return f"{rule.name}: {measure} is {value}, and the plan excludes {rule.when}"
    return ""


Test = tuple[Hypothesis, ScoreDifference, bool]


def _test(hypothesis: Hypothesis, cells: Mapping[str, _Cell], population: str | None, *, planned: bool) -> Test:
    first, second = (_side(side, cells) for side in hypothesis.compare)
    left, right = (_pooled(side, hypothesis.score) for side in (first, second))
    if not left.known.values.size or not right.known.values.size:
        raise BadData(
            f"Hypothesis {hypothesis.name} compares {' and '.join(hypothesis.compare)} on {hypothesis.score}, but one "
            "side has no such score yet, or one without bound. Run the study first; `mensura study status` shows how "
            "far it is."
        )
    ours, theirs = _administered(first), _administered(second)
    shared = {
        place
        for place, (seed, scores) in ours.items()
        if place in theirs and same_session(scores, theirs[place][1], same_seed=seed == theirs[place][0])
    }
    finding = compare_samples(
        left,
        right,
        score=first[0].declared(hypothesis.score),
        names=hypothesis.compare,
        shared=shared,
        generalise=population,
    )
    return hypothesis, finding, planned


def _side(name: str, cells: Mapping[str, _Cell]) -> list[_Cell]:
    """Find the cells that a side of a comparison means: one cell, all of a cast, or all of a condition."""
    if name in cells:
        return [cells[name]]
    return [cell for cell in cells.values() if name in (cell.state.cell.cast.name, cell.state.cell.condition)]


def _pooled(side: list[_Cell], score: str) -> Sample:
    """Gather a side's numbers; condition and cast become part of the names of sessions and courses."""
    samples = {cell.state.cell.name: cell.sample(score) for cell in side if score in cell.names}
    if not samples:
        return Sample((), False, Circumstances())
    rows = [
        replace(row, session=_place(cell, side, row.session), course=_place(cell, side, row.course))
        for cell in side
        if cell.state.cell.name in samples
        for row in samples[cell.state.cell.name].rows
    ]
    first = next(iter(samples.values()))
    return Sample(tuple(rows), all(sample.has_items for sample in samples.values()), first.circumstances)


def _place(cell: _Cell, side: list[_Cell], place: str) -> str:
    """Name a place within a side; the cast is part of it only where the side has several."""
    cast = cell.state.cell.cast.name if len({each.state.cell.cast.name for each in side}) > 1 else ""
    return f"{cell.state.cell.condition}/{cast}/{place}"


def _administered(side: list[_Cell]) -> dict[str, tuple[str, Scores]]:
    """Return the mark of the seed and the scores of the session at each place."""
    found: dict[str, tuple[str, Scores]] = {}
    for cell in side:
        for session, scores in cell.usable.items():
            seed = next(head.seed_mark for head in cell.state.runs if session.startswith(f"{head.id}/"))
            found[_place(cell, side, session_place(session))] = (seed, scores)
    return found


def _adjusted(found: list[Test]) -> tuple[list[Tested], str]:
    if not found:
        return [], ""
    family = holm([finding.p for _, finding, _ in found])
    tested = []
    for (hypothesis, finding, planned), p, kept in zip(found, family.adjusted, family.kept, strict=True):
        value = finding.difference.value
        way = {"greater": value > 0, "less": value < 0}.get(hypothesis.expect, True)
        stands = bool(kept and finding.is_claim)
        verdict = "undecided" if finding.difference.has_interval else "not tested"
        if stands:
            verdict = "supported" if way else "contradicted"
        tested.append(
            Tested(
                hypothesis.name,
                hypothesis.score,
                finding.sentence,
                finding.difference,
                finding.p,
                p,
                planned,
                stands and way,
                verdict,
            )
        )
    return tested, family.sentence


def _explore(study: Study, cells: Mapping[str, _Cell], population: str | None) -> list[Tested]:
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
            if (frozenset(names), score) in planned or score not in second.names:
                continue
            if min(first.units(score), second.units(score)) < 2:
                continue
            found.append(_test(Hypothesis("exploratory", score, names), cells, population, planned=False))
    return _adjusted(found)[0]


def _notes(study: Study, progress: Progress, store: "Store") -> list[str]:
    short = [state.cell.name for state in progress.cells if state.counts.get("open") or not state.runs]
    notes = [f"Not finished yet: {', '.join(short)}."] if short else []
    notes += [
        f"The plan excludes {rule.when}: those who fail where it is hard are then not counted there."
        for rule in study.exclusions
        if rule.parts()[0] in ("status", "missing", "refused", "abstained", "lapsed", "answered")
    ]
    flagged = [one.subject_number for one in ObserverNotes(store).pending(progress.study)]
    if flagged:
        notes.append(f"Flagged by an observer, not judged yet, and counted here: {', '.join(flagged)}.")
    return notes


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
        "verdict": tested.verdict,
        "population": tested.difference.population,
    }
