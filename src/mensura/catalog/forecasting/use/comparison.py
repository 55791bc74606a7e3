"""Fair comparison: forecasters who answered different questions, with each question's difficulty estimated jointly."""

from dataclasses import dataclass

import numpy as np

from mensura.catalog.forecasting.use.panel import Panel
from mensura.errors import BadData
from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule, rule
from mensura.stats import Estimate


@dataclass(frozen=True)
class Standing:
    """One forecaster's skill relative to the others on the same questions."""

    name: str
    skill: Estimate
    """Score per question above the average answer, difficulty taken out; n counts the questions it rests on."""
    shrunk: float
    """The same drawn towards the average as far as its error advises: few answers cannot reach the top by luck."""
    questions: int
    group: int
    """Forecasters of different groups share no question, directly or through others: they cannot be compared."""


@dataclass(frozen=True)
class Comparison:
    """Skills of all forecasters, best first, and what is needed to compare any two of them."""

    standings: tuple[Standing, ...]
    difficulty: Floats
    """What the average forecaster would score on each question; NaN where nobody answered."""
    names: tuple[str, ...]
    covariance: Floats

    def difference(self, first: str, second: str) -> Estimate:
        """Estimate how much better the first is than the second; unknown where no questions connect them."""
        one, other = (self.names.index(name) for name in (first, second))
        by_name = {standing.name: standing for standing in self.standings}
        mine, theirs = by_name[first], by_name[second]
        n = min(mine.questions, theirs.questions)
        if mine.group != theirs.group:
            return Estimate(*(float("nan"),) * 3, n, "none: no questions connect them")
        value = mine.skill.value - theirs.skill.value
        variance = self.covariance[one, one] + self.covariance[other, other] - 2 * self.covariance[one, other]
        return _estimate(value, variance, n)


def compare_fairly(panel: Panel, *, scored: Rule | None = None) -> Comparison:
    r"""Compare forecasters by :math:`s_{fq} = \theta_f + \delta_q + \varepsilon`, skill and difficulty fitted together.

    A question counts only by how its forecasters differ on it, so that easy questions, and many of them, gain nobody
    anything; a question that one alone answered says nothing. Errors are clustered by question.

    Parameters
    ----------
    panel : Panel
        Who answered what.
    scored : Rule, optional
        How answers are paid; the quadratic rule unless given.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> true = rng.random(200)
    >>> stated = np.stack([true, 0.5 + 0 * true], axis=1)
    >>> found = compare_fairly(Panel.binary(["knows", "shrugs"], stated, rng.random(200) < true))
    >>> found.standings[0].name
    'knows'
    """
    scores = panel.scores(scored or rule("quadratic"))
    answered = ~np.isnan(scores)
    counts = answered.sum(axis=1)
    useful = counts > 1
    if not useful.any():
        raise BadData("No question was answered by two forecasters, so nothing compares them.")
    marks = answered[useful].astype(float)
    values = np.where(answered[useful], scores[useful], 0.0)
    shares = marks / counts[useful, np.newaxis]
    laplacian = np.diag(marks.sum(axis=0)) - marks.T @ shares
    centred = np.where(answered[useful], values - (values.sum(axis=1) / counts[useful])[:, np.newaxis], 0.0)
    groups = _groups(laplacian)
    # Skills are told against the average answer, not the average person: who hardly answered hardly moves the rest.
    inverse = _recentre(np.linalg.pinv(laplacian, hermitian=True), marks.sum(axis=0), groups)
    skill = inverse @ centred.sum(axis=0)
    residuals = centred - (marks * skill - marks * (shares @ skill)[:, np.newaxis])
    covariance = _covariance(inverse, residuals)
    freedom = max(1.0, marks.sum() - len(marks) - np.linalg.matrix_rank(laplacian, hermitian=True))
    # With few answers the own scatter may be small by luck; the common one then says how far to trust them.
    common = float((residuals**2).sum()) / freedom * np.diag(inverse @ laplacian @ inverse.T)
    difficulty = np.full(len(scores), np.nan)
    some = counts > 0
    filled = np.where(answered, scores - skill, 0.0)
    difficulty[some] = filled[some].sum(axis=1) / counts[some]
    rests = marks.sum(axis=0).astype(int)
    standings = _standings(panel.forecasters, skill, covariance, common, rests, groups)
    return Comparison(standings, difficulty, panel.forecasters, covariance)


def _covariance(inverse: Floats, residuals: Floats) -> Floats:
    """Sum over questions of what each question's residuals do to all skills at once."""
    moved = residuals @ inverse.T
    count = len(residuals)
    correction = count / max(1, count - 1)
    covariance: Floats = correction * moved.T @ moved
    return covariance


def _recentre(inverse: Floats, counts: Floats, groups: np.ndarray) -> Floats:
    """Take from each group's skills their average weighted by answers."""
    shift = np.zeros(inverse.shape)
    for group in np.unique(groups):
        inside = groups == group
        total = counts[inside].sum()
        if total > 0:
            shift[np.ix_(inside, inside)] = counts[inside] / total
    recentred: Floats = inverse - shift @ inverse
    return recentred


def _groups(laplacian: Floats) -> np.ndarray:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    links = csr_array((laplacian != 0).astype(np.int8))
    labels: np.ndarray = connected_components(links, directed=False)[1]
    return labels


def _standings(
    names: tuple[str, ...],
    skill: Floats,
    covariance: Floats,
    common: Floats,
    questions: np.ndarray,
    groups: np.ndarray,
) -> tuple[Standing, ...]:
    variances = np.diag(covariance)
    known = questions > 0
    careful = np.maximum(variances, common)
    spread = _spread(skill[known], careful[known])
    standings = []
    for k, name in enumerate(names):
        if not known[k]:
            unknown = Estimate(*(float("nan"),) * 3, 0, "none: answered nothing that another answered")
            standings.append(Standing(name, unknown, float("nan"), 0, int(groups[k])))
            continue
        weight = spread / (spread + careful[k]) if spread + careful[k] > 0 else 0.0
        estimate = _estimate(float(skill[k]), float(variances[k]), int(questions[k]))
        standings.append(Standing(name, estimate, float(weight * skill[k]), int(questions[k]), int(groups[k])))
    return tuple(sorted(standings, key=lambda standing: (np.isnan(standing.shrunk), -standing.shrunk)))


def _spread(skill: Floats, variances: Floats) -> float:
    """Estimate the variance of true skills (DerSimonian and Laird), so that uncertain ones hardly enter it."""
    if len(skill) < 2 or not (variances > 0).all():
        return 0.0
    weights = 1 / variances
    centre = (weights * skill).sum() / weights.sum()
    excess = (weights * (skill - centre) ** 2).sum() - (len(skill) - 1)
    return max(0.0, float(excess / (weights.sum() - (weights**2).sum() / weights.sum())))


def _estimate(value: float, variance: float, n: int) -> Estimate:
    from scipy.special import stdtrit

    if n < 2:
        return Estimate(value, float("nan"), float("nan"), n, "none: one question")
    half = float(stdtrit(n - 1, 0.975) * np.sqrt(max(variance, 0.0)))
    return Estimate(value, value - half, value + half, n, "two-way least squares, errors clustered by question")
