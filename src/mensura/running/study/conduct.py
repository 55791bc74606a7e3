"""Conduct: carrying a study out. Programs run at once; people are invited."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.catalog.find import find_test
from mensura.dialogue import Seed
from mensura.errors import BadData, BadParameter, unknown
from mensura.running.closing import close_expired
from mensura.running.course import Phase, resume_courses, run_courses
from mensura.running.run import Plan, RunOptions, begin_run, carry_out, planned_addresses, read_cast
from mensura.running.study.plan import Cell, Study
from mensura.store.head import RunHead
from mensura.subjects.sandbox.confinement import Confinement

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass
class CellState:
    """A cell and the runs that it has in a store."""

    cell: Cell
    runs: list[RunHead] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


@dataclass
class Progress:
    """How far a study is."""

    study: str
    hash: str
    cells: list[CellState]

    @property
    def finished(self) -> bool:
        """Whether every cell of programs has what it should have."""
        return all(state.counts.get("open", 0) == 0 and state.runs for state in self.cells)

    def as_json(self) -> dict[str, Any]:
        """Return the progress as JSON."""
        return {
            "study": self.study,
            "hash": self.hash,
            "cells": [
                {"cell": state.cell.name, "test": state.cell.test, "runs": [h.id for h in state.runs], **state.counts}
                for state in self.cells
            ],
        }


def conduct(study: Study, *, store: "Store", options: RunOptions | None = None) -> Progress:
    """Carry a study out, or go on with it: what is stored already is not done again.

    The plan's hash is stored with every run before its first session; a plan that was changed after data were taken
    is refused, so that nobody can choose the hypothesis that fits.
    """
    options = options or RunOptions()
    known = _runs_of(study, store)
    changed = {head.details["study_hash"] for heads in known.values() for head in heads} - {study.hash}
    if changed:
        raise BadParameter(
            f"The plan of {study.name} was changed after data were taken (it was {changed.pop()}, it is {study.hash}). "
            "Undo the change, or give the study a new name."
        )
    if begun := next((head for heads in known.values() for head in heads), None):
        options = replace(options, confinement=Confinement.read(begun.details))
    seed = _seed(study, known)
    cells = study.cells()
    if study.order == "random":
        np.random.default_rng(seed.value).shuffle(cells)
    for cell in cells:
        mine = seed if study.chance == "shared" else own_seed(seed, cell.name)
        _conduct_cell(study, cell, known.get(cell.name, []), mine, store, options)
    progress = progress_of(study, store=store)
    # Only now: the cells of a study ask the same items one after the other.
    for head in [head for state in progress.cells for head in state.runs if not state.cell.cast.people]:
        store.runs.open(head.id)
    return progress


def progress_of(study: Study, *, store: "Store") -> Progress:
    """Return how far a study is; what expired links left open is over."""
    close_expired(store)
    known = _runs_of(study, store)
    states = []
    for cell in study.cells():
        heads = known.get(cell.name, [])
        counts: dict[str, int] = {}
        for head in heads:
            for status, count in store.sessions.count(head.id).items():
                counts[status] = counts.get(status, 0) + count
        states.append(CellState(cell, heads, counts))
    return Progress(study.name, study.hash, states)


def stored_study(name: str, *, store: "Store") -> Study:
    """Read a study that has begun from the plan that was stored with its runs."""
    heads = [head for head in store.runs.all() if head.details.get("study") == name]
    if not heads:
        known = {str(head.details.get("study", "")) for head in store.runs.all()} - {""}
        raise unknown("study", name, known=known, see="`mensura study run FILE` begins one.")
    plan = heads[0].details.get("plan")
    study = None if plan is None else Study.read(plan)
    if study is None or study.hash != heads[0].details["study_hash"]:
        raise BadData(f"The plan of {name} is not stored with its runs; mensura study analyse FILE reads it.")
    return study


def _runs_of(study: Study, store: "Store") -> dict[str, list[RunHead]]:
    runs: dict[str, list[RunHead]] = {}
    for head in store.runs.all():
        if head.details.get("study") == study.name:
            runs.setdefault(head.details["cell"], []).append(head)
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
    study: Study, cell: Cell, heads: list[RunHead], seed: Seed, store: "Store", options: RunOptions
) -> None:
    details = {
        "study": study.name,
        "study_hash": study.hash,
        "cell": cell.name,
        "cast_name": cell.cast.name,
        "simulated": cell.cast.simulated,
        "question": study.question,
        "plan": study.as_json(),
        **({"procedure": dict(study.procedure)} if study.procedure else {}),
    }
    described = replace(options, condition=cell.condition, details=details)
    if study.phases:
        if heads:
            resume_courses(heads[0].id, store=store, options=described)
        else:
            _conduct_courses(study, cell, seed, store, described)
        return
    test = find_test(cell.test)
    values = test.fill(cell.parameters)
    roles = test.cast_roles(values)
    named = {role: who for role, who in cell.cast.subjects.items() if role in roles}
    subjects = {**test.complete_cast(cell.cast.subjects.get("", ""), values), **named}
    plan = Plan(cell.test, read_cast(subjects, roles=roles), values, cell.condition)
    if not heads:
        # For people this is all: invitations open their sessions one by one.
        heads = [begin_run(plan, store=store, seed=seed, options=described)]
    if not cell.cast.people:
        _until_stopped(study, heads[0], plan, store, described)


def _until_stopped(study: Study, head: RunHead, plan: Plan, store: "Store", options: RunOptions) -> None:
    """Take sessions until the plan says stop."""
    rule = study.stopping
    done = 0
    while done < rule.most:
        done = rule.most if rule.width is None else min(done + rule.check_every, rule.most)
        result = carry_out(head, planned_addresses(head, done), plan=plan, store=store, options=options)
        estimate = result.scores.get(rule.score)
        if rule.width is None or estimate is None or not estimate.has_interval:
            continue
        if estimate.high - estimate.low <= rule.width:
            return


def _conduct_courses(study: Study, cell: Cell, seed: Seed, store: "Store", options: RunOptions) -> None:
    subject = cell.cast.subjects.get("")
    if subject is None:
        raise BadParameter(f"The cast {cell.cast.name} of a study with phases is one subject that takes all of them.")
    phases = [
        Phase(**{"test": cell.test, **given, "parameters": {**cell.parameters, **given.get("parameters", {})}})
        for given in study.phases
    ]
    run_courses(phases, subject, store=store, courses=study.stopping.most, seed=seed, options=options)
