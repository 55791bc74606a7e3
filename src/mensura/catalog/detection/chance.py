"""What answers drawn at random score: exactly where that follows from how they are drawn, else by simulation."""

from dataclasses import fields
from typing import Any

from mensura.catalog.detection.taking import SMALLER
from mensura.catalog.detection.world.parameters import WorldParameters

# Mean over 400 simulated worlds of the default size; its standard error is 0.0014.
SIMULATED = {"attack_mean_f": 0.0276}


def detection_chance(*, batch_days: int = 30, **world: Any) -> dict[str, float]:
    """Levels of the detection test: random answers name no group; attacks only by simulation, at the defaults.

    >>> detection_chance(individuals=50)["group_mean_f"]
    0.0
    """
    exact = {"group_mean_f": 0.0, "group_recall_of_all": 0.0, "group_nacc": 0.0}
    usual = {each.name: SMALLER.get(each.name, each.default) for each in fields(WorldParameters)}
    return exact | (SIMULATED if batch_days == 30 and usual == usual | world else {})


def patrol_chance(
    *, days: int, step_days: int, most_acts: int, information: float, alert: float, **others: Any
) -> dict[str, float]:
    r"""Levels of the patrol: what random acts cost.

    Each of the five acts is as likely, and going on ends the day, so that a day has
    :math:`\sum_{k<m} (4/5)^k = 5\,(1 - (4/5)^m)` draws of at most :math:`m`; two fifths of them buy information, and
    one fifth raises an alert, of level one or two.

    >>> {name: round(level, 1) for name, level in patrol_chance(days=240, step_days=5, most_acts=10,
    ...                                                         information=1.0, alert=3.0).items()}
    {'information_cost': 83.9, 'alert_cost': 188.8}
    """
    draws = 5 * (1 - 0.8**most_acts) * len(range(step_days, days, step_days))
    return {"information_cost": draws * 2 / 5 * information, "alert_cost": draws / 5 * 1.5 * alert}
