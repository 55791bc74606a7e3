"""Cognitive Fidelity Assessment: which biases of people a model shows too (section 4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.catalog.sensemaking.assessment.average import Average
from mensura.catalog.sensemaking.solving.distribution import floor, negentropy

BIASES = ("representativeness", "anchoring", "probability_matching", "confirmation")
BIAS_TASKS: Mapping[str, tuple[int, ...]] = {
    "representativeness": (1, 2, 3),
    "anchoring": (5,),
    "probability_matching": (4, 5, 6),
    "confirmation": (6,),
}
PASS_MARK = 50.0
NEEDED = 2
VERDICT = {True: "pass", False: "fail", None: "not assessed"}
CONFIRMATION_MARK = 50.0
SAME = 1e-9
"""Differences below this are ties: two ways to one posterior differ in the last bits, and a tie shows no bias."""


@dataclass(frozen=True)
class Exhibits:
    """Where a bias shows: 1 yes, 0 no, NaN unknown, by bias and task, (..., trials, items of a trial).

    A trial is one item, except for anchoring, where every stage is one, and for confirmation, one item in all.
    """

    items: Mapping[str, Mapping[int, NDArray[np.float64]]]


def exhibits(
    found: Average,
    *,
    normative: Mapping[int, NDArray[np.float64]],
    sign: bool = True,
    trial_weights: NDArray[np.float64] | None = None,
) -> Exhibits:
    """Return on every item whether an average (people's, or a model's runs) shows each bias.

    With `sign` anchoring also asks that certainty moves in the normative direction, as the published scores do; without
    it is Table 7 as printed. `trial_weights` is how often each trial of Task 6 counts among the confirming choices.
    """
    items: dict[str, dict[int, NDArray[np.float64]]] = {bias: {} for bias in BIASES}
    for number in BIAS_TASKS["representativeness"]:
        if number in found.stages and number in normative:
            gap = regression(found.stages[number], normative=normative[number])
            items["representativeness"][number] = _truth(gap > SAME, gap)
    if 5 in found.stages and 5 in normative:
        own, best = certainty_steps(found.stages[5]), certainty_steps(normative[5])
        less = np.abs(best) - np.abs(own) > SAME
        if sign:
            less &= _direction(own) == _direction(best)
        items["anchoring"][5] = _truth(less, own + best)
    for number in BIAS_TASKS["probability_matching"]:
        if number in found.stages:
            far, near = matching_errors(found.allocation[number], last=found.stages[number][..., -1, :])
            items["probability_matching"][number] = _truth(far - near > SAME, far + near)[..., None]
    if 6 in found.stages:
        share = found.confirmation(trial_weights=trial_weights)[..., None, None]
        items["confirmation"][6] = _truth(share > CONFIRMATION_MARK, share)
    return Exhibits(items)


def regression(reported: ArrayLike, *, normative: ArrayLike) -> NDArray[np.float64]:
    """How much less certain a report is than the normative one, N_Q - N_P; above 0 is conservatism."""
    return np.asarray(negentropy(floor(normative)) - negentropy(floor(reported)))


def certainty_steps(stages: ArrayLike) -> NDArray[np.float64]:
    """Change of negentropy from each stage to the next, all floored."""
    return np.diff(negentropy(floor(stages)), axis=-1)


def matching_errors(allocation: ArrayLike, *, last: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """RMSE of an allocation to all-on-the-likeliest, and to the probabilities themselves.

    The likeliest is the first of the largest; the probabilities are floored, the allocation is not.
    """
    share, belief = np.asarray(allocation, dtype=float) / 100, floor(last)
    usable = np.where(np.isnan(belief), -1.0, belief)
    ideal = (np.argmax(usable, axis=-1)[..., None] == np.arange(belief.shape[-1])).astype(float)
    ideal = np.where(np.isnan(belief), np.nan, ideal)

    def error(target: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.sqrt(((share - target) ** 2).mean(axis=-1)))

    return error(ideal), error(belief)


def agreement(
    human: Exhibits,
    model: Exhibits,
    *,
    assessed: Mapping[str, Mapping[int, NDArray[np.bool_]]],
    answered: Mapping[str, Mapping[int, NDArray[np.float64]]],
) -> dict[str, dict[int, NDArray[np.float64]]]:
    """Per item, 100 where the model agrees with people on showing the bias, 0 where not, NaN where not assessed.

    Where some of the model's runs left out what an item needs, it counts by the share of those that `answered`.
    """
    found: dict[str, dict[int, NDArray[np.float64]]] = {}
    for bias in BIASES:
        found[bias] = {}
        for number, use in assessed[bias].items():
            people, own = human.items[bias][number], model.items[bias][number]
            same = np.where(people == own, 100.0, 0.0) * answered[bias][number]
            found[bias][number] = np.where(use & np.isfinite(people), same, np.nan)
    return found


def bias_score(
    items: Mapping[int, NDArray[np.float64]], *, trial_weights: Mapping[int, NDArray[np.float64]] | None = None
) -> NDArray[np.float64]:
    """Percent of assessed items on which the model agrees with people, over all tasks of the bias."""
    total, count = np.zeros(()), np.zeros(())
    for number, values in items.items():
        known = np.isfinite(values)
        agreed, seen = np.where(known, values, 0.0), known.astype(float)
        weights = None if trial_weights is None else trial_weights.get(number)
        if weights is not None and agreed.shape[-2] == weights.shape[-1]:
            agreed, seen = agreed * weights[..., None], seen * weights[..., None]
        total, count = total + agreed.sum(axis=(-2, -1)), count + seen.sum(axis=(-2, -1))
    return np.asarray(np.where(count > 0, total / np.where(count > 0, count, 1.0), np.nan))


def _direction(steps: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.where(np.abs(steps) > SAME, np.sign(steps), 0.0))


def _truth(condition: NDArray[np.bool_], known: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.where(np.isfinite(known), condition.astype(float), np.nan))
