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

from mensura.dialogue import Abstained, Ask, Noted, Refused, Wait, replay
from mensura.errors import Conflict, Invalid, Late, MensuraError, SubjectFailed
from mensura.running.hidden import hiding
from mensura.running.live import PATIENT, Live, LiveSessions
from mensura.running.reference import reference
from mensura.store.people.presence import Presence
from mensura.subjects import Subject, SubjectSpec
from mensura.subjects.guard import failure
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.subject import begin, close, end, feedback, remember
from mensura.web.ending import score_finished

LEASE_SECONDS = 10.0
LOOK_SECONDS = 0.2
IDLE_SECONDS = 600.0
ELSEWHERE_SECONDS = 0.05
UNNOTICED_SECONDS = 1.0
MOST_INVALID = 3
log = logging.getLogger("mensura.web")

Roles = Callable[[str], dict[str, str]]


@dataclass
class Playing:
    """A session in which this process plays for programs."""

    session: str
    roles: Roles
    players: dict[str, Subject] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    """Role → number of the ask before which it was told all there was to tell."""
    waited: dict[str, int] = field(default_factory=dict)
    """Role → number of the ask that its program lets lapse."""
    work: "Future[None] | None" = None
    renewed: float = 0.0
    active: float = field(default_factory=time.monotonic)
    noticed: bool = True
    """Whether someone said that programs are asked, since they were last looked for."""
    looked: float = 0.0
    rested: Event = field(default_factory=Event)
    """Set when all was answered that was asked; cleared when more is."""


class Programs:
    """Plays for programs, in threads of this process, in the sessions that it holds."""

    def __init__(self, sessions: LiveSessions) -> None:
        self.sessions = sessions
        self.presence = Presence(sessions.store)
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
            self._wake.wait(LOOK_SECONDS if self._playing else None)
            self._wake.clear()
            with self._lock:
                playing = list(self._playing.values())
            for one in playing:
                try:
                    self._look(one)
                except MensuraError:
                    log.exception("Programs of %s", one.session)

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
        # What others bring about, in another process or by a deadline, is found within a second.
        if not one.noticed and now - one.looked < UNNOTICED_SECONDS:
            return
        one.noticed, one.looked = False, now
        one.work = self._pool.submit(self._play, one)

    def _play(self, one: Playing) -> None:
        """Answer whatever programs are asked now, until they are asked nothing."""
        try:
            while not self._closed:
                names = one.roles(one.session)
                status, asked = self.sessions.act(one.session, partial(_asked, names=names))
                if status != "open":
                    self._finish(one)
                    return
                asked = [each for each in asked if one.waited.get(each[0]) != each[2]]
                if not asked:
                    return
                one.active = time.monotonic()
                for role, ask, number, told in asked:
                    self._give(one, role, ask, number, told, names[role])
        except Exception:
            log.exception("Programs of %s", one.session)
        finally:
            one.rested.set()

    def _give(self, one: Playing, role: str, ask: Ask, number: int, told: list[Ask], name: str) -> None:
        try:
            player = one.players.get(role) or self._make(one, role, name)
            if one.told.get(role) != number:
                for each in told:
                    _guarded(feedback, player, each)
                one.told[role] = number
            for attempt in range(MOST_INVALID):
                reply = _guarded(lambda subject, asked: subject(asked), player, ask)
                if isinstance(reply, Wait):
                    one.waited[role] = number
                    return
                if self._accepted(one, role, number, reply, attempt, player):
                    return
            self._fail(one, "invalid", f"{MOST_INVALID} invalid answers in a row from {role}.", role)
        except SubjectFailed as failed:
            self._fail(one, failed.status, f"{failed} {failed.last_words}".strip(), role)

    def _fail(self, one: Playing, status: str, words: str, role: str) -> None:
        """End a session for a program that failed; what was earned is kept, and what was still to come is counted."""
        self.sessions.act(
            one.session,
            lambda live: live.session.fail(status, last_words=words, roles=[role]),  # type: ignore[arg-type]
        )

    def _accepted(self, one: Playing, role: str, number: int, reply: Any, attempt: int, player: Subject) -> bool:
        value, notes = (reply.value, reply.notes) if isinstance(reply, Noted) else (reply, None)
        nonce = f"{role}:{number}:{attempt}"

        def act(live: Live) -> None:
            tick = live.tick(role=role) if live.session.instance.test.timing.people == "wall" else None
            if isinstance(value, Refused):
                abstains = isinstance(value, Abstained)
                live.session.refuse(value.reason, role=role, number=number, tick=tick, nonce=nonce, abstains=abstains)
            else:
                live.session.answer(value, role=role, number=number, tick=tick, nonce=nonce, notes=notes)

        try:
            self.sessions.act(one.session, act)
        except (Late, Conflict):
            # It lapsed, or another process answered: either way it is settled.
            return True
        except Invalid as wrong:
            _guarded(feedback, player, Ask(f"That answer was not valid: {wrong}", role=role))
            return False
        return True

    def _make(self, one: Playing, role: str, name: str) -> Subject:
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
        player = spec.make(instance.test, limits=PATIENT, confinement=confinement)
        _guarded(begin, player, instance.chance_of(role))
        events = self.sessions.store.events(one.session)
        if any(event.kind == "answer" and event.role == role for event in events):

            def witness(who: str, ask: Ask, value: Any) -> None:
                if who == role and hasattr(player, "remember"):
                    _guarded(remember, player, (ask, value))
                elif who == role and getattr(player, "recomputes", False):
                    _guarded(lambda subject, asked: subject(asked), player, ask)

            replay(instance, events, trace=live.run.trace, limits=PATIENT, from_save=False, witness=witness)
        one.players[role] = player
        return player

    def _finish(self, one: Playing) -> None:
        score_finished(self.sessions.store, one.session)
        outcome = self.sessions.act(one.session, lambda live: live.session.outcome)
        for player in one.players.values():
            try:
                _guarded(end, player, outcome)
            except SubjectFailed:
                # The session is over and stored; what a subject does afterwards changes nothing.
                continue
        self._let_go(one.session)

    def _let_go(self, session_id: str) -> None:
        with self._lock:
            one = self._playing.pop(session_id, None)
        if one is not None:
            for player in one.players.values():
                close(player)
            if one.renewed:
                self.presence.let_go([_name(session_id)])


def _asked(live: Live, *, names: dict[str, str]) -> tuple[str, list[tuple[str, Ask, int, list[Ask]]]]:
    session = live.session
    if session.paused is not None:
        return session.status, []
    asked = [
        (role, ask, session.asked[role], list(session.told.get(role, ())))
        for role, ask in session.open.items()
        if role in names
    ]
    return session.status, asked


def _guarded(function: Callable[[Any, Any], Any], player: Subject, argument: Any) -> Any:
    try:
        return function(player, argument)
    except Exception as error:
        raise failure(error) from error


def _name(session_id: str) -> str:
    return f"programs of {session_id}"
