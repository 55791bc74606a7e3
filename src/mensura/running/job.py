"""Job: one session to be taken somewhere; picklable, so that any worker can take it."""

import inspect
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.catalog.find import find_test
from mensura.dialogue import (
    Address,
    Ask,
    Event,
    Instance,
    Limits,
    Record,
    Scores,
    Session,
    Test,
    Trace,
    generator,
    make_record,
    replay,
)
from mensura.dialogue.canonical import short_hash
from mensura.dialogue.record import INSTANCES
from mensura.dialogue.streams import KEYED
from mensura.errors import BadParameter, BrokenTest, MensuraError, NotInstalled, StoreError, SubjectFailed, raised
from mensura.running.casting import Casting
from mensura.running.driver import Exchange, drive, drive_beside, recall
from mensura.running.journal import Stored, shared_store
from mensura.running.scoring.scoring import score_record
from mensura.store import MemoryJournal
from mensura.subjects import Subject, SubjectSpec
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.sandbox.confinement import Confinement


@dataclass(frozen=True)
class Job:
    """All that a worker needs to take one session, or to resume it."""

    session: str
    test: str | Test
    parameters: Mapping[str, Any]
    cast: Mapping[str, SubjectSpec]
    seed: int
    address: Address
    trace: Trace = "full"
    batch: bool = False
    """Take the session as arrays where test and subject have that form."""
    limits: Limits = field(default_factory=Limits)
    streams: str = KEYED
    """How the generators of subjects are derived: a run goes on as it began."""
    knowing: frozenset[str] = frozenset()
    """The roles whose subject is declared to know the truth."""
    confinement: Confinement = field(default_factory=Confinement)
    """The files and networks that programs and files may reach."""
    spending: Spending = field(default_factory=Spending)
    """How models are paid."""
    store: str | None = None
    """URL of a store that the worker can reach; None: events travel back with the result."""
    desk: str = ""
    """The session in which a person approves of calls of tools; "" where nobody does."""
    key: bytes | None = field(default=None, repr=False)
    """The store's key: a worker may be on another machine."""

    def lost(self, words: str, *, status: str = "crashed") -> "Done":
        """State that the worker died over this job."""
        return Done(self.session, self.address, status, words, lost=True)


@dataclass
class Done:
    """The result of a job."""

    session: str
    address: Address
    status: str
    last_words: str = ""
    answers: int = 0
    scores: Scores | None = None
    events: list[Event] = field(default_factory=list)
    truths: dict[str, Any] = field(default_factory=dict)
    lost: bool = False
    """Nobody knows how far it came: only the store can say."""
    interrupted: bool = False
    """Ctrl-C stopped it: no other is to be begun."""
    in_vain: dict[str, Any] = field(default_factory=dict)
    """The notes for an answer that never came, of a session that was lost."""


@dataclass(frozen=True)
class Driving:
    """A session that is ready to be driven."""

    session: Session
    cast: Mapping[str, Subject]
    journal: MemoryJournal
    past: list[Exchange]

    def drive(self) -> None:
        """Drive it until it ends."""
        drive(self.session, self.cast, journal=self.journal, past=self.past)

    async def drive_beside(self) -> None:
        """Drive it beside others."""
        try:
            await drive_beside(self.session, self.cast, journal=self.journal, past=self.past)
        finally:
            await self.journal.settled()


Doing = Generator[Driving, None, Done]
"""Yields a session once it is ready to be driven; what is raised while it is driven is thrown in."""


class _Work(AbstractContextManager["_Work"]):
    """What is done for a job: `driving` is to be driven within it; where nothing is, `done` is known already."""

    def __init__(self, doing: Doing) -> None:
        self._doing = doing
        self.driving: Driving | None = None
        self._go_on(lambda: next(doing))

    def _go_on(self, move: Callable[[], Driving]) -> None:
        try:
            self.driving = move()
        except StopIteration as stopped:
            self.done: Done = stopped.value

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self._go_on(lambda: next(self._doing) if error is None else self._doing.throw(error))
        return True


def do(job: Job) -> Done:
    """Take the session of a job, from where the store has it, and score it."""
    return _driven(_doing(job))


def take_session(job: Job, instance: Instance, cast: Mapping[str, Subject]) -> Done:
    """Drive the dialogue of a job with subjects that are there already."""
    return _driven(_taking(job, instance, cast))


async def do_beside(job: Job) -> Done:
    """Take the session of a job beside many others; its subjects have the coroutine `answer`."""
    work = _Work(_doing(job, beside=True))
    if work.driving is not None:
        with work:
            await work.driving.drive_beside()
    return work.done


def _driven(doing: Doing) -> Done:
    work = _Work(doing)
    if work.driving is not None:
        with work:
            work.driving.drive()
    return work.done


def _doing(job: Job, *, beside: bool = False) -> Doing:
    instance = instance_of(job)
    casting = Casting.of(job, instance.test)
    done: Done | None = None
    try:
        try:
            cast = casting.fill()
        except SubjectFailed as failure:
            # What it would have been asked is still counted.
            unmade = dict.fromkeys(job.cast, _Unmade(failure))
            return (yield from _taking(job, instance, unmade, beside=beside))
        done = _in_batch(job, instance, cast) or (yield from _taking(job, instance, cast, beside=beside))
        return done
    except (BadParameter, NotInstalled, StoreError):
        # Not the subject's doing, and the same in every session: it ends the run with its sentence, to be resumed.
        raise
    except MensuraError as error:
        return Done(job.session, job.address, getattr(error, "status", "crashed"), str(error))
    finally:
        casting.let_go(again=done is not None and done.status == "finished")


