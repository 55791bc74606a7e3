"""Analysis: what the written plan asks of the data, and apart from it whatever else was looked at."""

import operator
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from math import isinf, isnan, nan
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from mensura.catalog.find import find_test
from mensura.dialogue import Record, Score, Scores, undeclared
from mensura.dialogue.canonical import canonical
from mensura.exhibit import Exhibit, Group
from mensura.running.results.comparing import compare_samples, same_session
from mensura.running.results.counting import Counted, excluded_words, reason_of
from mensura.running.results.estimating import Circumstances, Estimated, Sample, sample_of, score_names, session_place
from mensura.running.results.exhibits import run_group, shown_by
from mensura.running.scoring.declared import declared_of
from mensura.running.study.conduct import CellState, Progress, progress_of
from mensura.running.study.observing import ObserverNotes
from mensura.running.study.plan import ExclusionRule, Hypothesis, Study
from mensura.running.study.registration.register import Registration, plan_of, registration_of
from mensura.stats import Estimate, ScoreDifference, holm, read_population, without_interval

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
    """"supported", "contradicted" (it stands, and goes the other way), "undecided" (too little data), "not tested"
    (nothing could be computed; the sentence says why), or "not registered" (asked after the data)."""
    with_excluded: str = ""
    """What the same comparison says with the excluded sessions; empty where none of them has a score."""


@dataclass(frozen=True)
class LeftOut:
    """A session that does not count, and why."""

    session: str
    cell: str
    reason: str
    planned: bool
    """Whether a rule that was there before the data excludes it."""
    kind: str
    """The reason without the particulars of the session, by which exclusions are counted."""
    who: str = ""
    """Who decided it; empty where a rule of the plan did."""
    time: float | None = None
    """When it was decided; None where a rule of the plan did."""


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
    registration: Registration | None = None
    """The plan as it was registered; None where the study has not begun."""
    deviations: list[str] = field(default_factory=list)
    """In what the plan that was given differs from the registered one, as amended."""

    @property
    def told(self) -> list[str]:
        """What is to be said of the plan: since when it is registered, how it was amended, and what was changed."""
        if self.registration is None:
            return [f"Plan {self.study.hash} is not registered: no session of {self.study.name} was opened."]
        said = [self.registration.sentence, *(one.sentence for one in self.registration.amendments)]
        if self.deviations:
            said.append("The plan that was given is not the registered one; what it asks besides is exploratory.")
        return [*said, *self.deviations]

    @property
    def excluded(self) -> str:
        """How many sessions count and why others do not; empty where all do."""
        opened = sum(sum(state.counts.values()) for state in self.progress.cells)
        return excluded_words({left.session: left.kind for left in self.left_out}, of=opened)

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
            "registration": None if self.registration is None else self.registration.as_json(),
            "deviations": self.deviations,
            "simulated": self.simulated,
            "cells": {
                cell: {name: found.as_json() for name, found in scores.items()}
                for cell, scores in self.estimated.items()
            },
            "planned": [_tested_json(tested) for tested in self.planned],
            "exploratory": [_tested_json(tested) for tested in self.exploratory],
            "excluded": self.excluded,
            "left_out": [asdict(left) for left in self.left_out],
            "notes": self.notes,
            **({"exhibits": [exhibit.as_json() for exhibit in self.exhibits]} if self.exhibits else {}),
        }


@dataclass
class _Cell:
    """One cell with the scores of its usable sessions, by session id."""

    state: CellState
    usable: dict[str, Scores]
    everything: dict[str, Scores]
    """Those of excluded sessions, too."""
    why: dict[str, str]
    """Excluded session → why."""

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
        if not self.state.runs:
            return {}
        return Counted(self.head, self.usable, self.everything, self.why).estimated(generalise=generalise)

    @property
    def with_excluded(self) -> "_Cell":
        """The same cell as if nobody had been excluded."""
        return replace(self, usable=self.everything)

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
    registered = registration_of(study.name, store=store)
    # Hypotheses are confirmed by the plan as it was registered; what is asked besides is exploratory.
    plan = registered.plan if registered and registered.plan else study
    holds = registered is None or (registered.before_data and (plan is not study or registered.hash == study.hash))
    population = generalise or plan.generalise
    population = None if population is None else read_population(population)
    progress = progress_of(plan, store=store)
    left_out: list[LeftOut] = []
    cells = {state.cell.name: _read_cell(plan, state, store, left_out) for state in progress.cells}
    scores = {name: cell.estimated(population) for name, cell in cells.items()}
    planned = _adjusted([_test(one, cells, population, "planned") for one in plan.hypotheses] if holds else [])
    if any(set(cell.everything) - set(cell.usable) for cell in cells.values()):
        whole = {name: cell.with_excluded for name, cell in cells.items()}
        both = [_test(one, whole, population, "planned")[1] for one in plan.hypotheses]
        said = [one if isinstance(one, str) else one.sentence for one in both]
        planned = [replace(one, with_excluded=words) for one, words in zip(planned[0], said, strict=False)], planned[1]
    notes = _notes(plan, progress, store)
    if generalise is not None and generalise != plan.generalise:
        notes.append(f"The population, {population}, was chosen for this analysis and is not in the plan.")
    asked = [] if holds else list(plan.hypotheses)
    return Analysis(
        plan,
        progress,
        scores,
        planned[0],
        [
            *_adjusted([_test(one, cells, population, "asked") for one in asked])[0],
            *_asked_afterwards(plan, study, store, population),
            *_explore(plan, cells, population),
        ],
        left_out,
        planned[1],
        any(state.cell.cast.simulated for state in progress.cells),
        population,
        notes,
        _exhibits(plan, cells, scores, store),
        registered,
        registered.deviations(study) if registered else [],
    )


