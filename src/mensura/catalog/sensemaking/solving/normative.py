"""Bayesian solutions of Tasks 1-6, stage by stage, as percents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import (
    Exam,
    FusionTask,
    FusionTrial,
    LearningTask,
    ScopingTask,
    ScopingTrial,
    WaveTask,
)
from mensura.catalog.sensemaking.exam.place import Attack, Dispersion, GridPoint
from mensura.catalog.sensemaking.exam.probs import Probs
from mensura.catalog.sensemaking.exam.roads import RoadNetwork
from mensura.catalog.sensemaking.solving.distribution import whole_percents
from mensura.errors import BadParameter

CIRCLE = float(np.sqrt(2 * np.log(3)))
"""Radius, in sigmas, of the circle that holds two thirds of a group's attacks (Task 2)."""


@dataclass(frozen=True)
class NormativeAnswer:
    """The normative answer to one trial: percents per stage, and where groups are (Tasks 1-3)."""

    stages: NDArray[np.float64]
    spreads: tuple[Dispersion, ...] | None = None


class Solutions(Mapping[int, Sequence[NormativeAnswer]]):
    """The normative answers of an exam by task; a task is solved when it is first asked for."""

    def __init__(self, exam: Exam) -> None:
        self._exam = exam
        self._tasks = {number: task for number, task in exam.tasks.items() if not isinstance(task, WaveTask)}
        self._solved: dict[int, Sequence[NormativeAnswer]] = {}

    def __getitem__(self, number: int) -> Sequence[NormativeAnswer]:
        if number not in self._solved:
            self._solved[number] = _solve_task(self._exam, self._tasks[number])
        return self._solved[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)


@lru_cache(maxsize=8)
def solve(exam: Exam) -> Solutions:
    """Solve every stage of Tasks 1-5, and Task 6 as far as its given HUMINT; what Task 6 adds depends on the choices.

    Where an exam withholds the truth, learning trials after the first cannot be solved (earlier attacks whose group
    was revealed are part of the sample): their stages are NaN. The last few exams are kept solved.
    """
    return Solutions(exam)


def _solve_task(exam: Exam, task: LearningTask | ScopingTask | FusionTask) -> list[NormativeAnswer]:
    if isinstance(task, LearningTask):
        return _learning(exam, task)
    if isinstance(task, ScopingTask):
        return [NormativeAnswer(_scoping(exam, trial)) for trial in task.trials]
    chosen = [trial.layers if trial.choices is None else () for trial in task.trials]
    return [NormativeAnswer(each) for each in map(normative_stages, [exam] * len(chosen), task.trials, chosen)]


def normative_stages(exam: Exam, trial: FusionTrial, layers: Sequence[Layer]) -> NDArray[np.float64]:
    """Percents over groups: the HUMINT shown, then the exact posterior after each layer in turn (Tasks 5 and 6).

    Stage 0 is what the subject was shown, in whole percents; the chain continues from the exact distribution.
    """
    belief = exact_humint(exam, trial)
    stages = [humint_shown(exam, trial)]
    for layer in layers:
        belief = belief * exam.probs.likelihood(layer, trial.feature(layer), groups=trial.groups)
        belief = belief / belief.sum()
        stages.append(100 * belief)
    return np.array(stages)


def exact_humint(exam: Exam, trial: FusionTrial) -> NDArray[np.float64]:
    """Probabilities over groups from road distances alone."""
    likelihood = exam.probs.distance_likelihood(group_distances(exam, trial))
    return np.asarray(likelihood / likelihood.sum())


def humint_shown(exam: Exam, trial: FusionTrial) -> NDArray[np.float64]:
    """The percents a subject is given at stage 0: the exam's own report, or the exact ones in whole numbers."""
    if trial.humint is not None:
        return np.array(trial.humint)
    return whole_percents(100 * exact_humint(exam, trial))


def group_distances(exam: Exam, trial: FusionTrial) -> NDArray[np.float64]:
    """Miles along the roads from each group's centre to the attack; the exam's own figures where it has them."""
    if trial.distances is not None:
        return np.array(trial.distances)
    return road_miles(exam, trial.roads, [centre.place for centre in trial.centres], [trial.site.place])[:, 0]


def road_miles(
    exam: Exam, roads: str, sources: Sequence[GridPoint], targets: Sequence[GridPoint]
) -> NDArray[np.float64]:
    """Shortest distances along an exam's roads, in miles."""
    return exam.grid.miles_per_unit * exam.roads[roads].distances(sources, targets)


def _scoping(exam: Exam, trial: ScopingTrial) -> NDArray[np.float64]:
    if trial.distances is not None:
        distances = np.array(trial.distances)
    else:
        distances = road_miles(exam, trial.roads, [trial.centre.place], [site.place for site in trial.sites])[0]
    belief = exam.probs.distance_likelihood(distances)
    belief = belief / belief.sum()
    stages = [belief]
    for layer in trial.layers:
        if layer.kind != "SOCINT":
            raise BadParameter(f"Task 4 trial {trial.number} shows {layer}; only SOCINT says anything about sites.")
        belief = belief * exam.probs.site_likelihood([site.region for site in trial.sites], group=trial.group)
        belief = belief / belief.sum()
        stages.append(belief)
    return 100 * np.array(stages)


