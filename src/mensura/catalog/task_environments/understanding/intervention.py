"""Interventions: would the cart come farther if something were otherwise?"""

from typing import Any

from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.understanding.phenomenon import Phenomenon, play, with_body
from mensura.catalog.task_environments.understanding.question import heavier

SAME = 0.05
"""Metres by which a way must change to count as changed."""


def changes_of(found: Phenomenon, number: float, *, present: bool) -> dict[str, tuple[str, Task, Any]]:
    """Return interventions by key: in words, the world as it is, and what changes it or the powers."""
    task = found.world(number) if present else found.plain
    third = (found.high - found.low) / 3
    # By how much, not from what to what: the number itself is to be found out.
    up = number + third <= found.high
    moved = number + third if up else number - third
    direction = "larger" if up else "smaller"
    return {
        "mass": ("its mass were doubled?", task, heavier),
        "number": (f"{found.about} were {third:.3g} {direction}?", task,
                   lambda world: found.world(moved) if present else world),
        "gravity": ("gravity were doubled?", task, lambda world: with_body(world, gravity=20.0)),
        "drag": ("the air resisted with 0.05 v² N more?", task,
                 lambda world: with_body(world, drag=world.bodies[0].drag + 0.05)),
        "paint": ("it were painted red?", task, lambda world: world),
        "power": ("the motor had 60 W?", task, None),
    }  # fmt: skip


def changed(task: Task, change: Any, start: Any, powers: Any) -> str:
    """Return whether the way is more, less or the same after a change of the world; None doubles the power."""
    before = play(task, start, powers).way[0]
    after = play(task, start, 2 * powers).way[0] if change is None else play(change(task), start, powers).way[0]
    return "same" if abs(after - before) < SAME else "more" if after > before else "less"
