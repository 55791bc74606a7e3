"""Two tasks side by side: properties, distance, what each takes at least, and size. Which task to give next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit

from mensura.catalog.task_environments.oracle.bodies import OwnMotors, SharedMotor
from mensura.catalog.task_environments.oracle.find import oracle_of
from mensura.catalog.task_environments.oracle.oracle import TaskOracle
from mensura.catalog.task_environments.task.quantity import lowest
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.theory.properties import properties_of
from mensura.dialogue import generator
from mensura.errors import BadParameter, unknown

Floats = NDArray[np.float64]
Metric = Callable[[Floats, Floats], float]
METRICS: Mapping[str, Metric] = {
    "manhattan": lambda first, second: float(np.abs(first - second).sum()),
    "euclid": lambda first, second: float(np.sqrt(((first - second) ** 2).sum())),
}


@dataclass(frozen=True)
class TaskComparison:
    """What two tasks have in common and what not; each pair is first, second."""

    names: tuple[str, str]
    properties: tuple[dict[str, float], dict[str, float]]
    distance: float
    least: tuple[dict[str, Any], dict[str, Any]]
    size: tuple[dict[str, int], dict[str, int]]

    def data(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "tasks": list(self.names),
            "properties": list(self.properties),
            "distance": self.distance,
            "least": list(self.least),
            "size": list(self.size),
        }


def compare_tasks(first: Task, second: Task, *, seed: int, metric: str | Metric = "manhattan") -> TaskComparison:
    """Compare two tasks; a metric of one's own takes two vectors of `vector_of` and returns a distance.

    Of a family, the least time and energy are those of the instance in the middle of its ranges.
    """
    if isinstance(metric, str) and metric not in METRICS:
        raise unknown("metric", metric, known=METRICS, see="In Python a function of two vectors will do.")
    measure = METRICS[metric] if isinstance(metric, str) else metric
    both = properties_of(first, generator(seed)), properties_of(second, generator(seed))
    least, sizes = (least_of(first), least_of(second)), (size_of(first), size_of(second))
    one, other = map(vector_of, both, least, sizes)
    return TaskComparison((first.name, second.name), both, measure(one, other), least, sizes)


def vector_of(properties: Mapping[str, float], least: Mapping[str, Any], size: Mapping[str, int]) -> Floats:
    """Return the numbers by which tasks are apart: the properties of the world, then how much is wanted in it.

    Racing and parking have the same world; they differ in the time and energy that they take at least. Number of parts,
    least time and least energy count as log(1 + x).
    """
    wanted = [float(sum(size.values())), float(least["t_min"]), float(least["e_min"])]
    return np.array([*properties.values(), *np.log1p(wanted)])


def foretell(parts: Sequence[Task], *, shared: bool = False) -> TaskOracle:
    """Foretell what a composition takes at least, from its parts alone.

    With motors of their own, energies within a time add up and the slowest part decides; a motor that all share takes
    them one after the other.
    """
    oracles = [oracle_of(_middle(part)) for part in parts]
    if not shared:
        return OwnMotors(oracles)
    powers = {lowest(motor.power) for part in parts for motor in part.flat.motors}
    if len(powers) != 1:
        raise BadParameter("Tasks that share a motor have motors of one power.")
    return SharedMotor(oracles, power=powers.pop())


@dataclass(frozen=True)
class ChosenTask:
    """The task nearest a subject's limit, and the chance that each would be solved."""

    task: Task
    chances: tuple[float, ...]


def choose(tasks: Sequence[Task], *, solved: Sequence[int], tried: Sequence[int]) -> ChosenTask:
    """Choose the task that a subject solves with a chance nearest one half, from what it solved so far.

    Chance falls with the logarithm of what a task takes at least, time times energy, along a logistic curve of slope 1
    whose place is estimated; where nothing was tried, the task in the middle is taken. A weak prior (half a success
    and half a failure on the task in the middle) keeps the estimate finite after successes or failures only.
    """
    if not tasks or not len(tasks) == len(solved) == len(tried):
        raise BadParameter("Choosing takes tasks, and for each how often it was tried and solved.")
    if any(not 0 <= won <= all_ for won, all_ in zip(solved, tried, strict=True)):
        raise BadParameter("A task is solved between 0 times and as often as it was tried.")
    load = np.array([_load(task) for task in tasks])
    wins, misses = np.array(solved, dtype=float), np.array(tried, dtype=float) - np.array(solved, dtype=float)
    middle = int(np.argsort(load)[len(load) // 2])
    wins[middle] += 0.5
    misses[middle] += 0.5

    def surprise(place: float) -> float:
        return float((wins * np.logaddexp(0, load - place) + misses * np.logaddexp(0, place - load)).sum())

    place = minimize_scalar(surprise, bounds=(load.min() - 20, load.max() + 20), method="bounded").x
    chances = expit(place - load)
    return ChosenTask(tasks[int(np.argmin(np.abs(chances - 0.5)))], tuple(float(one) for one in chances))


def _load(task: Task) -> float:
    least = least_of(task)
    return float(np.log1p(least["t_min"] * least["e_min"]))


def least_of(task: Task) -> dict[str, Any]:
    """Return what a task takes at least, in the middle of its ranges, and how that is known."""
    found = oracle_of(_middle(task))
    return {"kind": found.kind, "t_min": found.t_min, "e_at_t_min": found.e_at_t_min, "e_min": found.e_min,
            "t_at_e_min": found.t_at_e_min}  # fmt: skip


def _middle(task: Task) -> Task:
    return task.fix(task.numbers([0.5] * len(task.ranges)))


def size_of(task: Task) -> dict[str, int]:
    """Count the parts of a task."""
    flat = task.flat
    return {part: len(getattr(flat, part)) for part in ("bodies", "motors", "sensors", "transitions", "goals")}
