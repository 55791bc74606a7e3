"""Driver: carries asks to subjects and their answers to a session. Every door drives by this one."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mensura.dialogue import (
    Abstained,
    Ask,
    Event,
    Instance,
    Limits,
    Noted,
    Outcome,
    Refused,
    Session,
    Test,
    Trace,
    Wait,
    replay,
)
from mensura.errors import Invalid, Late, SubjectFailed, SubjectLost, SubjectTimedOut
from mensura.store import Journal
from mensura.subjects.guard import Guard, failure, guarded
from mensura.subjects.subject import Subject, begin, end, feedback, remember, remembers, rest

Exchange = tuple[str, Ask, Any]
"""A role, what it was asked and what it answered."""


def drive(session: Session, cast: Mapping[str, Subject], *, journal: Journal, past: Sequence[Exchange] = ()) -> None:
    """Carry asks to subjects and answers to the session until it ends; the session says how it ended.

    Subjects of a session that was interrupted are reminded of their answers in the past.

    Answers are committed before the next ask is shown. Only where every subject `recomputes` (the same seed gives the
    same answers again) is the log committed once at the end, since nothing can be lost that cannot be had again.
    """
    each = session.log.writing and not all(getattr(member, "recomputes", False) for member in cast.values())
    driver = Driver(session.instance.test, cast)
    seconds = session.limits.answer_seconds
    try:
        with guarded(seconds) as driver.guard:
            driver.begin(session.instance, past)
            session.start()
            driver.run(session, journal if each else None)
    except SubjectFailed as failed:
        driver.fail(session, failed)
    finally:
        commit(session, journal)
    # The session is over and stored; what a subject does afterwards changes nothing.
    with suppress(SubjectFailed), guarded(seconds) as driver.guard:
        driver.end(session.outcome)


def recall(
    instance: Instance,
    events: Sequence[Event],
    cast: Mapping[str, Subject],
    *,
    trace: Trace = "full",
    limits: Limits = Limits(),
) -> tuple[Session, list[Exchange]]:
    """Bring a session back to where its log ends, with the answers of the past for subjects that need them."""
    past: list[Exchange] = []
    # Only for subjects that want it: a long session has many answers.
    listening = {role for role, member in cast.items() if remembers(member)}

    def witness(role: str, ask: Ask, value: Any) -> None:
        if role in listening:
            past.append((role, ask, value))

    # What lies before the last save must be heard again too.
    heard = witness if listening else None
    session = replay(instance, events, trace=trace, limits=limits, from_save=not listening, witness=heard)
    return session, past


def commit(session: Session, journal: Journal) -> None:
    """Store what is new in a session."""
    events = session.drain()
    truths = session.drain_truths()
    if events or truths:
        now = time.time()
        for event in events:
            event.time = now
        journal.commit(events, truths)


@dataclass(slots=True)
class Underway:
    """An act in a round: to which key, when it is done, when its ask lapses, and what it is."""

    key: str
    due: int
    until: int | None
    reply: Any
    notes: dict[str, Any] | None


class Driver:
    """Who plays which roles of a session, and what each of them is doing.

    It holds no session: one that people take part in is read anew where another process was first. Roles that are
    not in its cast are played by others, who act on the session themselves.

    Parameters
    ----------
    test
        What is taken; says what acts cost.
    cast
        Subjects by role.
    guard
        What watches their time.
    """

    def __init__(self, test: Test, cast: Mapping[str, Subject], guard: Guard | None = None) -> None:
        self.cast = cast
        self.guard = guard or Guard(None)
        self.timed = test.takes("clock")
        self.price = test.timing.price
        self.under_way: dict[str, Underway] = {}
        """Role → an act that is not given in yet."""
        self._acting = ""

    def begin(self, instance: Instance, past: Sequence[Exchange] = (), *, roles: Collection[str] | None = None) -> None:
        """Begin the session for everyone, or for some, and remind them of what they were asked and answered before."""
        for role in self.cast if roles is None else roles:
            self._call(begin, role, instance.chance_of(role), role, doing="beginning")
        for role, ask, value in past:
            self._call(remember, role, ask, value, doing="remembering")

    def run(self, session: Session, journal: Journal | None) -> None:
        """Drive until the session is over; with a journal, every answer is committed before the next ask."""
        opened, seconds = session.open, session.limits.session_seconds
        deadline = None if seconds is None else time.monotonic() + seconds
        while session.status == "open":
            if journal is not None:
                commit(session, journal)
            if deadline is not None and time.monotonic() > deadline:
                session.fail("timed_out", last_words=f"The session took longer than {seconds:g} s.")
            elif session.paused is not None:
                self.rest(session)
            else:
                if session.told:
                    self.tell(session)
                if len(opened) == 1 and not (self.under_way and opened.keys() & self.under_way.keys()):
                    self._single(session, *next(iter(opened.items())))
                else:
                    self._round(session)

    def _single(self, session: Session, role: str, ask: Ask) -> None:
        number = session.asked[role]
        reply, notes = self.reply(role, ask)
        if type(reply) is Wait:
            self._wait(session, role)
        elif wrong := self.give(session, role, number, reply, notes):
            self.correct(role, wrong)

    def _round(self, session: Session) -> None:
        """Ask everyone before anyone's answer is given in: nobody sees another's answer early.

        Where one answer is enough, the others' acts are still under way when it comes: they go on, and are given to
        the next ask of the same key, each at its own time.
        """
        waiting: dict[str, int] = {}
        for role, ask in self.free(session).items():
            number, until = session.asked[role], session.deadline
            reply, notes = self.reply(role, ask)
            if type(reply) is Wait:
                waiting[role] = number
            else:
                self.under_way[role] = Underway(ask.key, self.due(session, reply), until, reply, notes)
        for role, wrong in self.give_in(session).items():
            self.correct(role, wrong)
        if session.asked and session.asked.items() <= waiting.items():
            self._wait(session, next(iter(waiting)))

    def free(self, session: Session) -> dict[str, Ask]:
        """Return what is asked of those who are not busy with what they were asked before."""
        busy = self._busy(session)
        return {role: ask for role, ask in session.open.items() if role not in busy}

    def reply(self, role: str, ask: Ask) -> tuple[Any, dict[str, Any] | None]:
        """Ask a subject; returns its reply and its notes."""
        guard = self.guard
        guard.tick()
        self._acting = role
        try:
            reply = self.cast[role](ask) if guard.lane is None else guard.lane(self.cast[role], ask)
        except (Exception, SystemExit) as error:
            raise self._failure(error, doing="answering") from error
        return (reply.value, reply.notes) if type(reply) is Noted else (reply, None)

    def give_in(self, session: Session, *, nonces: bool = False) -> dict[str, str]:
        """Hand the acts that are under way to the session, each at its time, until the round has what it needs.

        Returns
        -------
        dict
            Role → what is wrong with its answer.
        """
        found: dict[str, str] = {}
        asked, gathering = session.asked, session.gathering
        for role in sorted(self._busy(session), key=lambda role: (self.under_way[role].due, asked[role])):
            if role not in asked:
                continue
            act = self.under_way.pop(role)
            nonce = f"{role}:{asked[role]}:{session.wrong.get(role, 0)}" if nonces else None
            if wrong := self.give(session, role, asked[role], act.reply, act.notes, due=act.due, nonce=nonce):
                found[role] = wrong
            if session.gathering is not gathering:
                # Enough came, or time ran out: who is asked again is looked after in the next turn.
                break
        return found

    def give(
        self,
        session: Session,
        role: str,
        number: int,
        reply: Any,
        notes: dict[str, Any] | None = None,
        *,
        due: int | None = None,
        nonce: str | None = None,
    ) -> str:
        """Hand one reply to the session; returns what is wrong with it where it will be asked for again, else "".

        The number of the ask goes with it: a reply that comes after its deadline must not land on the next ask.
        """
        tick = None
        if self.timed:
            tick = self.due(session, reply) if due is None else due
        try:
            if isinstance(reply, Refused):
                abstains = isinstance(reply, Abstained)
                session.refuse(
                    reply.reason, role=role, number=number, tick=tick, nonce=nonce, notes=notes, abstains=abstains
                )
            else:
                session.answer(reply, role=role, number=number, tick=tick, nonce=nonce, notes=notes)
        except Invalid as wrong:
            return str(wrong) if session.status == "open" else ""
        except Late:
            # The clock passed the deadline while the subject worked: the ask has lapsed, the test has gone on.
            return ""
        return ""

    def due(self, session: Session, reply: Any) -> int:
        """Return when an act is done; one that the price cannot read is about to be refused, and costs one tick."""
        if not self.timed:
            return session.clock.now
        if isinstance(reply, Refused):
            return session.clock.now + 1
        try:
            return session.clock.now + self.price(reply)
        except (TypeError, ValueError, KeyError, AttributeError):
            return session.clock.now + 1

    def correct(self, role: str, wrong: str) -> None:
        """Tell a subject what is wrong with its answer; it is then asked again."""
        self.listen(role, Ask(f"That answer was not valid: {wrong}", role=role))

    def listen(self, role: str, told: Ask) -> None:
        """Tell a subject something."""
        self._call(feedback, role, told, doing="listening")

    def tell(self, session: Session) -> None:
        """Tell everyone what there is to tell."""
        told = dict(session.told)
        session.told.clear()
        for role, asks in told.items():
            for ask in asks:
                self.listen(role, ask)

    def rest(self, session: Session) -> None:
        """Let those rest who can; programs go on at once."""
        for role in self._minds():
            self._call(rest, role, session.paused, doing="resting")
        session.unpause()

    def fail(self, session: Session, failed: SubjectFailed, *, resumable: bool = True) -> None:
        """End a session for the subject that failed: what was earned is kept, what was still to come is counted.

        A session whose subject was lost through no fault of its own stays where it is, if it can be resumed.
        """
        words = f"{failed} {failed.last_words}".strip()
        if isinstance(failed, SubjectLost) and resumable:
            session.interrupt(words)
            return
        member = self.cast.get(failed.role or self._acting)
        # One mind that plays several roles fails in all of them.
        roles = [role for role, other in self.cast.items() if other is member]
        session.fail(failed.status, last_words=words, roles=roles)  # type: ignore[arg-type]

    def end(self, outcome: Outcome) -> None:
        """Say to everyone that the session is over."""
        for role in self._minds():
            with suppress(SubjectFailed):
                self._call(end, role, outcome, doing="ending")

    def _minds(self) -> list[str]:
        """List one role for each subject."""
        return list({id(member): role for role, member in self.cast.items()}.values())

    def _busy(self, session: Session) -> set[str]:
        """List who is still busy with what is asked; acts that ran out of time or were for others are dropped."""
        busy = set()
        for role in session.open.keys() & self.under_way.keys():
            act = self.under_way[role]
            lapsed = act.until is not None and session.clock.now >= act.until
            if lapsed or act.key != session.open[role].key:
                del self.under_way[role]
            else:
                busy.add(role)
        return busy

    def _wait(self, session: Session, role: str) -> None:
        """Let the next deadline pass."""
        deadline = session.deadline
        if deadline is None:
            raise SubjectTimedOut(f"{role} waits, but the ask has no deadline at which it could lapse.")
        session.advance(deadline)

    def _call(self, function: Callable[..., None], role: str, *arguments: Any, doing: str) -> None:
        self._acting = role
        try:
            self.guard.call(function, self.cast[role], *arguments)
        except (Exception, SystemExit) as error:
            raise self._failure(error, doing=doing) from error

    def _failure(self, error: BaseException, *, doing: str) -> SubjectFailed:
        failed = failure(error, doing=doing)
        failed.role = self._acting
        return failed
