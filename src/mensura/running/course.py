"""Course: ordered sessions of one subject in phases, for learning, transfer and forgetting."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from zlib import crc32

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Seed
from mensura.errors import BadParameter, MensuraError, NotInstalled, StoreError
from mensura.running.adaptivity.able import check_able, prove, refuse_unable
from mensura.running.adaptivity.groups import assigned, own_phases
from mensura.running.adaptivity.knowledge import Weighed, snapshot_of
from mensura.running.casting import Casting
from mensura.running.cost.reaching import note_probes, reach_models
from mensura.running.job import Done, Job, instance_of, take_session
from mensura.running.journal import shared_store
from mensura.running.people.desk import attended
from mensura.running.plan import Plan
from mensura.running.results.summary import RunResult, summarise_run
from mensura.running.run import UNFINISHED, RunOptions, as_begun, begin_run, job_of, keep, score_left
from mensura.store.head import RunHead, SessionHead
from mensura.subjects import Subject, SubjectSpec
from mensura.subjects.guard import failure
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store


State = Literal["carry", "fresh", "branch", "group"]
KEPT_TOGETHER = 200
"""Sessions of a course that are written in one transaction; more would take memory that grows with the course."""
FAILED = ("crashed", "timed_out", "invalid")
"""How sessions end by the subject's own doing: an outcome, after which the course goes on where the subject can."""


@dataclass(frozen=True)
class Phase:
    """Some sessions of one test within a course.

    Parameters
    ----------
    name
        Names the phase, and with it its chance: a probe put in between changes nothing in the other phases.
    learn
        Whether the subject may learn; sets its `learning`. One that has no such switch cannot be frozen.
    state
        "carry": keep what was learned so far. "fresh": begin with a new subject. "branch": like carry, but what
        is learned here is forgotten afterwards, so that a probe leaves no trace. "group": a probe of those who have no
        snapshot: each course is assigned at random to one such phase, takes it where it stands and ends with it.
    task
        What is learned or probed, where several phases are of one thing. Phases of a task meet the same instances,
        session by session, in every arm; probes of a task meet others than training does. "": the name.
    first
        The number of the task's first instance: a block that comes later goes on where the last one ended.
    pause
        Seconds that pass before the phase: for a program that has `pause`, which is not kept waiting, and for people,
        who are.
    knowledge
        Whether each session's first answer notes how much the subject knows.
    """

    name: str
    test: str
    sessions: int = 1
    learn: bool = True
    state: State = "carry"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    task: str = ""
    first: int = 0
    pause: float = 0.0
    knowledge: bool = False

    @property
    def probes(self) -> bool:
        """Whether what is learned here is not built upon."""
        return self.state in ("branch", "group")

    @property
    def number(self) -> int:
        """The phase's place in addresses and streams."""
        stream = f"probe {self.task}" if self.task and self.probes else self.task or self.name
        return crc32(stream.encode())

    def described(self) -> dict[str, Any]:
        """Return the phase as it is stored; what phases of earlier releases did not have is there only if it is set."""
        later = {"task": "", "first": 0, "pause": 0.0, "knowledge": False}
        return {name: value for name, value in asdict(self).items() if name not in later or value != later[name]}

    def plan(self, spec: SubjectSpec) -> Plan:
        """Return what the phase's sessions take, with one subject in every role that the test does not play itself."""
        return Plan.of(self.test, spec, parameters=self.parameters)


