"""Live sessions: kept at hand for people and other slow subjects, and caught up when another process moved them."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TYPE_CHECKING, TypeVar

from mensura.dialogue import SUBJECT, Event, Instance, Session, catch_up, replay
from mensura.errors import BrokenTest, Conflict, Invalid, Late
from mensura.running.driver import NEVER, Driver
from mensura.running.reference import BEGUN_CHANGED, administration, changed_code, definition_of, limits_of
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
    secret: str | None = None
    """The secret of the session when it was read: another one means that something was erased since."""
    lock: RLock = field(default_factory=RLock)
    ahead: bool = False
    """Whether something was done with it that could not be stored."""
    started: float = 0.0
    rested: float = 0.0
    """Seconds of all pauses that are over."""
    resting_since: float | None = None
    pauses: int = 0
    """How many pauses stand now: an observer may stop the clock during a break."""
    on_show: dict[str, tuple[int, int, float]] = field(default_factory=dict)
    """Role → number of the last stored ask, and the tick and time since when it has been up."""
    driver: Driver | None = None
    """The players of programs in this session, where they are in this process."""
    places: dict[str, dict[str, int]] = field(default_factory=dict)
    """Role → the keys that it was asked, each with its place from 1; a key that is asked again keeps its place."""
    instructed: set[str] = field(default_factory=set)
    """The roles that were told something before their first question."""

    def notice(self, events: list[Event]) -> None:
        """Take note of the times of stored events."""
        for event in events:
            moment = event.time or 0.0
            self.started = self.started or moment
            if event.kind == "ask":
                self.on_show[event.role] = event.number, event.tick, moment
                asked = self.places.setdefault(event.role, {})
                asked.setdefault(event.key, len(asked) + 1)
            elif event.kind == "tell" and event.role not in self.places:
                self.instructed.add(event.role)
            elif event.kind == "pause":
                self.pauses += 1
                self.resting_since = self.resting_since or moment
            elif event.kind == "unpause" and self.resting_since is not None:
                self.pauses -= 1
                if self.pauses:
                    continue
                self.rested += moment - self.resting_since
                self.resting_since = None
                self.on_show = {role: (shown[0], event.tick, moment) for role, shown in self.on_show.items()}

    def place(self, role: str, key: str) -> int:
        """Return which question of a role this is, from 1."""
        asked = self.places.get(role, {})
        return asked.get(key, len(asked) + 1)

    def is_instructed(self, role: str) -> bool:
        """Return whether a role was told something before its first question, perhaps only just now."""
        return role in self.instructed or (role not in self.places and bool(self.session.told.get(role)))

    def since(self, role: str = SUBJECT) -> tuple[int, float]:
        """Return since which tick and time a role has had before it what it is asked now."""
        number, tick, moment = self.on_show.get(role, (0, 0, 0.0))
        if number == self.session.asked.get(role, -1):
            return tick, moment
        # Not stored yet: it is being put up just now.
        return self.session.clock.now, time.time()

    def tick(self, *, role: str = SUBJECT, shown_seconds: float = 0.0, now: float | None = None) -> int | None:
        """Return which tick it is for a person; None for tests without a clock.

        The shown clock believes the page how long it showed the ask, but never more than has really passed, and it
        stops at the deadline: what comes after it has not been shown yet.
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
        since, up = self.since(role)
        seen = min(max(shown_seconds, 0.0), max(moment - up, 0.0))
        tick = max(self.session.clock.now, since + math.floor(seen / test.timing.tick_seconds))
        deadline = self.session.deadline
        return tick if deadline is None else min(tick, deadline)

    def pass_time(self, tick: int, *, number: int = NEVER) -> None:
        """Let time pass for everyone: what programs do until then, up to their ask of that number, is given in."""
        if self.driver is not None:
            self.driver.give_in(self.session, by=(tick, number))
        self.session.advance(tick)

    def next_moment(self) -> float:
        """Return when the next act of a program on the clock on the wall is done, or the next ask lapses by it."""
        session = self.session
        if session.instance.test.timing.people != "wall" or self.resting_since is not None or not self.started:
            return math.inf
        acts = {} if self.driver is None else self.driver.under_way
        ticks = [act.due for role, act in acts.items() if role in session.open and act.due != NEVER]
        tick = min([*ticks, *([] if session.deadline is None else [session.deadline])], default=math.inf)
        return self.started + self.rested + tick * session.instance.test.timing.tick_seconds

    def play(self) -> None:
        """Give in what programs have done: at the pace of people where some are asked, else as fast as they go."""
        session, driver = self.session, self.driver
        if driver is None:
            return
        wall = session.instance.test.timing.people == "wall" and session.deadline is not None
        alone = session.open.keys() <= driver.under_way.keys()
        tick = (self.tick() if wall else None) or session.clock.now
        driver.give_in(session, by=None if alone and not wall else (tick, NEVER))
        if wall:
            # Nobody's page need be open for a deadline to lapse.
            session.advance(tick)


