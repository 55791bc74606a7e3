"""Lobby: where the people of one session meet. Who holds which role, who is there, who left and who came instead."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mensura.dialogue.record import PROGRAM
from mensura.running.live import Live
from mensura.running.people.waiting_room import WaitingRoom
from mensura.store.people.erasure import SEATS
from mensura.store.people.invitations import Invitation
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import SessionHead
    from mensura.web.laboratory import Laboratory


@dataclass(frozen=True)
class Holder:
    """The holder of a role, and whether they have left it."""

    who: str
    gone: bool = False


class Lobby:
    """The people who take part in a session."""

    def __init__(self, lab: "Laboratory", head: "SessionHead") -> None:
        self.lab = lab
        self.head = head

    @property
    def people(self) -> list[str]:
        """The roles that people were cast for."""
        return [role for role, who in self.head.cast.items() if who == HUMAN]

    @cached_property
    def programs(self) -> dict[str, str]:
        """The roles that programs play now, with their names; "" where the run describes them."""
        programs = {role: "" for role, who in self.head.cast.items() if who != HUMAN}
        for role, holder in self.holders.items():
            if holder.who.startswith(PROGRAM):
                programs[role] = holder.who.removeprefix(PROGRAM)
            else:
                programs.pop(role, None)
        return programs

    @cached_property
    def holders(self) -> dict[str, Holder]:
        """Return the holder of each role by the log; roles that nobody was logged for are left out."""
        found: dict[str, Holder] = {}
        for event in self.lab.store.events.of_kinds(self.head.id, SEATS):
            role = event.role
            if event.kind == "leave":
                found[role] = Holder(found[role].who if role in found else "", gone=True)
            else:
                found[role] = Holder(str(event.value))
        return found

    @cached_property
    def invited(self) -> list[Invitation]:
        """Those whose links lead here."""
        return self.lab.store.invitations.of_session(self.head.id)

    def holders_gone(self, role: str) -> bool:
        """Return whether the subject of a role has left it."""
        return role in self.holders and self.holders[role].gone

    def held_before(self, invitation: Invitation) -> bool:
        """Return whether a participant had a role here that someone else has now."""
        logged = self.lab.store.events.of_kinds(self.head.id, SEATS)
        return any(event.value == invitation.sign for event in logged)

    def arrived(self) -> dict[str, str]:
        """Return who waits before the session begins, by role; of several for one role the first invited counts."""
        invited = [one for one in self.invited if self._is_here(one)]
        there = self.there(one.sign for one in invited)
        found: dict[str, str] = {}
        for one in invited:
            if one.sign in there:
                found.setdefault(one.current.role, one.sign)
        return found

    def there(self, names: Iterable[str]) -> set[str]:
        """Return which of these were heard of lately."""
        earliest = time.time() - self.lab.settings.absence_seconds
        seen = self.lab.store.presence.seen(names)
        return {name for name, moment in seen.items() if moment >= earliest}

    def absent(self, roles: list[str]) -> list[str]:
        """Return which people of these roles have not been heard of for too long."""
        holders = {role: self.holders[role].who for role in roles if role in self.holders and role in self.people}
        holders = {role: who for role, who in holders.items() if not who.startswith(PROGRAM)}
        there = self.there(holders.values())
        if there and any(WaitingRoom.of(one).match == "arrival" for one in self.invited):
            # Someone may have been given another place in the very moment in which the session began.
            there &= {one.sign for one in self.invited}
        return [role for role, who in holders.items() if who not in there]

    def replace_absent(self, invitation: Invitation, role: str) -> bool:
        """Go on without those who have not been heard of for too long, or with programs in their place."""
        absent = self.absent([other for other in self.people if other != role and not self.holders_gone(other)])
        if not absent:
            return False
        run = self.lab.store.runs.find(self.head.run)
        replacement = str(invitation.details.get("replacement") or run.details.get("replacement") or "")
        self.lab.sessions.act(
            self.head.id,
            lambda live: let_go(live, [role for role in absent if role in live.session.open], replacement=replacement),
        )
        return True

    def _is_here(self, invitation: Invitation) -> bool:
        here = invitation.status == "open" and invitation.step < len(invitation.steps)
        return here and invitation.current.session == self.head.id


def begin(live: Live, arrived: Mapping[str, str]) -> None:
    """Log who begins in which role, unless another process has done so."""
    if not live.started:
        for role, who in arrived.items():
            live.session.join(role, who=who)


def let_go(live: Live, roles: list[str], *, replacement: str) -> None:
    """Take absent people out of a session, or put a program in their place."""
    for role in roles:
        if live.session.status != "open":
            return
        if replacement:
            live.session.replace(role, who=f"{PROGRAM}{replacement}")
        else:
            live.session.leave(role, reason="not heard of")
