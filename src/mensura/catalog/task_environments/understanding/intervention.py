"""Interventions: would the cart come farther if something were otherwise?"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mensura.catalog.task_environments.physics.program import Floats
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.understanding.phenomenon import Phenomenon, play, with_body
from mensura.catalog.task_environments.understanding.question import heavier

SAME = 0.05
"""Metres by which a way must change to count as changed."""


class Setting(NamedTuple):
    """A world, from where the cart starts in it, and what its motor does."""

    task: Task
    start: Floats
    powers: Floats

    @property
    def way(self) -> float:
        """How far the cart comes, counted in the direction in which it starts."""
        return float(play(self.task, self.start, self.powers).way[0] * np.sign(self.start[0, 1]))


Change = Callable[[Setting], Setting]


def changes_of(found: Phenomenon, number: float, *, present: bool) -> dict[str, tuple[str, Change]]:
    """Return interventions by key: in words, and what they change."""
    third = (found.high - found.low) / 3
    # By how much, not from what to what, and always upwards: the number itself is to be found out.
    more = found.world(number + third)

    def world(change: Callable[[Task], Task]) -> Change:
        return lambda one: one._replace(task=change(one.task))

    return {
        "mass": ("its mass were doubled?", world(heavier)),
        "number": (f"{found.about} were {third:.3g} larger?", world(lambda task: more if present else task)),
        "gravity": ("gravity were doubled?", world(lambda task: with_body(task, gravity=20.0))),
        "drag": ("the air resisted with 0.05 v² N more?", world(_more_drag)),
        "paint": ("it were painted red?", world(lambda task: task)),
        "power": ("the motor had 60 W?", lambda one: one._replace(powers=2 * one.powers)),
        "both": (
            "its mass were doubled and the motor had 60 W?",
            lambda one: one._replace(task=heavier(one.task), powers=2 * one.powers),
        ),
        "backwards": (
            "it started with the same speed backwards, and the motor pushed backwards (how far it comes backwards)?",
            lambda one: one._replace(start=one.start * [1.0, -1.0], powers=-one.powers),
        ),
    }


def changed(setting: Setting, change: Change) -> str:
    """Return whether the way is more, less or the same after a change."""
    before, after = setting.way, change(setting).way
    return "same" if abs(after - before) < SAME else "more" if after > before else "less"


def guessed(blind: dict[str, str]) -> dict[str, str]:
    """Return what is said by who knows the cart without the phenomenon, and guesses that more of it hinders more."""
    return {**blind, "number": "less"}


def _more_drag(task: Task) -> Task:
    drag: Any = task.bodies[0].drag
    return with_body(task, drag=drag + 0.05)
