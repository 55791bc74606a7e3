"""Gathering: the scores of courses as arrays, phase by phase, with what is missing and how sessions failed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue.record import session_mean
from mensura.running.adaptivity.phases import read_phases
from mensura.running.course import FAILED, Phase
from mensura.stats.wording import several

if TYPE_CHECKING:
    from mensura.running.study.analysis.cell import TakenCell
    from mensura.running.study.plan import Cell, Study
    from mensura.store import Store

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PhaseScores:
    """One phase of all courses of a cell."""

    phase: Phase
    scores: Floats
    """One row per course, one column per session; NaN where a session has no score."""
    knowledge: Floats
    """How much was known as each session began; NaN where nobody noted it."""
    knowledge_by: str = ""

    @property
    def levels(self) -> Floats:
        """The mean score of each course over the sessions of the phase that have one."""
        known = ~np.isnan(self.scores)
        count = known.sum(axis=1)
        total = np.where(known, self.scores, 0.0).sum(axis=1)
        means: Floats = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)
        return means


@dataclass(frozen=True)
class Courses:
    """All courses of a cell, in the order of their numbers: the same number is the same seed in every cell."""

    cell: "Cell"
    phases: Sequence[Phase]
    taken: Mapping[str, PhaseScores]
    """Phase → what was taken of it."""
    statuses: Counter[str] = field(default_factory=Counter)
    """How many sessions ended in which way."""
    missing: Mapping[int, int] = field(default_factory=dict)
    """Course → how many of its sessions have no score."""

    @property
    def subject(self) -> str:
        """Who took them."""
        return self.cell.cast.subjects.get("", "")

    @cached_property
    def training(self) -> list[PhaseScores]:
        """The phases that are built upon, in order."""
        return [self.taken[phase.name] for phase in self.phases if not phase.probes and phase.learn]

    def probes(self, *, frozen: bool) -> list[tuple[int, PhaseScores]]:
        """Return the probes of one way, each with the number of training phases before it."""
        before, found = 0, []
        for phase in self.phases:
            if phase.probes and phase.learn != frozen:
                found.append((before, self.taken[phase.name]))
            before += not phase.probes and phase.learn
        return found

    @property
    def sentence(self) -> str:
        """What is to be said of sessions that failed or have no score; empty where there is nothing."""
        failed = sum(self.statuses[status] for status in FAILED)
        said = []
        if failed:
            how = ", ".join(f"{self.statuses[status]} {status}" for status in FAILED if self.statuses[status])
            said.append(f"{several(failed, 'session')} failed ({how}) and count as the test declares.")
        if self.missing:
            named = ", ".join(f"{course} ({count})" for course, count in self.missing.items())
            said.append(f"Without a score, and counted nowhere: sessions of courses {named}.")
        return " ".join([f"{self.cell.name}:", *said]) if said else ""


def gather(study: "Study", cell: "TakenCell", score: str, *, store: "Store") -> Courses:
    """Gather the courses of a cell from what it has stored; sessions that were excluded have no score."""
    planned = cell.state.cell
    phases = read_phases(study.phases_of(planned), test=planned.test, parameters=planned.parameters)
    shapes = {phase.name: (study.stopping.most, phase.sessions) for phase in phases}
    scores = {name: np.full(shape, np.nan) for name, shape in shapes.items()}
    known = {name: np.full(shape, np.nan) for name, shape in shapes.items()}
    by: dict[str, str] = {}
    statuses: Counter[str] = Counter()
    missing: Counter[int] = Counter()
    named = {phase.name: phase for phase in phases}
    for head in cell.state.runs:
        phase = named[head.details["phase"]]
        for session in store.sessions.of(head.id):
            place = session.address.course, session.address.session - phase.first
            statuses[session.status] += 1
            found = cell.usable.get(session.id)
            value = session_mean(found.values[score]) if found is not None and score in found.values else np.nan
            scores[phase.name][place] = value
            missing[place[0]] += int(np.isnan(value))
        if phase.knowledge:
            by[phase.name] = _weigh(head.id, phase, known[phase.name], store)
    taken = {name: PhaseScores(phase, scores[name], known[name], by.get(name, "")) for name, phase in named.items()}
    return Courses(planned, phases, taken, statuses, {course: count for course, count in missing.items() if count})


def _weigh(run: str, phase: Phase, known: Floats, store: "Store") -> str:
    """Read what sessions noted of the subject's knowledge; returns how it was found."""
    by = ""
    places = {one.id: (one.address.course, one.address.session - phase.first) for one in store.sessions.of(run)}
    for record in store.records.of(run):
        for answer in record.answers:
            if answer.notes and "knowledge" in answer.notes:
                known[places[record.session]] = answer.notes["knowledge"]
                by = answer.notes["knowledge_by"]
                break
    return by
