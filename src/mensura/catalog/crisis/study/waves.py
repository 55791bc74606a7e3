"""Waves: studies of successive years, made comparable by the condition that all of them have.

Packages differ in difficulty from year to year. Conventional tools do not change, so the score that people reach with
them measures the package, and what a condition gains over them is compared instead of its score (hypotheses 3 and 4).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mensura.errors import BadData
from mensura.stats import (
    Estimate,
    Scale,
    TwoSampleDifference,
    two_sample_difference,
    unit_estimate,
    without_interval,
)

YARDSTICK = "cots"


@dataclass(frozen=True)
class WaveGain:
    """How much more a condition gains over the yardstick in a later wave than in an earlier one."""

    condition: str
    waves: tuple[str, str]
    gain: Estimate
    """Later gain less earlier gain."""
    p: float
    """Two-sided."""

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        earlier, later = self.waves
        said = f"From {earlier} to {later} the gain of {self.condition} over {YARDSTICK} changed by {self.gain}"
        if not self.gain.has_interval:
            return f"{said}; that cannot be judged."
        if self.gain.low > 0:
            return f"{said}: it has improved."
        return f"{said}: it has got worse." if self.gain.high < 0 else f"{said}: no change is shown."


def difficulty(waves: Mapping[str, Mapping[str, Sequence[float]]]) -> dict[str, Estimate]:
    """Return the yardstick's mean of each wave: how hard its package is."""
    return {
        wave: unit_estimate(_group(groups, YARDSTICK, wave), unit="participant", scale=Scale(0, 1))
        for wave, groups in waves.items()
    }


def progress(
    waves: Mapping[str, Mapping[str, Sequence[float]]], *, condition: str, earlier: str, later: str, level: float = 0.95
) -> WaveGain:
    r"""Compare a condition's gain over the yardstick between two waves (hypothesis 3).

    The gain of a wave is :math:`\bar x_w - \bar c_w`; the difference of two gains has a normal-theory interval with
    Welch and Satterthwaite's degrees of freedom over the four groups.

    Examples
    --------
    >>> first = {"cots": [0.50, 0.54, 0.46, 0.5], "radar+l": [0.6, 0.62, 0.58, 0.6]}
    >>> second = {"cots": [0.40, 0.44, 0.36, 0.4], "radar+l": [0.6, 0.62, 0.58, 0.6]}
    >>> print(progress({"year 1": first, "year 2": second}, condition="radar+l", earlier="year 1", later="year 2").gain)
    0.100 [0.041, 0.159] (n=16, Welch on four groups)
    """
    from scipy.special import stdtr, stdtrit

    names = [(later, condition, 1), (later, YARDSTICK, -1), (earlier, condition, -1), (earlier, YARDSTICK, 1)]
    groups = [(_group(waves[wave], name, wave), sign) for wave, name, sign in names]
    value = sum(sign * float(group.mean()) for group, sign in groups)
    errors = [float(group.var(ddof=1)) / group.size for group, _ in groups]
    total = sum(errors)
    n = sum(group.size for group, _ in groups)
    if total == 0:
        unknown = without_interval(value, n=n, reason="nothing varies in these groups")
        return WaveGain(condition, (earlier, later), unknown, float("nan"))
    freedom = total**2 / sum(error**2 / (group.size - 1) for error, (group, _) in zip(errors, groups, strict=True))
    half = float(stdtrit(freedom, (1 + level) / 2)) * total**0.5
    p = 2 * float(stdtr(freedom, -abs(value) / total**0.5))
    return WaveGain(
        condition, (earlier, later), Estimate(value, value - half, value + half, n, "Welch on four groups"), p
    )


def beats(groups: Mapping[str, Sequence[float]], first: str, second: str) -> TwoSampleDifference:
    """Compare two conditions of one wave, as hypothesis 4 does: the learning assistant against a human one."""
    return two_sample_difference(first=groups[first], second=groups[second], names=(first, second))


def _group(groups: Mapping[str, Sequence[float]], name: str, wave: str) -> np.ndarray:
    if name not in groups:
        raise BadData(f"The wave {wave} has no condition {name}; there are {', '.join(groups)}.")
    stated = np.asarray(groups[name], dtype=float)
    values: np.ndarray = stated[np.isfinite(stated)]
    if values.size < 2:
        raise BadData(f"The condition {name} of the wave {wave} has fewer than two known scores.")
    return values
