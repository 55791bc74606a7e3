"""Parameters: what a user may set, read and refused in one place."""

import re
from dataclasses import dataclass
from typing import Annotated, Any

from mensura.catalog.lambda_star.environment.pattern import Reach, wanted_range
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.team import read_team
from mensura.dialogue import SUBJECT
from mensura.errors import BadParameter, unknown

RULES = ("paper", "original")
Size = Annotated[str, "The rows and columns of the torus: one number for both, such as 10, or two, such as 8x12."]
Agents = Annotated[int, "How many agents take part, 1 or more."]
Episodes = Annotated[int, "How many environments a session has, 1 or more."]
Iterations = Annotated[int, "How many actions each agent takes in an environment, 2 or more."]
Sight = Annotated[int, "How many cells far agents see, 1 or more."]
Complexity = Annotated[
    str,
    "The complexity K that the patterns of Good and Evil are made to, such as 5 or 2-10; none: from 2 to 23, or to "
    "what can be reached.",
]


@dataclass(frozen=True)
class Setup:
    """What is administered, checked: the torus, the range of K (None: as the program made patterns), who plays."""

    torus: Torus
    reach: Reach | None
    roles: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    """The kind of every agent of a named team, in order."""


def read_setup(
    *,
    rules: str,
    size: str,
    agents: int,
    team: str,
    episodes: int,
    iterations: int,
    sight: int,
    complexity: str,
    rehearsals: int,
) -> Setup:
    """Check all parameters at once; the first that cannot be is refused with a sentence."""
    if rules not in RULES:
        raise BadParameter(str(unknown("rules", rules, known=RULES, see="There are paper and original.")))
    for name, value, least in (
        ("episodes", episodes, 1),
        ("iterations", iterations, 2),
        ("agents", agents, 1),
        ("sight", sight, 1),
        ("rehearsals", rehearsals, 0),
    ):
        if value < least:
            raise BadParameter(f"--{name} is at least {least}; got {value}.")
    torus = Torus.of(size)
    if rules == "original" and complexity:
        raise BadParameter("Under the original rules complexity is measured, not chosen; leave --complexity out.")
    reach = None
    if rules == "paper":
        lowest, highest = _read_range(complexity)
        reach = wanted_range(torus, iterations=iterations, lowest=lowest, highest=highest)
    return Setup(torus, reach, roles(agents=agents, team=team), read_team(team) if team else ())


def roles(*, agents: int, team: str, **others: Any) -> tuple[str, ...]:
    """Name the roles: `subject` for a single agent, else agent1, agent2 and so on."""
    count = len(read_team(team)) if team else agents
    return (SUBJECT,) if count == 1 and not team else tuple(f"agent{number}" for number in range(1, count + 1))


def _read_range(text: str) -> tuple[int | None, int | None]:
    """Read a range of K: `5`, `2-10`, or nothing for all."""
    if not text:
        return None, None
    match = re.fullmatch(r"\s*(\d+)\s*(?:[-–]\s*(\d+))?\s*", text)
    if match is None:
        raise BadParameter(f"--complexity is a number or a range, such as 5 or 2-10; got {text!r}.")
    return int(match[1]), int(match[2] or match[1])
