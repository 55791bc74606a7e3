"""Fair comparison: forecasters who answered different questions, with each question's difficulty estimated jointly."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mensura.errors import BadData
from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule, rule
from mensura.stats import Estimate
from mensura.track_record.calibration.sheet import Clusters, Indices, number
from mensura.track_record.together.panel import Panel


@dataclass(frozen=True)
class RelativeSkill:
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
class Ranking:
    """Skills of all forecasters, best first, and what is needed to compare any two of them."""

    standings: tuple[RelativeSkill, ...]
    difficulty: Floats
    """The score of the average forecaster on each question; NaN where nobody answered."""
    names: tuple[str, ...]
    covariance: Floats

    def difference(self, first: str, second: str) -> Estimate:
        """Estimate how much better the first is than the second; unknown where no questions connect them."""
        one, other = (self.names.index(name) for name in (first, second))
        by_name = {standing.name: standing for standing in self.standings}
        mine, theirs = by_name[first], by_name[second]
        n = min(mine.questions, theirs.questions)
        if mine.group != theirs.group:
            return Estimate(*(float("nan"),) * 3, n, "none: no questions connect them", "questions")
        value = mine.skill.value - theirs.skill.value
        variance = self.covariance[one, one] + self.covariance[other, other] - 2 * self.covariance[one, other]
        return _estimate(value, variance, n)


def compare_fairly(panel: Panel, *, scored: Rule | None = None) -> Ranking:
    r"""Compare forecasters by :math:`s_{fq} = \theta_f + \delta_q + \varepsilon`, skill and difficulty fitted together.

    A question counts only by how its forecasters differ on it, so that easy questions, and many of them, gain nobody
    anything; a question that one alone answered says nothing. Errors are clustered by question. Answers are paid by the
    quadratic rule unless another is given.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> true = rng.random(200)
    >>> stated = np.stack([true, 0.5 + 0 * true], axis=1)
    >>> found = compare_fairly(Panel.binary(["knows", "shrugs"], stated, rng.random(200) < true))
    >>> found.standings[0].name
    'knows'
    """
    return compare_scores(panel.forecasters, panel.scores(scored or rule("quadratic")))


def compare_scores(
    names: Sequence[str], scores: Floats, *, questions: Indices | None = None, weights: Floats | None = None
) -> Ranking:
    """Compare forecasters by scores that are there already, NaN where somebody said nothing.

    Parameters
    ----------
    names : sequence of str
        The forecasters, one per column.
    scores : ndarray
        One row per question, or per moment of a question.
    questions : ndarray, optional
        The question of each row, numbered from zero, where there are several moments of each: each moment has
        its own difficulty, and errors are clustered by question.
    weights : ndarray, optional
        How much each row counts; all rows of a question together count once unless given. Where questions resolve
        early, weights are proper only if they were known before the forecasts: one divided by the moments planned.
    """
    rows = np.arange(len(scores)) if questions is None else questions
    answered = ~np.isnan(scores)
    counts = answered.sum(axis=1)
    useful = counts > 1
    if not useful.any():
        raise BadData("No question was answered by two forecasters, so nothing compares them.")
    marks, own = answered[useful].astype(float), number(rows[useful])
    counting = (1 / np.bincount(own.index))[own.index] if weights is None else weights[useful]
    weights = counting[:, np.newaxis]
    values = np.where(answered[useful], scores[useful], 0.0)
    shares = marks / counts[useful, np.newaxis]
    weighed = weights * marks
    laplacian = np.diag(weighed.sum(axis=0)) - weighed.T @ shares
    centred = np.where(answered[useful], values - (values.sum(axis=1) / counts[useful])[:, np.newaxis], 0.0)
    groups = _groups(laplacian)
    # Skills are told against the average answer, not the average person: who hardly answered hardly moves the rest.
    inverse = _recentre(np.linalg.pinv(laplacian, rcond=1e-10, hermitian=True), weighed.sum(axis=0), groups)
    skill = inverse @ (weights * centred).sum(axis=0)
    residuals = centred - (marks * skill - marks * (shares @ skill)[:, np.newaxis])
    covariance = _covariance(inverse, weights * residuals, own)
    freedom = max(1.0, weighed.sum() - own.count - (len(names) - len(np.unique(groups))))
    # With few answers the own scatter may be small by luck; the common one then says how far to trust them.
    common = float((weights * residuals**2).sum()) / freedom * np.diag(inverse @ laplacian @ inverse.T)
    rests = np.array([len(np.unique(own.index[marks[:, k] > 0])) for k in range(len(names))])
    standings = _standings(tuple(names), skill, covariance, common, rests, groups)
    return Ranking(standings, _difficulty(scores, skill, number(rows)), tuple(names), covariance)


def _difficulty(scores: Floats, skill: Floats, rows: Clusters) -> Floats:
    """Average what is left of the scores of each question when skill is taken out."""
    answered = ~np.isnan(scores)
    left = np.bincount(rows.index, weights=np.where(answered, scores - skill, 0.0).sum(axis=1))
    counts = np.bincount(rows.index, weights=answered.sum(axis=1))
    difficulty: Floats = np.divide(left, counts, out=np.full(rows.count, np.nan), where=counts > 0)
    return difficulty


def _covariance(inverse: Floats, residuals: Floats, questions: Clusters) -> Floats:
    """Sum over questions of what each question's residuals do to all skills at once."""
    summed = np.zeros((questions.count, residuals.shape[1]))
    np.add.at(summed, questions.index, residuals)
    moved = summed @ inverse.T
    correction = questions.count / max(1, questions.count - 1)
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
    names: tuple[str, ...], skill: Floats, covariance: Floats, common: Floats, questions: np.ndarray, groups: np.ndarray
) -> tuple[RelativeSkill, ...]:
    variances = np.diag(covariance)
    known = questions > 0
    careful = np.maximum(variances, common)
    spread = _spread(skill[known], careful[known])
    standings = []
    for k, name in enumerate(names):
        if not known[k]:
            unknown = Estimate(*(float("nan"),) * 3, 0, "none: answered nothing that another answered")
            standings.append(RelativeSkill(name, unknown, float("nan"), 0, int(groups[k])))
            continue
        weight = spread / (spread + careful[k]) if spread + careful[k] > 0 else 0.0
        estimate = _estimate(float(skill[k]), float(variances[k]), int(questions[k]))
        standings.append(RelativeSkill(name, estimate, float(weight * skill[k]), int(questions[k]), int(groups[k])))
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
        return Estimate(value, float("nan"), float("nan"), n, "none: one question", "questions")
    half = float(stdtrit(n - 1, 0.975) * np.sqrt(max(variance, 0.0)))
    return Estimate(
        value, value - half, value + half, n, "two-way least squares, errors clustered by question", "questions"
    )