@dataclass(frozen=True)
class CourseJob:
    """One course to be taken somewhere: its phases, and a job for each of their sessions."""

    session: str
    spec: SubjectSpec
    phases: tuple[Phase, ...]
    jobs: tuple[tuple[Job, ...], ...]
    over: Mapping[str, str] = field(default_factory=dict)
    """Sessions that are stored already, and how they ended; the subject takes them again, to be who it was."""

    def proves(self, phase: Phase) -> bool:
        """Return whether this course proves that snapshots restore and that frozen is frozen, each once."""
        branch = next((one for one in self.phases if one.state == "branch"), None)
        frozen = next((one for one in self.phases if not one.learn), None)
        number = next(job.address.course for jobs in self.jobs for job in jobs)
        # A server that says of itself that it can be branched has to show it, as a program has.
        costly = self.spec.is_costly and not self.spec.name.startswith(("http:", "https:"))
        return phase in (branch, frozen) and number == 0 and not costly

    def at(self, desk: str) -> "CourseJob":
        """Let a person approve, at their desk, of the calls that are made in this course; "" where nobody does."""
        return replace(self, jobs=tuple(tuple(replace(job, desk=desk) for job in phase) for phase in self.jobs))

    def lost(self, words: str, *, status: str = "crashed") -> list[Done]:
        """State that the worker died over this course."""
        return self.left(status, words)

    def left(self, status: str, words: str, *, done: Collection[str] = ()) -> list[Done]:
        """End the sessions that were not taken: without those before them they would measure something else."""
        return [
            Done(job.session, job.address, status, words, lost=True)
            for phase in self.jobs
            for job in phase
            if job.session not in self.over and job.session not in done
        ]


def run_courses(
    phases: Sequence[Phase],
    subject: SubjectSpec | str,
    *,
    store: "Store",
    courses: int = 1,
    seed: int | Seed | None = None,
    options: RunOptions | None = None,
) -> dict[str, RunResult]:
    """Let fresh subjects take a course each; return one run per phase, in the order of the phases."""
    options = options or RunOptions()
    spec = SubjectSpec.of(subject)
    if spec.name == HUMAN:
        check_able(phases, spec, options=options)
        raise BadParameter(
            "A person takes a course page by page, in a study: give it a cast `people: human` and `phases`, then "
            "`mensura study run FILE` and `mensura study invite FILE`."
        )
    reach_models(*(phase.plan(spec) for phase in phases), options=options)
    heads = begin_courses(phases, subject, store=store, courses=courses, seed=seed, options=options)
    return carry_out_courses(phases, heads, spec, store=store, courses=courses, options=options)


def begin_courses(
    phases: Sequence[Phase],
    subject: SubjectSpec | str,
    *,
    store: "Store",
    courses: int = 1,
    seed: int | Seed | None = None,
    options: RunOptions,
) -> list[RunHead]:
    """Write down a run for every phase, with the whole plan, and take no session yet; `resume_courses` does."""
    check_phases(phases)
    spec = SubjectSpec.of(subject)
    chosen = seed if isinstance(seed, Seed) else Seed.choose(seed)
    check_able(phases, spec, options=options)
    return _begin(phases, [], spec, store=store, seed=chosen, courses=courses, options=options)


def check_phases(phases: Sequence[Phase]) -> None:
    """Refuse phases that cannot be told apart."""
    names = [phase.name for phase in phases]
    if len(set(names)) < len(names):
        raise BadParameter(f"Phases of a course need different names; got {', '.join(names)}.")


def resume_courses(run_id: str, *, store: "Store", options: RunOptions | None = None) -> dict[str, RunResult]:
    """Resume courses that were interrupted, named by the run of any of their phases.

    A subject is brought back to who it was by taking the stored sessions of its course again, in memory; one that
    then answers otherwise cannot go on.
    """
    head = store.runs.find(run_id)
    first = head.details["course"] or head.id
    heads = [one for one in store.runs.all() if first in (one.id, one.details.get("course"))]
    phases = [Phase(**described) for described in head.details["phases"]]
    spec = next(iter(Plan.of_run(head).cast.values()))
    courses, seed = head.details["courses"], Seed(head.own_seed(), public=head.seed_public)
    begun = as_begun(head, options)
    heads = _begin(phases, heads, spec, store=store, seed=seed, courses=courses, options=begun)
    return carry_out_courses(phases, heads, spec, store=store, courses=courses, options=begun)