def _asked_afterwards(plan: Study, asked: Study, store: "Store", population: str | None) -> list[Tested]:
    """Test what a changed plan asks and the registered one does not: its own hypotheses, or all under other rules."""
    rules = canonical(list(map(asdict, asked.exclusions))) != canonical(list(map(asdict, plan.exclusions)))
    new = [one for one in asked.hypotheses if rules or one not in plan.hypotheses]
    if not new:
        return []
    states = progress_of(asked, store=store).cells
    cells = {state.cell.name: _read_cell(asked, state, store, [], own_rules=False) for state in states}
    return _adjusted([_test(one, cells, population, "asked") for one in new])[0]


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


def _read_cell(
    study: Study, state: CellState, store: "Store", left_out: list[LeftOut], *, own_rules: bool = True
) -> _Cell:
    """Read the sessions of a cell; each is excluded by the plan it was begun under, unless other rules are tried."""
    cell = _Cell(state, {}, {}, {})
    ledger = store.exclusions
    for head in state.runs:
        begun = plan_of(head) if own_rules and "amendment" in head.details else None
        rules = (begun or study).exclusions
        decided = ledger.excluded(head.id)
        results = {result.session: result.scores for result in store.results.latest(head.id)}
        for record in store.records.of(head.id):
            if record.status == "open":
                continue
            left = _excluded_by(rules, record, state.cell.name)
            decision = decided.get(record.session)
            if left is None and decision is not None:
                said = (decision.reason, decision.planned, reason_of(decision), decision.who, decision.time)
                left = LeftOut(record.session, state.cell.name, *said)
            if left is None and record.session not in results:
                words = f"no score: {record.status}"
                left = LeftOut(record.session, state.cell.name, words, True, words)
            if record.session in results:
                cell.everything[record.session] = results[record.session]
            if left is None:
                cell.usable[record.session] = results[record.session]
            else:
                left_out.append(left)
                cell.why[record.session] = left.kind
    return cell


def _excluded_by(rules: tuple[ExclusionRule, ...], record: Record, cell: str) -> LeftOut | None:
    """Return the session as excluded by the first rule of the plan that it meets; None where it meets none."""
    counts: dict[str, Any] = record.counts()
    seconds = [answer.seconds for answer in record.answers if answer.seconds is not None]
    measures = {**counts, "status": record.status, "median_seconds": median(seconds) if seconds else None}
    for rule in rules:
        measure, sign, bound = rule.parts()
        value = measures[measure]
        if value is not None and SIGNS[sign](value, bound):
            said = f"{rule.name}: {measure} is {value}, and the plan excludes {rule.when}"
            return LeftOut(record.session, cell, said, True, f"{rule.name} (by the plan, {rule.when})")
    return None


Origin = Literal["planned", "asked", "explored"]
Test = tuple[Hypothesis, ScoreDifference | str, Origin]
"""A hypothesis, what was found or why nothing could be, and whether the registered plan asks it, another, or none."""


def _test(hypothesis: Hypothesis, cells: Mapping[str, _Cell], population: str | None, origin: Origin) -> Test:
    first, second = (_side(side, cells) for side in hypothesis.compare)
    left, right = (_pooled(side, hypothesis.score) for side in (first, second))
    for name, side, found in zip(hypothesis.compare, (first, second), (left, right), strict=True):
        if not found.known.values.size:
            return hypothesis, _why_not(name, hypothesis.score, side), origin
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
    return hypothesis, finding, origin


def _why_not(name: str, score: str, side: list[_Cell]) -> str:
    """Return in a sentence why one side of a comparison has nothing to compare."""
    if not any(cell.usable for cell in side):
        taken = sum(sum(cell.state.counts.values()) for cell in side)
        return f"{name} has no session that counts; opened: {taken}."
    if not any(score in cell.names for cell in side):
        return f"No session of {name} has the score {score}."
    return f"The score {score} of {name} is unknown, or without bound."


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
    family = holm([nan if isinstance(finding, str) else finding.p for _, finding, _ in found])
    tested = []
    for (hypothesis, finding, origin), p, kept in zip(found, family.adjusted, family.kept, strict=True):
        name, score, planned = hypothesis.name, hypothesis.score, origin == "planned"
        if isinstance(finding, str):
            nothing = without_interval(nan, n=0, reason="not tested")
            tested.append(Tested(name, score, finding, nothing, nan, nan, planned, False, "not tested"))
            continue
        value = finding.difference.value
        way = {"greater": value > 0, "less": value < 0}.get(hypothesis.expect, True)
        stands = bool(kept and finding.is_claim)
        verdict = "undecided" if finding.difference.has_interval else "not tested"
        if origin == "asked":
            verdict = "not registered" if finding.difference.has_interval else verdict
        elif stands:
            verdict = "supported" if way else "contradicted"
        supported = stands and way and verdict != "not registered"
        tested.append(
            Tested(name, score, finding.sentence, finding.difference, finding.p, p, planned, supported, verdict)
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
            found.append(_test(Hypothesis("exploratory", score, names), cells, population, "explored"))
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
        "p": None if isnan(tested.p) else tested.p,
        "adjusted_p": None if isnan(tested.adjusted_p) else tested.adjusted_p,
        "planned": tested.planned,
        "supported": tested.supported,
        "verdict": tested.verdict,
        "with_excluded": tested.with_excluded,
        "population": tested.difference.population,
    }
