"""Trial: a test under examination, and sessions of it taken for the purpose."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from mensura.dialogue import Address, Ask, Event, Instance, Limits, Record, Scores, Session, Test, make_record
from mensura.dialogue.streams import KEYED
from mensura.errors import SubjectTimedOut
from mensura.running.driver import drive
from mensura.running.scoring.scoring import score_record
from mensura.store import MemoryJournal
from mensura.subjects import Chance
from mensura.subjects.subject import knows

MakeSubject = Callable[[], Any]


@dataclass(frozen=True)
class Held:
    """A session that was held: its log, the truths apart, and the session at its end."""

    instance: Instance
    session: Session
    events: list[Event]
    truths: dict[str, Any]

    @cached_property
    def record(self) -> Record:
        """The session as scoring reads it."""
        record = make_record(self.events, test=self.instance.test.id, parameters=self.instance.parameters)
        record.status = self.session.status
        return record

    def scores(self) -> Scores:
        """Score the session."""
        return score_record(self.instance.test, self.record, self.truths)


@dataclass
class Trial:
    """A test under examination.

    Parameters
    ----------
    test
        What is examined.
    parameters
        All of its parameters.
    seed
        Of all sessions held; fixed, so that a check found to fail fails again.
    turns
        Answers after which a session counts as endless.
    sessions
        How many sessions a statistical check takes.
    cuts
        At about how many places a log is cut for a resume.
    streams
        How the generators of subjects are derived.
    """

    test: Test
    parameters: Mapping[str, Any]
    seed: int = 0x6D656E73757261
    turns: int = 20_000
    sessions: int = 30
    cuts: int = 25
    streams: str = KEYED
    sittings: dict[int, Any] = field(default_factory=dict, repr=False)
    """Sessions of the chance subject that were held already, by number (`mensura.running.checks.leak.sitting`)."""

    @property
    def chance(self) -> MakeSubject:
        """The chance subject: the test's own where it has one, else random answers from each space."""
        return self.test.subjects.get("chance", Chance)

    @cached_property
    def first(self) -> Held:
        """One session of the chance subject, which several checks look at."""
        return self.hold(self.chance)

    def hold(
        self, make: MakeSubject, *, session: int = 0, test: Test | None = None, limits: Limits | None = None
    ) -> Held:
        """Hold one session with a subject of its own for each role."""
        test = test or self.test
        roles = test.cast_roles(self.parameters)
        makers = {role: test.subjects[test.played[role]] if role in test.played else make for role in roles}
        cast = {role: Patient(maker(), self.turns) for role, maker in makers.items()}
        knowing = frozenset(role for role, member in cast.items() if knows(member))
        instance = Instance(test, self.parameters, self.seed, Address(session=session), self.streams, knowing)
        administered = Session(instance, limits=limits or Limits(turns=self.turns))
        journal = MemoryJournal()
        drive(administered, cast, journal=journal)
        return Held(instance, administered, journal.events, dict(journal.truths))


class Patient:
    """A subject that stops after a number of asks: refusals are not turns, yet must not continue for ever."""

    recomputes = True

    def __init__(self, subject: Any, most: int) -> None:
        self._subject = subject
        self._left = most

    def __call__(self, ask: Ask) -> Any:
        self._left -= 1
        if self._left < 0:
            raise SubjectTimedOut("The test asks without end.")
        return self._subject(ask)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._subject, name)
