"""Driver: carries asks to subjects and their answers to a session. Every door drives by this one."""

import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from mensura.errors import Invalid, Late, SubjectFailed, SubjectLost
from mensura.running.journal import commit
from mensura.running.stepping import Replied, Stepping, waits_in_vain
from mensura.store import Journal, MemoryJournal
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
    with _driving(session, cast, journal=journal, seconds=session.limits.answer_seconds) as (driver, each):
        driver.begin(session.instance, past)
        session.start()
        Stepping(driver, session, each).run()


async def drive_beside(
    session: Session, cast: Mapping[str, Subject], *, journal: MemoryJournal, past: Sequence[Exchange] = ()
) -> None:
    """Drive as `drive` does, beside other sessions: every subject has the coroutine `answer` and minds its own time."""
    with _driving(session, cast, journal=journal, seconds=None) as (driver, each):
        driver.begin(session.instance, past)
        session.start()
        await Stepping(driver, session, each).run_beside(settled=journal.settled)


@contextmanager
def _driving(
    session: Session, cast: Mapping[str, Subject], *, journal: Journal, seconds: float | None
) -> Iterator[tuple["Driver", Journal | None]]:
    """Store what is driven inside, however it ends; a journal is given where every answer is committed."""
    each = session.log.writing and not all(getattr(member, "recomputes", False) for member in cast.values())
    driver = Driver(session.instance.test, cast, since=session.clock.now)
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
    """The subjects that play the roles of a session, and what each of them is doing.

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
    since
        The tick it is now, from which time on the wall passes.
    """

    def __init__(
        self,
        test: Test,
        cast: Mapping[str, Subject],
        guard: Guard | None = None,
        *,
        nonces: bool = False,
        since: int = 0,
    ) -> None:
        self.cast = cast
        self.guard = guard or Guard(None)
        self.timed = test.takes("clock")
        self.price = test.timing.price
        self.wall = self.timed and test.timing.programs == "wall"
        self._tick_seconds = test.timing.tick_seconds
        self._began = time.monotonic() - since * self._tick_seconds
        self.under_way: dict[str, Underway] = {}
        """Role → an act that is not given in yet."""
        self.wrong: dict[str, str] = {}
        """Role → what is wrong with an act that was given in, and that it has not been told yet."""
        self.nonces = nonces
        self._acting = ""

    def begin(self, instance: Instance, past: Sequence[Exchange] = (), *, roles: Collection[str] | None = None) -> None:
        """Begin the session for everyone, or for some, and remind them of what they were asked and answered before."""
        for role in self.cast if roles is None else roles:
            self._call(begin, role, instance.chance_of(role), role, instance.address, doing="beginning")
        for role, ask, value in past:
            if ask.space is None:
                self.listen(role, ask)
            else:
                self._call(remember, role, ask, value, doing="remembering")

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

    async def reply_beside(self, role: str, ask: Ask) -> Replied:
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
            due = self._done(reply, now, until)
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
                    raise waits_in_vain(role)
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
            now = session.clock.now
            until = session.deadline_of(session.open[role]) if due is None and self.wall else None
            tick = self._done(reply, now, until) if due is None else due
            if self.wall and tick == now:
                # Nothing lapses: who is among thousands need not look at all their deadlines.
                tick = None
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

    def _done(self, reply: Any, now: int, until: int | None) -> int:
        """Return when an act is done that was begun now, and whose ask lapses then."""
        if not self.timed:
            return now
        if not self.wall:
            return now + self.cost(reply)
        return now if until is None else max(now, int((time.monotonic() - self._began) / self._tick_seconds))

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
            in_vain = {"role": failed.role or self._acting, **failed.notes} if failed.notes else None
            session.interrupt(words, in_vain=in_vain)
            return
        member = self.cast.get(failed.role or self._acting)
        # One mind that plays several roles fails in all of them.
        roles = [role for role, other in self.cast.items() if other is member]
        notes = failed.notes or None
        session.fail(failed.status, last_words=words, roles=roles, notes=notes)  # type: ignore[arg-type]

    def end(self, outcome: Outcome) -> None:
        """Tell everyone that the session is over."""
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
