"""Sequential tests: how strong a difference must be at each look, so that looking early costs no false alarms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from mensura.errors import BadParameter, unknown

Spending = Literal["obrien-fleming", "pocock"]
METHODS: tuple[Spending, ...] = get_args(Spending)
NODES = 400
"""Points at which the paths that have not stopped are integrated; with twice as many no digit shown here changes."""
FARTHEST = 37.0
"""No boundary lies beyond: a normal number of this size has no probability that a computer could write."""


@dataclass(frozen=True)
class Boundaries:
    """How far a standardised difference must lie from 0 at each look to stop, either way."""

    method: Spending
    fractions: tuple[float, ...]
    """Which share of all data each look has."""
    z: tuple[float, ...]
    levels: tuple[float, ...]
    """The same as two-sided p-values."""
    alpha: float


def spending_boundaries(fractions: Sequence[float], *, method: Spending, alpha: float = 0.05) -> Boundaries:
    r"""Return the boundaries of a two-sided group sequential test by alpha spending.

    Up to the share :math:`t` of the data each side spends :math:`2 - 2\Phi(z_{\alpha/4} / \sqrt t)`
    ("obrien-fleming": little at first) or :math:`\frac\alpha2 \ln(1 + (e - 1) t)` ("pocock": about the same at each
    look) [1]_. The boundaries follow by integrating over the paths that have not stopped before [2]_.

    Parameters
    ----------
    fractions : sequence of float
        Share of all data at each look, rising to 1.
    method : {"obrien-fleming", "pocock"}
        How the chance of a false alarm is spent.
    alpha : float
        Chance of a false alarm over all looks, two-sided.

    Returns
    -------
    Boundaries
        One for each look.

    References
    ----------
    .. [1] Lan and DeMets (1983), Biometrika 70, 659-663.
    .. [2] Armitage, McPherson and Rowe (1969), Journal of the Royal Statistical Society A 132, 235-244.

    Examples
    --------
    >>> [round(float(z), 2) for z in spending_boundaries([0.5, 1], method="obrien-fleming").z]
    [2.96, 1.97]
    """
    from scipy.optimize import brentq
    from scipy.stats import norm

    times = np.asarray(fractions, dtype=float)
    if method not in METHODS:
        raise unknown("sequential method", str(method), known=METHODS, see=f"There are {', '.join(METHODS)}.")
    if times.size < 1 or not (np.diff(times, prepend=0.0) > 0).all() or abs(times[-1] - 1) > 1e-9:
        raise BadParameter(f"Looks rise from above 0 to 1, all data; got {', '.join(f'{one:g}' for one in times)}.")
    if not 0 < alpha < 1:
        raise BadParameter(f"alpha lies between 0 and 1; got {alpha:g}.")
    spent = np.diff(_spent(times, method, alpha / 2), prepend=0.0)
    places, weights = np.polynomial.legendre.leggauss(NODES)
    z: list[float] = []
    path, density = np.zeros(1), np.ones(1)
    before = 0.0
    for time, share in zip(times, spent, strict=True):
        step = np.sqrt(time - before)
        given = (path, density, np.sqrt(time), step, share)
        # Very early next to nothing is spent, and no difference is enough.
        never = _leaving(FARTHEST, *given) >= 0
        z.append(FARTHEST if never else float(brentq(_leaving, 0.0, FARTHEST, args=given)))
        edge = z[-1] * np.sqrt(time)
        new = edge * places
        density = (norm.pdf((new[:, None] - path[None, :]) / step) / step * density[None, :]).sum(axis=1)
        density, path, before = density * weights * edge, new, time
    return Boundaries(method, tuple(map(float, times)), tuple(z), tuple(float(2 * norm.sf(one)) for one in z), alpha)


def _leaving(bound: float, path: np.ndarray, density: np.ndarray, scale: float, step: float, share: float) -> float:
    """Return how much more than its share leaves at one side of a look with this boundary."""
    from scipy.stats import norm

    return float((density * norm.sf((bound * scale - path) / step)).sum() - share)


def _spent(times: np.ndarray, method: Spending, alpha: float) -> np.ndarray:
    """Return what one side has spent up to each look."""
    from scipy.stats import norm

    if method == "pocock":
        return np.asarray(alpha * np.log1p((np.e - 1) * times))
    return np.asarray(2 * norm.sf(norm.isf(alpha / 2) / np.sqrt(times)))
