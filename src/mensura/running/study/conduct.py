"""Conduct: carrying a study out. Programs run at once; people are invited."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.find import find_test
from mensura.dialogue import Seed
from mensura.dialogue.canonical import canonical
from mensura.errors import BadData, BadParameter, NotInstalled, unknown
from mensura.running.adaptivity.phases import cell_phases
from mensura.running.cost.reaching import reach_models
from mensura.running.course import begin_courses, resume_courses, run_courses
from mensura.running.people.closing import close_expired
from mensura.running.plan import Plan, planned_addresses, read_cast
from mensura.running.results.endings import nothing_answered
from mensura.running.run import UNFINISHED, RunOptions, begin_run, carry_out
from mensura.running.study.membership.joining import own
from mensura.running.study.plan import Cell, Study
from mensura.running.study.registration.checked import check_plan
from mensura.running.study.registration.register import (
    amended_at,
    changed_files,
    plan_hash,
    plan_of,
    registration_of,
    require_plan,
    study_runs,
)
from mensura.running.study.shard import StudyShard
from mensura.running.study.turn import in_turn
from mensura.store.head import RunHead
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.spec import HUMAN, SubjectSpec

if TYPE_CHECKING:
    from mensura.store import Store


REGISTERED = "registered a study"
"""How the trail says that a plan was stored before anyone took part."""
AMENDED = "amended the plan of a study"


@dataclass
class CellState:
    """A cell and the runs that it has in a store."""

    cell: Cell
    runs: list[RunHead] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    not_begun: int = 0
    """How many of the open sessions nobody has begun, such as those of links that were never opened."""


@dataclass
class Progress:
    """How far a study is."""

    study: str
    hash: str
    cells: list[CellState]
    lacking: dict[str, str] = field(default_factory=dict)
    """Cells that were left out since this machine lacks something, with what it is and the command that installs it."""

    @property
    def finished(self) -> bool:
        """Return whether every cell of programs has what it should have."""
        return all(state.counts.get("open", 0) == 0 and state.runs for state in self.cells)

    def as_json(self) -> dict[str, Any]:
        """Return the progress as JSON."""
        return {
            "study": self.study,
            "hash": self.hash,
            **({"lacking": self.lacking} if self.lacking else {}),
            "cells": [
                {"cell": state.cell.name, "test": state.cell.test, "runs": [h.id for h in state.runs], **state.counts}
                for state in self.cells
            ],
        }


def register(study: Study, *, store: "Store", who: str = "", owner: str = "") -> Progress:
    """Store the plan of a study before anyone takes part: each cell begins its run, and no session is taken.

    A plan that is registered already stays as it is; one that was changed since is refused. Where an account is named
    as the owner, the study is closed to all others before its first run is begun.
    """
    with in_turn(study.name, store=store):
        require_plan(study, store=store)
        check_plan(study)
        known, declared = _runs_of(study, store), _declared(study, store)
        if owner:
            own(study.name, owner, store=store, who=who)
        seed = _seed(study, known)
        missing = [cell for cell in study.cells() if not known.get(cell.name)]
        for cell in missing:
            if study.courses:
                described = _described(study, cell, RunOptions(), {})
                begin_courses(**_courses(study, cell, seed), store=store, options=described)
            else:
                _begin_cell(study, cell, seed, store, RunOptions(), declared)
        if missing:
            store.trail.note(who, REGISTERED, study.name, plan=study.hash)
    return progress_of(study, store=store)


def conduct(
    study: Study, *, store: "Store", options: RunOptions | None = None, shard: StudyShard = StudyShard()
) -> Progress:
    """Carry a study out, or one shard of it, or resume it: what is stored already is not done again.

    The plan is stored with every run before its first session; one that was changed since, and not amended, is
    refused, so that nobody can choose the hypothesis that fits.
    """
    options = options or RunOptions()
    shard.check(study)
    require_plan(study, store=store)
    check_plan(study)
    known = _runs_of(study, store)
    declared = _declared(study, store)
    if begun := next((head for heads in known.values() for head in heads), None):
        options = replace(options, confinement=Confinement.read(begun.details))
    seed = _seed(study, known)
    cells = study.cells()
    if study.order == "random":
        np.random.default_rng(seed.value).shuffle(cells)
    lacking = {}
    for cell in cells:
        # What is not installed is named where the cell is taken.
        with suppress(NotInstalled):
            reach_models(*_plans(study, cell), options=options)
    for cell in cells:
        try:
            _conduct_cell(study, cell, known.get(cell.name, []), seed, store, options, declared, shard)
        except NotInstalled as error:
            # The others need not wait: once it is installed, `study resume` takes the rest.
            lacking[cell.name] = error.leaves_out(f"The condition {cell.name}")
    progress = replace(progress_of(study, store=store), lacking=lacking)
    # Only now: the cells of a study ask the same items one after the other.
    for head in [head for state in progress.cells for head in state.runs if not state.cell.cast.people]:
        store.runs.open(head.id)
    return progress


def amend(study: Study, reason: str, *, store: "Store", who: str = "") -> None:
    """Declare that the plan of a study, or a file of its tests or subjects, is changed from now on, and why.

    Every cell gets a run of its own that carries the new plan, the reason and every difference, bound by the chains of
    the sessions to come; sessions of programs that were interrupted are lost.
    """
    registered = registration_of(study.name, store=store)
    if registered is None or registered.in_force is None:
        raise BadParameter(f"No plan of {study.name} is stored, so none can be amended: mensura study run FILE")
    changed = [*registered.changes(study), *changed_files(registered, store=store)]
    if not changed:
        raise BadParameter(f"This is the plan of {study.name} that is in force; there is nothing to amend.")
    if not reason.strip():
        raise BadParameter("An amendment needs a reason; say why.")
    if study.courses:
        raise BadParameter(f"{study.name} has courses, which cannot be amended: begin another study with its own seed.")
    check_plan(study)
    known = _runs_of(registered.in_force, store)
    begun = [head for heads in known.values() for head in heads]
    options = RunOptions(confinement=Confinement.read(begun[0].details))
    declared = {"of": registered.in_force.hash, "time": time.time(), "reason": reason.strip(), "deviations": changed}
    seed = _seed(study, known)
    for cell in study.cells():
        _begin_cell(study, cell, seed, store, options, declared)
    for session in [one for head in begun if HUMAN not in head.cast.values() for one in store.sessions.of(head.id)]:
        if session.status == "open":
            store.sessions.end(session.id, status="lost", last_words="The plan was amended before it was over.")
    store.trail.note(who, AMENDED, study.name, plan=study.hash)


def _declared(study: Study, store: "Store") -> Mapping[str, Any]:
    """Return the last amendment that made a plan what it is; empty where it is the first."""
    heads = [head for head in study_runs(study.name, store=store) if plan_hash(head) == study.hash]
    last = max(heads, key=lambda head: amended_at(head) or 0, default=None)
    return last.details.get("amendment", {}) if last else {}


def progress_of(study: Study, *, store: "Store") -> Progress:
    """Return how far a study is; what expired links left open is over."""
    close_expired(store)
    known = _runs_of(study, store)
    states, waiting = [], store.sessions.not_begun()
    for cell in study.cells():
        heads = known.get(cell.name, [])
        counts: dict[str, int] = {}
        for head in heads:
            for status, count in store.sessions.count(head.id).items():
                counts[status] = counts.get(status, 0) + count
        states.append(CellState(cell, heads, counts, sum(waiting.get(head.id, 0) for head in heads)))
    return Progress(study.name, study.hash, states)


def unanswered(progress: Progress, *, store: "Store") -> list[str]:
    """Return in which cells of a study nothing was answered in any session, and why."""
    said = (nothing_answered(state.cell.name, state.runs, store=store) for state in progress.cells)
    return list(filter(None, said))


def stored_study(name: str, *, store: "Store") -> Study:
    """Read the plan of a study that has begun, as amended, from what was stored with its runs."""
    registered = registration_of(name, store=store)
    if registered is None:
        known = {str(head.details.get("study", "")) for head in store.runs.all()} - {""}
        raise unknown("study", name, known=known, see="`mensura study run FILE` begins one.")
    if registered.in_force is None:
        raise BadData(f"The plan of {name} is not stored with its runs; mensura study analyse FILE reads it.")
    return registered.in_force


def _runs_of(study: Study, store: "Store") -> dict[str, list[RunHead]]:
    """Find the runs of each cell; one whose plan meant another test, condition or cast by that name is not of it."""
    mine = {cell.name: canonical(asdict(cell)) for cell in study.cells()}
    runs: dict[str, list[RunHead]] = {}
    for head in study_runs(study.name, store=store):
        name = head.details.get("cell", "")
        plan = plan_of(head) if plan_hash(head) != study.hash else None
        theirs = [cell for cell in plan.cells() if cell.name == name] if plan else []
        if all(canonical(asdict(cell)) == mine.get(name) for cell in theirs):
            runs.setdefault(name, []).append(head)
    return runs


def own_seed(seed: Seed, cell: str) -> Seed:
    """Derive the seed of one cell, where cells must not share their chance."""
    digest = blake2b(f"{seed.value}/{cell}".encode(), digest_size=8).digest()
    return Seed(int.from_bytes(digest, "big"), public=seed.public)


def _seed(study: Study, known: Mapping[str, list[RunHead]]) -> Seed:
    """Use the seed of the plan, else that of the runs made already: all casts must meet the same items."""
    if study.chance == "own":
        # The cells' seeds are derived from this one and tell nothing of it.
        return Seed.choose(study.seed)
    for heads in known.values():
        for head in heads:
            if head.seed is not None:
                return Seed(head.seed, public=head.seed_public)
    return Seed.choose(study.seed)


def _conduct_cell(
    study: Study,
    cell: Cell,
    heads: list[RunHead],
    seed: Seed,
    store: "Store",
    options: RunOptions,
    amendment: Mapping[str, Any],
    shard: StudyShard,
) -> None:
    described = _described(study, cell, options, amendment)
    if study.courses:
        if cell.cast.people:
            # For people this is all: invitations open the sessions of their courses.
            if not heads:
                begin_courses(**_courses(study, cell, seed), store=store, options=described)
        elif heads:
            resume_courses(heads[0].id, store=store, options=described)
        else:
            run_courses(**_courses(study, cell, seed), store=store, options=described)
        return
    now = next((head for head in heads if amended_at(head) == amendment.get("time")), None)
    # For people this is all: invitations open their sessions one by one.
    now = now or _begin_cell(study, cell, seed, store, options, amendment)
    if not cell.cast.people:
        _until_stopped(study, now, [head for head in heads if head.id != now.id], store, described, shard)


def _begin_cell(
    study: Study, cell: Cell, seed: Seed, store: "Store", options: RunOptions, amendment: Mapping[str, Any]
) -> RunHead:
    """Begin the run of a cell under the plan as it is now."""
    seed = seed if study.chance == "shared" else own_seed(seed, cell.name)
    described = _described(study, cell, options, amendment)
    return begin_run(_plan(cell), store=store, seed=seed, options=described)


def _plans(study: Study, cell: Cell) -> list[Plan]:
    """Return what programs take in a cell: one test, or the phases of its courses."""
    if cell.cast.people:
        return []
    if not study.courses:
        return [_plan(cell)]
    subject = SubjectSpec.of(cell.cast.subjects.get("", ""))
    return [phase.plan(subject) for phase in cell_phases(study, cell)]


def _plan(cell: Cell) -> Plan:
    test = find_test(cell.test)
    values = test.fill(cell.parameters)
    roles = test.cast_roles(values)
    named = {role: who for role, who in cell.cast.subjects.items() if role in roles}
    subjects = {**test.complete_cast(cell.cast.subjects.get("", ""), values), **named}
    return Plan(cell.test, read_cast(subjects, roles=roles), values, cell.condition)


def _described(study: Study, cell: Cell, options: RunOptions, amendment: Mapping[str, Any]) -> RunOptions:
    details = {
        "study": study.name,
        "study_hash": study.hash,
        "cell": cell.name,
        "cast_name": cell.cast.name,
        "simulated": cell.cast.simulated,
        "question": study.question,
        "plan": study.as_json(),
        **({"procedure": dict(study.procedure)} if study.procedure else {}),
        **({"amendment": dict(amendment)} if amendment else {}),
    }
    return replace(options, condition=cell.condition, details=details)


def _until_stopped(
    study: Study,
    head: RunHead,
    earlier: Sequence[RunHead],
    store: "Store",
    options: RunOptions,
    shard: StudyShard,
) -> None:
    """Take sessions until the plan says stop; those that were taken before an amendment are not taken again."""
    rule = study.stopping
    taken = [one for run in earlier for one in store.sessions.of(run.id) if one.status not in UNFINISHED]
    before = {one.address for one in taken}
    done = 0
    while done < rule.most:
        done = rule.most if rule.width is None else min(done + rule.check_every, rule.most)
        addresses = [one for one in planned_addresses(head, done) if one not in before and shard.takes(one.session)]
        result = carry_out(head, addresses, plan=Plan.of_run(head), store=store, options=options)
        estimate = result.scores.get(rule.score)
        if rule.width is None or estimate is None or not estimate.has_interval:
            continue
        if estimate.high - estimate.low <= rule.width:
            return


def _courses(study: Study, cell: Cell, seed: Seed) -> dict[str, Any]:
    """Return which courses are taken in a cell."""
    subject = cell.cast.subjects.get("")
    if subject is None:
        raise BadParameter(f"The cast {cell.cast.name} of a study with phases is one subject that takes all of them.")
    phases = cell_phases(study, cell)
    own = seed if study.chance == "shared" else own_seed(seed, cell.name)
    return {"phases": phases, "subject": subject, "courses": study.stopping.most, "seed": own}
