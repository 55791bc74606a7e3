"""A cell as it was taken: the scores of its sessions, and which of them were excluded, by whom or by which rule."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.dialogue import Record, Score, Scores, counted_together, undeclared
from mensura.exhibit import Group
from mensura.running.results.counting import Counted, reason_of
from mensura.running.results.estimating import Circumstances, Estimated, Sample, sample_of, score_names
from mensura.running.results.exhibits import run_group
from mensura.running.results.rows import SampleRows
from mensura.running.scoring.declared import declared_of
from mensura.running.study.conduct import CellState
from mensura.running.study.plan import ExclusionRule, Study
from mensura.running.study.registration.register import plan_of

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


AFTER_LOOK = "after the look at"
CHANGED = "taken after the test or a subject was changed"


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
    """The person who decided it; empty where a rule of the plan did."""
    time: float | None = None
    """When it was decided; None where a rule of the plan did."""


@dataclass
class TakenCell:
    """One cell with the scores of its sessions, by session id."""

    state: CellState
    everything: dict[str, Scores]
    """Those of excluded sessions, too."""
    left_out: list[LeftOut]
    """The sessions that do not count."""
    beyond: int = 0
    """How many of these were taken beyond the plan."""
    early: str = ""
    """How many of the planned sessions are over, where some are not; the plan decides when all are."""

    @cached_property
    def why(self) -> dict[str, str]:
        """Excluded session → why."""
        return {left.session: left.kind for left in self.left_out}

    @cached_property
    def usable(self) -> dict[str, Scores]:
        """The scores of the sessions that count."""
        return {session: scores for session, scores in self.everything.items() if session not in self.why}

    @property
    def head(self) -> "RunHead":
        """The run of the cell; every run of a cell is of the same kind."""
        return self.state.runs[0]

    def sample(self, score: str) -> Sample:
        """Gather the numbers of a score; none at all where one of them is without bound."""
        sample = sample_of(self.usable, score, circumstances=Circumstances.of(self.head))
        return replace(sample, rows=SampleRows()) if np.isinf(sample.rows.values).any() else sample

    def unbounded(self, score: str) -> list[float]:
        """Return the numbers of a score that are infinite."""
        values = sample_of(self.usable, score, circumstances=Circumstances.of(self.head)).rows.values
        found: list[float] = values[np.isinf(values)].tolist()
        return found

    def units(self, score: str) -> int:
        """Count the sessions that have a score."""
        return len({row.session for row in self.sample(score).rows if not isnan(row.value)})

    def estimated(self, generalise: str | None) -> dict[str, Estimated]:
        """Estimate the scores of the cell."""
        if not self.state.runs:
            return {}
        return Counted(self.head, self.everything, self.why).estimated(generalise=generalise)

    def only(self, phase: str) -> "TakenCell":
        """Return one phase of a cell of courses."""
        runs = [head for head in self.state.runs if head.details.get("phase") == phase]
        ids = {head.id for head in runs}
        everything = {one: scores for one, scores in self.everything.items() if one.rpartition("/")[0] in ids}
        left_out = [left for left in self.left_out if left.session.rpartition("/")[0] in ids]
        return replace(self, state=replace(self.state, runs=runs), everything=everything, left_out=left_out)

    @property
    def with_excluded(self) -> "TakenCell":
        """The same cell as if nobody had been excluded."""
        return replace(self, left_out=[])

    def group(self, store: "Store", estimated: Mapping[str, Estimated]) -> Group:
        """Put the cell into the form that exhibits are made of."""
        cell = self.state.cell
        group = run_group(cell.name, self.state.runs, scores=self.usable, estimated=estimated, store=store)
        return replace(group, condition=cell.condition, simulated=cell.cast.simulated)

    def declared(self, name: str) -> Score:
        """Return what is declared of a score; phases of courses may be of several tests, of which any may have it."""
        found = (declared_of(head, self.everything).get(name) for head in self.state.runs)
        return next((one for one in found if one is not None), undeclared(name))

    @property
    def names(self) -> list[str]:
        """The scores that the cell has."""
        return score_names(self.usable.values())

    @property
    def over(self) -> int:
        """How many sessions are over or were excluded before."""
        return len({*self.everything, *self.why})


def usable_scores(study: Study, state: CellState, *, store: "Store") -> dict[str, Scores]:
    """Return the scores of a cell's sessions that count: neither the plan nor anyone's decision excludes them."""
    return read_cell(study, state, store).usable


def read_cell(study: Study, state: CellState, store: "Store", *, own_rules: bool = True) -> TakenCell:
    """Read the sessions of a cell; each is excluded by the plan it was begun under, unless other rules are tried."""
    cell = TakenCell(state, {}, [])
    ledger = store.exclusions
    # Phases of courses may be of several tests, each with code of its own.
    first = {head.test: head.details.get("code") for head in reversed(state.runs)}
    for head in state.runs:
        begun = plan_of(head) if own_rules and "amendment" in head.details else None
        rules = (begun or study).exclusions
        decided = ledger.excluded(head.id)
        other = own_rules and head.details.get("code") != first[head.test]
        results = {result.session: result.scores for result in store.results.latest(head.id)}
        for record in store.records.of(head.id):
            decision = decided.get(record.session)
            if record.status == "open" and decision is None:
                continue
            left = LeftOut(record.session, state.cell.name, CHANGED, True, CHANGED) if other else None
            left = left or (_excluded_by(rules, record, state.cell.name) if record.status != "open" else None)
            if left is None and decision is not None:
                said = (decision.reason, decision.planned, reason_of(decision), decision.who, decision.time)
                left = LeftOut(record.session, state.cell.name, *said)
            if left is None and record.session not in results:
                words = f"no score: {record.status}"
                left = LeftOut(record.session, state.cell.name, words, True, words)
            if record.session in results:
                cell.everything[record.session] = results[record.session]
            if left is not None:
                cell.left_out.append(left)
    # What was answered in one phase of a course makes the sessions of the others count.
    cell.everything |= counted_together(cell.everything)
    return _stopped(cell, study, store)


def _stopped(cell: TakenCell, study: Study, store: "Store") -> TakenCell:
    """Count the first sessions that are usable, as many as were planned: nobody goes on until a result pleases."""
    rule, name, enough = study.stopping, cell.state.cell.name, study.planned(cell.state.cell.cast)
    heads = [one for head in cell.state.runs for one in store.sessions.of(head.id)]
    places = {one.id: one.address.course if study.courses else one.address.session for one in heads}
    beyond = set(sorted({places[session] for session in cell.usable})[enough:])
    kind = f"{AFTER_LOOK} {enough} per cell" if rule.looks else f"beyond the {enough} per cell of the plan"
    more = [LeftOut(session, name, kind, True, kind) for session in cell.usable if places[session] in beyond]
    over = set(places.values()) - {places[one.id] for one in heads if one.status == "open"}
    found = cell.estimated(None).get(rule.score) if rule.width is not None else None
    narrow = found and found.estimate.high - found.estimate.low <= (rule.width or 0)
    early = f"{len(over)} of {enough} of {name}" if len(over) < enough and not narrow else ""
    return replace(cell, left_out=cell.left_out + more, beyond=len(more), early=early)


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
