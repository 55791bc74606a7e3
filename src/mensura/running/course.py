"""Course: ordered sessions of one subject in phases, for learning, transfer and forgetting."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Seed
from mensura.errors import BadParameter
from mensura.running.job import Done, Job, instance_of, take_session
from mensura.running.journal import shared_store
from mensura.running.run import Plan, RunOptions, RunResult, begin_run, job_of, keep, summarise_run
from mensura.store.head import RunHead, SessionHead
from mensura.subjects import Subject, SubjectSpec

if TYPE_CHECKING:
    from mensura.store import Store


@dataclass(frozen=True)
class Phase:
    """Some sessions of one test within a course.

    Parameters
    ----------
    name
        Names the phase, and with it its chance: a probe put in between changes nothing in the other phases.
    learn
        Whether the subject may learn; sets its `learning`.
    state
        "carry": go on with what was learned so far. "fresh": begin with a new subject. "branch": like carry, but what
        is learned here is forgotten afterwards, so that a probe leaves no trace.
    """

    name: str
    test: str
    sessions: int = 1
    learn: bool = True
    state: Literal["carry", "fresh", "branch"] = "carry"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The phase's place in addresses and streams."""
        return crc32(self.name.encode())

    def plan(self, spec: SubjectSpec) -> Plan:
        """Say what the phase's sessions take, with one subject in every role."""
        test = find_test(self.test)
        values = test.fill(self.parameters)
        return Plan(self.test, dict.fromkeys(test.cast_roles(values), spec), values)


@dataclass(frozen=True)
class CourseJob:
    """One course to be taken somewhere: its phases, and a job for each of their sessions."""

    session: str
    spec: SubjectSpec
    phases: tuple[Phase, ...]
    jobs: tuple[tuple[Job, ...], ...]
    over: frozenset[str] = frozenset()
    """Sessions that are stored already; the subject takes them again, to be who it was."""

    def lost(self, words: str) -> list[Done]:
        """Say that the worker died over this course."""
        return [job.lost(words) for phase in self.jobs for job in phase if job.session not in self.over]


def run_courses(
    phases: Sequence[Phase],
    subject: SubjectSpec | str,
    *,
    store: "Store",
    courses: int = 1,
    seed: int | Seed | None = None,
    options: RunOptions | None = None,
) -> dict[str, RunResult]:
    """Let fresh subjects take a course each; gives one run per phase, in the order of the phases."""
    options = options or RunOptions()
    names = [phase.name for phase in phases]
    if len(set(names)) < len(names):
        raise BadParameter(f"Phases of a course need different names; got {', '.join(names)}.")
    spec = SubjectSpec.of(subject)
    chosen = seed if isinstance(seed, Seed) else Seed.choose(seed)
    heads: list[RunHead] = []
    for phase in phases:
        details = {"course": heads[0].id if heads else "", "phase": phase.name, "learn": phase.learn}
        named = replace(options, condition=phase.name, details={**options.details, **details})
        plan = phase.plan(spec)
        heads.append(begin_run(plan, store=store, seed=chosen, options=named))
    return carry_out_courses(phases, heads, spec, store=store, courses=courses, options=options)


def carry_out_courses(
    phases: Sequence[Phase],
    heads: Sequence[RunHead],
    spec: SubjectSpec,
    *,
    store: "Store",
    courses: int,
    options: RunOptions,
) -> dict[str, RunResult]:
    """Take the courses that are not yet over."""
    over = {session.id for head in heads for session in store.sessions(head.id) if session.status != "open"}
    work = []
    by_session: dict[str, RunHead] = {}
    for course in range(courses):
        jobs = tuple(
            tuple(
                job_of(head, Address(course, phase.number, number), plan=phase.plan(spec), store=store, options=options)
                for number in range(phase.sessions)
            )
            for phase, head in zip(phases, heads, strict=True)
        )
        for group, head in zip(jobs, heads, strict=True):
            by_session |= {job.session: head for job in group}
            store.create_sessions(
                SessionHead(job.session, head.id, job.address, head.cast, created=time.time()) for job in group
            )
        if any(job.session not in over for group in jobs for job in group):
            work.append(CourseJob(jobs[0][0].session, spec, tuple(phases), jobs, frozenset(over)))
    for results in options.on.map(do_course, work):
        for done in results:
            keep(done, by_session[done.session], store=store)
            options.progress(done)
    return {phase.name: summarise_run(head, store=store) for phase, head in zip(phases, heads, strict=True)}


def do_course(course: CourseJob) -> list[Done]:
    """Take the sessions of a course in order, carrying the subject's state as the phases say."""
    results: list[Done] = []
    subject: Any = None
    for phase, jobs in zip(course.phases, course.jobs, strict=True):
        test = find_test(phase.test)
        if subject is None or phase.state == "fresh":
            subject = course.spec.make(test)
        before = _snapshot(subject, phase) if phase.state == "branch" else None
        if hasattr(subject, "learning"):
            subject.learning = phase.learn
        for job in jobs:
            done = _again(job, subject) if job.session in course.over else _once(job, subject)
            if done is not None:
                results.append(done)
                if done.status != "finished":
                    return results
        if phase.state == "branch":
            subject.restore(before)
    return results


def _once(job: Job, subject: Subject) -> Done:
    instance = instance_of(job)
    return take_session(job, instance, dict.fromkeys(instance.roles, subject))


def _again(job: Job, subject: Subject) -> Done | None:
    """Take a stored session again in memory; a subject that answers otherwise is not the one that was stored."""
    instance = instance_of(job)
    done = take_session(replace(job, store=None), instance, dict.fromkeys(instance.roles, subject))
    if job.store is None:
        return None
    stored = [event.value for event in shared_store(job.store).events(job.session) if event.kind == "answer"]
    if stored != [event.value for event in done.events if event.kind == "answer"]:
        words = "The course cannot go on: taken again, the subject answered otherwise than it had before."
        return Done(job.session, job.address, "crashed", words)
    return None


def _snapshot(subject: Any, phase: Phase) -> Any:
    if not (hasattr(subject, "snapshot") and hasattr(subject, "restore")):
        raise BadParameter(f"The phase {phase.name} branches, but the subject has no snapshot and restore.")
    return subject.snapshot()
