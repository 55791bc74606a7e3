"""Gathering: the scores of courses as arrays, phase by phase, with what is missing and how sessions failed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.find import find_test
from mensura.dialogue.record import session_mean
from mensura.running.adaptivity.groups import ARMS, HOW, PEOPLE
from mensura.running.adaptivity.phases import cell_phases
from mensura.running.course import FAILED, Phase
from mensura.stats.adaptivity import PARTS
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
    parts: Mapping[str, Floats] = field(default_factory=dict)
    """The four numbers of understanding, where the test of the phase gives them, each as `scores` are."""
    spent: Mapping[str, Floats] = field(default_factory=dict)
    """The total cost of each session, by the scores that the test names for it."""
    measured: bool = True
    """Whether the test of the phase gives the score that levels are measured by."""

    @property
    def task(self) -> str:
        """Return the task that is learned or probed."""
        return self.phase.task or self.phase.name

    @property
    def levels(self) -> Floats:
        """The mean score of each course over the sessions of the phase that have one."""
        return course_means(self.scores)


def course_means(scores: Floats) -> Floats:
    """Return the mean of each row over what is known of it; NaN where nothing is."""
    known = ~np.isnan(scores)
    count = known.sum(axis=1)
    total = np.where(known, scores, 0.0).sum(axis=1)
    means: Floats = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)
    return means


class Probe(NamedTuple):
    """A probe, and where in its courses it stands."""

    at: int
    """How many training phases lie before it."""
    sessions: int
    """How many sessions of training these are."""
    paused: float
    """Seconds that had passed since the training before it."""
    taken: PhaseScores


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
        """Return the subject that took them."""
        return self.cell.cast.subjects.get("", "")

    @cached_property
    def training(self) -> list[PhaseScores]:
        """The phases that are built upon, in order."""
        return [self.taken[phase.name] for phase in self.phases if not phase.probes and phase.learn]

    def probes(self, *, frozen: bool) -> list[tuple[int, PhaseScores]]:
        """Return the probes of one way, each with the number of training phases before it.

        Of a task that was probed again after a pause only the first probe is among them; `placed` has all.
        """
        found: dict[tuple[int, str], PhaseScores] = {}
        for one in self.placed(frozen=frozen):
            if one.taken.measured and (not one.paused or (one.at, one.taken.task) not in found):
                found[one.at, one.taken.task] = one.taken
        return [(at, taken) for (at, _), taken in found.items()]

    def placed(self, *, frozen: bool) -> list[Probe]:
        """Return all probes of one way, each with its place."""
        at, sessions, paused = 0, 0, 0.0
        found = []
        for phase in self.phases:
            paused += phase.pause
            if phase.probes and phase.learn != frozen:
                found.append(Probe(at, sessions, paused, self.taken[phase.name]))
            if not phase.probes and phase.learn:
                at, sessions, paused = at + 1, sessions + phase.sessions, 0.0
        return found

    @property
    def grouped(self) -> bool:
        """Return whether each course took one of the probes only, to which it was assigned at random."""
        return any(phase.state == "group" for phase in self.phases)

    @property
    def apart(self) -> str:
        """Return why courses of this and another arm are not pairs; empty where they are, by their seeds."""
        people = self.cell.cast.people or self.cell.cast.simulated
        if self.grouped:
            return PEOPLE if people else HOW
        return ARMS if people else ""

    @property
    def sentence(self) -> str:
        """Return notes on sessions that failed or have no score; empty where there are none."""
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
    phases = cell_phases(study, planned)
    named = {phase.name: phase for phase in phases}
    rows = _courses_of(study, cell, store)
    gives = {phase.name: _given(phase, score) for phase in phases}
    held = {
        name: {part: np.full((rows, phase.sessions), np.nan) for part in (score, *gives[name].parts)}
        for name, phase in named.items()
    }
    spent = {
        name: {part: np.full((rows, phase.sessions), np.nan) for part in gives[name].spent}
        for name, phase in named.items()
    }
    known = {name: np.full((rows, phase.sessions), np.nan) for name, phase in named.items()}
    by: dict[str, str] = {}
    statuses: Counter[str] = Counter()
    missing: Counter[int] = Counter()
    for head in cell.state.runs:
        phase = named[head.details["phase"]]
        for session in store.sessions.of(head.id):
            place = session.address.course, session.address.session - phase.first
            statuses[session.status] += 1
            found = cell.usable.get(session.id)
            for part, values in held[phase.name].items():
                if found is not None and part in found.values:
                    values[place] = session_mean(found.values[part])
            for part, values in spent[phase.name].items():
                if found is not None and part in found.values:
                    given: Any = found.values[part]
                    values[place] = np.sum(getattr(given, "values", given))
            missing[place[0]] += int(gives[phase.name].score and np.isnan(held[phase.name][score][place]))
        if phase.knowledge:
            by[phase.name] = _weigh(head.id, phase, known[phase.name], store)
    taken = {}
    for name, phase in named.items():
        parts = {part: held[name][part] for part in gives[name].parts}
        taken[name] = PhaseScores(
            phase, held[name][score], known[name], by.get(name, ""), parts, spent[name], measured=gives[name].score
        )
    return Courses(planned, phases, taken, statuses, {course: count for course, count in missing.items() if count})


class _Given(NamedTuple):
    score: bool
    parts: tuple[str, ...]
    spent: tuple[str, ...]


def _given(phase: Phase, score: str) -> _Given:
    """Return whether the test of a phase gives the score, which numbers of understanding, and what it says is spent."""
    test = find_test(phase.test)
    declared = test.declared_scores(test.fill(phase.parameters))
    spent = test.tasks.spent if test.tasks is not None else ()
    return _Given(not declared or score in declared, PARTS if set(PARTS) <= set(declared) else (), spent)


def _courses_of(study: "Study", cell: "TakenCell", store: "Store") -> int:
    """Return how many courses there are: as many as planned, and more where people who left were replaced."""
    begun = [one.address.course for head in cell.state.runs for one in store.sessions.of(head.id)]
    return max([study.stopping.most, *(course + 1 for course in begun)])


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
