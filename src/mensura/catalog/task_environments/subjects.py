"""Reference subjects of task environments."""

from collections.abc import Callable, Mapping
from typing import Any

from mensura.catalog.task_environments.agents.controller import ManyDimensions, Pid, Plotter
from mensura.catalog.task_environments.agents.full_throttle import FullThrottle
from mensura.catalog.task_environments.agents.learner import MotorQLearning, MotorSarsa
from mensura.catalog.task_environments.agents.model_learner import ModelLearner
from mensura.catalog.task_environments.agents.oracle import OracleAgent
from mensura.catalog.task_environments.agents.random import RandomPowers

SUBJECTS: Mapping[str, Callable[..., Any]] = {
    "random": RandomPowers,
    "full-throttle": FullThrottle,
    "plotter": Plotter,
    "n-controller": ManyDimensions,
    "pid": Pid,
    "sarsa": MotorSarsa,
    "q-learning": MotorQLearning,
    "model-learner": ModelLearner,
    "oracle": OracleAgent,
}
