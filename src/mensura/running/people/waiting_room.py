"""Waiting room: how long people wait for others, who is put together, and what those get who waited in vain."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from mensura.errors import BadParameter, unknown
from mensura.store.people.invitations import Invitation
from mensura.store.people.seating import Chair
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

DETAIL, SINCE, RELEASED = "waiting", "waits_since", "released"
"""Where an invitation keeps its waiting room, since when its person waits, and how they left."""
LONGEST = 24 * 60.0
CODE = re.compile(r"[A-Za-z0-9._-]{0,100}")


@dataclass(frozen=True)
class WaitingRoom:
    """The settings of a plan for waiting for others.

    Parameters
    ----------
    minutes
        After so long people may leave with pay and code; None: they wait until the others come.
    pay
        What those get who leave so.
    code
        What they are shown then, as for a platform that pays them.
    match
        "links": people meet those whose links lead to the same session. "arrival": those meet who came first, of one
        condition, and of one cohort and one stratum where people have them.

    Examples
    --------
    >>> WaitingRoom.read({"minutes": 10, "pay": 2.5}).pay
    2.5
    """

    minutes: float | None = None
    pay: float = 0.0
    code: str = ""
    match: Literal["links", "arrival"] = "links"

    @classmethod
    def read(cls, given: Any) -> "WaitingRoom":
        """Read a waiting room from a plan; mistakes are named."""
        if not isinstance(given, Mapping):
            raise BadParameter(f"A waiting room has named parts, such as minutes: 10; got {given!r}.")
        names = tuple(cls.__dataclass_fields__)
        for name in given:
            if name not in names:
                raise unknown("part of a waiting room", str(name), known=names, see=f"There are {', '.join(names)}.")
        room = cls(**{name: value for name, value in given.items() if value is not None})
        for name, value in (("minutes", room.minutes), ("pay", room.pay)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise BadParameter(f"{name} of a waiting room is a number; got {value!r}.")
        if room.minutes is not None and not 0 < room.minutes <= LONGEST:
            raise BadParameter(f"People wait more than 0 and at most {LONGEST:g} minutes; got {room.minutes:g}.")
        if not (isfinite(room.pay) and room.pay >= 0):
            raise BadParameter(f"Pay for waiting is 0 or more; got {room.pay:g}.")
        if not isinstance(room.code, str) or not CODE.fullmatch(room.code):
            raise BadParameter(f"A code has at most 100 letters, digits, points and dashes; got {room.code!r:.120}.")
        if room.match not in ("links", "arrival"):
            raise BadParameter(f"People are matched by links or by arrival; got {room.match!r}.")
        if room.minutes is None and (room.pay or room.code):
            raise BadParameter("Say after how many minutes people may leave with pay or code: minutes: 10.")
        return room

    @classmethod
    def of(cls, invitation: Invitation) -> "WaitingRoom":
        """Return the waiting room of an invitation."""
        return cls(**invitation.details.get(DETAIL) or {})

    def as_json(self) -> dict[str, Any]:
        """Return it as an invitation keeps it."""
        return asdict(self)

    def left(self, invitation: Invitation) -> float | None:
        """Return how many seconds are left until a person may leave with pay; None where there is no limit."""
        if self.minutes is None:
            return None
        since = float(invitation.details.get(SINCE, time.time()))
        return max(0.0, since + 60 * self.minutes - time.time())


def begin_to_wait(store: "Store", invitation: Invitation) -> Invitation:
    """Note since when a person waits for others, once."""
    if SINCE in invitation.details:
        return invitation
    store.seating.note(invitation.number, SINCE, time.time())
    return store.invitations.get(invitation.number)


def release(store: "Store", invitation: Invitation) -> bool:
    """Let someone who waited in vain leave, with what the plan gives; False where it is too early or has begun."""
    room = WaitingRoom.of(invitation)
    step = invitation.current
    if room.left(invitation) != 0 or step.kind != "session" or store.events.last_number(step.session):
        return False
    given = {"waited": round(time.time() - invitation.details[SINCE], 1), "pay": room.pay, "code": room.code}
    if not store.seating.release(invitation.number, from_step=invitation.step, given={RELEASED: given}):
        return False
    store.trail.note("server", "let someone leave the waiting room", invitation.sign, session=step.session, **given)
    return True


def match_by_arrival(store: "Store", invitation: Invitation, *, there_since: float) -> bool:
    """Put those together who have waited longest, where the plan says so; returns whether anyone changed places.

    Only people who wait for a session of the same run change places, and only while none of the sessions has begun;
    those who were heard of after `there_since` count as there.
    """
    if WaitingRoom.of(invitation).match != "arrival":
        return False
    head = store.sessions.find(invitation.current.session)
    roles = [role for role, who in head.cast.items() if who == HUMAN]
    waiting = _waiting(store, head.run, invitation, there_since)
    group = waiting[: len(roles)]
    if len(group) < len(roles) or invitation.number not in [one.number for one in group]:
        return False
    first = group[0].current
    taken = {one.current.role for one in group if one.current.session == first.session}
    free = [role for role in roles if role not in taken]
    changed = False
    for one in group:
        here = one.current
        if here.session != first.session:
            wanted = Chair(first.session, free.pop(0))
            changed = store.seating.exchange(one.number, Chair(here.session, here.role), wanted) or changed
    return changed


def _waiting(store: "Store", run: str, like: Invitation, there_since: float) -> Sequence[Invitation]:
    """Return who waits for a session of a run, those who came first first."""
    invited = [one for one in store.seating.of_run(run) if _waits(store, one, run, like)]
    seen = store.presence.seen(one.sign for one in invited)
    there = [one for one in invited if seen.get(one.sign, 0.0) >= there_since]
    return sorted(there, key=lambda one: (one.details[SINCE], one.number))


def _waits(store: "Store", one: Invitation, run: str, like: Invitation) -> bool:
    return (
        one.status == "open"
        and one.step < len(one.steps)
        and one.current.session.startswith(f"{run}/")
        and SINCE in one.details
        and all(one.details.get(name) == like.details.get(name) for name in ("cohort", "stratum"))
        and WaitingRoom.of(one).match == "arrival"
        and store.events.last_number(one.current.session) == 0
    )
