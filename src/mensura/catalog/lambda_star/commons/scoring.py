"""Scores of the commons: what everyone got, and how much of what could have grown was lost, and to what."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.commons.stock import Stock, check_commons
from mensura.catalog.lambda_star.playing import is_played
from mensura.catalog.lambda_star.scoring import each_of, name_of, parts_of
from mensura.dialogue import Items, Record, Score, Scores


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
        Score("harvest", better="more", low=0, high=1),
        *each_of(Score("harvest", better="more", low=0, high=agents), parts_of(agents=agents, team="")),
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
    harvest
        What was harvested as a share of the most there could be; an agent's own, as a share of an equal part of that:
        above 1 it took from others. The group's is the mean of its agents'.
    """
    parameters = record.parameters
    rows = [_score_episode(record, key, parameters) for key in dict.fromkeys(answer.key for answer in record.answers)]
    names = [one.name for one in scores(**parameters)]
    return Scores(
        {name: Items([row.get(name, np.nan) for row in rows]) for name in names}, {"answers": record.counts()}
    )


def _score_episode(record: Record, key: str, parameters: Mapping[str, Any]) -> dict[str, float]:
    by_role: dict[str, list[float]] = {}
    for answer in record.answers:
        if answer.key == key and is_played(record, answer):
            by_role.setdefault(answer.role, []).append(answer.value or 0.0)
    stock = Stock(parameters["capacity"], parameters["growth"], parameters["capacity"])
    seasons = [stock.harvest(wanted) for wanted in zip(*by_role.values(), strict=False)]
    if not seasons:
        return {}
    best = stock.most_growth * len(seasons)
    lost = [(season.left < stock.capacity / 2, stock.most_growth - season.grown) for season in seasons]
    got = np.array([season.got for season in seasons]).sum(axis=0)
    most = parameters["capacity"] + best
    return {
        "welfare": float((got.sum() + stock.level) / most),
        "tragedy": sum(amount for starved, amount in lost if starved) / best,
        "waste": sum(amount for starved, amount in lost if not starved) / best,
        "stock": stock.level / stock.capacity,
        "inequality": _gini(got),
        "harvest": float(got.sum() / most),
        **{name_of("harvest", role): float(len(got) * own / most) for role, own in zip(by_role, got, strict=True)},
    }


def _gini(amounts: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    total = amounts.sum()
    if total == 0 or len(amounts) < 2:
        return 0.0
    return float(np.abs(amounts[:, None] - amounts).sum() / (2 * len(amounts) * total))