def _begin(
    phases: Sequence[Phase],
    heads: Sequence[RunHead],
    spec: SubjectSpec,
    *,
    store: "Store",
    seed: Seed,
    courses: int,
    options: RunOptions,
) -> list[RunHead]:
    """Write down a run for every phase that has none yet, each with the whole plan of the course."""
    found = {head.details["phase"]: head for head in heads}
    plan = {"phases": [phase.described() for phase in phases], "courses": courses}
    begun: list[RunHead] = []
    for phase in phases:
        head = found.get(phase.name)
        if head is None:
            about = {"course": begun[0].id if begun else "", "phase": phase.name, "learn": phase.learn, **plan}
            named = replace(options, condition=phase.name, details={**options.details, **about})
            head = begin_run(phase.plan(spec), store=store, seed=seed, options=named)
        begun.append(head)
    return begun


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
    over = {
        session.id: session.status
        for head in heads
        for session in store.sessions.of(head.id)
        if session.status not in UNFINISHED
    }
    work = []
    by_session: dict[str, RunHead] = {}
    groups = assigned([phase.name for phase in phases if phase.state == "group"], courses, seed=heads[0].own_seed())
    for course in range(courses):
        own = own_phases(phases, groups[course])
        by_name = dict(zip((phase.name for phase in phases), heads, strict=True))
        taken = [(phase, by_name[phase.name]) for phase in own]
        jobs = tuple(
            tuple(
                job_of(head, Address(course, phase.number, number), plan=phase.plan(spec), store=store, options=options)
                for number in range(phase.first, phase.first + phase.sessions)
            )
            for phase, head in taken
        )
        for group, (_, head) in zip(jobs, taken, strict=True):
            by_session |= {job.session: head for job in group}
            store.sessions.add_many(
                SessionHead(job.session, head.id, job.address, head.cast, created=time.time()) for job in group
            )
        sessions = [job.session for group in jobs for job in group]
        known = {session: over[session] for session in sessions if session in over}
        if len(known) < len(sessions):
            work.append(CourseJob(sessions[0], spec, tuple(own), jobs, known))
    if work:
        plans = [phase.plan(spec) for phase in phases]
        reach_models(*plans, options=options)
        note_probes(work[0].jobs[0][0].session, plans[0], options, store=store)
    with attended(heads[0], {"subject": spec}, show=options.show_desk, store=store, others=heads[1:]) as desk:
        for results in options.on.map(do_course, [course.at(desk) for course in work]):
            # Many at a time: a transaction for each session costs as much as the session.
            for begin in range(0, len(results), KEPT_TOGETHER):
                some = results[begin : begin + KEPT_TOGETHER]
                keep(some, [by_session[done.session] for done in some], store=store)
                for done in some:
                    options.progress(done)
    for phase, head in zip(phases, heads, strict=True):
        score_left(head, find_test(phase.test), store=store)
        store.runs.open(head.id)
    return {phase.name: summarise_run(head, store=store) for phase, head in zip(phases, heads, strict=True)}


def do_course(course: CourseJob) -> list[Done]:
    """Take the sessions of a course in order, carrying the subject's state as the phases say.

    A session that the subject fails is an outcome, and the course goes on. Where it cannot, because the subject is gone
    or the failure was not its own, the sessions after it are not taken, and say so.
    """
    results: list[Done] = []
    made: list[Casting] = []
    try:
        for done in _sessions(course, made):
            results.append(done)
            if done.interrupted:
                raise KeyboardInterrupt
    except (BadParameter, NotInstalled, StoreError):
        raise
    except _Ended as ended:
        results += course.left(ended.status, str(ended), done={done.session for done in results})
    except MensuraError as error:
        status = getattr(error, "status", "crashed")
        results += course.left(status, str(error), done={done.session for done in results})
    finally:
        for casting in made:
            casting.let_go()
    return results


class _Ended(MensuraError):
    """The course cannot go on."""

    def __init__(self, status: str, words: str) -> None:
        super().__init__(words)
        self.status = status


