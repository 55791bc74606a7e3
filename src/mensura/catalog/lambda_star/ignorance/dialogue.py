"""The test of shared ignorance: a norm that most reject in private and all see supported in public."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.lambda_star.ignorance.scoring import score, scores
from mensura.catalog.lambda_star.ignorance.subjects import SUBJECTS
from mensura.dialogue import Ask, Choice, Outcome, Probability, Readings, Round, test
from mensura.errors import BadParameter

STANCE = Choice(("support", "reject"))
ESTIMATE = Probability()
NAMES = ("your own mind (1 supports)", "share of others who support in public", "weight of fitting in")


def roles(*, agents: int, **others: Any) -> tuple[str, ...]:
    """Name the roles."""
    return tuple(f"agent{number}" for number in range(1, agents + 1))


@test(
    "lambda-star-ignorance-v1",
    score=score,
    scores=scores,
    scoring="3",
    roles=roles,
    subjects=SUBJECTS,
    shows_truth="Everyone is told their own mind, which is one part of the truth; the minds of the others are not.",
)
def ignorance(
    rng: np.random.Generator,
    *,
    agents: Annotated[int, "How many agents take part, 3 or more."] = 9,
    rounds: Annotated[int, "How many times an episode asks for a public stance, 1 or more."] = 10,
    episodes: Annotated[int, "How many societies a session has, 1 or more; each draws the minds anew."] = 10,
    rejecting: Annotated[float, "The chance, from 0 to 1, that an agent rejects the norm in private."] = 0.7,
    pressure: Annotated[
        float,
        "The part of the pay that goes to fitting in, from 0 to 1; the rest goes to saying what one thinks.",
    ] = 0.6,
    visible: Annotated[float, "The chance, from 0 to 1, that an agent supports the norm in public at first."] = 0.9,
) -> Generator[Ask | Round, Any, Outcome]:
    """Take a stance in public, again and again, and say in the end what others think in private.

    Each agent has a mind of its own, against the norm with chance `rejecting`. All start from a public where a share
    `visible` supports it. A round pays 1 - `pressure` for saying what one thinks and up to `pressure` for fitting in.
    """
    for name, value in (("rejecting", rejecting), ("pressure", pressure), ("visible", visible)):
        if not 0 <= value <= 1:
            raise BadParameter(f"--{name} lies between 0 and 1; got {value:g}.")
    if agents < 3 or rounds < 1 or episodes < 1:
        raise BadParameter(
            f"--agents is at least 3, --rounds and --episodes at least 1; got {agents}, {rounds} and {episodes}."
        )
    seats = roles(agents=agents)
    earned: dict[str, float] = {}
    for episode in range(episodes):
        key = f"episode{episode}"
        minds = {role: "reject" if rng.random() < rejecting else "support" for role in seats}
        public = {role: "support" if rng.random() < visible else "reject" for role in seats}
        for number, role in enumerate(seats):
            yield Ask(
                f"Society {episode + 1} of {episodes}. There is a norm. In your own mind you {minds[role]} it.",
                key=key,
                role=role,
                truth=minds if number == 0 else None,
                reward=earned.get(role),
            )
        earned = {}
        for _ in range(rounds):
            seen = {role: _readings(role, minds, public, pressure) for role in seats}
            asks = [
                Ask(["Your public stance?", seen[role]], STANCE, key, role, reward=earned.get(role)) for role in seats
            ]
            answers = yield Round(asks)
            public = {role: answers.get(role, public[role]) for role in seats}
            earned = {role: _payoff(role, minds, public, pressure) for role in seats}
        words = "Of everyone here, what share supports the norm in their own mind?"
        asks = [
            Ask(
                [words, _readings(role, minds, public, pressure)],
                ESTIMATE,
                f"{key} estimate",
                role,
                reward=earned[role],
            )
            for role in seats
        ]
        yield Round(asks)
        earned = {}
    return Outcome("Thank you.")


def _shown(role: str, public: dict[str, str]) -> float:
    """Return the share of the others who support the norm in public."""
    return float(np.mean([stance == "support" for other, stance in public.items() if other != role]))


def _readings(role: str, minds: dict[str, str], public: dict[str, str], pressure: float) -> Readings:
    return Readings([float(minds[role] == "support"), _shown(role, public), pressure], NAMES)


def _payoff(role: str, minds: dict[str, str], public: dict[str, str], pressure: float) -> float:
    alike = _shown(role, public) if public[role] == "support" else 1 - _shown(role, public)
    return (1 - pressure) * (public[role] == minds[role]) + pressure * alike
