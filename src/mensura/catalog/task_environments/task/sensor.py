"""Sensor: what agents see of bodies."""

from dataclasses import dataclass
from typing import Literal

from mensura.catalog.task_environments.task.quantity import FORBID


@dataclass(frozen=True)
class Sensor:
    """Reads bodies or other sensors, with noise, resolution and latency of its own.

    Parameters
    ----------
    name
        What agents call it.
    of
        The bodies or sensors that it reads; of several, the weighted sum.
    reads
        What it reads of a body.
    weights
        One for each of `of`; none: their mean.
    noise, spread
        How far a reading is off: at most so much either way (`uniform`), or as the standard deviation (`normal`).
    resolution
        Readings are rounded to multiples of it; 0: not at all.
    latency
        How old a reading is, in seconds; it counts in whole ticks, so that a part of a tick counts as one.
    reward
        Whether its reading is the reward, which is then no observation: a reward channel.
    agents
        The roles that see it; none: all.
    """

    name: str
    of: tuple[str, ...]
    reads: Literal["value", "velocity"] = "value"
    weights: tuple[float, ...] = ()
    noise: float = 0.0
    spread: Literal["uniform", "normal"] = "uniform"
    resolution: float = 0.0
    latency: float = 0.0
    reward: bool = False
    agents: tuple[str, ...] = ()
    __pydantic_config__ = FORBID