class LiveSessions:
    """The sessions cached by one process, up to a limit; the store decides every race."""

    def __init__(self, store: "Store", *, most: int = 1000) -> None:
        self.store = store
        self.most = most
        self.drivers: dict[str, Driver] = {}
        """Session → who plays for programs there, where this process does."""
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
                live.driver = driver = self.drivers.get(session_id)
                under_way = {} if driver is None else dict(driver.under_way)
                if live.ahead:
                    continue
                if not self._catch_up(live):
                    self.forget(session_id)
                    continue
                refusal: Invalid | Late | BrokenTest | None = None
                try:
                    result = action(live)
                except (Invalid, Late, BrokenTest) as error:
                    # The refusal itself is logged, and so are the deadlines that passed before it.
                    refusal = error
                try:
                    self._store(live)
                except BaseException as error:
                    # Never show it, nor to those who wait for it already.
                    live.ahead = True
                    self.forget(session_id)
                    if not isinstance(error, Conflict):
                        raise
                    if driver is not None:
                        driver.under_way = under_way
                    continue
                if refusal is not None:
                    raise refusal
                return result
        raise Conflict("Too many others are writing to this session at once; please try again.")

    def answered_before(self, session_id: str, nonce: str) -> bool:
        """Return whether this very answer is stored already: then it is a retry, and nothing is to be done."""
        return self.store.events.with_nonce(session_id, nonce) is not None

    def head(self, session_id: str) -> SessionHead:
        """Return what does not change of a session while people take it: its run, address and cast.

        Where it is at hand, nothing is read; its status may be another by now.
        """
        with self._lock:
            live = self._at_hand.get(session_id)
        return self.store.sessions.find(session_id) if live is None else live.head

    def copy(self, session_id: str) -> Live:
        """Return a session as it is stored, for looking only: nothing that is done with it is kept."""
        return self._load(session_id)

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
        _, secret, _ = self.store.events.standing(session_id)
        head = self.store.sessions.find(session_id)
        run = self.store.runs.find(head.run)
        instance = Instance(definition_of(run), run.parameters, run.own_seed(), head.address, **administration(run))
        # What others said in a session from which someone withdrew does not make the session again.
        events = [] if head.status == "withdrawn" else self.store.events.since_save(session_id)
        if not events and (changed := changed_code(run)):
            # Nobody is sent away; the analysis of their study says it.
            self.store.trail.note("server", f"{BEGUN_CHANGED}{' '.join(changed)}", run.id, session=session_id)
        # A save alone, the first of all, is what earlier sessions left to one that has not begun yet.
        left = len(events) == 1 and events[0].kind == "save" and events[0].number == 1
        saved = events[0].value if left else None
        if events and saved is None:
            session = replay(instance, events, trace=run.trace, limits=limits_of(run))
        else:
            session = Session(instance, trace=run.trace, limits=limits_of(run), saved=saved)
        live = Live(head, run, session, secret)
        if events and events[0].number > 1:
            # The wall clock counts from the first event and leaves out every pause, also those before the save;
            # questions are counted from the first one.
            earlier = self.store.events.of_kinds(session_id, ("pause", "unpause", "ask", "tell"), first=True)
            live.notice([event for event in earlier if event.number < events[0].number])
        live.notice(events)
        if head.status != "open" and session.status == "open":
            session.stop(head.status)  # type: ignore[arg-type]
            session.drain()
        return live

    def _catch_up(self, live: Live) -> bool:
        """Bring a session to where the store has it; False where the store has less of it than is at hand."""
        session = live.session
        stored, secret, _ = self.store.events.standing(live.head.id)
        if not self.store.custodies.same(live.head.id, secret, live.secret):
            # Something in it was erased, perhaps by another process: nothing of that may be shown again.
            self.store.custodies.forget(live.head.id)
            return False
        if live.head.status == "withdrawn":
            return True
        if stored < session.log.drained and session.log.writing:
            # An act failed before it was stored.
            return live.head.status != "open"
        if stored > session.log.number:
            events = self.store.events.of(live.head.id, after=session.log.number)
            catch_up(session, events)
            live.notice(events)
        session.start()
        return True

    def _store(self, live: Live) -> None:
        events, truths = live.session.drain(), live.session.drain_truths()
        if not events and not truths:
            return
        now = time.time()
        for event in events:
            event.time = now
        self.store.events.append(live.head.id, events, truths=truths)
        live.notice(events)
