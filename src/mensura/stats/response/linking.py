"""Linking: two calibrations of the same items brought onto one scale, where their anchors allow it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mensura.stats.comparisons.multiplicity import holm
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.calibration import CalibratedItems
from mensura.stats.response.curves import WIDE
from mensura.stats.wording import listed, several, spoken

LEAST_ANCHORS = 4
LEAST_SHARE = 2 / 3
"""At least this share of the items that both calibrations have must remain as anchors."""
LEVEL = 0.05
HOLDS = 0.01
"""Anchors whose remaining differences are less likely than this are not used."""


@dataclass(frozen=True)
class ScaleLink(Finding):
    """How abilities of one calibration read on the scale of another: slope times ability plus shift."""

    names: tuple[str, str]
    slope: Estimate | None
    """Standard deviation of the first group in units of the second's; None where the anchors fail."""
    shift: Estimate | None
    """Mean of the first group on the second's scale."""
    anchors: tuple[str, ...]
    removed: Mapping[str, float]
    """Items that differ between the groups → p after Holm when they were taken out of the anchors."""
    p: float
    """How likely differences between the anchors as large as these are, if all were alike."""
    reason: str
    """Why there is no common scale; "" where there is one."""

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        if self.slope is None or self.shift is None:
            return f"No common scale of {listed(self.names)}: {self.reason}"
        first, second = self.names
        taken = f", without {listed(list(self.removed))}" if self.removed else ""
        return (
            f"On the scale of {second} (mean 0, standard deviation 1), {first} have mean {spoken(self.shift)} and "
            f"standard deviation {spoken(self.slope)}, by {several(len(self.anchors), 'anchor')}{taken}."
        )


def link_scales(first: CalibratedItems, second: CalibratedItems, *, names: tuple[str, str]) -> ScaleLink:
    r"""Link two calibrations by the items that both have.

    If :math:`\theta_2 = A\theta_1 + B`, then slopes and intercepts satisfy :math:`a_1 = A a_2` and
    :math:`d_1 = d_2 + B a_2`. A and B are estimated by generalised least squares with the covariances of both
    calibrations, which is as efficient as calibrating together. Each item's departure is tested with A and B refitted;
    the item that departs most is taken out of the anchors until none does after Holm.

    No common scale is given where fewer than four anchors or less than two thirds of the shared items are left, or
    where those that are left still differ by more than chance explains.
    """
    shared = [name for name in first.items if name in second.items]
    anchors, removed = list(shared), dict[str, float]()
    p = float("nan")
    while len(anchors) >= LEAST_ANCHORS:
        fitted = _Fitted.of(first, second, anchors)
        p = fitted.p
        departures = fitted.departures()
        adjusted = holm(departures).adjusted
        worst = int(np.argmin(departures))
        if adjusted[worst] >= LEVEL:
            break
        removed[anchors.pop(worst)] = adjusted[worst]
    reason = _reason(len(shared), len(anchors), p)
    if reason:
        return ScaleLink(names, None, None, tuple(anchors), removed, p, reason)
    slope, shift = fitted.estimates
    return ScaleLink(names, slope, shift, tuple(anchors), removed, p, "")


def _reason(shared: int, anchors: int, p: float) -> str:
    if shared < LEAST_ANCHORS:
        return f"they share {several(shared, 'calibrated item')}, and {LEAST_ANCHORS} are needed."
    if anchors < max(LEAST_ANCHORS, LEAST_SHARE * shared):
        return (
            f"only {anchors} of {shared} shared items are alike in both; two thirds of them, and {LEAST_ANCHORS}, "
            "are needed. What the items measure is not the same."
        )
    if p < HOLDS:
        return f"the {anchors} anchors differ by more than chance explains (p = {p:.2g})."
    return ""


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Generalised least squares of the equations that anchors satisfy."""

    turn: Floats
    covariance: Floats
    residual: Floats
    """Weighted residual of each equation, M y."""
    weight: Floats
    """M: the weights less what the fit takes up."""
    of_item: Floats
    """The anchor that each equation is of; -1 for the slope that all items share."""
    n: int

    @classmethod
    def of(cls, first: CalibratedItems, second: CalibratedItems, anchors: list[str]) -> "_Fitted":
        common = first.model == "rasch"
        values, covariances = zip(*(_parts(one, anchors, common=common) for one in (first, second)), strict=True)
        (a1, d1), (a2, d2) = values
        slopes = len(a1)
        design = np.zeros((slopes + len(d1), 2))
        design[:slopes, 0] = a2
        design[slopes:, 1] = a2
        left = np.concatenate([a1, d1 - d2])
        turn = np.array([float(np.mean(a1 / a2)), float(np.mean((d1 - d2) / a2))])
        for _ in range(8):
            # How the equations' errors follow from those of the second calibration.
            carry = np.eye(len(left))
            carry[:slopes, :slopes] *= turn[0]
            carry[slopes:, :slopes] = turn[1] * (np.eye(slopes) if slopes > 1 else np.ones((len(d1), 1)))
            weight = np.linalg.pinv(covariances[0] + carry @ covariances[1] @ carry.T)
            spread = np.asarray(np.linalg.inv(design.T @ weight @ design), dtype=float)
            turn = spread @ design.T @ weight @ left
        freed = weight - weight @ design @ spread @ design.T @ weight
        of_item = np.concatenate([np.arange(slopes) if slopes > 1 else [-1], np.arange(len(d1))])
        return cls(turn, spread, freed @ left, freed, of_item.astype(float), min(first.persons, second.persons))

    @property
    def p(self) -> float:
        """How likely departures of all anchors as large as these are by chance."""
        from scipy.special import chdtrc

        freedom = len(self.residual) - 2
        # M W^-1 M is M, so y'My is the squared length of the residual in the metric of the pseudo-inverse of M.
        size = float(self.residual @ np.linalg.pinv(self.weight) @ self.residual)
        return float(chdtrc(freedom, size))

    def departures(self) -> Floats:
        """Return for each anchor how likely its departure is by chance, if it had separate parameters."""
        from scipy.special import chdtrc

        found = []
        for place in range(int(self.of_item.max()) + 1):
            own = np.flatnonzero(self.of_item == place)
            block, part = self.weight[np.ix_(own, own)], self.residual[own]
            found.append(float(chdtrc(len(own), part @ np.linalg.pinv(block) @ part)))
        return np.array(found)

    @property
    def estimates(self) -> tuple[Estimate, Estimate]:
        """Slope and shift with their intervals."""
        errors = WIDE * np.sqrt(np.diag(self.covariance))
        slope, shift = (
            Estimate(float(value), float(value - error), float(value + error), self.n, "generalised least squares")
            for value, error in zip(self.turn, errors, strict=True)
        )
        return slope, shift


def _parts(calibrated: CalibratedItems, anchors: list[str], *, common: bool) -> tuple[tuple[Floats, Floats], Floats]:
    """Return slopes and intercepts of anchors and their covariance, slopes first; of Rasch items the one slope."""
    names = list(calibrated.items)
    places = np.array([names.index(name) for name in anchors])
    kinds = calibrated.raw.shape[1]
    slopes = places[:1] * kinds if common else places * kinds
    order = np.concatenate([slopes, places * kinds + 1])
    a, d = calibrated.raw[places[: len(slopes)], 0], calibrated.raw[places, 1]
    return (a, d), calibrated.covariance[np.ix_(order, order)]
