"""Reference subjects of task environments."""

from collections.abc import Callable, Mapping
from typing import Any

from mensura.catalog.task_environments.agents.controller import ManyDimensions, Pid, Plotter
from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.agents.learner import QLearning, Sarsa
from mensura.catalog.task_environments.agents.model_learner import ModelLearner
from mensura.catalog.task_environments.agents.oracle import Oracle
from mensura.catalog.task_environments.agents.random import Random

SUBJECTS: Mapping[str, Callable[..., Any]] = {
    "random": Random,
    "full-throttle": FullThrottle,
    "plotter": Plotter,
    "n-controller": ManyDimensions,
    "pid": Pid,
    "sarsa": Sarsa,
    "q-learning": QLearning,
    "model-learner": ModelLearner,
    "oracle": Oracle,
}
