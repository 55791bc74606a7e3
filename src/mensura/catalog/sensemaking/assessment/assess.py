"""The whole assessment of one model against people: CPA, CFA, intervals, and what was left out."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.average import Average, average
from mensura.catalog.sensemaking.assessment.cfa import BIASES, Exhibits, agreement, bias_score, exhibits
from mensura.catalog.sensemaking.assessment.cpa import (
    WEIGHTS,
    CpaScores,
    differs_from_uniform,
    overall,
    relative_match,
    relative_success,
)
from mensura.catalog.sensemaking.assessment.exclusion import (
    FINAL_EXAM,
    Assessed,
    Exclusions,
    assessed_items,
    default_exclusions,
)
from mensura.catalog.sensemaking.assessment.resampling import Resamples, resample
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.people.respondents import Respondents, TaskAnswers
from mensura.catalog.sensemaking.solving.normative import given_stages, solve
from mensura.errors import BadParameter

DRAWS = 2000


@dataclass(frozen=True)
class AssessmentRules:
    """How an assessment is made; the defaults are the published ones.

    Attributes
    ----------
    exclusions : {"published", "computed"} or None
        None takes the published list for the Final exam with its own people and computes it for any other.
    weights : mapping of task to float
        Weights of the tasks in CPA.
    sign : bool
        Whether anchoring asks for the normative direction (published) or not (Table 7 as printed).
    order : str
        Whose Task 6 is assessed, by the order of their INT menu.
    """

    exclusions: Exclusions | None = None
    weights: Mapping[int, float] = field(default_factory=lambda: WEIGHTS)
    sign: bool = True
    order: str = "standard"


class Benchmark:
    """People's side of the assessment, made once for any number of models."""

    def __init__(self, exam: Exam, people: Respondents, *, rules: AssessmentRules | None = None) -> None:
        self.exam, self.rules = exam, rules or AssessmentRules()
        self.people = people = took_part(people)
        self.exclusions: Exclusions = self.rules.exclusions or default_exclusions(exam.id, people)
        if self.exclusions == "published" and exam.id != FINAL_EXAM:
            raise BadParameter(
                f"The published exclusions belong to the exam {FINAL_EXAM}, this one is {exam.id!r}; "
                "use --exclusions computed."
            )
        solved = solve(exam)
        self.normative: dict[int, NDArray[np.float64]] = {
            number: np.array([each.stages for each in solved[number]]) for number in solved if number < 6
        }
        self.human = average(people, order=self.rules.order)
        self.assessed_stages = self._assessed_stages()
        self.assessed_items: Assessed = assessed_items(
            people, normative=self.normative, exclusions=self.exclusions, order=self.rules.order
        )

    def _assessed_stages(self) -> dict[int, NDArray[np.bool_]]:
        given = given_stages(self.exam)
        found = {}
        for number in (1, 2, 3, 4, 5):
            if number in self.human.stages:
                use = differs_from_uniform(self.human.stages[number])
                use[:, : given[number]] = False
                found[number] = use
        return found

    def on(self, people: Respondents) -> "Benchmark":
        """The same exam, rules and assessed items with other people."""
        other = copy(self)
        other.people = people
        other.human = average(people, order=self.rules.order)
        return other

    def trials(self) -> dict[int, int]:
        """How many trials each task has."""
        return {number: len(task.trials) for number, task in self.exam.tasks.items() if number <= 6}

    def resamples(self, *, draws: int, rng: np.random.Generator) -> Resamples:
        """Draw resamples of these people and trials, to be shared by models that are compared."""
        return resample(people=len(self.people), trials=self.trials(), draws=draws, rng=rng)


@dataclass(frozen=True)
class Resemblance:
    """CPA and CFA of one model; arrays have a leading axis of resamples where there are any."""

    tasks: Mapping[int, NDArray[np.float64]]
    cpa: NDArray[np.float64]
    biases: Mapping[str, NDArray[np.float64]]
    stages: CpaScores
    items: Mapping[str, Mapping[int, NDArray[np.float64]]]


