"""The artificial world: people, groups, targets, what they do, and what of it can be seen."""

from mensura.catalog.detection.world.making import World, make_world
from mensura.catalog.detection.world.parameters import Parameters

__all__ = ["Parameters", "World", "make_world"]
