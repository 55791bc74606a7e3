"""Traits: what simulated participants differ in, and how often each kind is met."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Traits:
    """A simulated person: how well they understand, how quick they are, how much they see to.

    Parameters
    ----------
    skill
        From 0 to 1: the chance to understand what a message asks, to think of a consideration when placing an event,
        to write something down without a slip, all grow with it.
    speed
        Thinking takes its usual time divided by this; what the tools themselves take is the same for everyone.
    diligence
        From 0 to 1: the chance to look a room up before using it, to see to an event's orders, to write a briefing.
    """

    skill: float
    speed: float
    diligence: float


COMPETENT = Traits(skill=0.9, speed=1.0, diligence=0.95)
"""The scripted participant, always the same."""


def draw_traits(rng: np.random.Generator) -> Traits:
    """Draw a person: skill from Beta(9, 3), speed lognormal with sd 0.25 around 1, diligence from Beta(5, 2).

    These are assumptions, not findings: means 0.75, 1.03 and 0.71, sd 0.12, 0.26 and 0.16.

    >>> draw_traits(np.random.default_rng(1)).skill < 1
    True
    """
    return Traits(float(rng.beta(9, 3)), float(rng.lognormal(0.0, 0.25)), float(rng.beta(5, 2)))