class ModelSide:
    """A model's runs, averaged and ready to be compared with any average of people; what a run left out counts 0."""

    def __init__(self, benchmark: Benchmark, runs: Respondents) -> None:
        if len(runs) > len(benchmark.people):
            raise BadParameter(
                f"{len(runs)} runs of the model for {len(benchmark.people)} people: "
                "runs may not outnumber the people they are averaged against (section 4.4). Give fewer runs."
            )
        tasks = {
            number: TaskAnswers.empty(benchmark.exam, number, subjects=len(runs)) for number in benchmark.exam.tasks
        }
        self.runs = replace(runs, tasks={**tasks, **runs.tasks})
        self.mean = _with_given(average(self.runs, order=None), benchmark)
        self.sequence = _modal_sequence(self.mean)
        each = _with_given(average(self.runs, order=None, weights=np.eye(len(runs))), benchmark)
        self.answered = {number: np.isfinite(found).all(axis=-1).mean(axis=0) for number, found in each.stages.items()}
        """Share of the runs that judged each stage of a task, or in Task 6 chose the INTs of each trial."""
        if each.sequences is not None:
            chosen = each.sequences.any(axis=-1)
            self.answered[6] = chosen.mean(axis=0)
            gap = ~chosen | np.isnan(each.stages[6][..., :-1, :]).any(axis=(-2, -1))
            # Behind a gap the model may have asked for SIGINT on a group that it did not hold most likely.
            self.mean = replace(self.mean, sigint=np.maximum(each.sigint, gap).sum(axis=0))
        self.shown = {
            bias: {number: np.isfinite(found).mean(axis=0) for number, found in items.items()}
            for bias, items in exhibits(each, normative=benchmark.normative).items.items()
        }
        """Share of the runs that answered what each bias would show in, item by item."""

    def exhibits(self, benchmark: Benchmark, *, trial_weights: NDArray[np.float64] | None = None) -> Exhibits:
        """Where the model shows each bias."""
        return exhibits(
            self.mean, normative=benchmark.normative, sign=benchmark.rules.sign, trial_weights=trial_weights
        )


def score_model(benchmark: Benchmark, model: ModelSide, *, resamples: Resamples | None = None) -> Resemblance:
    """Score a model, against people as they are or against resamples of people and trials."""
    rules = benchmark.rules
    human = _human(benchmark, resamples)
    tasks, stages = _score_tasks(benchmark, model, human, resamples)
    weights = None if resamples is None else resamples.trials
    sixth = None if weights is None else weights.get(6)
    shown = exhibits(human, normative=benchmark.normative, sign=rules.sign, trial_weights=sixth)
    own = model.exhibits(benchmark, trial_weights=sixth)
    items = agreement(shown, own, assessed=benchmark.assessed_items, answered=model.shown)
    biases = {bias: bias_score(items[bias], trial_weights=weights) for bias in BIASES}
    return Resemblance(tasks, overall(tasks, weights=rules.weights), biases, stages, items)


def score_cpa(benchmark: Benchmark, model: ModelSide, *, resamples: Resamples | None = None) -> NDArray[np.float64]:
    """CPA alone, for studies that need it many times."""
    return overall(score_tasks(benchmark, model, resamples=resamples), weights=benchmark.rules.weights)


def score_tasks(
    benchmark: Benchmark, model: ModelSide, *, resamples: Resamples | None = None
) -> dict[int, NDArray[np.float64]]:
    """RSR of every task, RMR of Task 6."""
    return _score_tasks(benchmark, model, _human(benchmark, resamples), resamples)[0]


def _human(benchmark: Benchmark, resamples: Resamples | None) -> Average:
    if resamples is None or resamples.same_people:
        return benchmark.human
    return average(benchmark.people, order=benchmark.rules.order, weights=resamples.people)


def _score_tasks(
    benchmark: Benchmark, model: ModelSide, human: Average, resamples: Resamples | None
) -> tuple[dict[int, NDArray[np.float64]], CpaScores]:
    stages = {}
    for number, use in benchmark.assessed_stages.items():
        rsr = relative_success(human.stages[number], model=model.mean.stages[number])
        known = use & np.isfinite(human.stages[number]).all(axis=-1)
        stages[number] = np.where(known, np.nan_to_num(rsr) * model.answered[number], np.nan)
    matches = None
    if human.sequences is not None and model.sequence is not None:
        rmr = np.nan_to_num(relative_match(human.sequences, sequence=model.sequence)) * model.answered[6]
        matches = np.where(human.sequences.any(axis=-1), rmr, np.nan)
    found = CpaScores(stages, matches)
    tasks = {}
    for number in benchmark.rules.weights:
        if resamples is None:
            tasks[number] = found.task_value(number)
        else:
            value = found.task_value(number, trial_weights=resamples.trials.get(number))
            tasks[number] = np.broadcast_to(value, (len(resamples.people),))
    return tasks, found


def took_part(people: Respondents) -> Respondents:
    """Those who answered anything that is assessed; who took Task 7 alone is no one to compare with."""
    there = np.zeros(len(people), dtype=bool)
    for number, data in people.tasks.items():
        if number <= 6:
            there |= np.isfinite(data.stages).any(axis=(1, 2, 3))
    return people if there.all() else people.subset(np.flatnonzero(there))


def _with_given(mean: Average, benchmark: Benchmark) -> Average:
    """Set stage 0 of Task 5 to the HUMINT everyone was given, whatever a file says."""
    stages = dict(mean.stages)
    if 5 in stages and 5 in benchmark.normative:
        stages[5] = stages[5].copy()
        stages[5][..., 0, :] = benchmark.normative[5][:, 0]
    return replace(mean, stages=stages)


def _modal_sequence(mean: Average) -> NDArray[np.int64] | None:
    """The sequence most runs chose on each trial, as people's benchmark is the one most people chose."""
    if mean.sequences is None:
        return None
    return np.where(mean.sequences.sum(axis=-1) > 0, np.argmax(mean.sequences, axis=-1), -1)
