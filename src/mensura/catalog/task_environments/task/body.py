"""Body: a thing with a value that moves. When: what holds of a body at a moment."""

from dataclasses import dataclass
from typing import Literal

from mensura.catalog.task_environments.task.quantity import FORBID, Quantity

Part = Literal["value", "velocity"]


@dataclass(frozen=True)
class Body:
    """A thing in one dimension: where it is, how fast it moves, and what resists it.

    Parameters
    ----------
    name
        What motors, sensors and goals call it.
    value, velocity
        Where it starts and how fast.
    mass, gravity, slope
        In kilograms, metres per second squared, and radians; a positive slope rises with the value.
    kinetic, static
        Coefficients of friction in motion and at rest. A motor's power is force times speed, so at rest any power
        starts a body in `exact`; static friction decides what stays at rest without power.
    drag
        k of the resistance k · v².
    low, high
        Walls that stop it; None: none.
    locked
        Whether it starts locked, and stays so unless a transition unlocks it.
    hidden
        Whether no sensor may read it.
    """

    name: str
    value: Quantity = 0.0
    velocity: Quantity = 0.0
    mass: Quantity = 1.0
    kinetic: Quantity = 0.0
    static: Quantity = 0.0
    gravity: Quantity = 9.81
    slope: Quantity = 0.0
    drag: Quantity = 0.0
    low: float | None = None
    high: float | None = None
    locked: bool = False
    hidden: bool = False
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class When:
    """Whether a body's value, or velocity, lies above or below a number."""

    body: str
    above: float | None = None
    below: float | None = None
    of: Part = "value"
    __pydantic_config__ = FORBID
