"""Pooling: one probability from a panel of experts, and which way of pooling does best out of sample."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from mensura.errors import BadData
from mensura.scores.alternatives import Floats
from mensura.scores.logarithmic import project
from mensura.scores.rule import Rule, rule
from mensura.stats import Estimate, paired_difference, unit_estimate
from mensura.track_record.together.panel import Panel, PanelBlock

FLOOR = 0.01
METHODS = ("mean", "median", "log-odds", "extremised", "track record")
EXPONENTS = np.linspace(1.0, 3.0, 21)


def pool(block: PanelBlock, *, method: str, exponent: float = 1.0, weights: Floats | None = None) -> Floats:
    """Pool the answers to each question; forecasters who did not answer do not count.

    Parameters
    ----------
    block : PanelBlock
        Probabilities by question, forecaster and alternative.
    method : str
        "mean", "median" (brought back to sum one), "log-odds" (geometric mean), "extremised" (log-odds times the
        exponent) or "track record" (weighted mean).
    exponent : float
        How far log-odds are stretched; 1 leaves them.
    weights : ndarray, optional
        One weight per forecaster, for "track record".

    Examples
    --------
    >>> block = Panel.binary(["a", "b"], np.array([[0.6, 0.8]]), np.array([1])).blocks[0]
    >>> pool(block, method="mean")[0].round(3), pool(block, method="log-odds")[0].round(3)
    (array([0.7, 0.3]), array([0.71, 0.29]))
    """
    stated = block.probabilities
    answered = ~np.isnan(stated[:, :, :1])
    if method in ("log-odds", "extremised"):
        held = np.full(stated.shape, np.nan)
        given = answered[:, :, 0]
        held[given] = project(stated[given], floor=min(FLOOR, 1 / stated.shape[2] / 2))
        logs = np.where(answered, np.log(np.where(answered, held, 1.0)), 0.0).sum(axis=1) / answered.sum(axis=1)
        logs = logs * (exponent if method == "extremised" else 1.0)
        odds = np.exp(logs - logs.max(axis=1, keepdims=True))
        return _whole(odds)
    if method == "median":
        return _whole(np.nanmedian(stated, axis=1))
    shares = np.ones(stated.shape[1]) if weights is None else weights
    weighing = np.where(answered, shares[np.newaxis, :, np.newaxis], 0.0)
    # Where nobody with a record answered, all count alike.
    weighing = np.where(weighing.sum(axis=1, keepdims=True) > 0, weighing, answered.astype(float))
    return _whole((np.where(answered, stated, 0.0) * weighing).sum(axis=1) / weighing.sum(axis=1))


def _whole(values: Floats) -> Floats:
    whole: Floats = values / values.sum(axis=1, keepdims=True)
    return whole


@dataclass(frozen=True)
class Pooled:
    """How one way of pooling did on questions it had not seen."""

    method: str
    score: Estimate
    against_mean: Estimate
    """Difference from the plain mean on the same questions."""


def compare_pools(panel: Panel, *, rng: Generator, scored: Rule | None = None, folds: int = 5) -> list[Pooled]:
    """Compare ways of pooling out of sample: what must be fitted is fitted on other questions than it is scored on.

    Questions are shuffled into folds; pools are paid by the logarithm with a floor of .01 unless another rule is given.
    There is one result per method, and "best forecaster" (the one best on the other questions), best first.
    """
    scored = scored or rule("log", floor=FLOOR)
    total = len(panel)
    if total < 2 * folds:
        raise BadData(f"{total} questions are too few to fit on some and score on others in {folds} parts.")
    part = rng.permutation(total) % folds
    results: dict[str, Floats] = {name: np.full(total, np.nan) for name in (*METHODS, "best forecaster")}
    own = panel.scores(scored)
    for fold in range(folds):
        train, test = part != fold, part == fold
        weights = track_record_weights(own[train])
        exponent = _best_exponent(panel, train, scored)
        for method in METHODS:
            results[method][test] = _pooled_scores(panel, test, scored, method, exponent, weights)
        results["best forecaster"][test] = own[test, np.argmax(_merit(own[train]))]
    base = results["mean"]
    pooled = [
        Pooled(name, unit_estimate(values, unit="question"), paired_difference(first=values, second=base).difference)
        for name, values in results.items()
    ]
    return sorted(pooled, key=lambda each: -each.score.value)


def track_record_weights(scores: Floats) -> Floats:
    """Weigh forecasters by how far their record lies above that of the others on the same questions, never below zero.

    Scores are taken about each question's mean, so that easy questions give nobody weight, and are drawn towards the
    common mean as if ten average questions had been answered besides.

    >>> track_record_weights(np.array([[0.5, -0.5]] * 40)).round(2)
    array([1., 0.])
    """
    merit = _merit(scores)
    spread = merit.std()
    if not spread > 0:
        return np.ones(len(merit))
    weights: Floats = np.clip(1 + merit / spread, 0, None)
    result: Floats = weights / weights.max()
    return result


def _merit(scores: Floats) -> Floats:
    centred = scores - np.nanmean(scores, axis=1, keepdims=True)
    merit: Floats = np.nansum(centred, axis=0) / ((~np.isnan(scores)).sum(axis=0) + 10)
    return merit


def _best_exponent(panel: Panel, chosen: np.ndarray, scored: Rule) -> float:
    totals = [_pooled_scores(panel, chosen, scored, "extremised", x, None).sum() for x in EXPONENTS]
    return float(EXPONENTS[int(np.argmax(totals))])


def _pooled_scores(
    panel: Panel, chosen: np.ndarray, scored: Rule, method: str, exponent: float, weights: Floats | None
) -> Floats:
    parts, start = [], 0
    for block in panel.blocks:
        inside = chosen[start : start + len(block.outcomes)]
        start += len(block.outcomes)
        if inside.any():
            some = PanelBlock(block.probabilities[inside], block.outcomes[inside])
            used = weights if method == "track record" else None
            pooled = pool(some, method=method, exponent=exponent, weights=used)
            parts.append(scored.score(forecast=pooled, outcome=some.outcomes))
    return np.concatenate(parts)
