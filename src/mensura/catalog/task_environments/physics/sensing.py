"""Sensing: what the sensors of a task read, with noise, resolution, latency, and sensors of sensors."""

from collections import deque
from collections.abc import Sequence
from graphlib import TopologicalSorter
from math import ceil
from typing import Any

import numpy as np

from mensura.catalog.task_environments.task.task import Task


class Sensing:
    """The sensors of a task, with what they still have to tell: what is late is read from earlier ticks.

    One instance is read in plain numbers and many in arrays, by the same lines: arrays of one would cost ten times as
    much, and at every tick.
    """

    def __init__(self, task: Task, tick_seconds: float) -> None:
        self.sensors = task.sensors
        bodies = {body.name: number for number, body in enumerate(task.bodies)}
        sensors = {sensor.name: number for number, sensor in enumerate(task.sensors)}
        # Of each sensor what it reads: (whether it is a body, its number, weight).
        self._sources = [
            [
                (name in bodies, bodies.get(name, sensors.get(name, -1)), weight)
                for name, weight in zip(sensor.of, sensor.weights or [1 / len(sensor.of)] * len(sensor.of), strict=True)
            ]
            for sensor in task.sensors
        ]
        # A little less, so that a latency of whole ticks is not rounded up to one more.
        self._late = [ceil(sensor.latency / tick_seconds - 1e-9) for sensor in task.sensors]
        waits = {row: [place for body, place, _ in read if not body] for row, read in enumerate(self._sources)}
        self._order = list(TopologicalSorter(waits).static_order())
        self._past: deque[tuple[Any, Any]] = deque(maxlen=max(self._late, default=0) + 1)

    def start(self) -> None:
        """Forget everything."""
        self._past.clear()

    def note(self, value: Any, velocity: Any) -> None:
        """Note where bodies are: one list of numbers, or for many instances one array for each body."""
        self._past.appendleft((value, velocity))

    def read(self, rng: np.random.Generator, instances: int | None = None) -> Sequence[Any]:
        """Return what each sensor reads now: a number, or an array for so many instances."""
        found: list[Any] = [None] * len(self.sensors)
        for number in self._order:
            sensor = self.sensors[number]
            value, velocity = self._past[min(self._late[number], len(self._past) - 1)]
            state = velocity if sensor.reads == "velocity" else value
            reading: Any = 0.0
            for is_body, place, weight in self._sources[number]:
                reading = reading + weight * (state[place] if is_body else found[place])
            if sensor.noise:
                if sensor.spread == "normal":
                    reading = reading + sensor.noise * rng.standard_normal(instances)
                else:
                    reading = reading + sensor.noise * (2.0 * rng.random(instances) - 1.0)
            if sensor.resolution:
                steps = reading / sensor.resolution
                reading = (round(steps) if instances is None else np.round(steps)) * sensor.resolution
            found[number] = reading
        return found
