"""Fitting the anchoring mind to people: parameters from one half, tested on the other."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.average import average
from mensura.catalog.sensemaking.exam.layer import KINDS
from mensura.catalog.sensemaking.exam.model import Exam, FusionTask, ScopingTask
from mensura.catalog.sensemaking.minds.reference import Anchoring
from mensura.catalog.sensemaking.people.respondents import Respondents, sequence_name
from mensura.catalog.sensemaking.solving.distribution import divergence, floor
from mensura.catalog.sensemaking.solving.normative import given_stages, solve


@dataclass(frozen=True)
class AnchoringFit:
    """A fitted mind, how well it fits, and on whom."""

    mind: Anchoring
    divergence_bits: float
    people: int


def split_people(people: Respondents, *, rng: np.random.Generator) -> tuple[Respondents, Respondents]:
    """Divide people into two halves at random, each menu order divided evenly."""
    first: list[int] = []
    second: list[int] = []
    for order in sorted(set(people.layer_order)):
        members = rng.permutation(np.flatnonzero(people.in_order(order)))
        middle = (len(members) + len(first) % 2) // 2
        first += members[:middle].tolist()
        second += members[middle:].tolist()
    return people.subset(sorted(first)), people.subset(sorted(second))


def fit_anchoring(exam: Exam, people: Respondents) -> AnchoringFit:
    """Fit anchoring and adjustment to the average of some people.

    Regressions and adjustment minimise the mean divergence of the average human from the mind over all judged stages
    of Tasks 1-5; sharpness minimises the squared error of the average allocation in Tasks 4 and 5 given what the mind
    believes at the last stage; the order of INTs is the one these people chose most often.
    """
    from scipy.optimize import minimize, minimize_scalar

    mean = average(people)
    chains = _Chains(exam)
    human = {number: floor(mean.stages[number]) for number in chains.tasks if number in mean.stages}
    given = given_stages(exam)

    def made(values: NDArray[np.float64], **more: Any) -> Anchoring:
        regression, site_regression, adjustment = map(float, values)
        return Anchoring(regression=regression, site_regression=site_regression, adjustment=adjustment, **more)

    def loss(values: NDArray[np.float64]) -> float:
        predicted = chains.predict(made(values))
        bits = [
            divergence(theirs[:, given[number] :], floor(predicted[number])[:, given[number] :]).ravel()
            for number, theirs in human.items()
        ]
        return float(np.concatenate(bits).mean())

    bounds = [Anchoring.bounds[name] for name in ("regression", "site_regression", "adjustment")]
    found = minimize(loss, [0.4, 0.2, 0.7], method="Powell", bounds=bounds, options={"xtol": 1e-4, "ftol": 1e-6})
    last = chains.predict(made(found.x))

    def allocation_loss(sharpness: float) -> float:
        mind = Anchoring(sharpness=sharpness)
        squares = [
            float(((mind.allocate(last[number][:, -1]) - mean.allocation[number] / 100) ** 2).sum())
            for number in (4, 5)
            if number in human
        ]
        return sum(squares)

    sharp = minimize_scalar(allocation_loss, bounds=Anchoring.bounds["sharpness"], method="bounded")
    mind = made(found.x, sharpness=float(sharp.x), kinds=_kinds(mean.sequences))
    return AnchoringFit(mind, float(found.fun), len(people))


class _Chains:
    """What the mind says on every stage, as arrays over trials: fitting asks many hundred times."""

    def __init__(self, exam: Exam) -> None:
        solved = solve(exam)
        self.tasks = tuple(number for number in solved if number < 6)
        self.normative = {number: np.array([s.stages for s in solved[number]]) / 100 for number in self.tasks}
        self.likelihood: dict[int, NDArray[np.float64]] = {
            number: _likelihoods(exam, number) for number in (4, 5) if number in self.tasks
        }

    def predict(self, mind: Anchoring) -> dict[int, NDArray[np.float64]]:
        found: dict[int, NDArray[np.float64]] = {}
        for number in self.tasks:
            first = self.normative[number][:, 0]
            stages = [first if number == 5 else (mind.judge_sites if number == 4 else mind.judge)(first)]
            for stage in range(self.likelihood[number].shape[1] if number >= 4 else 0):
                stages.append(mind.update(stages[-1], self.likelihood[number][:, stage]))
            found[number] = np.stack(stages, axis=1)
        return found


def _likelihoods(exam: Exam, number: int) -> NDArray[np.float64]:
    task, probs = exam.tasks[number], exam.probs
    rows = []
    if isinstance(task, ScopingTask):
        for trial in task.trials:
            regions = [site.region for site in trial.sites]
            rows.append([probs.site_likelihood(regions, group=trial.group) for _ in trial.layers])
    elif isinstance(task, FusionTask):
        for fusion in task.trials:
            rows.append(
                [probs.likelihood(layer, fusion.feature(layer), groups=fusion.groups) for layer in fusion.layers]
            )
    return np.array(rows)


def _kinds(sequences: NDArray[np.float64] | None) -> tuple[str, ...]:
    if sequences is None or not sequences.sum():
        return KINDS
    choices = round(np.log(sequences.shape[-1]) / np.log(len(KINDS)))
    first = tuple(sequence_name(int(np.argmax(sequences.sum(axis=0))), choices=choices).split("-"))
    return first + tuple(kind for kind in KINDS if kind not in first)
