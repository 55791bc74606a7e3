"""Cohorts: people who take part together, all in one condition, balanced over the times at which cohorts meet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np

from mensura.errors import BadParameter
from mensura.running.study.plan import Study
from mensura.running.study.procedure import CohortPlan, Procedure, slot_time, time_of_day

TRIES = 4000


@dataclass(frozen=True)
class Cohort:
    """People who meet at one time, all in one condition."""

    number: int
    condition: str
    slot: str
    places: int

    @property
    def time_of_day(self) -> str:
        """Return whether it meets in the morning, the afternoon or the evening."""
        return time_of_day(slot_time(self.slot))

    @property
    def weekday(self) -> str:
        """The day of the week on which it meets."""
        return f"{slot_time(self.slot):%A}"


def cohorts_of(study: Study) -> list[Cohort]:
    """Plan the cohorts of a study: the same plan gives the same cohorts."""
    conditions = list(dict.fromkeys(cell.condition for cell in study.cells()))
    return list(_planned(tuple(conditions), Procedure.read(study.procedure).cohorts, study.seed or 0))


@lru_cache(maxsize=64)
def _planned(conditions: tuple[str, ...], plan: CohortPlan, seed: int) -> tuple[Cohort, ...]:
    # Pages ask for them at each look, and drawing thousands of assignments takes a second.
    return tuple(plan_cohorts(conditions, plan, seed=seed))


def plan_cohorts(conditions: Sequence[str], plan: CohortPlan, *, seed: int) -> list[Cohort]:
    """Give each slot a condition, so that every condition has enough places and meets at all times of day and week.

    Chance draws many assignments with equal numbers of cohorts; the most even one over times of day and days of the
    week is taken, so that a condition is never known by the hour at which it was tested.

    Examples
    --------
    >>> slots = ("2027-03-01 09:00", "2027-03-01 14:00", "2027-03-02 09:00", "2027-03-02 14:00")
    >>> made = plan_cohorts(["cots", "radar"], CohortPlan(size=15, per_condition=30, slots=slots), seed=1)
    >>> sorted((one.condition, one.time_of_day) for one in made)
    [('cots', 'afternoon'), ('cots', 'morning'), ('radar', 'afternoon'), ('radar', 'morning')]
    """
    if plan.size < 1 or plan.per_condition < 1 or plan.spares < 0:
        raise BadParameter("A cohort has at least one place, a condition at least one participant, and spares are ≥ 0.")
    each = ceil(plan.per_condition / plan.size)
    wanted = each * len(conditions)
    if len(plan.slots) < wanted:
        raise BadParameter(
            f"{len(conditions)} conditions with {plan.per_condition} participants in cohorts of {plan.size} need "
            f"{wanted} slots; {len(plan.slots)} are given. Add slots, or make cohorts larger."
        )
    if len(set(plan.slots)) < len(plan.slots):
        raise BadParameter("Two slots of the cohorts are the same.")
    slots = sorted(plan.slots, key=slot_time)[:wanted]
    rng = np.random.default_rng(seed)
    pool = [condition for condition in conditions for _ in range(each)]
    best = min((list(rng.permutation(pool)) for _ in range(TRIES)), key=lambda order: imbalance(slots, order))
    return [
        Cohort(number, str(condition), slot, plan.size + plan.spares)
        for number, (slot, condition) in enumerate(zip(slots, best, strict=True), start=1)
    ]


def imbalance(slots: Sequence[str], conditions: Sequence[str]) -> float:
    """Measure how unevenly conditions lie over times of day and days of the week: 0 is perfectly even."""
    made = [Cohort(0, condition, slot, 0) for slot, condition in zip(slots, conditions, strict=True)]
    total = 0.0
    for part in ("time_of_day", "weekday"):
        by_part = Counter(getattr(one, part) for one in made)
        both = Counter((getattr(one, part), one.condition) for one in made)
        kinds = Counter(one.condition for one in made)
        for value, count in by_part.items():
            for condition, share in kinds.items():
                total += (both[value, condition] - count * share / len(made)) ** 2
    return total


def subject_number(cohort: Cohort, seat: int, conditions: Sequence[str]) -> str:
    """Number a participant by condition, cohort and seat; it says nothing to those who do not know the conditions.

    >>> subject_number(Cohort(3, "radar", "2027-03-01 09:00", 15), 7, ["cots", "radar"])
    '20307'
    """
    return f"{list(conditions).index(cohort.condition) + 1}{cohort.number:02d}{seat:02d}"
