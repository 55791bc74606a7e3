"""Driver: carries asks to subjects and their answers to a session. Every door drives by this one."""

import asyncio
import sys
import time
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from operator import itemgetter
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
Replied = tuple[Any, dict[str, Any] | None] | SubjectFailed
"""What came of asking a subject: its reply and its notes, or how it failed."""
Steps = Generator[list[tuple[str, Ask]], list[Replied], None]
"""Yields who is to be asked what, all at once; receives what came of it, in the same order."""


def drive(session: Session, cast: Mapping[str, Subject], *, journal: Journal, past: Sequence[Exchange] = ()) -> None:
    """Carry asks to subjects and answers to the session until it ends; the session says how it ended.

    Subjects of a session that was interrupted are reminded of their answers in the past.

    Answers are committed before the next ask is shown. Only where every subject `recomputes` (the same seed gives the
    same answers again) is the log committed once at the end, since nothing can be lost that cannot be had again.
    """
    with _driving(session, cast, journal=journal, seconds=session.limits.answer_seconds) as (driver, each):
        driver.begin(session.instance, past)
        session.start()
        driver.run(session, each)


async def drive_beside(
    session: Session, cast: Mapping[str, Subject], *, journal: Journal, past: Sequence[Exchange] = ()
) -> None:
    """Drive as `drive` does, beside other sessions: every subject has the coroutine `answer` and minds its own time."""
    with _driving(session, cast, journal=journal, seconds=None) as (driver, each):
        driver.begin(session.instance, past)
        session.start()
        await driver.run_beside(session, each)


@contextmanager
def _driving(
    session: Session, cast: Mapping[str, Subject], *, journal: Journal, seconds: float | None
) -> Iterator[tuple["Driver", Journal | None]]:
    """Store what is driven inside, however it ends; a journal is given where every answer is committed."""
    each = session.log.writing and not all(getattr(member, "recomputes", False) for member in cast.values())
    driver = Driver(session.instance.test, cast)
    began = time.time()
    try:
        with guarded(seconds) as driver.guard:
            yield driver, journal if each else None
    except SubjectFailed as failed:
        driver.fail(session, failed)
    finally:
        commit(session, journal, began=began)
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


def commit(session: Session, journal: Journal, *, began: float | None = None) -> None:
    """Store what is new in a session; its first event was when it began, however late that is stored."""
    events = session.drain()
    truths = session.drain_truths()
    if events or truths:
        now = time.time()
        for event in events:
            event.time = began if began is not None and event.number == 1 else now
        journal.commit(events, truths)


