"""Individual differences: how near each person comes to the average of all the others."""

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.assess import Benchmark
from mensura.catalog.sensemaking.assessment.average import average
from mensura.catalog.sensemaking.assessment.cpa import CpaScores, overall, relative_match, relative_success
from mensura.catalog.sensemaking.people.respondents import sequence_codes


def individual_cpa(benchmark: Benchmark) -> NDArray[np.float64]:
    """CPA of every person, taken as a model of the others: a yardstick for what a model's CPA means.

    Each is compared with the average of the rest, so that nobody is helped by their own answers. Those
    who did not take the assessed Task 6 are scored on the other tasks.
    """
    people, rules = benchmark.people, benchmark.rules
    rest = average(people, order=rules.order, weights=1.0 - np.eye(len(people)))
    stages = {
        number: np.where(use, relative_success(rest.stages[number], model=people.tasks[number].stages), np.nan)
        for number, use in benchmark.assessed_stages.items()
    }
    matches = None
    if rest.sequences is not None:
        own = np.where(people.in_order(rules.order)[:, None], sequence_codes(people.tasks[6].layers), -1)
        matches = np.stack([relative_match(rest.sequences[i], sequence=own[i]) for i in range(len(people))])
    scores = CpaScores(stages, matches)
    tasks = {number: np.broadcast_to(scores.task_value(number), (len(people),)) for number in rules.weights}
    return overall(tasks, weights=rules.weights)
