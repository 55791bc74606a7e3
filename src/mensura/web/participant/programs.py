"""Programs: plays the roles of programs in sessions that people take too. One process at a time plays in a session."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from secrets import token_hex
from threading import Event, Lock, Thread
from typing import Any

from mensura.dialogue import Ask, Session, Wait
from mensura.errors import MensuraError, SubjectFailed
from mensura.running.driver import Driver, recall
from mensura.running.hidden import hiding
from mensura.running.live import Live, LiveSessions
from mensura.running.reference import limits_of, reference
from mensura.running.scoring.storing import score_finished
from mensura.subjects import Subject, SubjectSpec
from mensura.subjects.guard import Guard
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.subject import close

LEASE_SECONDS = 10.0
LOOK_SECONDS = 0.2
IDLE_SECONDS = 600.0
ELSEWHERE_SECONDS = 0.05
UNNOTICED_SECONDS = 1.0
log = logging.getLogger("mensura.web")

Roles = Callable[[str], dict[str, str]]


@dataclass(frozen=True)
class Prompted:
    """A question to a program: the ask with its number, tick and deadline, and the messages before it."""

    role: str
    ask: Ask
    number: int
    tick: int
    until: int | None
    told: tuple[Ask, ...]

    @classmethod
    def of(cls, session: Session, role: str, ask: Ask) -> "Prompted":
        """Take what a role is asked from a session."""
        told = tuple(session.told.get(role, ()))
        return cls(role, ask, session.asked[role], session.clock.now, session.deadline_of(ask), told)


@dataclass
class Playing:
    """A session in which this process plays for programs."""

    session: str
    roles: Roles
    driver: Driver | None = None
    players: dict[str, Subject] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    """Role → number of the ask before which it was told all there was to tell."""
    work: "Future[None] | None" = None
    renewed: float = 0.0
    active: float = field(default_factory=time.monotonic)
    noticed: bool = True
    """Whether someone said that programs are asked, since they were last looked for."""
    looked: float = 0.0
    due: float = float("inf")
    """The moment at which something that is under way is done, or lapses."""
    rested: Event = field(default_factory=Event)
    """Set when all was answered that was asked; cleared when more is."""


class Programs:
    """Plays for programs, in threads of this process, in the sessions that it holds."""

    def __init__(self, sessions: LiveSessions) -> None:
        self.sessions = sessions
        self.presence = sessions.store.presence
        self.holder = token_hex(8)
        self._playing: dict[str, Playing] = {}
        self._refused: dict[str, float] = {}
        self._lock = Lock()
        self._wake = Event()
        self._closed = False
        self._thread: Thread | None = None
        self._pool = ThreadPoolExecutor(8, thread_name_prefix="mensura-program")

    def notice(self, session_id: str, roles: Roles) -> None:
        """Take note that programs are asked in a session; `roles` says which it has and what they are called."""
        with self._lock:
            if session_id not in self._playing:
                if time.monotonic() - self._refused.get(session_id, -1e9) < LEASE_SECONDS / 2:
                    return
                self._playing[session_id] = Playing(session_id, roles)
            self._playing[session_id].rested.clear()
            self._playing[session_id].noticed = True
            if self._thread is None and not self._closed:
                self._thread = Thread(target=self._watch, name="mensura-programs", daemon=True)
                self._thread.start()
        self._wake.set()

    def wait(self, session_id: str, *, seconds: float) -> None:
        """Wait until programs have answered all that they were asked, but not longer than so many seconds."""
        with self._lock:
            one = self._playing.get(session_id)
        if one is None:
            # Another process plays there; it says nothing to this one.
            time.sleep(min(seconds, ELSEWHERE_SECONDS))
        elif one.rested.wait(seconds):
            one.rested.clear()

    def close(self) -> None:
        """Stop playing; another process may go on at once."""
        self._closed = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(5.0)
        self._pool.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            held = list(self._playing)
        for session_id in held:
            self._let_go(session_id)

    def _watch(self) -> None:
        while not self._closed:
            self._wake.wait(self._until_next())
            self._wake.clear()
            with self._lock:
                playing = list(self._playing.values())
            for one in playing:
                try:
                    self._look(one)
                except MensuraError:
                    log.exception("Programs of %s", one.session)

    def _until_next(self) -> float | None:
        """Return for how many seconds nothing is to be looked after; None: until somebody says that there is."""
        with self._lock:
            due = [one.due for one in self._playing.values() if one.work is None or one.work.done()]
            idle = not self._playing
        return None if idle else max(0.0, min([LOOK_SECONDS, *(moment - time.time() for moment in due)]))

    def _look(self, one: Playing) -> None:
        now = time.monotonic()
        if now - one.renewed > LEASE_SECONDS / 4:
            if not self.presence.take(_name(one.session), holder=self.holder, patience=LEASE_SECONDS):
                with self._lock:
                    lately = {name: moment for name, moment in self._refused.items() if now - moment < LEASE_SECONDS}
                    self._refused = {**lately, one.session: now}
                    self._playing.pop(one.session, None)
                return
            one.renewed = now
        if one.work is not None and not one.work.done():
            return
        if now - one.active > IDLE_SECONDS:
            self._let_go(one.session)
            return
        # What others bring about in another process is found within a second.
        if not one.noticed and time.time() < one.due and now - one.looked < UNNOTICED_SECONDS:
            return
        one.noticed, one.looked, one.due = False, now, float("inf")
        one.work = self._pool.submit(self._play, one)

    def _play(self, one: Playing) -> None:
        """Answer whatever programs are asked now, until they are asked nothing."""
        try:
            while not self._closed:
                names = one.roles(one.session)
                status, asked = self.sessions.act(one.session, partial(self._look_at, one, names))
                if status != "open":
                    self._finish(one)
                    return
                if not asked:
                    return
                one.active = time.monotonic()
                self._turn(one, asked, names)
        except Exception:
            log.exception("Programs of %s", one.session)
        finally:
            one.rested.set()

    def _look_at(self, one: Playing, names: dict[str, str], live: Live) -> tuple[str, list[Prompted]]:
        """Give in what programs have done, and return what is asked of those who are free."""
        session = live.session
        if one.driver is None:
            guard = Guard.apart(session.limits.answer_seconds)
            one.driver = Driver(session.instance.test, one.players, guard, nonces=True)
            live.driver = self.sessions.drivers[one.session] = one.driver
        if session.paused is not None:
            return session.status, []
        try:
            live.play()
        except SubjectFailed as failed:
            one.driver.fail(session, failed, resumable=False)
        free = one.driver.free(session)
        asked = [Prompted.of(session, role, ask) for role, ask in free.items() if role in names]
        one.due = live.next_moment()
        return session.status, asked

    def _turn(self, one: Playing, asked: list[Prompted], names: dict[str, str]) -> None:
        """Ask all of them; what they do is given in when all have been asked."""
        driver, replies = one.driver, list[tuple[Prompted, Any, Any]]()
        assert driver is not None
        failed: SubjectFailed | None = None
        try:
            for each in asked:
                replies.append((each, *self._reply(one, driver, each, names[each.role])))
        except SubjectFailed as error:
            failed = error

        def act(live: Live) -> None:
            for asked, reply, notes in replies:
                driver.undertake(asked.role, asked.ask, reply, notes, now=asked.tick, until=asked.until)
                timing = live.session.instance.test.timing
                if timing.people == "wall" and type(reply) is not Wait:
                    # Where the clock is that on the wall, time itself is the price.
                    least = live.since(asked.role)[0] + (timing.lasts(reply) if timing.lasts else 0)
                    driver.under_way[asked.role].due = max(live.tick(role=asked.role) or 0, least)
            if failed is not None:
                driver.fail(live.session, failed, resumable=False)

        self.sessions.act(one.session, act)

    def _reply(self, one: Playing, driver: Driver, asked: Prompted, name: str) -> tuple[Any, Any]:
        role = asked.role
        if role not in one.players:
            self._make(one, driver, role, name)
        if wrong := driver.wrong.pop(role, ""):
            driver.correct(role, wrong)
        if one.told.get(role) != asked.number:
            for each in asked.told:
                driver.listen(role, each)
            one.told[role] = asked.number
        return driver.reply(role, asked.ask)

    def _make(self, one: Playing, driver: Driver, role: str, name: str) -> None:
        """Make a player, and bring back to it what it was asked and answered before."""
        live = self.sessions.act(one.session, lambda found: found)
        instance = live.session.instance
        described = live.run.details.get("subjects", {}).get(role, {})
        spec = SubjectSpec(name) if name else SubjectSpec(**described)
        confinement = hiding(
            Confinement.read(live.run.details),
            reference=reference(live.run),
            test=instance.test,
            store=self.sessions.store.url,
            folders=[spec.folder],
        )
        limits = limits_of(live.run)
        player = one.players[role] = spec.make(instance.test, limits=limits, confinement=confinement)
        events = self.sessions.store.events.of(one.session)
        _, past = recall(instance, events, {role: player}, trace=live.run.trace, limits=limits)
        driver.begin(instance, past, roles=[role])

    def _finish(self, one: Playing) -> None:
        score_finished(self.sessions.store, one.session)
        outcome = self.sessions.act(one.session, lambda live: live.session.outcome)
        if one.driver is not None:
            one.driver.end(outcome)
        self._let_go(one.session)

    def _let_go(self, session_id: str) -> None:
        with self._lock:
            one = self._playing.pop(session_id, None)
        if one is not None:
            for player in one.players.values():
                close(player)
            if one.driver is not None:
                self.sessions.drivers.pop(session_id, None)
                one.driver.guard.close()
            if one.renewed:
                self.presence.let_go([_name(session_id)])


def _name(session_id: str) -> str:
    return f"programs of {session_id}"
