"""Stepping: who of a session is asked next, and what is done with what comes of it, answer by answer."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Ask, Session, Wait
from mensura.errors import SubjectFailed, SubjectTimedOut
from mensura.running.journal import commit
from mensura.store import Journal

if TYPE_CHECKING:
    from mensura.running.driver import Driver

Replied = tuple[Any, dict[str, Any] | None] | SubjectFailed
"""What came of asking a subject: its reply and its notes, or how it failed."""
Steps = Generator[list[tuple[str, Ask]], list[Replied], None]
"""Yields who is to be asked what, all at once; receives what came of it, in the same order."""


@dataclass(frozen=True)
class Stepping:
    """A session that a driver leads to its end; with a journal, every answer is committed before the next ask."""

    driver: "Driver"
    session: Session
    journal: Journal | None

    def run(self) -> None:
        """Ask one subject after the other until the session is over."""
        steps = self._steps()
        for asks in steps:
            while asks:
                replies: list[Replied] = []
                for role, ask in asks:
                    try:
                        replies.append(self.driver.reply(role, ask))
                    except SubjectFailed as failed:
                        # Who comes after it is not asked any more.
                        replies.append(failed)
                        break
                asks = _sent(steps, replies)

    async def run_beside(self, *, settled: Callable[[], Awaitable[None]]) -> None:
        """Do as `run` does; those who are asked at once answer at once, when what was committed has settled."""
        steps = self._steps()
        for asks in steps:
            while asks:
                await settled()
                calls = (self.driver.reply_beside(role, ask) for role, ask in asks)
                asks = _sent(steps, list(await asyncio.gather(*calls)))

    def _steps(self) -> Steps:
        driver, session = self.driver, self.session
        opened, seconds = session.open, session.limits.session_seconds
        deadline = None if seconds is None else time.monotonic() + seconds
        while session.status == "open":
            if self.journal is not None:
                commit(session, self.journal)
            if deadline is not None and time.monotonic() > deadline:
                session.fail("timed_out", last_words=f"The session took longer than {seconds:g} s.")
            elif session.paused is not None:
                driver.rest(session)
            else:
                if session.told:
                    driver.tell(session)
                if len(opened) == 1 and not (driver.under_way and opened.keys() & driver.under_way.keys()):
                    yield from self._single(*next(iter(opened.items())))
                else:
                    yield from self._round()

    def _single(self, role: str, ask: Ask) -> Steps:
        driver, session = self.driver, self.session
        number = session.asked[role]
        (replied,) = yield [(role, ask)]
        if isinstance(replied, SubjectFailed):
            raise replied
        reply, notes = replied
        if type(reply) is Wait:
            deadline = session.deadline
            if deadline is None:
                raise waits_in_vain(role)
            session.advance(deadline)
        elif wrong := driver.give(session, role, number, reply, notes):
            driver.correct(role, wrong)

    def _round(self) -> Steps:
        """Ask everyone before anyone's answer is given in: nobody sees another's answer early.

        Where one answer is enough, the others' acts are still under way when it comes: they go on, and are given to
        the next ask of the same key, each at its own time.
        """
        driver, session = self.driver, self.session
        failed = None
        free = list(driver.free(session).items())
        # The list is shorter where someone failed and the rest were not asked.
        for (role, ask), replied in zip(free, (yield free) if free else (), strict=False):
            if isinstance(replied, SubjectFailed):
                failed = failed or replied
            else:
                driver.undertake(role, ask, *replied, now=session.clock.now, until=session.deadline_of(ask))
        if failed is not None:
            raise failed
        driver.give_in(session)
        for role, wrong in driver.wrong.items():
            driver.correct(role, wrong)
        driver.wrong.clear()


def waits_in_vain(role: str) -> SubjectTimedOut:
    """Return how a subject fails that waits where nothing lapses."""
    failed = SubjectTimedOut(f"{role} waits, but the ask has no deadline at which it could lapse.")
    failed.role = role
    return failed


def _sent(steps: Steps, replies: list[Replied]) -> list[tuple[str, Ask]]:
    """Hand replies in; returns who is asked next, nobody where the session is over."""
    try:
        return steps.send(replies)
    except StopIteration:
        return []
