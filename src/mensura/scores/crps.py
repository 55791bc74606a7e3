"""The continuous ranked probability score: how far a whole distribution lies from what came out, in its own unit."""

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadParameter
from mensura.scores.alternatives import Floats, as_distributions
from mensura.scores.blocks import SIZE


def crps_normal(*, mean: ArrayLike, deviation: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""CRPS loss of a normal forecast, :math:`\sigma[z(2\Phi(z)-1) + 2\varphi(z) - 1/\sqrt\pi]`; 0 is perfect.

    Parameters
    ----------
    mean, deviation : array_like
        The forecast normal distribution; deviations are positive.
    outcome : array_like
        The quantity as it came out; NaN where unknown.

    References
    ----------
    .. [1] Gneiting, Raftery, Westveld and Goldman (2005), Monthly Weather Review 133, 1098-1118.

    Examples
    --------
    >>> crps_normal(mean=0.1, deviation=0.4, outcome=0.0).round(6)
    np.float64(0.1034)
    """
    from scipy.special import erf

    means, deviations, outcomes = _together(mean, deviation, outcome)
    result = np.empty(outcomes.shape)
    flat = [np.ascontiguousarray(part).ravel() for part in (means, deviations, outcomes)]
    flat_result = result.ravel()
    z, bell = np.empty(SIZE), np.empty(SIZE)
    for start in range(0, flat_result.size, SIZE):
        some_means, some_deviations, some_outcomes = (part[start : start + SIZE] for part in flat)
        out = flat_result[start : start + SIZE]
        x, phi = z[: len(out)], bell[: len(out)]
        # x = z / √2, so that 2Φ(z) - 1 = erf(x) and φ(z) = exp(-x²)/√(2π).
        np.subtract(some_outcomes, some_means, out=x)
        np.divide(x, some_deviations, out=x)
        np.multiply(x, np.sqrt(0.5), out=x)
        np.multiply(x, x, out=phi)
        np.negative(phi, out=phi)
        np.exp(phi, out=phi)
        np.multiply(phi, np.sqrt(2 / np.pi), out=phi)
        erf(x, out=out)
        np.multiply(out, x, out=out)
        np.multiply(out, np.sqrt(2.0), out=out)
        np.add(out, phi, out=out)
        np.subtract(out, 1 / np.sqrt(np.pi), out=out)
        np.multiply(out, some_deviations, out=out)
    return result[()]


def crps_logistic(*, location: ArrayLike, scale: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""CRPS loss of a logistic forecast, :math:`s[z - 2\log F(z) - 1]`; 0 is perfect.

    Examples
    --------
    >>> crps_logistic(location=0.1, scale=0.4, outcome=0.0).round(6)
    np.float64(0.160752)
    """
    locations, scales, outcomes = _together(location, scale, outcome)
    z = (outcomes - locations) / scales
    losses: Floats = scales * (z + 2 * np.logaddexp(0, -z) - 1)
    return losses


def crps_lognormal(*, mean: ArrayLike, deviation: ArrayLike, outcome: ArrayLike) -> Floats:
    """CRPS loss of a log-normal forecast; mean and deviation are those of the logarithm.

    Examples
    --------
    >>> crps_lognormal(mean=0.1, deviation=0.4, outcome=1.2).round(6)
    np.float64(0.113388)
    """
    from scipy.special import ndtr

    means, deviations, outcomes = _together(mean, deviation, outcome)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = np.where(outcomes > 0, (np.log(outcomes) - means) / deviations, -np.inf)
    centre = np.exp(means + deviations**2 / 2)
    losses = outcomes * (2 * ndtr(z) - 1) - 2 * centre * (ndtr(z - deviations) + ndtr(deviations / np.sqrt(2)) - 1)
    return np.where(np.isnan(outcomes), np.nan, losses)


def crps_ensemble(*, members: ArrayLike, outcome: ArrayLike, fair: bool = False) -> Floats:
    r"""CRPS loss of a sample from the forecast, :math:`E|X - y| - \frac12 E|X - X'|`; 0 is perfect.

    Parameters
    ----------
    members : array_like
        The sample, members on the last axis.
    outcome : array_like
        The quantity as it came out; NaN where unknown.
    fair : bool
        Divide pairs by m(m - 1) instead of m², so that a small sample is not punished for being small.

    Examples
    --------
    >>> crps_ensemble(members=[[1.0, 2.0, 4.0]], outcome=[2.0]).round(4)
    array([0.3333])
    """
    values = np.asarray(members, dtype=float)
    if values.ndim == 0 or values.shape[-1] < (2 if fair else 1):
        raise BadParameter(f"An ensemble needs {'two members' if fair else 'a member'} or more; got {values.shape}.")
    outcomes = np.asarray(outcome, dtype=float)
    shape = np.broadcast_shapes(values.shape[:-1], outcomes.shape)
    outcomes = np.ascontiguousarray(np.broadcast_to(outcomes, shape)).ravel()
    rows = np.ascontiguousarray(np.broadcast_to(values, (*shape, values.shape[-1]))).reshape(-1, values.shape[-1])
    losses: Floats = _ensemble_rows(rows, outcomes, fair).reshape(shape)
    return losses


def crps_histogram(*, masses: ArrayLike, edges: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""CRPS loss of probabilities of bins, spread evenly inside each: :math:`\int (F(x) - 1\{x \ge y\})^2 dx`, exactly.

    Parameters
    ----------
    masses : array_like
        Probabilities of the bins on the last axis.
    edges : array_like
        One edge more than bins, not decreasing; a bin of no width is an atom.
    outcome : array_like
        The quantity as it came out; NaN where unknown.

    Examples
    --------
    >>> crps_histogram(masses=[[0.5, 0.5]], edges=[0.0, 1.0, 2.0], outcome=[1.0]).round(4)
    array([0.1667])
    """
    probabilities, borders = as_distributions(masses), np.asarray(edges, dtype=float)
    if borders.shape[-1] != probabilities.shape[-1] + 1 or (np.diff(borders, axis=-1) < 0).any():
        raise BadParameter("Bins need one more edge than masses, and edges that do not decrease.")
    outcomes = np.asarray(outcome, dtype=float)[..., np.newaxis]
    start = np.concatenate([np.zeros((*probabilities.shape[:-1], 1)), np.cumsum(probabilities, axis=-1)[..., :-1]], -1)
    left, right = borders[..., :-1], borders[..., 1:]
    split = np.clip(outcomes, left, right)
    width = np.where(right > left, right - left, 1.0)
    middle = start + probabilities * np.where(right > left, (split - left) / width, (outcomes >= right).astype(float))
    end = start + probabilities
    inside = (split - left) * _mean_square(start, middle) + (right - split) * _mean_square(1 - middle, 1 - end)
    outside = np.maximum(borders[..., 0] - outcomes[..., 0], 0) + np.maximum(outcomes[..., 0] - borders[..., -1], 0)
    losses: Floats = inside.sum(axis=-1) + outside
    return losses


def crps_quantiles(*, quantiles: ArrayLike, levels: ArrayLike, outcome: ArrayLike) -> Floats:
    r"""CRPS loss of the distribution drawn through stated quantiles; less is better.

    Between neighbours, and beyond the outermost with the slope of the last pair, the value is a straight line in
    :math:`\Phi^{-1}` of the level: quantiles of a normal distribution give that distribution, however few they are.
    On a line of slope b below the outcome :math:`\int b\,\Phi(z)^2 dz` is taken in closed form, above it by symmetry.

    Parameters
    ----------
    quantiles : array_like
        Two or more stated quantiles on the last axis, not decreasing.
    levels : array_like
        Their levels, not decreasing, strictly between 0 and 1; a level said twice puts nothing between two values.
    outcome : array_like
        The quantity as it came out; NaN where unknown.

    Examples
    --------
    >>> crps_quantiles(quantiles=[[-2.326348, 0.0, 2.326348]], levels=[0.01, 0.5, 0.99], outcome=[0.5]).round(4)
    array([0.3314])
    """
    from scipy.special import ndtri

    values, shares = np.asarray(quantiles, dtype=float), np.asarray(levels, dtype=float)
    if shares.shape[-1] < 2 or not ((shares > 0) & (shares < 1)).all() or (np.diff(values, axis=-1) < 0).any():
        raise BadParameter("Two or more quantiles that do not decrease are needed, at levels between 0 and 1.")
    z = ndtri(shares)
    values, z = np.broadcast_arrays(values, z)
    y = np.asarray(outcome, dtype=float)[..., np.newaxis]
    rise, run = np.diff(values, axis=-1), np.diff(z, axis=-1)
    slopes = np.divide(rise, run, out=np.zeros_like(rise), where=run > 0)
    slopes = np.concatenate([slopes[..., :1], slopes, slopes[..., -1:]], axis=-1)
    ends = np.concatenate([np.full_like(z[..., :1], -np.inf), z, np.full_like(z[..., :1], np.inf)], axis=-1)
    begin, stop = ends[..., :-1], ends[..., 1:]
    first = [np.concatenate([part[..., :1], part], axis=-1) for part in (values, z)]
    at = np.clip(first[1] + (y - first[0]) / np.where(slopes > 0, slopes, 1.0), begin, stop)
    drawn = slopes * (_square(at) - _square(begin) + _square(-at) - _square(-stop))
    below, share = np.clip(y - values[..., :-1], 0, rise), np.broadcast_to(shares, values.shape)[..., :-1]
    level = np.where(run > 0, 0.0, below * share**2 + (rise - below) * (1 - share) ** 2)
    outside = np.stack([values[..., 0] - y[..., 0], y[..., 0] - values[..., -1]], axis=-1)
    beyond = np.where(slopes[..., [0, -1]] > 0, 0.0, np.maximum(outside, 0))
    losses: Floats = drawn.sum(axis=-1) + level.sum(axis=-1) + beyond.sum(axis=-1)
    return losses


def _square(z: Floats) -> Floats:
    """Integrate Φ² from minus infinity to z: zΦ² + 2φΦ − Φ(√2 z)/√π."""
    from scipy.special import ndtr

    finite = np.where(np.isneginf(z), 0.0, z)
    bell = np.exp(-(finite**2) / 2) / np.sqrt(2 * np.pi)
    total = finite * ndtr(finite) ** 2 + 2 * bell * ndtr(finite) - ndtr(np.sqrt(2) * finite) / np.sqrt(np.pi)
    return np.where(np.isneginf(z), 0.0, total)


def _ensemble_rows(members: Floats, outcomes: Floats, fair: bool) -> Floats:
    count, size = members.shape
    # Sorted, half the sum over pairs of |x - x'| is the sum of x times its rank about the middle.
    ranks = (2 * np.arange(size) - size + 1) / (size * (size - 1) if fair else size * size)
    result = np.empty(count)
    rows = max(1, 4 * SIZE // size)
    block = np.empty((rows, size))
    for start in range(0, count, rows):
        piece = slice(start, start + rows)
        some = block[: len(outcomes[piece])]
        np.copyto(some, members[piece])
        some.sort(axis=1)
        spread = some @ ranks
        np.subtract(some, outcomes[piece, np.newaxis], out=some)
        np.abs(some, out=some)
        result[piece] = some.mean(axis=1) - spread
    return result


def _mean_square(first: Floats, last: Floats) -> Floats:
    # Mean of a square that runs linearly from first to last.
    return (first**2 + first * last + last**2) / 3


def _together(centre: ArrayLike, spread: ArrayLike, outcome: ArrayLike) -> tuple[Floats, Floats, Floats]:
    centres, spreads, outcomes = np.broadcast_arrays(
        np.asarray(centre, dtype=float), np.asarray(spread, dtype=float), np.asarray(outcome, dtype=float)
    )
    if spreads.size and not np.fmin.reduce(spreads, axis=None) > 0:
        raise BadParameter(f"The spread of a distribution is positive; got {np.nanmin(spreads):g}.")
    return centres, spreads, outcomes
