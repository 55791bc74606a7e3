"""Teams: how many agents of which kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mensura.catalog.lambda_star.settings import CROWD, LEARNING, STIGMERGY
from mensura.errors import BadParameter, unknown

NAMES = (
    "random",
    "local-search",
    "oracle",
    "q-learning",
    "sarsa",
    "stigmergy",
    "cooperative-q",
    "cooperative-sarsa",
    "bidding",
    "imitation",
    "wisdom-of-crowd",
    "dictatorship",
    "binary-tree",
)
"""The built-in agents and collectives."""

LEARNERS = frozenset({"q-learning", "sarsa", "cooperative-q", "cooperative-sarsa"})
USUAL: dict[str, Any] = {"stigmergy": STIGMERGY, "wisdom-of-crowd": CROWD, **dict.fromkeys(LEARNERS, LEARNING)}
"""What can be set of agents, as it is by default."""


@dataclass(frozen=True)
class Member:
    """So many agents of one kind; those of one kind that communicate do so among themselves."""

    name: str
    count: int
    own: Any = None
    """What was set of it; None: what is usual."""

    @property
    def values(self) -> Any:
        """What can be set of its kind (`settings.py`); None where nothing can."""
        return self.own or USUAL.get(self.name)

    @property
    def sessions(self) -> int:
        """How often it plays an environment, the time that counts included."""
        return 1 + self.values.sessions if self.name in LEARNERS else 1


def read_team(text: str) -> tuple[Member, ...]:
    """Read `local-search:3,q-learning:2`; a kind without a number is one agent.

    >>> read_team("local-search:3, oracle")
    (Member(name='local-search', count=3, own=None), Member(name='oracle', count=1, own=None))
    """
    members = []
    for part in text.split(","):
        name, _, count = (word.strip() for word in part.partition(":"))
        if name not in NAMES:
            raise unknown("agent", name, known=NAMES, see=f"There are {', '.join(NAMES)}.")
        if count and not (count.isdecimal() and int(count) > 0):
            raise BadParameter(
                f"A team is written local-search:3,q-learning:2; {part.strip()!r} has no number of agents."
            )
        members.append(Member(name, int(count or 1)))
    return tuple(members)


def seats(team: Sequence[Member]) -> dict[str, str]:
    """Give every agent of a team its role, in order.

    >>> seats(read_team("local-search:2,oracle"))
    {'agent1': 'local-search', 'agent2': 'local-search', 'agent3': 'oracle'}
    """
    names = [member.name for member in team for _ in range(member.count)]
    return {f"agent{number}": name for number, name in enumerate(names, start=1)}
