"""Teams: how many agents of which kind."""

from dataclasses import dataclass
from typing import Any

from mensura.catalog.lambda_star.agents import BUILT_IN, Agent, QLearning
from mensura.errors import BadParameter, unknown
from mensura.subjects.callable import as_subject
from mensura.subjects.naming import split_settings

LEARNERS = frozenset(name for name, one in BUILT_IN.items() if issubclass(one, QLearning))


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
        return self.own or BUILT_IN[self.name]().values

    @property
    def sessions(self) -> int:
        """How often it plays an environment, the time that counts included."""
        return 1 + self.values.sessions if self.name in LEARNERS else 1


def make_agent(kind: str) -> Agent:
    """Make an agent of a kind, which may say what is set of it: `q-learning#rate=0.5`."""
    name, options = split_settings(kind)
    if name not in BUILT_IN:
        raise unknown("agent", name, known=BUILT_IN, see=f"There are {', '.join(BUILT_IN)}.")
    made: Agent = as_subject(BUILT_IN[name], options=options)  # type: ignore[assignment]
    return made


def read_team(text: str) -> tuple[str, ...]:
    """Read `local-search:3,q-learning#rate=0.5:2` as the kind of every agent; one without a number is one agent.

    >>> read_team("local-search:2, oracle")
    ('local-search', 'local-search', 'oracle')
    """
    kinds: list[str] = []
    for part in text.split(","):
        kind, _, count = (word.strip() for word in part.partition(":"))
        make_agent(kind)
        if count and not (count.isdecimal() and int(count) > 0):
            raise BadParameter(f"A team is written local-search:3,q-learning:2; {part.strip()!r} has no number.")
        kinds += [kind] * int(count or 1)
    return tuple(kinds)
