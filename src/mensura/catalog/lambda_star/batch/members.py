"""Which compiled team a subject, or a cast of them, stands for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.catalog.lambda_star.agents import BUILT_IN
from mensura.catalog.lambda_star.parameters import Setup
from mensura.catalog.lambda_star.settings import MarkValues
from mensura.catalog.lambda_star.subjects import NamedTeam
from mensura.catalog.lambda_star.team import LEARNERS, Member, make_agent


@dataclass(frozen=True)
class CompiledTeam:
    """A team of built-in agents, and which agent each of them is, member after member."""

    members: Sequence[Member]
    seats: tuple[int, ...] = ()


def members_of(subject: Any, setup: Setup) -> CompiledTeam | None:
    """Return the compiled team a subject or cast stands for; None where someone in it has no compiled twin."""
    if isinstance(subject, NamedTeam):
        if not setup.kinds:
            return None
        made = {kind: make_agent(kind) for kind in setup.kinds}
        subject = {role: made[kind] for role, kind in zip(setup.roles, setup.kinds, strict=True)}
    cast = subject if isinstance(subject, Mapping) else dict.fromkeys(setup.roles, subject)
    seats: dict[int, list[int]] = {}
    found: dict[int, Any] = {}
    for number, role in enumerate(setup.roles):
        # A subclass may act otherwise, so only the built-in classes themselves have twins; nor has one that remembers.
        mind = cast[role]
        if type(mind) not in BUILT_IN.values() or getattr(mind, "keep", False) or not getattr(mind, "learning", True):
            return None
        seats.setdefault(id(cast[role]), []).append(number)
        found[id(cast[role])] = cast[role]
    members = [Member(one.kind, len(seats[each]), one.values) for each, one in found.items()]
    if len({member.sessions for member in members if member.name in LEARNERS}) > 1:
        return None
    for member in members:
        if setup.reach is None and isinstance(member.own, MarkValues):
            member.own.refuse_original(Member(member.name, 1).values)
    return CompiledTeam(members, tuple(number for each in seats.values() for number in each))
