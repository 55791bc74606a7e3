"""PhysicsTerms: the constants by which a room moves, as the paper has them or as the program of 2018 has."""

from dataclasses import dataclass
from typing import Literal

Physics = Literal["paper", "original"]


@dataclass(frozen=True, slots=True)
class PhysicsTerms:
    """Constants of one setting; lengths in units of 100 of the paper's pixels, seconds, kilograms, newtons."""

    physics: Physics
    tick_seconds: float
    iterations: int
    rate: int
    """Ticks a second."""
    mixes_by_root: bool
    """Whether friction of a pair is the root of the product and bounce the larger of the two; else both multiply."""
    detailed: tuple[float, float]
    """Distances of the points of detailed vision."""
    shows: bool
    """Whether things have visual and tactile numbers; they are all 0 in the program of 2018."""
    reach: tuple[float, float]
    """How far the left and the right hand reach from their shoulders; the paper has them differ, the program not."""


TERMS: dict[str, PhysicsTerms] = {
    "paper": PhysicsTerms("paper", 1 / 60, 10, 60, False, (0.15, 0.15), True, (3.7, 3.3)),
    "original": PhysicsTerms("original", 0.02, 8, 50, True, (0.148, 0.1475), False, (3.7, 3.7)),
}
BODY_RADIUS = 1.14
BODY_MASS = 50.0
BODY_FRICTION = 1.0
BODY_BOUNCE = 0.2
HAND_MASS = 1.0
HAND_DRAG = 1.0
SHOULDERS = ((-1.9, 0.2), (1.9, 0.2))
WRIST = (0.0, -0.5)
"""Where the tether is fast to a hand."""
JUMP = 600.0
"""The impulse of a jump in newton seconds; a force of 30 000 N over one step of the program of 2018."""
FEET = ((-0.9, -0.9), (-0.5, -1.2), (0.0, -1.2), (0.5, -1.2), (0.9, -0.9))
"""Where the body feels the ground it can jump from."""
MOST_FORCE = 100_000.0
"""The largest force that an effector exerts in a tick."""
FIELD = (-195.0, 194.0, -122.0)
"""What lies left, right or below of it is gone."""
