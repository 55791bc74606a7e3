"""What is assessed: items on which people show a bias significantly (section 4.4), published or computed."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.average import Average, average, confirmation_counts
from mensura.catalog.sensemaking.assessment.cfa import (
    BIAS_TASKS,
    BIASES,
    CONFIRMATION_MARK,
    certainty_steps,
    matching_errors,
)
from mensura.catalog.sensemaking.people.respondents import Respondents
from mensura.catalog.sensemaking.solving.distribution import floor, negentropy

Exclusions = Literal["published", "computed"]
SIGNIFICANCE = 0.05
FINAL_EXAM = "Final-Exam-1"

# Task 5 of the Final exam, trial: stages left out. The test itself also rejects trial 9, stage 4 (p = 0.060), which
# the published assessment kept.
PUBLISHED_ANCHORING: Mapping[int, tuple[int, ...]] = {
    1: (2, 3),
    2: (3,),
    3: (1,),
    4: (4,),
    5: (1, 3),
    6: (1,),
    9: (1,),
    10: (1, 4),
}

FINAL_PEOPLE = {"standard": 79, "reverse": 24}
"""The published list rests on these people; others may show a bias elsewhere, or not at all."""

Assessed = dict[str, dict[int, NDArray[np.bool_]]]


def default_exclusions(exam_id: str, people: Respondents) -> Exclusions:
    """The published list for the Final exam and the people it was made from; computed for any other exam or people."""
    counts = {order: int(people.in_order(order).sum()) for order in FINAL_PEOPLE}
    return "published" if exam_id == FINAL_EXAM and counts == FINAL_PEOPLE else "computed"


def significance(
    people: Respondents, *, normative: Mapping[int, NDArray[np.float64]], order: str = "standard"
) -> dict[str, dict[int, NDArray[np.float64]]]:
    """One-tailed p values of people's bias on every item, as the published assessment computed them.

    The mean is that of the averaged distribution, not of the individuals' values, and the spread is taken about it.
    """
    mean = average(people, order=order)
    found: dict[str, dict[int, NDArray[np.float64]]] = {bias: {} for bias in BIASES}
    for number in BIAS_TASKS["representativeness"]:
        if number in people.tasks and number in normative:
            own = negentropy(floor(people.tasks[number].stages))
            middle, best = negentropy(floor(mean.stages[number])), negentropy(floor(normative[number]))
            found["representativeness"][number] = _one_sample(own, middle=middle, gap=best - middle)
    if 5 in people.tasks and 5 in normative:
        own, middle = certainty_steps(people.tasks[5].stages), certainty_steps(mean.stages[5])
        best = certainty_steps(normative[5])
        p = _one_sample(own, middle=middle, gap=np.abs(best) - np.abs(middle))
        found["anchoring"][5] = np.where(np.sign(middle) == np.sign(best), p, 1.0)
    for number in BIAS_TASKS["probability_matching"]:
        if number in people.tasks:
            found["probability_matching"][number] = _matching(people, mean, number, order)[..., None]
    if 6 in people.tasks:
        found["confirmation"][6] = _confirmation(people, mean, order)
    return found


def assessed_items(
    people: Respondents,
    *,
    normative: Mapping[int, NDArray[np.float64]],
    exclusions: Exclusions,
    order: str = "standard",
) -> Assessed:
    """Mark the items on which each bias is assessed.

    "published" is the list of the Final exam. "computed" keeps items with p ≤ 0.05, and drops a bias from a task
    where it is significant on no majority of the task's items (4.4).
    """
    p_values = significance(people, normative=normative, order=order)
    kept: Assessed = {bias: {} for bias in BIASES}
    for bias, tasks in p_values.items():
        for number, p in tasks.items():
            if exclusions == "published":
                use = np.ones(p.shape, dtype=bool)
                if bias == "anchoring":
                    for trial, stages in PUBLISHED_ANCHORING.items():
                        use[trial - 1, [stage - 1 for stage in stages]] = False
            else:
                use = p <= SIGNIFICANCE
                if 2 * use.sum() <= use.size:
                    use = np.zeros(p.shape, dtype=bool)
            kept[bias][number] = use
    return kept


def _one_sample(
    own: NDArray[np.float64], *, middle: NDArray[np.float64], gap: NDArray[np.float64]
) -> NDArray[np.float64]:
    from scipy.special import stdtr

    count = np.isfinite(own).sum(axis=0)
    spread = np.sqrt(np.nansum((own - middle) ** 2, axis=0) / np.maximum(count - 1, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        t = gap / (spread / np.sqrt(count))
    return np.asarray(np.where(count > 1, stdtr(np.maximum(count - 1, 1), -t), np.nan))


def _matching(people: Respondents, mean: Average, number: int, order: str) -> NDArray[np.float64]:
    from scipy.special import stdtr

    use = people.in_order(order) if number == 6 else np.ones(len(people), dtype=bool)
    data = people.tasks[number]
    far, near = matching_errors(data.allocation[use], last=data.stages[use][..., -1, :])
    middle_far, middle_near = matching_errors(mean.allocation[number], last=mean.stages[number][..., -1, :])
    count = np.isfinite(far + near).sum(axis=0)
    squares = np.nansum((far - middle_far) ** 2, axis=0) + np.nansum((near - middle_near) ** 2, axis=0)
    pooled = np.sqrt(squares / np.maximum(2 * count - 1, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        t = (middle_far - middle_near) / (pooled * np.sqrt(2 / count))
    return np.asarray(np.where(count > 1, stdtr(np.maximum(2 * count - 2, 1), -t), np.nan))


def _confirmation(people: Respondents, mean: Average, order: str) -> NDArray[np.float64]:
    from scipy.special import stdtr

    use = people.in_order(order)
    confirming, asked = (counts[use].sum(axis=1) for counts in confirmation_counts(people))
    own = 100 * confirming[asked > 0] / asked[asked > 0]
    if len(own) < 2:
        return np.full((1, 1), np.nan)
    # The published test divides by the number of all subjects but takes the spread over those who asked for SIGINT.
    error = own.std(ddof=1) / np.sqrt(use.sum())
    t = (float(mean.confirmation()) - CONFIRMATION_MARK) / error if error > 0 else np.inf
    return np.full((1, 1), float(stdtr(use.sum() - 1, -t)))
