"""The small world, for every test of the crisis."""

from pathlib import Path

import pytest

from mensura.catalog.crisis.world.data import read
from mensura.catalog.crisis.world.world import World
from mensura.yaml_file import read_yaml


@pytest.fixture(scope="session")
def small() -> World:
    """Give a conference of seven events in five rooms, written by hand."""
    path = Path(__file__).with_name("small.yaml")
    return read(World, read_yaml(path), place=path)
