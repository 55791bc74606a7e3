"""Reference subjects of the rooms: floors, ceilings, reflexes and learners."""

from collections.abc import Callable
from typing import Any

from mensura.catalog.pagi_world.subjects.analogist import Analogist
from mensura.catalog.pagi_world.subjects.learners import BayesConditioner, GripLearner
from mensura.catalog.pagi_world.subjects.reasoner import Reasoner
from mensura.catalog.pagi_world.subjects.reflexes import PolledBody, ReflexBody
from mensura.catalog.pagi_world.subjects.solver import RoomSolver
from mensura.catalog.pagi_world.subjects.still import RandomBody, StillBody

SUBJECTS: dict[str, Callable[..., Any]] = {
    "still": StillBody,
    "random": RandomBody,
    "solver": RoomSolver,
    "reflex": ReflexBody,
    "controller": PolledBody,
    "bayes-conditioner": BayesConditioner,
    "q-learning": GripLearner,
    "reasoner": Reasoner,
    "analogist": Analogist,
}
