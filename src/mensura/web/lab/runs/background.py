"""Background: small runs of programs, taken by a thread of the server while their page shows how far they are."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from secrets import token_hex
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Limits
from mensura.errors import BadParameter, Conflict, MensuraError, NotInstalled, unknown
from mensura.running.course import resume_courses
from mensura.running.plan import Plan, planned_addresses, session_id
from mensura.running.run import RunOptions, begin_run, carry_out, refuse_people
from mensura.running.study import Study, conduct
from mensura.store.head import RunHead, SessionHead
from mensura.subjects.spec import HUMAN
from mensura.web.lab.catalog import offered_subjects, registered_test
from mensura.web.lab.runs.items import items_of

if TYPE_CHECKING:
    from mensura.store import Store

MOST_SESSIONS = 1000
IDLE_SECONDS = 5.0
BEAT_SECONDS = 5.0
SILENCE_SECONDS = 60.0
"""A run of which nothing was heard for so long has lost its server."""
UNDER_WAY = "under way"
log = logging.getLogger("mensura.web")


class Stopped(Exception):
    """The server closes; what is stored is kept, and the run can be resumed."""


@dataclass(frozen=True)
class Undertaking:
    """Runs that are taken together, and how."""

    heads: tuple[RunHead, ...]
    act: Callable[[RunOptions], object]


class Background:
    """The runs that this process takes, one after the other."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self._waiting: SimpleQueue[Undertaking | None] = SimpleQueue()
        self._under_way: set[str] = set()
        self._faults: dict[str, str] = {}
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._holder = token_hex(8)
        self._beaten = 0.0

    def start(
        self,
        test: str,
        cast: Mapping[str, str],
        *,
        sessions: int,
        parameters: Mapping[str, Any] | None = None,
        setting: str | None = None,
        seed: int | None = None,
        same_items_as: str = "",
        details: Mapping[str, Any] | None = None,
    ) -> RunHead:
        """Write down a run with its sessions and begin to take them; mistakes are raised before anything is written.

        Only registered tests and their reference subjects can be named here: a page must not start programs.
        """
        definition = registered_test(test)
        values, chosen = items_of(
            definition,
            parameters or {},
            store=self.store,
            setting=setting or "",
            same_as=same_items_as,
            seed=seed,
        )
        if not 1 <= sessions <= MOST_SESSIONS:
            raise BadParameter(f"A run here has 1 to {MOST_SESSIONS} sessions; got {sessions}. For more: mensura run")
        plan = Plan(definition.id, programs_of(definition.id, cast, values), values, setting or "")
        options = RunOptions(details=dict(details or {}))
        head = begin_run(plan, store=self.store, seed=chosen, options=options)
        self.take([head], sessions)
        return head

    def take(self, heads: Sequence[RunHead], sessions: int) -> None:
        """Take this number of sessions of each of these runs; stored sessions are not taken again."""
        now = time.time()
        for head in heads:
            self.store.sessions.add_many(
                SessionHead(session_id(head.id, address), head.id, address, head.cast, created=now)
                for address in planned_addresses(head, sessions)
            )
        for head in heads:
            self._enqueue(Undertaking((head,), partial(self._carry_out, head)))

    def conduct(self, study: Study, heads: Sequence[RunHead]) -> None:
        """Carry out the programs of a study whose plan says more than a number of sessions, as `conduct` does."""

        def act(options: RunOptions) -> None:
            progress = conduct(study, store=self.store, options=options)
            left_out = [(state, progress.lacking.get(state.cell.name)) for state in progress.cells]
            self._faults |= {head.id: words for state, words in left_out if words for head in state.runs}

        self._enqueue(Undertaking(tuple(heads), act))

    def resume(self, run_id: str) -> RunHead:
        """Resume a run of programs that a server left when it was stopped."""
        head = self.store.runs.find(run_id)
        refuse_people(head)
        registered_test(head.test)
        head.own_seed()
        programs_of(head.test, head.cast, head.parameters)
        if "phases" in head.details:
            # What was learned before goes with the subject: phases are taken together.
            first = head.details["course"] or head.id
            heads = [one for one in self.store.runs.all() if first in (one.id, one.details.get("course"))]
            work = Undertaking(tuple(heads), lambda options: resume_courses(head.id, store=self.store, options=options))
        else:
            work = Undertaking((head,), partial(self._carry_out, head))
        if self.state(head.id) == UNDER_WAY:
            raise Conflict(f"{head.id} is being taken at this moment; there is nothing to resume.")
        self._enqueue(work)
        return head

    def state(self, run_id: str) -> str:
        """Return "under way" for a run that a server takes now, a sentence for one that failed here, else nothing."""
        with self._lock:
            if run_id in self._under_way:
                return UNDER_WAY
            fault = self._faults.get(run_id, "")
        heard = self.store.presence.seen([_sign(run_id)]).get(_sign(run_id), 0.0)
        return UNDER_WAY if time.time() - heard < SILENCE_SECONDS else fault

    def close(self, *, patience: float = 10.0) -> None:
        """Stop after the session that is being taken."""
        self._closed = True
        self._waiting.put(None)
        thread = self._thread
        if thread is not None:
            thread.join(patience)

    def _enqueue(self, work: Undertaking) -> None:
        if not work.heads or any(self.state(head.id) == UNDER_WAY for head in work.heads):
            return
        with self._lock:
            if any(head.id in self._under_way for head in work.heads):
                return
            for head in work.heads:
                self._under_way.add(head.id)
                self._faults.pop(head.id, None)
            self._waiting.put(work)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="mensura-runs", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while True:
            try:
                work = self._waiting.get(timeout=IDLE_SECONDS)
            except Empty:
                with self._lock:
                    if self._waiting.empty():
                        self._thread = None
                        return
                continue
            if work is None:
                return
            try:
                self._take(work)
            except Stopped:
                return
            finally:
                with self._lock:
                    self._under_way.difference_update(head.id for head in work.heads)

    def _carry_out(self, head: RunHead, options: RunOptions) -> None:
        addresses = [session.address for session in self.store.sessions.of(head.id)]
        carry_out(head, addresses, plan=Plan.of_run(head), store=self.store, options=options)

    def _take(self, work: Undertaking) -> None:
        options = RunOptions(limits=Limits(), progress=lambda done: self._go_on(work))
        held: list[str] = []
        try:
            for head in work.heads:
                if not self.store.presence.take(_sign(head.id), holder=self._holder, patience=SILENCE_SECONDS):
                    return
                held.append(_sign(head.id))
            self._go_on(work)
            work.act(options)
        except Stopped:
            raise
        except NotInstalled as error:
            self._faults |= {head.id: error.leaves_out("This run") for head in work.heads}
        except MensuraError as error:
            self._faults |= {head.id: str(error) for head in work.heads}
        except Exception as error:
            log.exception("run %s", work.heads[0].id)
            words = f"The run stopped with an error of the program ({type(error).__name__})."
            self._faults |= {head.id: words for head in work.heads}
        finally:
            self.store.presence.let_go(held)

    def _go_on(self, work: Undertaking) -> None:
        """Mark the run as being taken, and stop between two sessions when the server closes."""
        if self._closed:
            raise Stopped
        if time.monotonic() - self._beaten > BEAT_SECONDS:
            self._beaten = time.monotonic()
            for head in work.heads:
                self.store.presence.take(_sign(head.id), holder=self._holder, patience=SILENCE_SECONDS)


def _sign(run_id: str) -> str:
    return f"run {run_id}"


def programs_of(test: str, cast: Mapping[str, str], values: Mapping[str, Any]) -> Any:
    """Give every role the program named for it, if it is one of those that pages may start."""
    from mensura.running.plan import read_cast

    definition = registered_test(test)
    offered = offered_subjects(definition)
    for name in cast.values():
        if name == HUMAN:
            raise BadParameter("People are not started: invite them, and they take the test when they come.")
        if name not in offered:
            see = (
                f"Here the programs are {', '.join(offered)}; others are started from the command line: "
                f"mensura run {definition.name} --as {name if name.isascii() and name.isprintable() else 'SUBJECT'}"
            )
            raise BadParameter(str(unknown("program for this test", name, known=offered, see=see)))
    return read_cast(dict(cast), roles=definition.cast_roles(values))
