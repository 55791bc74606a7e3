"""The room finder: which owners are likely to give up a slot. Unlearned it takes every owner for a coin."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.world.time import EVENING, block_of

BASE_RATE = 0.5
RIDGE = 1.0
LIMITS = (0.03, 0.97)
Rows = Sequence[Sequence[Any]]


def owner_features(known: Known, room: Mapping[str, Any], reservation: Mapping[str, Any]) -> list[str]:
    """Return what the portal shows of a reservation: words of its purpose, the owner's post, building and time."""
    owner = known.people.get(reservation["owner"], {})
    words = sorted(set(re.findall(r"[a-z]{4,}", reservation["purpose"].lower())))
    late = block_of(reservation["slot"]) == EVENING
    return [
        *(f"purpose {word}" for word in words),
        f"post {owner.get('post', '')}",
        f"building {room['building']}",
        "evening" if late else "daytime",
    ]


class RoomFinder:
    """Logistic regression on what the portal shows, fitted to owners' answers in the past."""

    def __init__(self, rows: Rows) -> None:
        self._names: dict[str, int] = {}
        self._weights = np.zeros(0)
        if rows:
            self._fit(rows)

    def chance(self, features: Sequence[str]) -> float:
        """Return how likely an owner is to give way.

        >>> RoomFinder([]).chance(["post student"])
        0.5
        """
        if not self._names:
            return BASE_RATE
        logit = self._weights[0] + sum(self._weights[self._names[name]] for name in features if name in self._names)
        return float(np.clip(1 / (1 + np.exp(-logit)), *LIMITS))

    def _fit(self, rows: Rows) -> None:
        """Fit by Newton's method with a ridge, so that few answers move little; exact and the same everywhere."""
        self._names = {
            name: number
            for number, name in enumerate(sorted({name for features, _ in rows for name in features}), start=1)
        }
        design = np.zeros((len(rows), len(self._names) + 1))
        design[:, 0] = 1.0
        for number, (features, _) in enumerate(rows):
            design[number, [self._names[name] for name in features]] = 1.0
        answers = np.array([float(answer) for _, answer in rows])
        weights = np.zeros(design.shape[1])
        penalty = np.full(design.shape[1], RIDGE)
        penalty[0] = 1e-3
        for _ in range(25):
            chances = 1 / (1 + np.exp(-design @ weights))
            slope = design.T @ (answers - chances) - penalty * weights
            bend = (design * (chances * (1 - chances))[:, None]).T @ design + np.diag(penalty)
            step = np.linalg.solve(bend, slope)
            weights = weights + step
            if np.abs(step).max() < 1e-8:
                break
        self._weights = np.round(weights, 9)
