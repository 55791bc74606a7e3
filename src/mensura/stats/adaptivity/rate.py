"""Learning rate over a class of tasks, corrected for size and complexity, and how well it foretells a new task."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import course_mean
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.mean import number_estimate
from mensura.stats.intervals.sample import Floats, numbers, table
from mensura.stats.wording import spoken


@dataclass(frozen=True, slots=True)
class LearningRate(Finding):
    """How fast tasks of a class are learned.

    `rate` is the inverse of what the reference task takes; `exponents` say how time grows with each property;
    `foretold` is the time of each task as the others foretell it; `miss` is the factor by which that is wrong, and
    `plain_miss` the same where the properties are ignored.
    """

    rate: Estimate
    exponents: dict[str, float]
    foretold: tuple[float, ...]
    miss: Estimate
    plain_miss: Estimate

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        return (
            f"At the reference task the rate is {spoken(self.rate)}. The time of a task left out of {self.miss.n} is "
            f"missed by a factor of {spoken(self.miss)}; without its properties {spoken(self.plain_miss)}."
        )


def learning_rate(
    times: ArrayLike,
    *,
    properties: Mapping[str, ArrayLike],
    reference: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> LearningRate:
    r"""Estimate a learning rate over tasks: :math:`\log T = a + \sum_k b_k \log(x_k / x_k^{ref})`, rate :math:`e^{-a}`.

    Parameters
    ----------
    times : array_like
        What each course (row) spent to reach the level on each task (column), above 0; who never did counts with the
        horizon, and the rate is then an upper bound.
    properties : mapping
        For each property, size or complexity say, its value at each task, above 0.
    reference : mapping, optional
        The task the rate is of, by its properties; the geometric mean of the tasks unless given.
    level : float
        Confidence level. The rate is over courses, the misses over tasks.

    Examples
    --------
    >>> found = learning_rate([[10, 21, 39], [12, 20, 44], [9, 18, 41]], properties={"size": [1, 2, 4]})
    >>> round(1 / found.rate.value, 1), round(found.exponents["size"], 2), round(found.miss.value, 2)
    (20.3, 1.0, 1.08)
    """
    spent = table(times, name="times", rows="courses", columns="tasks")
    values = np.array([numbers(column, name=name) for name, column in properties.items()])
    if values.ndim != 2 or values.shape[1] != spent.shape[1] or not (spent > 0).all() or not (values > 0).all():
        raise BadData("Times and properties are numbers above 0, one for each task; some are missing or are not.")
    if spent.shape[1] < len(values) + 2:
        raise BadData(f"{len(values)} properties need at least {len(values) + 2} tasks; got {spent.shape[1]}.")
    logs, places = np.log(spent), np.log(values).T
    centre = places.mean(axis=0) if reference is None else np.log([float(reference[name]) for name in properties])
    means = logs.mean(axis=0)
    # Each course is fitted apart, so that the error of its exponents is in the spread of the rates.
    fitted = _fit(places - centre, logs.T)
    return LearningRate(
        rate=_exponential(course_mean(-fitted[0], level=level)),
        exponents=dict(zip(properties, fitted[1:].mean(axis=1).tolist(), strict=True)),
        foretold=tuple(np.exp(_foretold(places, means)).tolist()),
        miss=_missed(_foretold(places, means), means, level=level),
        plain_miss=_missed(_foretold(places[:, :0], means), means, level=level),
    )


def _foretold(places: Floats, means: Floats) -> Floats:
    """Foretell the logarithm of each task's time by a fit to the others."""
    found = []
    for task in range(len(means)):
        others = np.arange(len(means)) != task
        fitted = _fit(places[others], means[others])
        found.append(fitted[0] + places[task] @ fitted[1:])
    return np.array(found)


def _missed(foretold: Floats, means: Floats, *, level: float) -> Estimate:
    errors = np.abs(means - foretold)
    return replace(_exponential(number_estimate(errors, level=level)), population="tasks like these")


def _fit(places: Floats, values: Floats) -> Floats:
    columns = np.column_stack([np.ones(len(values)), places])
    return np.asarray(np.linalg.lstsq(columns, values, rcond=None)[0], dtype=float)


def _exponential(estimate: Estimate) -> Estimate:
    value, low, high = (float(np.exp(part)) for part in (estimate.value, estimate.low, estimate.high))
    return replace(estimate, value=value, low=low, high=high)
