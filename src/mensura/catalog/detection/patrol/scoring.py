"""Scores of a patrol: what its acts cost, and what they prevented."""

from collections.abc import Mapping
from math import inf, nan
from typing import Any

from mensura.catalog.detection.patrol.account import Plot, Tariff, reckon
from mensura.dialogue import Items, Record, Score, Scores

BRIEFING = "briefing"


def scores(
    *,
    days: int,
    step_days: int,
    most_acts: int,
    damage: float,
    false_arrest: float,
    alert: float,
    information: float,
    **others: Any,
) -> tuple[Score, ...]:
    """Declare the scores; costs are bounded by how many acts there are, unless acts earn money; rest is free."""
    acts = len(range(step_days, days, step_days)) * most_acts
    priced = min(damage, false_arrest, alert, information) >= 0
    least, most_saved, most = (0.0, 1.0, acts) if priced else (None, None, 0)
    return (
        Score("prevented", better="more", low=0, high=1),
        Score("saved_score", better="more", high=most_saved, label="saved", unanswered=0.0),
        Score("cost_loss", better="less", low=least, label="cost"),
        # Who does nothing pays for neither: it shows in what is saved.
        Score("information_cost", better="less", low=least, high=most * information or None, unanswered=None),
        Score("alert_cost", better="less", low=least, high=most * 2 * alert or None, unanswered=None),
    )


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Reckon up what the acts cost and prevented.

    `prevented` has one value per attack, the share of its damage prevented; NaN for those not over when we lost the
    session. `saved_score` is one minus all costs over the damage of doing nothing: 0 for doing nothing, at most 1,
    below 0 for doing harm.
    """
    truth = truths[BRIEFING]
    plots = [Plot(**each | {"team": tuple(map(tuple, each["team"]))}) for each in truth["plots"]]
    prices = Tariff(**truth["prices"])
    done = [(_day(answer.key), answer.value) for answer in record.answers if answer.status == "answered"]
    ledger = reckon(plots, done, prices=prices)
    lost = [_day(answer.key) for answer in record.answers if record.outcome_of(answer) == "lost"]
    over = min(lost, default=inf)
    prevented = [
        1 - each / prices.damage if plot.end < over else nan for each, plot in zip(ledger.damage(), plots, strict=True)
    ]
    values: dict[str, Items | float] = {
        "prevented": Items(prevented, [f"attack{number}" for number in range(len(plots))]),
        "saved_score": ledger.saved(),
        "cost_loss": ledger.total(),
        "information_cost": ledger.information,
        "alert_cost": ledger.alerts,
    }
    return Scores(values, {"right_arrests": ledger.right_arrests, "false_arrests": ledger.false_arrests})


def _day(key: str) -> int:
    return int(key.split("-")[1])
