"""Faults of memory: what was learned is corrupted, or as it was some sessions ago."""

from collections import deque
from copy import deepcopy
from typing import Any

import numpy as np

from mensura.errors import BadParameter, SubjectCrashed
from mensura.subjects.fault.fault import Disturbance, share


class Corrupt(Disturbance):
    """Sets a share of all numbers that were learned to 0 as a session begins, each by the same chance."""

    inner = True

    def __init__(self, rate: float = 0.1) -> None:
        self.rate = share(rate)

    def spoil(self, state: Any, rng: np.random.Generator) -> Any:
        if isinstance(state, dict) and set(state) == {"pickle"}:
            raise SubjectCrashed("The snapshot is not JSON, so nobody can say which of it are numbers.")
        return _corrupted(state, self.rate, rng) if self.rate else state


def _corrupted(state: Any, rate: float, rng: np.random.Generator) -> Any:
    if isinstance(state, dict):
        return {name: _corrupted(one, rate, rng) for name, one in state.items()}
    if isinstance(state, list | tuple):
        return type(state)(_corrupted(one, rate, rng) for one in state)
    if isinstance(state, np.ndarray):
        return np.where(rng.random(state.shape) < rate, np.zeros((), state.dtype), state)
    if isinstance(state, int | float) and not isinstance(state, bool):
        return type(state)(0) if rng.random() < rate else state
    return state


class Age(Disturbance):
    """Lets a session begin with what was known a number of sessions before."""

    dose = "by"
    inner = True

    def __init__(self, by: int = 1) -> None:
        if type(by) is not int or by < 0:
            raise BadParameter(f"by is how many sessions old, a whole number from 0; got {by!r}.")
        self.by = by
        self._known: deque[Any] = deque(maxlen=by + 1)

    def learned(self, state: Any) -> None:
        self._known.append(deepcopy(state))

    def spoil(self, state: Any, rng: np.random.Generator) -> Any:
        return deepcopy(self._known[0]) if self.by else state

    def snapshot(self) -> Any:
        return deepcopy(list(self._known))

    def restore(self, state: Any) -> None:
        self._known = deque(deepcopy(state), maxlen=self.by + 1)
