"""The small world, for every test of the crisis."""

import importlib.util
from pathlib import Path

import pytest

from mensura.catalog.crisis.world.world import World


@pytest.fixture(scope="session")
def small() -> World:
    """Give a conference of seven events in five rooms, written by hand."""
    spec = importlib.util.spec_from_file_location("crisis_small", Path(__file__).with_name("small.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    world = module.small_world()
    assert isinstance(world, World)
    return world