def _sessions(course: CourseJob, made: list[Casting]) -> Iterator[Done]:
    """Take the sessions one after the other; those that are stored already give no result."""
    minds: list[Any] = []
    first: dict[int, Any] = {}
    for phase, jobs in zip(course.phases, course.jobs, strict=True):
        if not jobs:
            continue
        mine = [role for role, spec in jobs[0].cast.items() if spec == course.spec]
        # What was learned goes with the place, whatever its role is called.
        learned = {} if phase.state == "fresh" else dict(zip(mine, minds, strict=False))
        made.append(Casting.of(jobs[0], find_test(phase.test), learned))
        cast = made[-1].fill()
        minds = [*(cast[role] for role in mine), *minds[len(mine) :]]
        distinct: list[Any] = list({id(cast[role]): cast[role] for role in mine}.values())
        for mind in distinct:
            refuse_unable(mind, phase)
        with _theirs("giving its snapshot"):
            if any(one.knowledge for one in course.phases):
                first |= {id(mind): snapshot_of(mind) for mind in distinct if id(mind) not in first}
        with _theirs("pausing"):
            for mind in distinct:
                if phase.pause and hasattr(mind, "pause"):
                    mind.pause(phase.pause)
        with _theirs("giving its snapshot"):
            before = [mind.snapshot() for mind in distinct] if phase.state == "branch" else []
        with _theirs("switching its learning"):
            for mind in distinct:
                # A program that is not frozen here need not say whether it can be.
                if not (phase.learn and getattr(mind, "unasked", False)) and hasattr(mind, "learning"):
                    mind.learning = phase.learn
        if phase.knowledge:
            weighed = {id(mind): Weighed(mind, first=first[id(mind)]) for mind in distinct}
            cast = {role: weighed.get(id(mind), mind) for role, mind in cast.items()}
        if course.proves(phase):
            prove(phase, jobs, cast, partial(_restore, distinct, before))
        ended = _ended(jobs)
        for job in jobs:
            status = course.over.get(job.session) or ended.get(job.session)
            if status:
                _again(job, cast, ended=status)
            else:
                done = take_session(job, instance_of(job), cast)
                yield done
                status = done.status
            gone = status != "finished" and any(getattr(mind, "gone", False) for mind in distinct)
            if gone or status not in ("finished", *FAILED):
                raise _Ended(status, f"Not taken: {job.session} before it ended as {status}.")
        _restore(distinct, before)


def _restore(minds: Sequence[Any], states: Sequence[Any]) -> None:
    with _theirs("restoring what it knew"):
        for mind, state in zip(minds, states, strict=False):
            mind.restore(state)


@contextmanager
def _theirs(doing: str) -> Iterator[None]:
    """Make whatever is raised inside the subject's failure."""
    try:
        yield
    except (Exception, SystemExit) as error:
        raise failure(error, doing=doing) from error


def _ended(jobs: Sequence[Job]) -> dict[str, str]:
    """Return how a worker that died meanwhile had ended those of these sessions that it had."""
    url = jobs[0].store
    if url is None:
        return {}
    sessions, found = shared_store(url, jobs[0].key).sessions, dict[str, str]()
    for begin in range(0, len(jobs), 500):
        found |= sessions.standing([job.session for job in jobs[begin : begin + 500]])
    return {session: status for session, status in found.items() if status not in UNFINISHED}


def _again(job: Job, cast: Mapping[str, Subject], *, ended: str) -> None:
    """Take a stored session again in memory; a subject that answers otherwise is not the one that was stored."""
    done = take_session(replace(job, store=None), instance_of(job), cast)
    if done.interrupted:
        raise KeyboardInterrupt
    if job.store is None or job.trace == "none":
        return
    stored = [
        event.value for event in shared_store(job.store, job.key).events.of(job.session) if event.kind == "answer"
    ]
    answers = [event.value for event in done.events if event.kind == "answer"]
    if stored != answers or (done.status in ("finished", *FAILED) and done.status != ended):
        words = f"Not taken: taking {job.session} again to go on, the subject answered differently than before."
        raise _Ended("crashed", words)
