"""Which compiled team a subject, or a cast of them, stands for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.catalog.lambda_star.parameters import Setup
from mensura.catalog.lambda_star.settings import LEARNING
from mensura.catalog.lambda_star.subjects import BUILT_IN, NamedTeam
from mensura.catalog.lambda_star.team import Member


@dataclass(frozen=True)
class CompiledTeam:
    """A team of built-in agents, and how many sessions its learners train."""

    members: Sequence[Member]
    sessions: int


def members_of(subject: Any, setup: Setup) -> CompiledTeam | None:
    """Return the compiled team a subject or cast stands for; None where someone in it has no compiled twin."""
    if isinstance(subject, NamedTeam):
        return CompiledTeam(setup.team, LEARNING.sessions) if setup.team else None
    cast = subject if isinstance(subject, Mapping) else dict.fromkeys(setup.roles, subject)
    counts: dict[int, int] = {}
    found: dict[int, Any] = {}
    for member in cast.values():
        # A subclass may act otherwise, so only the built-in classes themselves have twins.
        if type(member) not in BUILT_IN.values():
            return None
        counts[id(member)] = counts.get(id(member), 0) + 1
        found[id(member)] = member
    sessions = {member.sessions for member in found.values() if hasattr(member, "sessions")} or {LEARNING.sessions}
    if len(sessions) > 1:
        return None
    return CompiledTeam([Member(found[each].kind, count) for each, count in counts.items()], sessions.pop())
