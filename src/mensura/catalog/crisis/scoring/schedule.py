"""The schedule's score: how much of what it should meet it meets, less what was spent and asked for beyond need."""

from collections.abc import Mapping
from dataclasses import dataclass

from mensura.catalog.crisis.scoring.allowance import allowance
from mensura.catalog.crisis.scoring.rules import why_not
from mensura.catalog.crisis.scoring.snapshot import Snapshot
from mensura.catalog.crisis.scoring.wanted import LEAF, wanted
from mensura.catalog.crisis.scoring.weights import Weights, our_weights
from mensura.catalog.crisis.world.requirement import LEAVES


@dataclass(frozen=True)
class ScheduleGrade:
    """What a schedule is worth, and by which rules it fails."""

    quality: float
    """Weight of the rules and requests that are met over the weight of all."""
    money: float
    """What is lost by spending more than the best plan and what is allowed besides."""
    bumps: float
    """What is lost by asking for more rooms than the best plan."""
    leaves: Mapping[str, float]
    """Leaf → weight met over weight, for the leaves that this world has."""
    failures: Mapping[str, str]
    """Rule, or task of an order that was asked for, that is not met → why, in a sentence."""
    weight: float
    """The weight of all rules and requests."""
    rules: int
    """How many rules there are."""
    asked: int
    """How many orders mail asks for."""
    allowed: float
    """Money that it was right to spend beyond the best plan."""

    @property
    def value(self) -> float:
        """The schedule's score from 0 to 1: quality less what money and bumps take."""
        return min(1.0, max(0.0, self.quality - self.money - self.bumps))


def grade_schedule(standing: Snapshot, *, weights: Weights | None = None) -> ScheduleGrade:
    r"""Grade a schedule; more is better.

    :math:`q = \sum_{r\,\mathrm{met}} w_r / \sum_r w_r`, less :math:`a\,(m - m_1 - m_0)^+/m_0` for money beyond the best
    plan and what is allowed besides (see `allowance`), and :math:`b\,(n - n_0)^+/n_0` for rooms asked for beyond it,
    within 0 and 1.
    """
    weights = weights or our_weights()
    world = standing.world
    total, kept = dict.fromkeys(LEAVES, 0.0), dict.fromkeys(LEAVES, 0.0)
    failures = {}
    for rule in world.rules:
        weight = weights.of(rule)
        total[rule.leaf] += weight
        if why := why_not(rule, standing):
            failures[rule.id] = why
        else:
            kept[rule.leaf] += weight
    asked = wanted(standing)
    for task, why in asked.items():
        total[LEAF] += weights.leaves[LEAF]
        if why:
            failures[task] = why
        else:
            kept[LEAF] += weights.leaves[LEAF]
    whole = sum(total.values())
    allowed = allowance(standing)
    return ScheduleGrade(
        quality=sum(kept.values()) / whole,
        # Where no best plan is known nobody can say what was too much, and nothing is charged.
        money=weights.money.loss(standing.spent - allowed, floor=world.floor_money) if world.ceiling else 0.0,
        bumps=weights.bumps.loss(standing.bumps, floor=world.floor_bumps) if world.ceiling else 0.0,
        leaves={leaf: kept[leaf] / total[leaf] for leaf in LEAVES if total[leaf]},
        failures=failures,
        weight=whole,
        rules=len(world.rules),
        asked=len(asked),
        allowed=allowed,
    )
