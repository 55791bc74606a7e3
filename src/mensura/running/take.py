"""Take: drive one session between a test and its subjects."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.dialogue import (
    Abstained,
    Address,
    Ask,
    Event,
    Instance,
    Limits,
    Noted,
    Record,
    Refused,
    Session,
    Test,
    Trace,
    Wait,
    make_record,
    replay,
)
from mensura.errors import Invalid, Late, SubjectFailed, SubjectLost, SubjectTimedOut
from mensura.store import Journal, MemoryJournal
from mensura.subjects.guard import Guard, failure, guarded
from mensura.subjects.subject import Subject, begin, end, feedback, knows, name_of, remember, rest

Exchange = tuple[str, Ask, Any]
"""A role, what it was asked and what it answered."""


@dataclass(frozen=True)
class Taken:
    """What taking a test leaves in memory: the record, and the truths apart from it."""

    record: Record
    truths: Mapping[str, Any]
    session: Session


def take(
    test: Test,
    subject: Subject | Mapping[str, Subject],
    *,
    seed: int,
    parameters: Mapping[str, Any] | None = None,
    address: Address = Address(),
    trace: Trace = "full",
    limits: Limits = Limits(),
) -> Taken:
    """Let a subject, or a cast of them by role, take a test once, in memory.

    Examples
    --------
    >>> from mensura.dialogue import Ask, Probability, test
    >>> @test("even-v1")
    ... def even(rng):
    ...     yield Ask("A fair coin: probability of heads?", Probability(), key="heads")
    >>> take(even, lambda ask: 0.5, seed=1).record.given()
    {'heads': 0.5}
    """
    values = test.fill(parameters)
    cast = _cast(test, subject, values)
    knowing = frozenset(role for role, member in cast.items() if knows(member))
    instance = Instance(test, values, seed, address, knowing=knowing)
    session = Session(instance, trace=trace, limits=limits)
    journal = MemoryJournal()
    drive(session, cast, journal=journal)
    record = make_record(
        journal.events,
        test=test.id,
        parameters=instance.parameters,
        cast={role: name_of(member) for role, member in cast.items()},
    )
    record.status = session.status
    return Taken(record, journal.truths, session)


def _cast(test: Test, subject: Subject | Mapping[str, Subject], parameters: Mapping[str, Any]) -> dict[str, Subject]:
    complete = test.complete_cast(subject, parameters)
    return {role: test.subjects[who]() if isinstance(who, str) else who for role, who in complete.items()}


def recall(
    instance: Instance,
    events: Sequence[Event],
    cast: Mapping[str, Subject],
    *,
    trace: Trace = "full",
    limits: Limits = Limits(),
) -> tuple[Session, list[Exchange]]:
    """Bring a session back to where its log ends, with the answers of the past for subjects that remember."""
    past: list[Exchange] = []
    # Only for subjects that want it: a long session has many answers.
    listening = any(hasattr(member, "remember") for member in cast.values())
    witness = (lambda role, ask, value: past.append((role, ask, value))) if listening else None
    # Whoever remembers must hear all of it, also what lies before the last save.
    session = replay(instance, events, trace=trace, limits=limits, from_save=not listening, witness=witness)
    return session, past


def drive(session: Session, cast: Mapping[str, Subject], *, journal: Journal, past: Sequence[Exchange] = ()) -> None:
    """Carry asks to subjects and answers to the session until it ends; the session says how it ended.

    Subjects of a session that was interrupted are reminded of their answers in the past.

    Answers are committed before the next ask is shown. Only where every subject `recomputes` (the same seed gives the
    same answers again) is the log committed once at the end, since nothing can be lost that cannot be had again.
    """
    members = {id(member): member for member in cast.values()}.values()
    each = not all(getattr(member, "recomputes", False) for member in members)
    try:
        with guarded(session.limits.answer_seconds) as guard:
            for role, member in cast.items():
                guard.tick()
                _call(begin, member, session.instance.chance_of(role), doing="beginning")
            for role, ask, value in past:
                guard.tick()
                _call(remember, cast[role], (ask, value), doing="remembering")
            session.start()
            _Driver(session, cast, journal, each).run(guard)
    except SubjectLost as lost:
        session.interrupt(f"{lost} {lost.last_words}".strip())
    except SubjectFailed as failure:
        # Whoever plays several roles fails in all of them.
        roles = [role for role, member in cast.items() if member is cast.get(failure.role)]
        words = f"{failure} {failure.last_words}".strip()
        session.fail(failure.status, last_words=words, roles=roles)  # type: ignore[arg-type]
    finally:
        _commit(session, journal)
    for member in members:
        try:
            _call(end, member, session.outcome, doing="ending")
        except SubjectFailed:
            # The session is over and stored; what a subject does afterwards changes nothing.
            continue


@dataclass(frozen=True)
class Underway:
    """An act in a round: to which key, when it is done, when its ask lapses, and what it is."""

    key: str
    due: int
    until: int | None
    reply: Any
    notes: dict[str, Any] | None


class _Driver:
    """The loop that drives one session; apart from `drive` so that each step is small."""

    def __init__(self, session: Session, cast: Mapping[str, Subject], journal: Journal, each: bool) -> None:
        self.session = session
        self.cast = cast
        self.journal = journal
        self.each = each and session.log.writing
        self.timed = session.instance.test.takes("clock")
        self.price = session.instance.test.timing.price
        self.limits = session.limits
        self.under_way: dict[str, Underway] = {}
        """Role → an act of a round that was over before the act was done."""

    def run(self, guard: Guard) -> None:
        """Drive until the session is over."""
        session = self.session
        opened = session.open
        deadline = None
        if self.limits.session_seconds is not None:
            deadline = time.monotonic() + self.limits.session_seconds
        while session.status == "open":
            if self.each:
                _commit(session, self.journal)
            if deadline is not None and time.monotonic() > deadline:
                raise SubjectTimedOut(f"The session took longer than {self.limits.session_seconds:g} s.")
            if session.paused is not None:
                self._rest(guard)
                continue
            if session.told:
                self._tell()
            if len(opened) == 1 and not (self.under_way and opened.keys() & self.under_way.keys()):
                role, ask = next(iter(opened.items()))
                guard.tick()
                self._give(role, session.asked[role], *self._reply(role, ask))
            else:
                self._round(guard)

    def _reply(self, role: str, ask: Ask) -> tuple[Any, dict[str, Any] | None]:
        """Ask a subject; gives its reply and its notes."""
        try:
            reply = self.cast[role](ask)
        except (Exception, SystemExit) as error:
            failed = failure(error)
            failed.role = role
            raise failed from error
        return (reply.value, reply.notes) if type(reply) is Noted else (reply, None)

    def _give(self, role: str, number: int, reply: Any, notes: dict[str, Any] | None, due: int | None = None) -> None:
        """Hand one reply to the session; an invalid one is told to the subject, who is then asked again.

        The number of the ask goes with it: a reply that comes after its deadline must not land on the next ask.
        """
        session = self.session
        kind = type(reply)
        tick = None
        if self.timed and kind is not Wait:
            tick = session.clock.now + self._ticks(reply) if due is None else due
        try:
            if isinstance(reply, Refused):
                abstains = isinstance(reply, Abstained)
                session.refuse(reply.reason, role=role, number=number, tick=tick, notes=notes, abstains=abstains)
            elif kind is Wait:
                self._wait(role)
            else:
                session.answer(reply, role=role, number=number, tick=tick, notes=notes)
        except Invalid as wrong:
            if session.status == "open":
                told = Ask(f"That answer was not valid: {wrong}", role=role)
                _call(feedback, self.cast[role], told, doing="listening")
        except Late:
            # The clock passed the deadline while the subject worked: the ask has lapsed, the test has gone on.
            return

    def _ticks(self, reply: Any) -> int:
        """Say what a reply costs; one that the price cannot read is about to be refused, and costs one tick."""
        if isinstance(reply, Refused):
            return 1
        try:
            return self.price(reply)
        except (TypeError, ValueError, KeyError, AttributeError):
            return 1

    def _wait(self, role: str) -> None:
        deadline = self.session.deadline
        if deadline is None:
            raise SubjectTimedOut(f"{role} waits, but the ask has no deadline at which it could lapse.")
        self.session.advance(deadline)

    def _round(self, guard: Guard) -> None:
        """Ask everyone before anyone's answer is given in: nobody sees another's answer early.

        Where one answer is enough, the others' acts are still under way when it comes: they go on, and are given to
        the next ask of the same key, each at its own time.
        """
        session = self.session
        waiting = []
        for role, ask in list(session.open.items()):
            if self._goes_on(role, ask):
                continue
            guard.tick()
            reply, notes = self._reply(role, ask)
            if type(reply) is Wait:
                waiting.append(role)
                continue
            due = session.clock.now + (self._ticks(reply) if self.timed else 0)
            self.under_way[role] = Underway(ask.key, due, session.deadline, reply, notes)
        for role in sorted(session.open.keys() & self.under_way.keys(), key=self._turn):
            act = self.under_way.pop(role)
            asked = session.asked[role]
            others = {other: number for other, number in session.asked.items() if other != role}
            self._give(role, asked, act.reply, act.notes, act.due)
            if session.status != "open" or others.items() - session.asked.items():
                # Enough came, or time ran out: whoever is asked again is looked after in the next turn.
                return
        if session.open and session.open.keys() <= set(waiting):
            self._wait(waiting[0])

    def _goes_on(self, role: str, ask: Ask) -> bool:
        """Say whether a role is still busy with what it was asked before; an act that ran out of time is dropped."""
        act = self.under_way.get(role)
        if act is None:
            return False
        lapsed = act.until is not None and self.session.clock.now >= act.until
        if act.key != ask.key or lapsed:
            del self.under_way[role]
            return False
        return True

    def _turn(self, role: str) -> tuple[int, int]:
        """Order acts by when they are done, and those of one moment as they were asked for."""
        return self.under_way[role].due, self.session.asked[role]

    def _rest(self, guard: Guard) -> None:
        """Let those rest who can; programs go on at once."""
        for member in {id(member): member for member in self.cast.values()}.values():
            guard.tick()
            _call(rest, member, self.session.paused, doing="resting")
        self.session.unpause()

    def _tell(self) -> None:
        told = dict(self.session.told)
        self.session.told.clear()
        for role, asks in told.items():
            for ask in asks:
                _call(feedback, self.cast[role], ask, doing="listening")


def _commit(session: Session, journal: Journal) -> None:
    events = session.drain()
    truths = session.drain_truths()
    if events or truths:
        now = time.time()
        for event in events:
            event.time = now
        journal.commit(events, truths)


def _call(function: Callable[[Any, Any], None], member: Subject, argument: Any, *, doing: str) -> None:
    """Tell a subject something; what it raises is its failure."""
    try:
        function(member, argument)
    except (Exception, SystemExit) as error:
        raise failure(error, doing=doing) from error
