"""Desk: where a person approves, on a page, of the calls of tools that the models of a run want to make.

A desk is one session of the approval test. The run sits in it as the applicant, the person as the approver, and the
store lies between them: a tool is called when the decision has been read from there.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Address, Ask, Noted, Refused, Seed
from mensura.errors import BadParameter, Late, MensuraError
from mensura.json_file import loads
from mensura.running.live import Live, LiveSessions
from mensura.running.plan import Plan, session_id
from mensura.running.scoring.storing import score_finished
from mensura.store.head import RunHead, SessionHead
from mensura.subjects import SubjectSpec
from mensura.subjects.loop import event_loop, wait_for
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

TEST = "approval-v1"
APPLICANT, APPROVER = "applicant", "approver"
FOR = "approval_for"
"""The detail by which the run of a desk names the run whose calls are approved there."""
LOOK_SECONDS = 0.2
LEFT = "The person who approves has left, so nothing more is approved."
Show = Callable[[str], None]
"""Is given the path of the page on which a person approves."""


@contextmanager
def attended(
    head: RunHead,
    cast: Mapping[str, SubjectSpec],
    *,
    show: Show | None,
    store: "Store",
    others: Sequence[RunHead] = (),
) -> Iterator[str]:
    """Open a desk for a run, if one of its subjects wants a person to approve; return the session, or "" for none.

    The `others` are runs whose calls come to the same desk: the further phases of a course.
    """
    served = [spec for spec in cast.values() if spec.approved_by_people]
    if not served:
        yield ""
        return
    if show is None:
        raise BadParameter(
            "With #approve=human a person approves in their browser, where `mensura run`, `mensura take` and "
            "`mensura resume` open a page for it; here nobody can. Name a policy: #approve=./mine.py:approve"
        )
    session = _standing(head, store=store) or _opened(head, served[0], store=store)
    _withdraw(LiveSessions(store), session)
    show(f"/p/{_link(session, store=store)}")
    try:
        yield session
    finally:
        sessions = LiveSessions(store)
        with suppress(MensuraError):
            _withdraw(sessions, session)
        # A run that was stopped goes on at the same desk.
        standing = {status for one in (head, *others) for status in store.sessions.count(one.id)}
        if not standing & {"open", "lost"}:
            with suppress(MensuraError):
                sessions.act(session, lambda live: _say(live, "done"))
                score_finished(store, session)


class Attendant:
    """The person at a desk, as a subject that is asked before a tool is called.

    Parameters
    ----------
    desk
        The session of the desk.
    who
        Whose calls they are.
    item
        The session in which they are made.
    """

    name = HUMAN
    recomputes = False

    def __init__(self, desk: str, *, who: str, item: str, store: "Store") -> None:
        self._desk, self._who, self._item = desk, who, item
        self._sessions = LiveSessions(store)

    def __call__(self, ask: Ask) -> Any:
        return wait_for(self.answer(ask))

    async def answer(self, ask: Ask) -> Any:
        """Lay a call before the person and wait for the decision; one call at a time."""
        call = loads(ask.prompt[-1])  # type: ignore[index, arg-type]
        wanted = {
            "who": self._who,
            "item": self._item,
            "tool": call["name"],
            "arguments": json.dumps(call["arguments"]),
        }
        async with _turn(self._desk):
            number = await self._until(lambda live: _ask_for(live, wanted))
            if number == 0:
                return Refused(LEFT)
            try:
                return await self._until(lambda live: self._decided(live, number))
            except asyncio.CancelledError:
                _withdraw(self._sessions, self._desk)
                raise

    async def _until(self, look: Callable[[Live], Any]) -> Any:
        """Look at the desk until there is something to be seen."""
        while True:
            try:
                if (found := self._sessions.act(self._desk, look)) is not None:
                    return found
            except Late:
                # Another process of the run was first.
                pass
            await asyncio.sleep(LOOK_SECONDS)

    def _decided(self, live: Live, number: int) -> Any:
        """Return the decision on the ask of this number; None until it is stored."""
        if APPROVER in live.session.open and live.session.asked[APPROVER] == number:
            return None
        for event in self._sessions.store.events.of(self._desk, after=number):
            if event.kind == "answer" and event.role == APPROVER:
                return _read(event.value, {"session": self._desk, "number": number})
            if event.kind == "answer" and event.role == APPLICANT:
                return Refused("The call was withdrawn.")
        return Refused(LEFT) if live.session.status != "open" else None


def _read(decided: Mapping[str, Any], notes: dict[str, Any]) -> Any:
    reason = str(decided["arguments"].get("reason", "")).strip()
    if decided["call"] == "refuse":
        return Noted(Refused(reason), notes)
    return Noted(decided["call"], {**notes, **({"reason": reason} if reason else {})})


def _ask_for(live: Live, wanted: Mapping[str, str]) -> int | None:
    """Ask for a call; return the number of the person's ask, None while another call is there, 0 if they left."""
    session = live.session
    if session.status != "open":
        return 0
    if APPROVER in session.open:
        return None
    session.answer({"call": "want", "arguments": dict(wanted)}, role=APPLICANT)
    return session.asked[APPROVER]


def _say(live: Live, word: str) -> None:
    if APPLICANT in live.session.open:
        live.session.answer({"call": word, "arguments": {}}, role=APPLICANT)


def _withdraw(sessions: LiveSessions, session: str) -> None:
    """Take back a call that nobody waits for any more."""
    sessions.act(session, lambda live: _say(live, "withdraw") if APPROVER in live.session.open else None)


@cache
def _turns() -> dict[str, asyncio.Lock]:
    return {}


def _turn(session: str) -> asyncio.Lock:
    """Return what lets the calls of this process come before the person one after the other."""
    assert asyncio.get_running_loop() is event_loop()
    return _turns().setdefault(session, asyncio.Lock())


def _standing(head: RunHead, *, store: "Store") -> str:
    """Return the desk that a run had before it was stopped; "" where there is none."""
    for desk in reversed(store.runs.all(TEST)):
        if desk.details.get(FOR) == head.id:
            (session,) = store.sessions.of(desk.id)
            if session.status == "open":
                return session.id
    return ""


def _opened(head: RunHead, applicant: SubjectSpec, *, store: "Store") -> str:
    from mensura.running.run import RunOptions, head_of

    plan = Plan(TEST, {APPLICANT: applicant, APPROVER: SubjectSpec(HUMAN)}, {})
    described = head_of(plan, seed=Seed.choose(None), options=RunOptions(trace="full", details={FOR: head.id}))
    # It stands before its run: `last` means what was run.
    desk = replace(described, created=head.created - 1e-3)
    store.runs.add(desk)
    session = session_id(desk.id, Address())
    store.sessions.add(SessionHead(session, desk.id, Address(), dict(desk.cast), created=time.time()))
    # Someone sits there: no page is to play for the model.
    LiveSessions(store).act(session, lambda live: live.session.join(APPLICANT, who=head.id))
    return session


def _link(session: str, *, store: "Store") -> str:
    from mensura.store.people.invitations import Step

    steps = [Step("session", title="Approval", session=session, role=APPROVER), Step("thanks")]
    return store.invitations.add(steps, label="approver", created_by="local")[0]