class _Unmade:
    """Stands in for a subject that failed before it could be asked anything."""

    def __init__(self, failure: SubjectFailed) -> None:
        self._failure = failure

    def __call__(self, ask: Ask) -> Any:
        raise self._failure

    async def answer(self, ask: Ask) -> Any:
        """Fail, beside others too."""
        raise self._failure


def _with_the_rest(
    record: Record, session: Session, instance: Instance, journal: MemoryJournal, job: Job
) -> tuple[Record, dict[str, Any]]:
    """Add to the record of a session that was lost what it would still have been asked, so that it can be counted.

    A copy of the session is led to its end without a subject; the session itself stays where it can resume.
    """
    if session.status != "lost":
        return record, journal.truths
    copy = replay(instance, journal.events, trace="full", limits=job.limits, from_save=False)
    copy.fail("lost")
    events, truths = [*journal.events, *copy.drain()], {**journal.truths, **copy.drain_truths()}
    head = {name: getattr(record, name) for name in ("test", "parameters", "cast", "session", "item")}
    return make_record(events, **head), truths


def _in_batch(job: Job, instance: Instance, cast: Mapping[str, Subject]) -> Done | None:
    if instance.test.batch is None or not job.batch:
        return None
    members = {id(member): member for member in cast.values()}
    subject = next(iter(members.values())) if len(members) == 1 else cast
    try:
        scores = play(instance, generator(job.seed, job.address), subject)
    except MensuraError:
        raise
    except Exception as error:
        words = f"The batch form of {instance.test.id} {raised(error)}"
        return Done(job.session, job.address, "broken", words)
    if scores is None:
        return None
    for listed in scores.details.get(INSTANCES, ()):
        # A form does not know which session it plays.
        listed["instance"] = listed["instance"] or job.session
    scores.instance = _stands_for(job, instance)
    # A form that is stopped by Ctrl-C says that it was lost, and gives the scores of what was played by then.
    return Done(job.session, job.address, scores.status, scores=scores, interrupted=scores.status == "lost")


def play(instance: Instance, rng: np.random.Generator, subject: Any) -> Scores | None:
    """Take a test in its batch form; None where it has none for this subject.

    A form that takes `chance` is handed what makes the generator of each role, so that it can draw what the plain form
    would draw.
    """
    form = instance.test.batch
    assert form is not None
    takes_chance = "chance" in inspect.signature(form).parameters
    chance: dict[str, Any] = {"chance": instance.chance_of} if takes_chance else {}
    scores: Scores | None = form(rng, subject, **chance, **instance.parameters)
    return scores


def _stands_for(job: Job, instance: Instance) -> str:
    """Hash the stream of a session: nothing was kept of what it asked whose content could be hashed."""
    return short_hash([instance.hash, short_hash([job.seed, *job.address])])


def instance_of(job: Job) -> Instance:
    """Find the test of a job and describe the administration."""
    test = find_test(job.test)
    return Instance(test, job.parameters, job.seed, job.address, job.streams, job.knowing)


def _taking(job: Job, instance: Instance, cast: Mapping[str, Subject], *, beside: bool = False) -> Doing:
    """Have the dialogue of a job driven, and score it."""
    stored = job.store is not None and job.trace != "none"
    durable = any(spec.is_costly for spec in job.cast.values())
    opened = shared_store(str(job.store), job.key) if stored else None
    journal = MemoryJournal() if opened is None else Stored(opened, job.session, durable=durable, beside=beside)
    # Most scoring needs the answers even where nothing is to be stored.
    kept = job.trace != "none" or instance.test.scored_by == "record"
    trace: Trace = "summary" if kept and job.trace == "none" else job.trace
    words, interrupted = "", False
    past: list[Exchange] = []
    if journal.events:
        if opened is not None and durable:
            opened.sessions.reopen(job.session)
        session, past = recall(instance, journal.events, cast, trace=trace, limits=job.limits)
    else:
        session = Session(instance, trace=trace, limits=job.limits)
        if job.trace == "none":
            # Nothing is stored that a replay could be compared with.
            session.log.digest = None
    try:
        yield Driving(session, cast, journal, past)
    except BrokenTest as error:
        # The run goes on and says whose fault it was.
        words = str(error)
    except KeyboardInterrupt:
        # What was answered is scored; the session can resume.
        session.interrupt("Stopped by Ctrl-C.")
        interrupted = True
    names = {role: spec.name for role, spec in job.cast.items()}
    record = make_record(
        journal.events,
        test=instance.test.id,
        parameters=job.parameters,
        cast=names,
        session=job.session,
        item=job.address.item,
    )
    record.status, record.last_words = session.status, session.last_words
    scores = None
    try:
        scores = score_record(instance.test, *_with_the_rest(record, session, instance, journal, job))
        if not kept:
            scores.instance = _stands_for(job, instance)
    except BrokenTest as error:
        # What was answered is kept, and can be scored when the scoring is mended.
        words = words or str(error)
    return Done(
        job.session,
        job.address,
        session.status,
        words or session.last_words,
        session.turns,
        scores,
        [] if stored or job.trace == "none" else journal.events,
        {} if stored or job.trace == "none" else journal.truths,
        interrupted=interrupted,
        in_vain=session.in_vain,
    )
