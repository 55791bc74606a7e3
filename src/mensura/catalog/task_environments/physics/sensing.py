"""Sensing: what the sensors of a task read, with noise, resolution, latency, and sensors of sensors."""

from collections import deque
from graphlib import TopologicalSorter
from math import ceil
from typing import Any

import numpy as np

from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.task import Task


class Sensing:
    """The sensors of a task, with what they still have to tell: what is late is read from earlier ticks."""

    def __init__(self, task: Task, tick_seconds: float) -> None:
        self.sensors = task.sensors
        bodies = {body.name: number for number, body in enumerate(task.bodies)}
        numbers = {sensor.name: number for number, sensor in enumerate(task.sensors)}
        known = {name: (name in bodies, bodies.get(name, -1)) for name in bodies}
        self._sources = [
            [(*known[name], 0) if name in known else (False, -1, numbers[name]) for name in sensor.of]
            for sensor in task.sensors
        ]
        self._weights = [sensor.weights or (1 / len(sensor.of),) * len(sensor.of) for sensor in task.sensors]
        # A whisker less, so that a latency of whole ticks is not rounded up to one more.
        self._late = [ceil(sensor.latency / tick_seconds - 1e-9) for sensor in task.sensors]
        waits = {number: [place for body, _, place in row if not body] for number, row in enumerate(self._sources)}
        self._order = list(TopologicalSorter(waits).static_order())
        self._past: deque[tuple[Floats, Floats]] = deque(maxlen=max(self._late, default=0) + 1)

    def start(self, batch: Any) -> None:
        """Forget everything, and note how the instances start."""
        self._past.clear()
        self.note(batch)

    def note(self, batch: Any) -> None:
        """Note where bodies are, for sensors that tell it later."""
        self._past.appendleft((batch.value, batch.velocity) if self._past.maxlen == 1 else _copied(batch))

    def read(self, batch: Any, rng: np.random.Generator) -> Floats:
        """Return what every sensor reads now; one row for each instance, one column for each sensor."""
        found = np.empty((len(batch.value), len(self.sensors)))
        for number in self._order:
            found[:, number] = self._read(number, found, rng)
        return found

    def _read(self, number: int, found: Floats, rng: np.random.Generator) -> Floats:
        sensor: Sensor = self.sensors[number]
        value, velocity = self._past[min(self._late[number], len(self._past) - 1)]
        state = velocity if sensor.reads == "velocity" else value
        reading = np.zeros(len(found))
        for weight, (is_body, body, place) in zip(self._weights[number], self._sources[number], strict=True):
            reading = reading + weight * (state[:, body] if is_body else found[:, place])
        if sensor.noise:
            draw = rng.normal if sensor.spread == "normal" else lambda _, noise, n: rng.uniform(-noise, noise, n)
            reading = reading + draw(0.0, sensor.noise, len(reading))
        if sensor.resolution:
            reading = np.round(reading / sensor.resolution) * sensor.resolution
        return reading


def _copied(batch: Any) -> tuple[Floats, Floats]:
    return batch.value.copy(), batch.velocity.copy()
