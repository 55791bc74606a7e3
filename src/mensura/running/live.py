"""Live sessions: kept at hand for people and other slow subjects, and caught up when another process moved them."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TYPE_CHECKING, TypeVar

from mensura.catalog.find import find_test
from mensura.dialogue import Event, Instance, Session, catch_up, replay
from mensura.errors import BadParameter, Conflict, Invalid, Late
from mensura.store.head import RunHead, SessionHead

if TYPE_CHECKING:
    from mensura.store import Store

Result = TypeVar("Result")
TRIES = 5
"""How often an act is tried again after another process was first; each loser has seen a winner."""


@dataclass
class Live:
    """One session at hand, with what a person's clock needs."""

    head: SessionHead
    run: RunHead
    session: Session
    lock: RLock = field(default_factory=RLock)
    started: float = 0.0
    rested: float = 0.0
    """Seconds of all pauses that are over."""
    resting_since: float | None = None
    asked_at: float = 0.0
    """When the events that put up what is asked now were stored."""

    def notice(self, events: list[Event]) -> None:
        """Take note of the times of stored events."""
        for event in events:
            moment = event.time or 0.0
            self.started = self.started or moment
            if event.kind in ("ask", "tell"):
                self.asked_at = moment
            elif event.kind == "pause":
                self.resting_since = moment
            elif event.kind == "unpause" and self.resting_since is not None:
                self.rested += moment - self.resting_since
                self.resting_since = None
                self.asked_at = moment

    def tick(self, *, shown_seconds: float = 0.0, now: float | None = None) -> int | None:
        """Say which tick it is for a person; None for tests without a clock.

        The shown clock believes the page how long it showed the ask, but never more than has really passed.
        """
        test = self.session.instance.test
        if not test.takes("clock"):
            return None
        moment = time.time() if now is None else now
        if self.resting_since is not None or not self.started:
            return self.session.clock.now
        if test.timing.people == "wall":
            passed = moment - self.started - self.rested
            return max(self.session.clock.now, math.floor(passed / test.timing.tick_seconds))
        seen = min(max(shown_seconds, 0.0), max(moment - self.asked_at, 0.0))
        return self.session.clock.now + math.floor(seen / test.timing.tick_seconds)


class LiveSessions:
    """The sessions that one process has at hand, at most so many; the store decides every race."""

    def __init__(self, store: "Store", *, most: int = 1000) -> None:
        self.store = store
        self.most = most
        self._at_hand: OrderedDict[str, Live] = OrderedDict()
        self._lock = Lock()

    def act(self, session_id: str, action: Callable[[Live], Result]) -> Result:
        """Do something with a session and store what came of it before anything is shown.

        Where another process was first, the session catches up and the action is tried on what is asked now: an
        action that names the ask it means is then refused as late, and nothing is doubled.
        """
        for _ in range(TRIES):
            live = self._find(session_id)
            with live.lock:
                self._catch_up(live)
                refusal: Invalid | Late | None = None
                try:
                    result = action(live)
                except (Invalid, Late) as error:
                    # The refusal itself is logged, and so are the deadlines that passed before it.
                    refusal = error
                try:
                    self._store(live)
                except Conflict:
                    self.forget(session_id)
                    continue
                except BaseException:
                    # What is at hand is ahead of what is stored: never show it.
                    self.forget(session_id)
                    raise
                if refusal is not None:
                    raise refusal
                return result
        raise Conflict("Too many others are writing to this session at once; please try again.")

    def answered_before(self, session_id: str, nonce: str) -> bool:
        """Say whether this very answer is stored already: then it is a retry, and nothing is to be done."""
        return self.store.event_with_nonce(session_id, nonce) is not None

    def forget(self, session_id: str) -> None:
        """Let go of a session; the next act reads it from the store."""
        with self._lock:
            self._at_hand.pop(session_id, None)

    def _find(self, session_id: str) -> Live:
        with self._lock:
            live = self._at_hand.get(session_id)
            if live is not None:
                self._at_hand.move_to_end(session_id)
                return live
        live = self._load(session_id)
        with self._lock:
            live = self._at_hand.setdefault(session_id, live)
            while len(self._at_hand) > self.most:
                self._at_hand.popitem(last=False)
        return live

    def _load(self, session_id: str) -> Live:
        head = self.store.session(session_id)
        run = self.store.run(head.run)
        if run.seed is None:
            raise BadParameter(f"{run.id} was imported without its secret seed; its sessions cannot be gone on with.")
        test = find_test(str(run.details.get("reference", run.test)))
        if test.id != run.test:
            test = find_test(run.test)
        instance = Instance(test, run.parameters, run.seed, head.address)
        events = self.store.events_since_save(session_id)
        session = replay(instance, events, trace=run.trace) if events else Session(instance, trace=run.trace)
        live = Live(head, run, session)
        live.started = head.created
        live.notice(events)
        if head.status != "open" and session.status == "open":
            session.stop(head.status)  # type: ignore[arg-type]
            session.drain()
        return live

    def _catch_up(self, live: Live) -> None:
        session = live.session
        if self.store.last_number(live.head.id) > session.log.number:
            events = self.store.events(live.head.id, after=session.log.number)
            catch_up(session, events)
            live.notice(events)
        session.start()

    def _store(self, live: Live) -> None:
        events, truths = live.session.drain(), live.session.drain_truths()
        if not events and not truths:
            return
        now = time.time()
        for event in events:
            event.time = now
        self.store.append(live.head.id, events, truths=truths)
        live.notice(events)
