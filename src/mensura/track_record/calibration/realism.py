"""Realism: the straight line from stated probability to relative frequency."""

from dataclasses import dataclass, replace

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.stats.rounding import rounded
from mensura.track_record.calibration.sheet import Clusters, Points, Sheet

MANY = 2000
"""With more questions the interval of the slope is symmetric."""
PRIOR_SLOPE = 0.25
PRIOR_OFFSET = 0.10
"""Spread, over people, of the slope about one and of the line's height at its middle about the diagonal.

Assumed for shrinkage where few answers are known; the estimate itself and its errors do not use them."""


@dataclass(frozen=True)
class Realism:
    """The fitted line: frequency = a · stated + b, with standard errors clustered by question."""

    a: float
    b: float
    a_se: float
    b_se: float
    n: int
    questions: int
    centre: float
    """Mean stated probability, about which slope and height are nearly independent."""
    z: float = float("nan")
    """Distance of the slope from one in standard deviations of a perfectly realistic assessor."""
    offset: float = float("nan")
    """Mean frequency less mean stated probability: zero when all alternatives are stated."""
    offset_z: float = float("nan")
    """The offset in standard deviations of a perfectly realistic assessor."""
    freedom: float = float("inf")
    """Degrees of freedom of z: infinite where the deviation is known, fewer where revisions make it an estimate."""
    covariance: tuple[float, float, float] = (float("nan"),) * 3
    """Variance of a, covariance of a and b, variance of b, of a perfectly realistic assessor."""
    low: float = float("nan")
    high: float = float("nan")
    """Ends of the 95 % interval of the slope for questions like these: every slope that its own test keeps."""

    def line(self, stated: Floats) -> Floats:
        """Return the height of the line over stated probabilities; it may leave [0, 1]."""
        return self.a * np.asarray(stated, dtype=float) + self.b

    @property
    def slope(self) -> str:
        """The slope with its interval, for tables and sentences."""
        value, low, high = rounded(self.a, self.low, self.high)
        return value if np.isnan(self.low) else f"{value} [{low}, {high}]"


def fit_realism(sheet: Sheet) -> Realism:
    r"""Fit the realism function by the report's weighted least squares.

    Minimises :math:`\sum_i (u_i + v_i)\left(\frac{u_i}{u_i+v_i} - a r_i - b\right)^2` over the levels stated. Each
    stated probability is one point; standard errors are clustered by question (CR1), since the alternatives of one
    question, and revisions of one forecast, stand and fall together. Slope and intercept are NaN where every stated
    probability is the same.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 14-17.

    Examples
    --------
    >>> line = fit_realism(Sheet.from_levels([0.1, 0.3, 0.5, 0.7, 0.9], confirmed=[2, 6, 10, 12, 16],
    ...                                      disconfirmed=[8, 14, 10, 8, 4]))
    >>> round(line.a, 6), round(line.b, 6)
    (0.764286, 0.095)
    """
    points = sheet.points()
    stated, happened, clusters = points.stated, points.happened, points.clusters
    n = len(stated)
    centre = float(stated.mean()) if n else float("nan")
    x = stated - centre
    spread = float(x @ x)
    if n < 2 or spread <= 1e-15 * n:
        return Realism(*(float("nan"),) * 4, n=n, questions=clusters.count, centre=centre)
    a = float(x @ happened) / spread
    height = float(happened.mean())
    residuals = happened - height - a * x
    errors = _errors(x, residuals, clusters, spread, centre)
    *covariance, height_variance = _null_covariance(sheet, centre, spread, n)
    null = _Null(_ratio(a - 1, covariance[0]), _ratio(height - centre, height_variance), float("inf"))
    if np.isnan(covariance[0]):
        null = _null_by_question(points, x, clusters)
    low, high = _interval(points, sheet, a, height, x, clusters, null.freedom)
    line = Realism(a, height - a * centre, *errors, n, clusters.count, centre, null.slope, height - centre, null.offset)
    own = covariance[0], covariance[1], covariance[2]
    return replace(line, freedom=null.freedom, covariance=own, low=low, high=high)


def _interval(
    points: Points, sheet: Sheet, a: float, height: float, x: Floats, clusters: Clusters, freedom: float
) -> tuple[float, float]:
    """Return the ends of the slopes kept by a test made as the verdict's is, with each slope in the place of one.

    A standard error of the fit's own residuals covers 80 % with ten questions: there they are small by luck.
    """
    from scipy.optimize import brentq
    from scipy.special import stdtrit

    spread, centre, z = float(x @ x), float(points.stated.mean()), float(stdtrit(min(freedom, 1e9), 0.975))
    if sheet.independent:

        def beyond(slope: float) -> float:
            variance = _null_covariance(sheet, centre, spread, len(x), slope=slope, height=height)[0]
            return float((slope - a) ** 2 - z**2 * variance)

        if clusters.count > MANY:
            half = (-beyond(a)) ** 0.5
            return a - half, a + half
        half = 1.01 * z / spread**0.5
        return brentq(beyond, a - half, a, xtol=1e-9), brentq(beyond, a, a + half, xtol=1e-9)
    if clusters.count < 2 or np.isnan(z):
        return float("nan"), float("nan")
    met, weight = (np.bincount(clusters.index, weights=part) for part in (x * (points.happened - height), x * x))
    # All slopes b with (Σ met − b Σ weight)² ≤ z² Σ (met − b weight)², summed by question.
    square = spread**2 - z**2 * float(weight @ weight)
    middle = a * spread**2 - z**2 * float(met @ weight)
    root = middle**2 - square * (float(met.sum()) ** 2 - z**2 * float(met @ met))
    if square <= 0 or root < 0:
        return float("nan"), float("nan")
    return (middle - root**0.5) / square, (middle + root**0.5) / square


