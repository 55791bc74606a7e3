"""The natural scores of each kind of answer, for tests that bring no scoring."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import zip_longest
from typing import Any, Literal

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.dialogue.score import Score
from mensura.dialogue.spaces.base import space_class
from mensura.dialogue.spaces.text import folded
from mensura.scores.alternatives import Floats
from mensura.scores.crps import crps_histogram
from mensura.scores.density import histogram_density, logarithmic_density_score
from mensura.scores.interval import quantile_loss
from mensura.scores.logarithmic import logarithmic_score
from mensura.scores.quadratic import quadratic_score

Answers = Sequence[Any]
Spaces = Sequence[Mapping[str, Any] | None]
Found = dict[str, Floats]
FORECAST = ("logarithmic_score", "quadratic_score")
TIED = 1e-9
"""Probabilities that differ by less are equal: rounding may leave as much of equal shares."""


@dataclass(frozen=True)
class Natural:
    """The natural scores of one kind of answer; a space says where to find its own (`Space.natural`).

    Parameters
    ----------
    names
        The scores that it gives at least.
    score
        (answers, truths, space) → one array of scores per name; `space` is data, empty unless `reads` is "scores".
    declare
        (name, spaces, truths) → what is declared of a score of items in these spaces. Of ours, an unanswered
        probability or distribution counts as ignorance does, 0; an unanswered choice is wrong; an unanswered number is
        as far off as its space allows, which is not known where the space has no bounds.
    reads
        What the space of each item is read for: "" (nothing: all spaces of this kind have the same bounds), "bounds",
        or "scores" (there is none without its space).
    """

    names: tuple[str, ...]
    score: Callable[[Answers, Answers, Mapping[str, Any]], Found]
    declare: Callable[[str, Spaces, Answers], Score]
    reads: Literal["", "bounds", "scores"] = ""


def natural_of(kind: str) -> Natural | None:
    """Find the natural scores of a kind of space; None where it has none."""
    found = space_class(kind)
    if found is None or not found.natural:
        return None
    module, _, name = found.natural.partition(":")
    made: Natural = getattr(import_module(module), name)
    return made


def natural(kind: str, answers: Answers, truths: Answers, *, spaces: Spaces = ()) -> Found:
    """Score answers of one kind against truths: accuracy, quadratic and logarithmic score, or distance.

    Parameters
    ----------
    kind : str
        The kind of space. One without a natural score gives an empty dict.
    answers, truths : sequence
        One per item, in canonical form; None where there was no answer or no truth, and the score is NaN there.
    spaces : sequence of mapping, optional
        The space of each item as data: a density needs its `low`, `high`, and `bins` or `levels`.

    Returns
    -------
    dict of str to ndarray
        Arrays of one score per item; `natural_of(kind).declare` says which way is good and what bounds it has.

    Examples
    --------
    >>> natural("choice", ["red", "blue", None], ["red", "red", "red"])
    {'accuracy': array([ 1.,  0., nan])}
    >>> {name: values.round(3) for name, values in natural("probability", [0.8, 0.8], [1, 0]).items()}
    {'logarithmic_score': array([ 0.47 , -0.916]), 'quadratic_score': array([ 0.21, -0.39])}
    """
    own = natural_of(kind)
    if own is None or (own.reads == "scores" and not any(spaces)):
        return {}
    known = [i for i, (answer, truth) in enumerate(zip(answers, truths, strict=True)) if not _missing(answer, truth)]
    result: Found = {name: np.full(len(answers), np.nan) for name in own.names}
    for space, chosen in _alike(known, spaces if own.reads == "scores" else ()):
        for name, values in own.score([answers[i] for i in chosen], [truths[i] for i in chosen], space).items():
            result.setdefault(name, np.full(len(answers), np.nan))[chosen] = values
    return result


def _alike(known: Sequence[int], spaces: Spaces) -> Iterator[tuple[Mapping[str, Any], list[int]]]:
    """Put items of one space together; where no space is needed, all of them."""
    if not spaces:
        if known:
            yield {}, list(known)
        return
    groups: dict[str, list[int]] = {}
    for i in known:
        if spaces[i] is not None:
            groups.setdefault(canonical(spaces[i]), []).append(i)
    for chosen in groups.values():
        yield spaces[chosen[0]] or {}, chosen


def wider(one: Score, other: Score) -> Score:
    """Join two declarations of one score: the items of one part may have narrower bounds than those of another.

    >>> wider(Score("x", better="less", low=0, high=2), Score("x", better="less", low=0, high=5)).high
    5.0
    """
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return replace(one, low=low, high=high, proportion=one.proportion and other.proportion)


def _loss(name: str, spaces: Spaces, truths: Answers) -> Score:
    return Score(name, better="less", low=0, high=_widest(spaces, truths))


def _of_several(name: str, spaces: Spaces, truths: Answers) -> Score:
    if name == "accuracy":
        return Score(name, better="more", low=0, high=1)
    counts = [len(space.get("options") or ()) if space else 0 for space in spaces]
    return _of_alternatives(name, max(counts) if counts and min(counts) > 1 else None)


def _of_alternatives(name: str, most: int | None) -> Score:
    """Declare a score of a forecast by the number of alternatives of the widest space, where that is known."""
    if name == "logarithmic_score":
        return Score(name, better="more", high=None if most is None else float(np.log(most)), unanswered=0.0)
    # With n alternatives certainty pays (n-1)/2n where it is right and -(n+1)/2n where it is wrong.
    best = 0.5 if most is None else (most - 1) / (2 * most)
    return Score(name, better="more", low=-0.75, high=best, unanswered=0.0)


def _of_density(name: str, spaces: Spaces, truths: Answers) -> Score:
    if name.endswith("_loss"):
        return _loss(name, spaces, truths)
    return Score(name, better="more", unanswered=0.0)


def _widest(spaces: Spaces, truths: Answers) -> float | None:
    """Return how far off an answer can be at most; None where a space has no bounds."""
    widths = []
    for space, truth in zip_longest(spaces, truths[: len(spaces)]):
        described = space or {}
        low, high = described.get("low"), described.get("high")
        if "points" in described:
            low, high = 1, described["points"]
        if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
            return None
        # What is true may lie beyond what could be answered.
        beyond = [float(truth)] if isinstance(truth, (int, float)) and truth == truth else []
        widths.append(max([float(high), *beyond]) - min([float(low), *beyond]))
    return max(widths, default=0.0) or None


def _whole(spaces: Spaces, truths: Answers) -> float | None:
    """Return the largest total that was to be divided; None where a truth divides another one."""
    wholes = [float((space or {}).get("total", 0)) for space in spaces]
    for whole, truth in zip(wholes, truths, strict=False):
        parts = truth.values() if isinstance(truth, Mapping) else truth
        if not whole or min(parts) < 0 or sum(parts) > whole * 1.000001:
            return None
    return max(wholes, default=0.0) or None


def _missing(answer: Any, truth: Any) -> bool:
    return answer is None or truth is None or (isinstance(truth, float) and truth != truth)


def _accuracy(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
    return {"accuracy": np.array([float(answer == truth) for answer, truth in zip(answers, truths, strict=True)])}


def _text(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
    alike = [folded(str(answer)) == folded(str(truth)) for answer, truth in zip(answers, truths, strict=True)]
    return {"accuracy": np.array(alike, dtype=float)}


def _error(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
    return {"absolute_error": np.abs(np.asarray(answers, dtype=float) - np.asarray(truths, dtype=float))}


def _probability(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
    yes = np.asarray(answers, dtype=float)
    return _alternatives(np.stack([1 - yes, yes], axis=-1), np.asarray(truths, dtype=float))


def _distribution(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
    """Score item by item, since questions may have different alternatives."""
    scored = [_one_distribution(answer, truth) for answer, truth in zip(answers, truths, strict=True)]
    return {name: np.array([item[name][0] for item in scored]) for name in (*FORECAST, "accuracy")}


def _one_distribution(answer: Any, truth: Any) -> Found:
    named = isinstance(answer, Mapping)
    index = list(answer).index(truth) if named and truth in answer else int(truth)
    shares = np.array(list(answer.values()) if named else answer, dtype=float)
    most = shares > shares.max() - TIED
    found = _alternatives(shares[np.newaxis], np.array([index], dtype=float))
    # Who finds several alternatives likeliest names one of them, each as often.
    return {**found, "accuracy": np.array([float(most[index]) / most.sum()])}


def _alternatives(forecasts: Floats, outcomes: Floats) -> Found:
    return {
        "logarithmic_score": logarithmic_score(forecast=forecasts, outcome=outcomes),
        "quadratic_score": quadratic_score(forecast=forecasts, outcome=outcomes),
    }


def _density(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
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


def _allocation(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
    errors = []
    for answer, truth in zip(answers, truths, strict=True):
        shares = answer if isinstance(answer, Mapping) else dict(enumerate(answer))
        wanted = truth if isinstance(truth, Mapping) else dict(enumerate(truth))
        errors.append(np.mean([abs(float(shares.get(name, 0)) - float(wanted[name])) for name in wanted]))
    return {"absolute_error": np.array(errors, dtype=float)}


def _distance(answers: Answers, truths: Answers, space: Mapping[str, Any]) -> Found:
    places, wanted = (np.array([list(item)[:2] for item in side], dtype=float) for side in (answers, truths))
    return {"distance": np.hypot(*(places - wanted).T)}


ACCURACY = Natural(("accuracy",), _accuracy, lambda name, spaces, truths: Score(name, better="more", proportion=True))
ALIKE = replace(ACCURACY, score=_text)
ERROR = Natural(("absolute_error",), _error, _loss, reads="bounds")
PROBABILITY = Natural(FORECAST, _probability, lambda name, spaces, truths: _of_alternatives(name, 2))
DISTRIBUTION = Natural((*FORECAST, "accuracy"), _distribution, _of_several, reads="bounds")
DENSITY = Natural(("crps_loss",), _density, _of_density, reads="scores")
ALLOCATION = Natural(
    ("absolute_error",),
    _allocation,
    lambda name, spaces, truths: Score(name, better="less", low=0, high=_whole(spaces, truths)),
    reads="bounds",
)
DISTANCE = Natural(("distance",), _distance, _loss)
