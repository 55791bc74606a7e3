"""Transitions: what changes bodies and motors beside motors and nature."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Discriminator

from mensura.catalog.task_environments.task.body import When
from mensura.catalog.task_environments.task.quantity import FORBID, Quantity


@dataclass(frozen=True)
class Lock:
    """Freezes a body, value and velocity, while a condition holds."""

    body: str
    when: When
    kind: Literal["lock"] = "lock"
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class Shut:
    """Freezes a body for a share of every period: a periodic event."""

    body: str
    period: float
    share: float = 0.5
    phase: float = 0.0
    kind: Literal["shut"] = "shut"
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class Kick:
    """Adds to a body's velocity once every period: a periodic event."""

    body: str
    period: float
    velocity: Quantity
    kind: Literal["kick"] = "kick"
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class Wave:
    """Leads a body along centre + amplitude · sin(2π (t / period + phase)), whatever forces act."""

    body: str
    centre: Quantity
    amplitude: Quantity
    period: Quantity
    phase: Quantity = 0.0
    kind: Literal["wave"] = "wave"
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class Fuel:
    """Makes a body lighter as a motor burns fuel: mass = dry + left / density, in joules and joules per kilogram.

    Without fuel the motor does nothing. What is burnt leaves at the body's own speed.
    """

    body: str
    motor: str
    dry: Quantity
    tank: Quantity
    density: Quantity
    kind: Literal["fuel"] = "fuel"
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class Steer:
    """Sets a body's velocity to the speed of one body times the cosine or sine of another's value."""

    body: str
    speed: str
    orientation: str
    axis: Literal["cos", "sin"]
    kind: Literal["steer"] = "steer"
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class Select:
    """Passes the power of one motor on to the motor that a body's value points at: value 2.7 is motor number 2.

    With `stay` the motors that were chosen before keep the power they were given, as in the original program.
    """

    main: str
    selector: str
    motors: tuple[str, ...]
    stay: bool = False
    kind: Literal["select"] = "select"
    __pydantic_config__ = FORBID


@dataclass(frozen=True)
class Rotate:
    """Splits a motor's power between its two targets by a body's value θ: cos²θ and sin²θ, with the signs of both."""

    motor: str
    orientation: str
    kind: Literal["rotate"] = "rotate"
    __pydantic_config__ = FORBID


Transition = Annotated[Lock | Shut | Kick | Wave | Fuel | Steer | Select | Rotate, Discriminator("kind")]
