"""The betting house: every density of wagers makes a proper score."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadParameter
from mensura.scores.alternatives import Floats, as_distributions

Density = Callable[[Floats], Floats]

TOLERANCE = 1e-13
HALVINGS = 40
MOST = 200_000
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(10)
DEEPEST = -700.0
"""Where the integrals in log u end: smaller numbers lose their digits, and lie one higher."""


def betting_payoffs(forecast: ArrayLike, *, density: Density) -> Floats:
    r"""Payoff if each alternative happens, for a house offering :math:`\varphi(u)\,du` wagers at odds 1-u : u.

    .. math:: \int_{1/n}^{p_i} \frac{\varphi(u)}{u}\,du - \sum_j \int_{1/n}^{p_j} \varphi(u)\,du

    More is better and ignorance pays 0. φ = 1 gives the logarithmic and φ = u the quadratic rule. Integrals are
    taken by adaptive Gauss-Legendre quadrature in log u, to about 1e-10.

    Parameters
    ----------
    forecast : array_like
        Probabilities of exclusive alternatives on the last axis.
    density : callable
        φ, vectorised over (0, 1], never negative, with a finite integral; it may grow towards zero as 1/√u does.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 5-7.

    Examples
    --------
    >>> betting_payoffs([0.5, 0.3, 0.2], density=lambda u: u * (1 - u)).round(6)
    array([ 0.090185, -0.029815, -0.104815])
    """
    probabilities = as_distributions(forecast)
    alternatives = probabilities.shape[-1]
    levels, places = np.unique(probabilities, return_inverse=True)
    places = places.reshape(probabilities.shape)
    won, staked = _integrals(levels, start=1 / alternatives, density=density)
    payoffs: Floats = won[places] - staked[places].sum(axis=-1, keepdims=True)
    return payoffs


def house_payoffs(forecast: ArrayLike, *, density: Density) -> Floats:
    r"""Payoff of the unadjusted house, which pays even the ignorant; kept to show why the adjustment is needed.

    .. math:: \int_0^{p_i} \frac{\varphi(u)}{u}\,du - \sum_j \int_0^{p_j} \varphi(u)\,du

    Infinite where φ(0) > 0.

    Examples
    --------
    >>> house_payoffs([0.5, 0.5], density=lambda u: u)
    array([0.25, 0.25])
    """
    probabilities = as_distributions(forecast)
    alternatives = probabilities.shape[-1]
    adjusted = betting_payoffs(probabilities, density=density)
    won, staked = _integrals(np.array([0.0]), start=1 / alternatives, density=density)
    payoffs: Floats = adjusted - won[0] + alternatives * staked[0]
    return payoffs


def _integrals(levels: Floats, *, start: float, density: Density) -> tuple[Floats, Floats]:
    """Integrate φ/u and φ from the start to each level, in pieces between neighbouring levels."""
    logs = np.maximum(np.log(levels, where=levels > 0, out=np.full(levels.shape, np.nan)), DEEPEST + 1)
    knots = np.unique(np.concatenate([logs[~np.isnan(logs)], [np.log(start)], [DEEPEST, DEEPEST / 2]]))
    with np.errstate(over="ignore", invalid="ignore"):
        pieces = _pieces(knots[:-1], knots[1:], density)
    # Added from the start outwards: what a density that grows towards zero has there must not drown the rest.
    origin = int(np.searchsorted(knots, np.log(start)))
    won, staked = (
        np.concatenate([-np.cumsum(part[origin - 1 :: -1])[::-1], [0], part[origin:].cumsum()]) for part in pieces
    )
    # An integral in log u ends at zero when it has stopped growing half-way to the deepest.
    half = np.searchsorted(knots, DEEPEST / 2)
    ends = [bool(np.isfinite(part[0]) and part[half] - part[0] <= 1e-9 * (1 - part[0])) for part in (won, staked)]
    if not ends[1]:
        raise BadParameter(
            "A density of wagers needs a finite integral from 0 to 1, or certainty would pay without bound; this one "
            "grows too fast towards zero (1/sqrt(u) is allowed, 1/u is not)."
        )
    won[0] = won[0] if ends[0] else -np.inf
    places = np.where(levels > 0, np.searchsorted(knots, logs), 0)
    unknown = np.isnan(levels)
    return np.where(unknown, np.nan, won[places]), np.where(unknown, np.nan, staked[places])


def _pieces(low: Floats, high: Floats, density: Density) -> tuple[Floats, Floats]:
    """Integrate over many intervals of log u at once, halving those where halves and whole disagree."""
    won, staked = np.zeros(low.shape), np.zeros(low.shape)
    owner = np.arange(len(low))
    # Wide intervals start in parts of at most one, so that a narrow peak cannot be stepped over.
    parts = np.maximum(1, np.ceil(high - low)).astype(int)
    step = np.repeat((high - low) / parts, parts)
    owner = np.repeat(owner, parts)
    low = np.repeat(low, parts) + step * (np.arange(len(step)) - np.repeat(np.cumsum(parts) - parts, parts))
    high = low + step
    whole = _gauss(low, high, density)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        halves = _gauss(low, middle, density), _gauss(middle, high, density)
        both = tuple(left + right for left, right in zip(*halves, strict=True))
        done = np.ones(len(low), dtype=bool)
        for part, check in zip(both, whole, strict=True):
            # Rounding of log u grows with depth; and what is infinite stays so, however often it is halved.
            done &= ~(np.abs(part - check) > TOLERANCE * (1 + (1 + np.abs(low)) * np.abs(part)))
        np.add.at(won, owner[done], both[0][done])
        np.add.at(staked, owner[done], both[1][done])
        rough = ~done
        if not rough.any():
            return won, staked
        if rough.sum() > MOST:
            # A density wilder than this is taken as it is by now, or halving would never end.
            np.add.at(won, owner[rough], both[0][rough])
            np.add.at(staked, owner[rough], both[1][rough])
            return won, staked
        owner = np.concatenate([owner[rough], owner[rough]])
        low, high = np.concatenate([low[rough], middle[rough]]), np.concatenate([middle[rough], high[rough]])
        whole = tuple(np.concatenate([halves[0][k][rough], halves[1][k][rough]]) for k in (0, 1))
    np.add.at(won, owner, whole[0])
    np.add.at(staked, owner, whole[1])
    return won, staked


def _gauss(low: Floats, high: Floats, density: Density) -> tuple[Floats, ...]:
    half = ((high - low) / 2)[:, np.newaxis]
    u = np.minimum(np.exp(low[:, np.newaxis] + half * (1 + _POINTS)), 1.0)
    values = half * _values(density, u)
    return values @ _WEIGHTS, (values * u) @ _WEIGHTS


def _values(density: Density, u: Floats) -> Floats:
    values = np.broadcast_to(np.asarray(density(u), dtype=float), u.shape)
    if not (values >= 0).all():
        place = np.argwhere(~(values >= 0))[0]
        raise BadParameter(
            f"A density of wagers is a number and never negative; it is {values[tuple(place)]} at {u[tuple(place)]:g}."
        )
    return values
