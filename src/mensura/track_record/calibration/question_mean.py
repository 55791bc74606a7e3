"""Question mean: what a score comes to over questions, estimated as the scores of runs are."""

from collections.abc import Iterable

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule
from mensura.stats import Estimate, Scale, unit_estimate, without_interval


def question_mean(values: Floats, *, scale: Scale) -> Estimate:
    """Estimate the mean of one score per question, for questions like these; infinite where one score is.

    >>> print(question_mean(np.array([0.2, 0.4, 0.3, 0.5, 0.1, 0.3]), scale=Scale(0, 1)))
    0.30 [0.13, 0.52] (n=6, Clopper-Pearson with effective n over 6 questions)
    """
    infinite = int(np.isinf(values).sum())
    if infinite:
        reason = f"{infinite} of {len(values)} questions scored without bound, as certainty does when it is wrong"
        return without_interval(float(values.mean()), n=len(values), reason=reason, population="questions")
    return unit_estimate(values, unit="question", scale=scale)


def scale_of_rule(rule: Rule, *, alternatives: Iterable[int]) -> Scale:
    """Return what a rule can pay: from all put on something false to all put on the truth, or nothing without answer.

    >>> from mensura.scores.rule import rule
    >>> scale_of_rule(rule("quadratic"), alternatives=[2]), scale_of_rule(rule("log"), alternatives=[2]).low
    (Scale(low=-0.75, high=0.25, binary=False), None)
    """
    paid = np.concatenate([rule.payoffs(np.eye(number)[0])[:2] for number in alternatives])
    low, high = float(min(0.0, paid.min())), float(paid.max())
    return Scale(low if np.isfinite(low) else None, high if np.isfinite(high) else None)