NEVER = sys.maxsize
"""The tick of what does not come."""


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
    nonces
        Whether acts are marked, so that another process which gives the same act in is refused.
    """

    def __init__(
        self, test: Test, cast: Mapping[str, Subject], guard: Guard | None = None, *, nonces: bool = False
    ) -> None:
        self.cast = cast
        self.guard = guard or Guard(None)
        self.timed = test.takes("clock")
        self.price = test.timing.price
        self.under_way: dict[str, Underway] = {}
        """Role → an act that is not given in yet."""
        self.wrong: dict[str, str] = {}
        """Role → what is wrong with an act that was given in, and that it has not been told yet."""
        self.nonces = nonces
        self._acting = ""

    def begin(self, instance: Instance, past: Sequence[Exchange] = (), *, roles: Collection[str] | None = None) -> None:
        """Begin the session for everyone, or for some, and remind them of what they were asked and answered before."""
        for role in self.cast if roles is None else roles:
            self._call(begin, role, instance.chance_of(role), role, doing="beginning")
        for role, ask, value in past:
            self._call(remember, role, ask, value, doing="remembering")

    def run(self, session: Session, journal: Journal | None) -> None:
        """Drive until the session is over; with a journal, every answer is committed before the next ask."""
        steps = self.steps(session, journal)
        for asks in steps:
            while asks:
                replies: list[Replied] = []
                for role, ask in asks:
                    try:
                        replies.append(self.reply(role, ask))
                    except SubjectFailed as failed:
                        # Who comes after it is not asked any more.
                        replies.append(failed)
                        break
                asks = _sent(steps, replies)

    async def run_beside(self, session: Session, journal: Journal | None) -> None:
        """Drive as `run` does; those who are asked at once answer at once."""
        steps = self.steps(session, journal)
        for asks in steps:
            while asks:
                asks = _sent(steps, list(await asyncio.gather(*(self._answered(role, ask) for role, ask in asks))))

    def steps(self, session: Session, journal: Journal | None) -> Steps:
        """Drive until the session is over, by someone who carries the asks to the subjects."""
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
                    yield from self._single(session, *next(iter(opened.items())))
                else:
                    yield from self._round(session)

    def _single(self, session: Session, role: str, ask: Ask) -> Steps:
        number = session.asked[role]
        (replied,) = yield [(role, ask)]
        if isinstance(replied, SubjectFailed):
            raise replied
        reply, notes = replied
        if type(reply) is Wait:
            deadline = session.deadline
            if deadline is None:
                raise _waits(role)
            session.advance(deadline)
        elif wrong := self.give(session, role, number, reply, notes):
            self.correct(role, wrong)

    def _round(self, session: Session) -> Steps:
        """Ask everyone before anyone's answer is given in: nobody sees another's answer early.

        Where one answer is enough, the others' acts are still under way when it comes: they go on, and are given to
        the next ask of the same key, each at its own time.
        """
        failed = None
        free = list(self.free(session).items())
        # The list is shorter where someone failed and the rest were not asked.
        for (role, ask), replied in zip(free, (yield free) if free else (), strict=False):
            if isinstance(replied, SubjectFailed):
                failed = failed or replied
            else:
                self.undertake(role, ask, *replied, now=session.clock.now, until=session.deadline_of(ask))
        if failed is not None:
            raise failed
        self.give_in(session)
        for role, wrong in self.wrong.items():
            self.correct(role, wrong)
        self.wrong.clear()

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

    async def _answered(self, role: str, ask: Ask) -> Replied:
        """Await the answer of a subject; how it failed is given back, so that the others' answers are not lost."""
        try:
            reply = await self.cast[role].answer(ask)  # type: ignore[attr-defined]
        except (Exception, SystemExit) as error:
            failed = failure(error)
            failed.role = role
            return failed
        return (reply.value, reply.notes) if type(reply) is Noted else (reply, None)

    def undertake(
        self, role: str, ask: Ask, reply: Any, notes: dict[str, Any] | None = None, *, now: int, until: int | None
    ) -> None:
        """Take note of an act: who waits is done when the ask lapses, everyone else when the price is paid."""
        if type(reply) is Wait:
            due = NEVER if until is None else until
        else:
            due = now + self.cost(reply) if self.timed else now
        self.under_way[role] = Underway(ask.key, due, until, reply, notes)

    def give_in(self, session: Session, *, by: tuple[int, int] | None = None) -> None:
        """Hand the acts that are under way to the session, each at its time, until someone is to be asked.

        Nobody pays another's price: an act that takes longer than its ask is open moves the clock to that deadline
        and no further. Who does it stays busy with it over every ask that lapses before it is done.

        Parameters
        ----------
        by
            The tick, and the number of the ask, up to which acts are given in; None: all of them. Time that passes
            for someone else, who acts on the session from outside, must not be run ahead of.
        """
        asked, under_way = session.asked, self.under_way
        busy = self._busy(session)
        while busy and session.paused is None:
            gathering = session.gathering
            for role, (tick, number) in sorted(busy.items(), key=itemgetter(1)):
                if asked.get(role) != number:
                    continue
                if by is not None and (tick, number) > by:
                    return
                if tick == NEVER:
                    raise _waits(role)
                act = under_way[role]
                if act.due > tick or type(act.reply) is Wait:
                    session.advance(tick)
                else:
                    del under_way[role]
                    nonce = f"{role}:{number}:{session.wrong.get(role, 0)}" if self.nonces else None
                    if wrong := self.give(session, role, number, act.reply, act.notes, due=act.due, nonce=nonce):
                        self.wrong[role] = wrong
                if session.gathering is not gathering:
                    # Enough came, or time ran out: who is asked now is looked after first.
                    break
            else:
                return
            busy = self._busy(session)
            if len(busy) < len(session.open):
                return

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
            tick = session.clock.now + self.cost(reply) if due is None else due
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

    def cost(self, reply: Any) -> int:
        """Return what an act costs; one that the price cannot read is about to be refused, and costs one tick."""
        if isinstance(reply, Refused):
            return 1
        try:
            return self.price(reply)
        except (TypeError, ValueError, KeyError, AttributeError):
            return 1

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

        What the others had answered before is given in. A session whose subject was lost through no fault of its own
        stays where it is, if it can be resumed.
        """
        words = f"{failed} {failed.last_words}".strip()
        lost = isinstance(failed, SubjectLost) and resumable
        deadline = session.deadline
        last = session.clock.now if lost else (NEVER if deadline is None else deadline) - 1
        self.give_in(session, by=(last, NEVER))
        if lost:
            session.interrupt(words)
            return
        member = self.cast.get(failed.role or self._acting)
        # One mind that plays several roles fails in all of them.
        roles = [role for role, other in self.cast.items() if other is member]
        notes = failed.notes or None
        session.fail(failed.status, last_words=words, roles=roles, notes=notes)  # type: ignore[arg-type]

    def end(self, outcome: Outcome) -> None:
        """Say to everyone that the session is over."""
        for role in self._minds():
            with suppress(SubjectFailed):
                self._call(end, role, outcome, doing="ending")

    def _minds(self) -> list[str]:
        """List one role for each subject."""
        return list({id(member): role for role, member in self.cast.items()}.values())

    def _busy(self, session: Session) -> dict[str, tuple[int, int]]:
        """Return who is still busy, and until when: the tick, and the number of the ask that the act is for now.

        An act whose ask lapsed keeps its subject from what lapses before it is done. What is asked after that, or
        under another key, is asked anew.
        """
        busy = {}
        open_asks, asked, now = session.open, session.asked, session.clock.now
        for role in open_asks.keys() & self.under_way.keys():
            act, ask = self.under_way[role], open_asks[role]
            deadline = session.deadline_of(ask)
            late = deadline is not None and act.due >= deadline
            if late if act.until is not None and now >= act.until else act.key == ask.key:
                busy[role] = (act.due if deadline is None else min(act.due, deadline)), asked[role]
            else:
                del self.under_way[role]
        return busy

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


def _sent(steps: Steps, replies: list[Replied]) -> list[tuple[str, Ask]]:
    """Hand replies in; returns who is asked next, nobody where the session is over."""
    try:
        return steps.send(replies)
    except StopIteration:
        return []


def _waits(role: str) -> SubjectTimedOut:
    failed = SubjectTimedOut(f"{role} waits, but the ask has no deadline at which it could lapse.")
    failed.role = role
    return failed