@dataclass(frozen=True)
class _Null:
    """How far slope and height lie from a realistic assessor's, in deviations, and how well those are known."""

    slope: float
    offset: float
    freedom: float


def _null_by_question(points: Points, x: Floats, clusters: Clusters) -> _Null:
    """Compare with a realistic assessor who revised: what happened less what was stated, summed by question.

    Nothing is fitted, so the squares of these sums have the right mean; questions that weigh more make fewer degrees
    of freedom (Satterthwaite's count). The fit's own residuals would raise false alarms far too often.
    """
    if clusters.count < 2:
        return _Null(float("nan"), float("nan"), float("nan"))
    missed = points.happened - points.stated
    doubt = points.stated * (1 - points.stated)
    rows = np.bincount(clusters.index)
    weight = np.bincount(clusters.index, weights=np.abs(x)) ** 2 * np.bincount(clusters.index, weights=doubt) / rows
    freedom = float(weight.sum() ** 2 / (weight @ weight)) if weight.any() else float("nan")
    parts = (np.bincount(clusters.index, weights=part) for part in (x * missed, missed))
    slope, offset = (_ratio(part.sum(), float(part @ part)) for part in parts)
    return _Null(slope, offset, max(freedom, 1.0))


def _ratio(distance: float, variance: float) -> float:
    """Return a distance in deviations; a realist who states 0 and 1 only has none, so that no distance is chance."""
    if variance > 1e-15:
        return float(distance / np.sqrt(variance))
    return float(np.copysign(np.inf, distance)) if abs(distance) > 1e-9 else float("nan")


def _errors(x: Floats, residuals: Floats, clusters: Clusters, spread: float, centre: float) -> tuple[float, float]:
    n, count = len(x), clusters.count
    if count < 2 or n < 3:
        return float("nan"), float("nan")
    slope_parts = np.bincount(clusters.index, weights=x * residuals) / spread
    height_parts = np.bincount(clusters.index, weights=residuals) / n
    correction = count / (count - 1) * (n - 1) / (n - 2)
    intercept_parts = height_parts - centre * slope_parts
    return (
        float(np.sqrt(correction * (slope_parts @ slope_parts))),
        float(np.sqrt(correction * (intercept_parts @ intercept_parts))),
    )


def _null_covariance(
    sheet: Sheet, centre: float, spread: float, n: int, *, slope: float = 1.0, height: float | None = None
) -> tuple[float, float, float, float]:
    """Return the exact variances of slope, slope with intercept, intercept and height of a realistic assessor.

    With a height, of one whose chances lie on the line of that slope through it.
    """
    if not sheet.independent:
        return (float("nan"),) * 4
    slopes = heights = both = 0.0
    for block in sheet:
        p = block.probabilities
        marks = np.eye(p.shape[1]) if not sheet.one_sided else np.array([[1.0], [0.0]])
        stated = p if not sheet.one_sided else p[:, :1]
        if height is not None:
            held = np.clip(height + slope * (stated - centre), 0, 1)
            total = held.sum(axis=1, keepdims=True)
            even = np.full(held.shape, 1 / held.shape[1])
            p = np.hstack([held, 1 - held]) if sheet.one_sided else np.divide(held, total, out=even, where=total > 0)
        # What each possible outcome adds to the sums of x·y and of y.
        lean = (stated - centre) @ marks.T / spread
        rise = np.broadcast_to(marks.sum(axis=1) / n, lean.shape)
        lean_mean, rise_mean = (np.einsum("ij,ij->i", p, each) for each in (lean, rise))
        slopes += float((np.einsum("ij,ij,ij->i", p, lean, lean) - lean_mean**2).sum())
        heights += float((np.einsum("ij,ij,ij->i", p, rise, rise) - rise_mean**2).sum())
        both += float((np.einsum("ij,ij,ij->i", p, lean, rise) - lean_mean * rise_mean).sum())
    return slopes, both - centre * slopes, heights - 2 * centre * both + centre**2 * slopes, heights


def shrink(line: Realism, *, slope: float = PRIOR_SLOPE, offset: float = PRIOR_OFFSET) -> Realism:
    """Draw a line fitted to few answers towards the diagonal, as far as its errors advise.

    The fit is weighed against a spread of slopes about one and of heights about the diagonal that is assumed over
    people; with many answers nothing changes. Without a known error the diagonal itself comes back.

    >>> few = fit_realism(Sheet.binary([0.9, 0.8, 0.2, 0.1], [0, 1, 0, 0]))
    >>> round(few.a, 2), round(shrink(few).a, 2)
    (0.6, 0.91)
    """
    variance_a, covariance_ab, variance_b = line.covariance
    if np.isnan(variance_a):
        variance_a, covariance_ab = line.a_se**2, -line.centre * line.a_se**2
        variance_b = line.b_se**2
    if np.isnan([variance_a, variance_b, line.a]).any():
        return Realism(1.0, 0.0, *(float("nan"),) * 2, n=line.n, questions=line.questions, centre=line.centre)
    c = line.centre
    error = np.array([[variance_a, covariance_ab], [covariance_ab, variance_b]])
    # Slope and height at the centre are taken as independent; b = height - c · slope.
    to_intercept = np.array([[1.0, 0.0], [-c, 1.0]])
    prior = to_intercept @ np.diag([slope**2, offset**2]) @ to_intercept.T
    gain = prior @ np.linalg.inv(prior + error)
    a, b = np.array([1.0, 0.0]) + gain @ (np.array([line.a, line.b]) - np.array([1.0, 0.0]))
    left = prior - gain @ prior
    a_se, b_se = (float(np.sqrt(max(value, 0.0))) for value in np.diag(left))
    return Realism(float(a), float(b), a_se, b_se, line.n, line.questions, c, line.z)