def _learning(exam: Exam, task: LearningTask) -> list[NormativeAnswer]:
    seen: list[Attack] = []
    known = True
    solutions = []
    walk = Walk(exam.roads[task.roads], exam.grid.miles_per_unit) if task.roads is not None else None
    for block in task.trials:
        seen += block.attacks
        if known:
            spreads = estimate_spreads(seen, groups=task.groups, walk=walk, probs=exam.probs)
            likelihood = place_likelihoods(spreads, block.probe, walk, exam.probs, exact=block.distances)
            weight = np.array([spread.base_rate for spread in spreads]) * likelihood
            solutions.append(NormativeAnswer(100 * (weight / weight.sum())[None], spreads))
        else:
            solutions.append(NormativeAnswer(np.full((1, len(task.groups)), np.nan)))
        known = known and block.truth is not None
        if block.truth is not None:
            seen.append(Attack(block.truth, block.probe))
    return solutions


class Walk:
    """Distances along one network, remembered: the same attacks are met again in every later block."""

    def __init__(self, network: RoadNetwork, miles_per_unit: float) -> None:
        self.network = network
        self.miles_per_unit = miles_per_unit
        self.rows: dict[GridPoint, NDArray[np.float64]] = {}

    def to_points(self, places: Sequence[GridPoint]) -> NDArray[np.float64]:
        new = [place for place in dict.fromkeys(places) if place not in self.rows]
        if new:
            miles = self.miles_per_unit * self.network.distances(new, self.network.points)
            self.rows.update(zip(new, miles, strict=True))
        return np.array([self.rows[place] for place in places])

    def between(self, place: GridPoint, centres: Sequence[GridPoint]) -> NDArray[np.float64]:
        row = self.to_points([place])[0]
        return np.array([row[self.network.points.index(centre)] for centre in centres])


def estimate_spreads(
    attacks: Sequence[Attack], *, groups: Sequence[str], walk: "Walk | None", probs: Probs
) -> tuple[Dispersion, ...]:
    r"""Estimate where each group attacks from the sample seen so far.

    On the plane the centre is the mean and one sigma serves both axes,
    :math:`\sigma_g^2 = \sum (x-\bar x)^2 + (y-\bar y)^2 / 2 n_g`. Along roads the centre is the road point with the
    largest mean of HUMINT likelihoods over the group's attacks; the first found wins a tie.
    """
    spreads = []
    for group in groups:
        own = [attack.place for attack in attacks if attack.group == group]
        rate = len(own) / len(attacks)
        if not own:
            spreads.append(Dispersion(group, 0.0, GridPoint(np.nan, np.nan), None if walk else 0.0))
        elif walk is None:
            points = np.array(own)
            middle = points.mean(axis=0)
            sigma = float(np.sqrt(((points - middle) ** 2).sum() / (2 * len(own))))
            spreads.append(Dispersion(group, rate, GridPoint(*middle.tolist()), sigma))
        else:
            fit = probs.distance_likelihood(walk.to_points(own)).mean(axis=0)
            spreads.append(Dispersion(group, rate, walk.network.points[int(np.argmax(fit))]))
    return tuple(spreads)


def place_likelihoods(
    spreads: Sequence[Dispersion],
    probe: GridPoint,
    walk: Walk | None,
    probs: Probs,
    *,
    exact: tuple[float, ...] | None = None,
) -> NDArray[np.float64]:
    if walk is not None:
        if exact is not None:
            return probs.distance_likelihood(exact)
        return probs.distance_likelihood(walk.between(probe, [spread.centre for spread in spreads]))
    found = np.zeros(len(spreads))
    for index, spread in enumerate(spreads):
        variance = (spread.sigma or 0.0) ** 2
        if variance > 0:
            squared = (probe.x - spread.centre.x) ** 2 + (probe.y - spread.centre.y) ** 2
            found[index] = np.exp(-squared / (2 * variance)) / (2 * np.pi * variance)
    return found


def stage_count(exam: Exam, number: int) -> int:
    """How many distributions a trial of a task has, the given HUMINT of Tasks 5 and 6 included."""
    task = exam.tasks[number]
    if isinstance(task, LearningTask):
        return 1
    if isinstance(task, FusionTask) and task.trials[0].choices is not None:
        return 1 + task.trials[0].choices
    if isinstance(task, WaveTask):
        return 2
    return 1 + len(task.trials[0].layers)


def hypotheses(exam: Exam, number: int) -> tuple[str, ...]:
    """The names judged in a task: groups, or sites in Tasks 4 and 7."""
    task = exam.tasks[number]
    if isinstance(task, LearningTask):
        return task.groups
    if isinstance(task, FusionTask):
        return task.trials[0].groups
    return tuple(site.name for site in task.trials[0].sites)


def given_stages(exam: Exam) -> Mapping[int, int]:
    """How many leading stages of each task are given rather than judged."""
    return {number: int(isinstance(task, FusionTask)) for number, task in exam.tasks.items()}
