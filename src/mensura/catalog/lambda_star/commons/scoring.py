"""Scores of the commons: what everyone got, and how much of what could have grown was lost, and to what."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.commons.stock import Stock, check_commons
from mensura.catalog.lambda_star.playing import is_played
from mensura.dialogue import Items, Record, Score, Scores

NAMES = ("welfare", "tragedy", "waste", "stock", "inequality")


def scores(*, agents: int, seasons: int, episodes: int, capacity: float, growth: float) -> tuple[Score, ...]:
    r"""Declare the scores; nobody can lose what a group began with, so welfare is at least :math:`1/(1 + T r/4)`."""
    check_commons(agents=agents, seasons=seasons, episodes=episodes, capacity=capacity, growth=growth)
    return (
        Score("welfare", better="more", low=1 / (1 + seasons * growth / 4), high=1),
        # Who does not answer takes nothing, which ruins nothing: it shows in welfare and waste.
        Score("tragedy", better="less", low=0, high=1, unanswered=None),
        Score("waste", better="less", low=0, high=1),
        # A full stock at the end is waste, an empty one tragedy: what is best follows from the seasons before.
        Score("stock", better=None, low=0, high=1, label="stock left"),
        Score("inequality", better="less", low=0, high=1 - 1 / agents, unanswered=None),
    )


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    r"""Score every episode by going through its seasons again.

    What a group can have is the stock it began with and all that grows, at most :math:`T r C / 4` over T seasons.

    welfare
        What was harvested or left at the end, as a share of the most there could be: 1 is the best a group can do.
    tragedy
        Share of the possible growth that was lost because too little was left to grow: 0 none, 1 all of it.
    waste
        Share of the possible growth that was lost because more was left than grows best.
    stock
        What is left at the end, as a share of the capacity.
    inequality
        Gini coefficient of what agents got: 0 all the same, near 1 all to one.
    """
    parameters = record.parameters
    rows = [_score_episode(record, key, parameters) for key in dict.fromkeys(answer.key for answer in record.answers)]
    values = np.array(rows).reshape(len(rows), len(NAMES))
    return Scores({name: Items(values[:, i]) for i, name in enumerate(NAMES)}, {"answers": record.counts()})


def _score_episode(record: Record, key: str, parameters: Mapping[str, Any]) -> tuple[float, ...]:
    by_role: dict[str, list[float]] = {}
    for answer in record.answers:
        if answer.key == key and is_played(record, answer):
            by_role.setdefault(answer.role, []).append(answer.value or 0.0)
    stock = Stock(parameters["capacity"], parameters["growth"], parameters["capacity"])
    seasons = [stock.harvest(wanted) for wanted in zip(*by_role.values(), strict=False)]
    if not seasons:
        return (np.nan,) * len(NAMES)
    best = stock.most_growth * len(seasons)
    lost = [(season.left < stock.capacity / 2, stock.most_growth - season.grown) for season in seasons]
    tragedy = sum(amount for starved, amount in lost if starved) / best
    waste = sum(amount for starved, amount in lost if not starved) / best
    got = np.array([season.got for season in seasons]).sum(axis=0)
    welfare = (got.sum() + stock.level) / (parameters["capacity"] + best)
    return float(welfare), tragedy, waste, stock.level / stock.capacity, _gini(got)


def _gini(amounts: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    total = amounts.sum()
    if total == 0 or len(amounts) < 2:
        return 0.0
    return float(np.abs(amounts[:, None] - amounts).sum() / (2 * len(amounts) * total))
