"""The natural scores of each kind of answer, for tests that bring no scoring of their own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.crps import crps_histogram
from mensura.scores.density import histogram_density, logarithmic_density_score
from mensura.scores.logarithmic import logarithmic_score
from mensura.scores.quadratic import quadratic_score
from mensura.scores.quantile import quantile_loss

Answers = Sequence[Any]
Natural = dict[str, Floats]


def natural(kind: str, answers: Answers, truths: Answers, *, space: Mapping[str, Any] | None = None) -> Natural:
    """Score answers of one kind against truths: accuracy, quadratic and logarithmic score, or distance.

    Parameters
    ----------
    kind : str
        The kind of space: choice, number, probability, distribution, density, allocation, likert, text, point,
        circle, action. Any other kind has no natural score and gives an empty dict.
    answers, truths : sequence
        One per item, in canonical form; None where there was no answer or no truth, and the score is NaN there.
    space : mapping, optional
        The space as data: a density needs its `low`, `high`, and `bins` or `levels`.

    Returns
    -------
    dict of str to ndarray
        Arrays of one score per item. Names that end in error, distance or loss are better when small.

    Examples
    --------
    >>> natural("choice", ["red", "blue", None], ["red", "red", "red"])
    {'accuracy': array([ 1.,  0., nan])}
    >>> {name: values.round(3) for name, values in natural("probability", [0.8, 0.8], [1, 0]).items()}
    {'logarithmic_score': array([ 0.47 , -0.916]), 'quadratic_score': array([ 0.21, -0.39])}
    """
    score = _KINDS.get(kind)
    if score is None or (kind == "density" and space is None):
        return {}
    known = [i for i, (answer, truth) in enumerate(zip(answers, truths, strict=True)) if not _missing(answer, truth)]
    if not known:
        return {name: np.full(len(answers), np.nan) for name in _NAMES[kind]}
    scored = score([answers[i] for i in known], [truths[i] for i in known], space or {})
    result = {name: np.full(len(answers), np.nan) for name in scored}
    for name, values in scored.items():
        result[name][known] = values
    return result


def _missing(answer: Any, truth: Any) -> bool:
    return answer is None or truth is None or (isinstance(truth, float) and truth != truth)


def _accuracy(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    return {"accuracy": np.array([float(answer == truth) for answer, truth in zip(answers, truths, strict=True)])}


def _text(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    alike = [
        " ".join(str(answer).split()).casefold() == " ".join(str(truth).split()).casefold()
        for answer, truth in zip(answers, truths, strict=True)
    ]
    return {"accuracy": np.array(alike, dtype=float)}


def _error(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    return {"absolute_error": np.abs(np.asarray(answers, dtype=float) - np.asarray(truths, dtype=float))}


def _probability(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    yes = np.asarray(answers, dtype=float)
    return _alternatives(np.stack([1 - yes, yes], axis=-1), np.asarray(truths, dtype=float))


def _distribution(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    """Score item by item, since questions may have different alternatives."""
    scored = [_one_distribution(answer, truth) for answer, truth in zip(answers, truths, strict=True)]
    return {name: np.array([item[name][0] for item in scored]) for name in _NAMES["distribution"]}


def _one_distribution(answer: Any, truth: Any) -> Natural:
    if isinstance(answer, Mapping):
        index = list(answer).index(truth) if truth in answer else int(truth)
        return _alternatives(np.array([list(answer.values())], dtype=float), np.array([index], dtype=float))
    return _alternatives(np.array([answer], dtype=float), np.array([truth], dtype=float))


def _alternatives(forecasts: Floats, outcomes: Floats) -> Natural:
    return {
        "logarithmic_score": logarithmic_score(forecast=forecasts, outcome=outcomes),
        "quadratic_score": quadratic_score(forecast=forecasts, outcome=outcomes),
    }


def _density(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    values, outcomes = np.asarray(answers, dtype=float), np.asarray(truths, dtype=float)
    low, high = float(space["low"]), float(space["high"])
    if not space.get("bins"):
        levels = np.asarray(space["levels"], dtype=float)
        ends = np.broadcast_to([low, high], (len(values), 2))
        edges = np.concatenate([ends[:, :1], values, ends[:, 1:]], axis=1)
        masses = np.broadcast_to(np.diff(levels, prepend=0, append=1), (len(values), len(levels) + 1))
        return {
            "crps_loss": crps_histogram(masses=masses, edges=edges, outcome=outcomes),
            "quantile_loss": quantile_loss(forecast=values, level=levels, outcome=outcomes[:, None]).mean(axis=1),
        }
    borders = np.linspace(low, high, int(space["bins"]) + 1)
    at_outcome, square = histogram_density(masses=values, edges=borders, outcome=outcomes)
    width = high - low
    return {
        "logarithmic_score": logarithmic_density_score(at_outcome=at_outcome, scale=width),
        # In units of the range, and less one: a flat density scores 0, as ignorance does among alternatives.
        "quadratic_score": width * (2 * at_outcome - square) - 1,
        "crps_loss": crps_histogram(masses=values, edges=borders, outcome=outcomes),
    }


def _allocation(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    errors = []
    for answer, truth in zip(answers, truths, strict=True):
        shares = answer if isinstance(answer, Mapping) else dict(enumerate(answer))
        wanted = truth if isinstance(truth, Mapping) else dict(enumerate(truth))
        errors.append(np.mean([abs(float(shares.get(name, 0)) - float(wanted[name])) for name in wanted]))
    return {"absolute_error": np.array(errors, dtype=float)}


def _distance(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Natural:
    places, wanted = (np.array([list(item)[:2] for item in side], dtype=float) for side in (answers, truths))
    return {"distance": np.hypot(*(places - wanted).T)}


_KINDS: dict[str, Callable[[Answers, Answers, Mapping[str, Any]], Natural]] = {
    "choice": _accuracy,
    "action": _accuracy,
    "text": _text,
    "number": _error,
    "likert": _error,
    "probability": _probability,
    "distribution": _distribution,
    "density": _density,
    "allocation": _allocation,
    "point": _distance,
    "circle": _distance,
}
_NAMES = {
    **dict.fromkeys(("choice", "action", "text"), ("accuracy",)),
    **dict.fromkeys(("number", "likert", "allocation"), ("absolute_error",)),
    **dict.fromkeys(("probability", "distribution"), ("logarithmic_score", "quadratic_score")),
    "density": ("crps_loss",),
    **dict.fromkeys(("point", "circle"), ("distance",)),
}
