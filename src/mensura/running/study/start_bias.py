"""Start-time bias: whether it mattered when people were tested."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mensura.errors import BadData


@dataclass(frozen=True)
class StartBias:
    """A test of whether scores differ by the time at which people began, conditions being allowed for."""

    by: str
    """"time of day" or "weekday"."""
    f: float
    freedom: tuple[int, int]
    p: float
    n: int

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        verdict = "matters" if self.p < 0.05 else "shows no effect"
        test = f"F({self.freedom[0]}, {self.freedom[1]}) = {self.f:.2f}, p = {self.p:.3g}, n = {self.n}"
        return f"The {self.by} at which people began {verdict} ({test})."


def start_bias(
    scores: Sequence[float], conditions: Sequence[str], starts: Sequence[str], *, by: str = "time of day"
) -> StartBias:
    r"""Test whether scores depend on when people began, beyond their condition.

    Least squares with condition and start as additive factors; the F test compares the model with both to the one
    with the condition alone. Groups need not be crossed fully, as cohorts seldom are, but a start time at which only
    one condition was tested, and that condition at no other, cannot be told apart from it.

    Examples
    --------
    >>> print(start_bias([1, 2, 2, 3, 1.5, 2.5], list("aabbab"), ["am", "pm", "am", "pm", "am", "pm"]).sentence)
    The time of day at which people began shows no effect (F(1, 3) = 9.00, p = 0.0577, n = 6).
    """
    values = np.asarray(scores, dtype=float)
    known = np.isfinite(values)
    kinds, times = np.asarray(conditions, dtype=object)[known], np.asarray(starts, dtype=object)[known]
    values = values[known]
    small = _dummies(kinds)
    large = np.column_stack([small, _dummies(times)[:, 1:]])
    ranks = [int(np.linalg.matrix_rank(design)) for design in (small, large)]
    more, rest = ranks[1] - ranks[0], len(values) - ranks[1]
    if more < 1:
        raise BadData("Start times and conditions cannot be told apart: each condition met at only one time.")
    if rest < 1:
        raise BadData(f"{len(values)} scores are too few to judge {more + 1} start times.")
    from scipy.special import fdtrc

    errors = [
        float(((values - design @ np.linalg.lstsq(design, values, rcond=None)[0]) ** 2).sum())
        for design in (small, large)
    ]
    f = ((errors[0] - errors[1]) / more) / (errors[1] / rest) if errors[1] > 0 else float("inf")
    return StartBias(by, float(f), (more, rest), float(fdtrc(more, rest, f)), len(values))


def _dummies(labels: np.ndarray) -> np.ndarray:
    names = list(dict.fromkeys(labels))
    return np.column_stack([np.ones(len(labels)), *[(labels == name).astype(float) for name in names[1:]]])
