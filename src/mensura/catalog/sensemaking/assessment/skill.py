"""S1 and S2 of all respondents."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.mean import NOTHING, mean_estimate
from mensura.catalog.sensemaking.exam.model import Exam, FusionTask, WaveTask
from mensura.catalog.sensemaking.people.respondents import Respondents, layer_of
from mensura.catalog.sensemaking.solving.distribution import whole_percents
from mensura.catalog.sensemaking.solving.normative import given_stages, hypotheses, normative_stages, solve
from mensura.catalog.sensemaking.solving.skill import stage_s1, trial_s1, trial_s2
from mensura.dialogue import Items, Scores
from mensura.stats.estimate import Estimate


@dataclass(frozen=True)
class Skill:
    """S1 per stage and per trial and S2 per trial of one task, (subjects, trials, ...)."""

    stages: NDArray[np.float64]
    s1: NDArray[np.float64]
    s2: NDArray[np.float64]


def skill_by_task(exam: Exam, respondents: Respondents) -> dict[int, Skill]:
    """Score everyone on every task they took, what they left out of it as 0; Task 7 has no S1.

    Allocations count in whole percents, as in the original.
    """
    given, solved = given_stages(exam), solve(exam)
    found = {}
    for number, data in respondents.tasks.items():
        task = exam.tasks[number]
        stages = np.full(data.stages.shape[:3], np.nan)
        took = np.asarray(np.isfinite(data.stages).any(axis=(1, 2, 3)) | np.isfinite(data.allocation).any(axis=(1, 2)))
        if not isinstance(task, WaveTask):
            stages = stage_s1(data.stages, normative=normative_for(exam, respondents, number))
            solvable = np.array([np.isfinite(each.stages).all() for each in solved[number]])
            left_out = np.isnan(data.stages).any(axis=-1)
            stages = np.where(left_out & (took[:, None] & solvable)[..., None], 0.0, stages)
        stages[:, :, : given[number]] = np.nan
        allocation = np.where(took[:, None, None], np.nan_to_num(whole_percents(data.allocation)), np.nan)
        found[number] = Skill(stages, trial_s1(stages), trial_s2(allocation, truth=truth_index(exam, number)))
    return found


def over_trials(values: NDArray[np.float64]) -> Estimate:
    """Return the mean of (subjects, trials) with a t interval over trials; runs are averaged on each trial first."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    means = np.where(known, values, 0.0).sum(axis=0)[count > 0] / count[count > 0]
    found = mean_estimate(means)
    low, high = (float(np.clip(bound, 0.0, 100.0)) for bound in (found.low, found.high))
    method = "t over trials, within 0 to 100" if len(means) > 1 else "one trial or none"
    return replace(found, low=low, high=high, method=method, population="trials")


def trial_values(scores: Sequence[Scores], name: str) -> dict[str, list[float]]:
    """Return S1 or S2 of every trial by its key: one value for each session, NaN where it has none."""
    items = [each.values.get(name) for each in scores]
    known = [dict(zip(one.keys, one.values.tolist(), strict=True)) if isinstance(one, Items) else {} for one in items]
    keys = dict.fromkeys(key for one in known for key in one)
    return {key: [one.get(key, np.nan) for one in known] for key in keys}


def skill_json(s1: Estimate = NOTHING, s2: Estimate = NOTHING) -> dict[str, Any]:
    """Return S1 and S2 of a task as JSON."""
    return {"s1": s1.value, "s2": s2.value, "s1_estimate": asdict(s1), "s2_estimate": asdict(s2)}


def normative_for(exam: Exam, respondents: Respondents, number: int) -> NDArray[np.float64]:
    """Return the normative percents of a task, of each subject where they depend on the INTs chosen."""
    task = exam.tasks[number]
    if isinstance(task, FusionTask) and task.trials[0].choices is not None:
        return chosen_normative(exam, respondents, number)
    return np.array([each.stages for each in solve(exam)[number]])


def chosen_normative(exam: Exam, respondents: Respondents, number: int) -> NDArray[np.float64]:
    """Normative percents for the INTs each subject chose, (subjects, trials, stages, hypotheses)."""
    task = exam.tasks[number]
    assert isinstance(task, FusionTask)
    data = respondents.tasks[number]
    normative = np.full(data.stages.shape, np.nan)
    known: dict[tuple[int, tuple[int, ...]], NDArray[np.float64]] = {}
    for subject, trial in np.ndindex(*data.stages.shape[:2]):
        chosen = tuple(int(code) for code in data.layers[subject, trial] if code >= 0)
        if (trial, chosen) not in known:
            layers = [layer for layer in map(layer_of, chosen) if layer is not None]
            known[trial, chosen] = normative_stages(exam, task.trials[trial], layers)
        solution = known[trial, chosen]
        normative[subject, trial, : len(solution)] = solution
    return normative


def truth_index(exam: Exam, number: int) -> NDArray[np.int64]:
    """What came true on each trial, as the place of the hypothesis; -1 where the exam does not tell."""
    names = hypotheses(exam, number)
    came = [getattr(trial, "truth_site" if number == 7 else "truth") for trial in exam.tasks[number].trials]
    return np.array([-1 if name is None else names.index(name) for name in came])
