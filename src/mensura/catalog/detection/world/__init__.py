"""The artificial world: people, groups, targets, what they do, and what of it can be seen."""

from mensura.catalog.detection.world.making import ThreatWorld, make_world
from mensura.catalog.detection.world.parameters import WorldParameters

__all__ = ["ThreatWorld", "WorldParameters", "make_world"]
