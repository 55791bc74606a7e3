"""The tail of scores: whether the few best stand out as an exponential distribution would have it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.stats.rounding import rounded

LEAST = 20
SEED = 24
SIMULATED = 999


@dataclass(frozen=True)
class TailFit:
    """An exponential fitted to what scores above the median exceed it by."""

    threshold: float
    n: int
    mean: float
    interval: tuple[float, float]
    distance: float
    p: float

    @property
    def sentence(self) -> str:
        """Say what the fit came to."""
        verdict = "fits" if self.p >= 0.05 else "does not fit"
        mean, low, high = rounded(self.mean, *self.interval)
        return (
            f"Above the median {self.threshold:.3f} scores exceed it by {mean} on average [{low}, {high}] "
            f"(n = {self.n}); an exponential {verdict} "
            f"(Kolmogorov-Smirnov distance {self.distance:.3f}, p = {self.p:.3f} by simulation)."
        )

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        return {
            "model": "exponential", "threshold": self.threshold, "n": self.n, "mean_excess": self.mean,
            "interval": list(self.interval), "level": 0.95, "method": "exact, by chi-squared, given the threshold",
            "distance": self.distance, "p": self.p, "sentence": self.sentence,
        }  # fmt: skip


def fit_tail(values: Any) -> TailFit | None:
    """Fit what scores above the median exceed it by; None for fewer than 20 of them.

    The mean excess has its exact interval if the excess is exponential and the scores independent. The distance is
    judged by simulated samples whose mean is estimated too: a table of the usual test would be too kind (Lilliefors).
    """
    from scipy.special import chdtri

    values = np.sort(np.asarray(values, dtype=float))
    if not len(values):
        return None
    threshold = float(np.median(values))
    excess = values[values > threshold] - threshold
    if len(excess) < LEAST:
        return None
    n, mean = len(excess), float(excess.mean())
    ends = tuple(float(2 * n * mean / chdtri(2 * n, tail)) for tail in (0.025, 0.975))
    distance = _distance(excess)
    rng = np.random.default_rng(SEED)
    drawn = np.array([_distance(np.sort(rng.exponential(size=n))) for _ in range(SIMULATED)])
    p = (1 + int((drawn >= distance).sum())) / (SIMULATED + 1)
    return TailFit(threshold, n, mean, (ends[0], ends[1]), distance, float(p))


def _distance(excess: Any) -> float:
    n = len(excess)
    held = 1 - np.exp(-excess / excess.mean())
    steps = np.arange(n + 1) / n
    return float(max((steps[1:] - held).max(), (held - steps[:-1]).max()))
