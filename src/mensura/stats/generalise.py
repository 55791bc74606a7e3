"""Estimates of scores that say what they generalise to."""

from dataclasses import replace
from math import nan

from numpy.typing import ArrayLike

from mensura.stats.advice import note_of
from mensura.stats.estimate import Estimate, named
from mensura.stats.intervals.interval import interval_of
from mensura.stats.intervals.moments import Moments, moments_of, nothing, of_units
from mensura.stats.intervals.sample import check_level, observed
from mensura.stats.observations import Observations
from mensura.stats.population import ITEMS, THESE_ITEMS, plural
from mensura.stats.scale import Scale

ANYWHERE = Scale()
ONE_SESSION = "One session: what another session would change cannot be known."
THESE_SESSIONS = "The sessions are taken as they were: what other sessions would change is not in this interval."


def estimate_score(
    observations: Observations,
    *,
    population: str,
    scale: Scale = ANYWHERE,
    apart: bool = True,
    level: float = 0.95,
) -> Estimate:
    """Estimate a mean score with an interval for what it generalises to.

    Parameters
    ----------
    observations : Observations
        The scores, with their items, sessions and courses.
    population : str
        What to generalise to: one of `mensura.stats.population.POPULATIONS`.
    scale : Scale
        What the score can be; it decides on the interval, see `mensura.stats.intervals.interval`.
    apart : bool
        Whether each item was its own dialogue. If not, answers of one session may vary together, and where the
        population leaves that out the note says so.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        The mean; n counts the units of the population, for a crossed one the smaller count. Its note says what must
        be said beside it.

    Examples
    --------
    >>> seen = Observations([1, 1, 0, 1, 1, 1, 0, 1], items=list("abcdefgh"), sessions=["1"] * 8)
    >>> print(estimate_score(seen, population="items", scale=Scale(binary=True)))
    0.75 [0.35, 0.97] (n=8, Clopper-Pearson with effective n over 8 items)
    >>> twice = Observations([1, 1, 0, 1, 1, 1, 0, 1] * 2, items=list("abcdefgh") * 2, sessions=["1"] * 8 + ["2"] * 8)
    >>> print(estimate_score(twice, population="items", scale=Scale(binary=True)))
    0.75 [0.35, 0.97] (n=8, Clopper-Pearson with effective n over 8 items)
    """
    check_level(level)
    scale.check(observations.values)
    moments = moments_of(observations, population=population, scale=scale, apart=apart)
    estimate = estimate_of(moments, scale=scale, population=population, level=level)
    return replace(estimate, note=with_sessions(estimate.note, observations, population=population, apart=apart))


def with_sessions(note: str, *sides: Observations, population: str, apart: bool) -> str:
    """Add to a note what an interval over items does not know of sessions in which items were asked together.

    >>> with_sessions("", Observations([1, 0], items=["a", "b"]), population="items", apart=False)
    'One session: what another session would change cannot be known.'
    """
    if apart or population not in (ITEMS, THESE_ITEMS) or not all(side.has_items for side in sides):
        return note
    fewest = min(side.count("sessions") for side in sides)
    if fewest > 1 and population == THESE_ITEMS:
        return note
    words = ONE_SESSION if fewest == 1 else THESE_SESSIONS
    return note if words in note else f"{words} {note}".strip()


def unit_estimate(
    values: ArrayLike, *, unit: str = "session", scale: Scale = ANYWHERE, level: float = 0.95
) -> Estimate:
    """Estimate a mean from one number per unit.

    Parameters
    ----------
    values : array_like
        One score per unit; NaN is dropped.
    unit : str
        What a value is the score of, in the singular; the estimate generalises to its plural.
    scale : Scale
        What the score can be.
    level : float
        Confidence level.

    Examples
    --------
    >>> print(unit_estimate([0.6, 0.7, 0.65, 0.8, 0.7], scale=Scale(0, 1)))
    0.69 [0.47, 0.86] (n=5, Clopper-Pearson with effective n over 5 sessions)
    >>> unit_estimate([0.6]).note
    'One session: what another session would change cannot be known.'
    """
    check_level(level)
    units = scale.check(observed(values, name="scores"))
    moments = of_units(units, unit=unit) if len(units) else nothing(unit)
    if scale.binary:
        moments = replace(moments, most=float(len(units)))
    return estimate_of(moments, scale=scale, population=plural(unit), level=level)


def estimate_of(moments: Moments, *, scale: Scale, population: str, level: float = 0.95) -> Estimate:
    """Return the estimate that moments give, with its note."""
    interval = interval_of(moments, scale=scale, level=level)
    note = note_of(moments, scale=scale, interval=interval)
    if interval is None:
        return Estimate(moments.mean, nan, nan, moments.n, f"none: {_why(moments)}", population, note)
    method = named(f"{interval.method} over {moments.over}", level=level)
    return Estimate(moments.mean, interval.low, interval.high, moments.n, method, population, note)


def _why(moments: Moments) -> str:
    if moments.n == 0:
        return "nothing was scored"
    if moments.n == 1:
        return f"one {moments.unit}"
    return f"all of {moments.over} are equal" if moments.is_constant else "each item was answered once"
