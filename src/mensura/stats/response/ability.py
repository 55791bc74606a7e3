"""Ability: a person's position on the scale of calibrated items, with an interval."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mensura.stats.estimate import Estimate
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.curves import Curves, ItemCurve
from mensura.stats.response.likelihood import grid

FINE = 241
METHOD = "posterior mean and central 95 % of the posterior"
POPULATION = "persons like those of the calibration"
NOT_CALIBRATED = (
    "None of the answered items is calibrated: mensura calibrate RUN… -o bank.jsonl writes a bank whose items are."
)


@dataclass(frozen=True, eq=False)
class Abilities:
    """The abilities of many persons: the posterior of each on one grid."""

    posterior: Floats
    """Persons × abilities of the grid."""
    answered: Floats

    @cached_property
    def value(self) -> Floats:
        """Posterior means."""
        return np.asarray(self.posterior @ grid(FINE)[0])

    @cached_property
    def interval(self) -> tuple[Floats, Floats]:
        """The ends of the central 95 % of each posterior."""
        return quantile(self.posterior, 0.025), quantile(self.posterior, 0.975)

    @cached_property
    def estimates(self) -> list[Estimate]:
        """The abilities as estimates; n is the number of items that each answered."""
        low, high = self.interval
        return [
            Estimate(float(value), float(least), float(most), int(many), METHOD, POPULATION)
            for value, least, most, many in zip(self.value, low, high, self.answered, strict=True)
        ]


def abilities(right: Floats, curves: Curves) -> Abilities:
    """Estimate abilities from answers, persons × items, by the posterior under the norm's normal distribution.

    The interval covers the true ability at its nominal rate over persons drawn from the norm population: the posterior
    of such a person is right as it stands. Of someone known to come from elsewhere it is drawn towards the norm's mean,
    the more so the fewer items were answered. The errors of the item parameters are not part of it.

    Parameters
    ----------
    right : ndarray
        1 right, 0 wrong, NaN missing.
    curves : Curves
        The parameters of the items.
    """
    ability, weight = grid(FINE)
    joint = curves.log_likelihood(right, ability) + np.log(weight)
    mass = np.exp(joint - joint.max(axis=1, keepdims=True))
    return Abilities(mass / mass.sum(axis=1, keepdims=True), (~np.isnan(right)).sum(axis=1).astype(float))


def ability_of(
    responses: Mapping[str, float | None], calibrations: Mapping[str, ItemCurve | Mapping[str, object]]
) -> Estimate | str:
    """Estimate one person's ability, or return why it cannot be estimated.

    Parameters
    ----------
    responses : mapping
        Item → 1 right, 0 wrong; None or NaN where the answer does not count.
    calibrations : mapping
        Item → its curve, or what a bank keeps of it; items that are not calibrated are not there.

    Examples
    --------
    >>> print(ability_of({"a": 1, "b": 1}, {"a": ItemCurve("2pl", 1.5, 0.0), "b": ItemCurve("2pl", 1.0, 1.0)}))
    0.9 [-0.6, 2.5] (n=2, posterior mean and central 95 % of the posterior)
    >>> ability_of({"a": 1}, {})[:41]
    'None of the answered items is calibrated:'
    """
    known = {
        item: right
        for item, right in responses.items()
        if right is not None and right == right and item in calibrations
    }
    if not known:
        return NOT_CALIBRATED if responses else "No item was answered."
    found = [calibrations[item] for item in known]
    curves = Curves.of(one if isinstance(one, ItemCurve) else ItemCurve.read(one) for one in found)
    return abilities(np.array([list(known.values())], dtype=float), curves).estimates[0]


def share_below(ability: float) -> float:
    """Return which share of the norm population lies below an ability.

    >>> round(share_below(1.0), 3)
    0.841
    """
    from scipy.special import ndtr

    return float(ndtr(ability))


def quantile(posterior: Floats, share: float) -> Floats:
    """Return the ability below which a share of each posterior on the fine grid lies."""
    ability = grid(posterior.shape[1])[0]
    step = ability[1] - ability[0]
    total = np.cumsum(posterior, axis=1)
    place = np.argmax(total >= share, axis=1)
    rows = np.arange(len(posterior))
    here, before = posterior[rows, place], total[rows, place] - posterior[rows, place]
    # The mass of a node is spread evenly around it.
    return np.asarray(ability[place] + step * ((share - before) / here - 0.5))
