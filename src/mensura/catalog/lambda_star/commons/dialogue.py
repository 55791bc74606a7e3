"""The commons test: many harvest one stock that regrows by what is left of it."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.lambda_star.commons.scoring import score, scores
from mensura.catalog.lambda_star.commons.stock import Stock, check_commons
from mensura.catalog.lambda_star.commons.subjects import SUBJECTS
from mensura.dialogue import Ask, Number, Outcome, Readings, Round, test

NAMES = ("stock", "capacity", "agents", "limit", "season", "seasons", "you took", "others took", "fair share before")


def roles(*, agents: int, **others: Any) -> tuple[str, ...]:
    """Name the roles."""
    return tuple(f"agent{number}" for number in range(1, agents + 1))


@test("lambda-star-commons-v1", score=score, scores=scores, scoring="3", roles=roles, subjects=SUBJECTS)
def commons(
    rng: np.random.Generator,
    *,
    agents: Annotated[int, "How many agents share the stock, 2 or more."] = 5,
    seasons: Annotated[int, "How many times all harvest before an episode ends, 1 or more."] = 20,
    episodes: Annotated[int, "How many episodes a session has, 1 or more; each begins with a full stock."] = 1,
    capacity: Annotated[float, "The size of the full stock, above 0."] = 100.0,
    growth: Annotated[
        float,
        "How fast the stock grows, above 0 and at most 1: what is left, s, grows by growth · s · (1 - s / capacity).",
    ] = 0.5,
) -> Generator[Ask | Round, Any, Outcome]:
    """Harvest a common stock season by season with others who do the same: does each ruin what all live on?"""
    check_commons(agents=agents, seasons=seasons, episodes=episodes, capacity=capacity, growth=growth)
    seats = roles(agents=agents)
    limit = 2 * capacity / agents
    space = Number(0, limit)
    got: dict[str, float] = {}
    for episode in range(episodes):
        stock, key = Stock(capacity, growth, capacity), f"episode{episode}"
        fair = 0.0
        for season in range(seasons):
            asks = []
            for role in seats:
                others = sum(got.values()) - got.get(role, 0.0) if season else 0.0
                state = [stock.level, capacity, agents, limit, season + 1, seasons, got.get(role, 0.0), others, fair]
                asks.append(
                    Ask([_words(stock, season), Readings(state, NAMES)], space, key, role, reward=got.get(role))
                )
            fair = max(0.0, stock.level - capacity / 2) / agents
            answers = yield Round(asks)
            done = stock.harvest([float(answers.get(role) or 0.0) for role in seats])
            got = dict(zip(seats, done.got, strict=True))
        if episode < episodes - 1:
            for role in seats:
                yield Ask("A new stock, full again.", key=key, role=role, reward=got[role])
            got = {}
    return Outcome("That was the last season.", reward=got)


def _words(stock: Stock, season: int) -> str:
    rules = (
        f"All of you harvest one stock. What is left of it grows by {stock.growth:g} · left · (1 - left / "
        f"{stock.capacity:g}). You keep what you take. "
        if season == 0
        else ""
    )
    return f"{rules}There are {stock.level:.1f} of {stock.capacity:g}. How much do you take?"
