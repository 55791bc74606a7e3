"""The folder's README gives floors and ceilings that are so, and names every parameter, setting and subject."""

import re
from pathlib import Path

import pytest

import mensura.catalog.crisis
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.scoring.scoring import floor_of
from mensura.catalog.crisis.scoring.tree import ceiling_of

README = Path(mensura.catalog.crisis.__file__).with_name("README.md").read_text()
ROWS = re.findall(r"^\| `([\w-]+-\d)` \| ([\d.]+) \| ([\d.]+) \| (\d+) \|$", README, re.M)


def test_there_is_a_row_for_every_package_that_people_take() -> None:
    assert [row[0] for row in ROWS] == ["crisis-1", "crisis-2", "practice-1"]


@pytest.mark.parametrize(("package", "floor", "ceiling", "rules"), ROWS)
def test_floor_and_ceiling_are_as_the_readme_says(package: str, floor: str, ceiling: str, rules: str) -> None:
    world = build_world(package)
    assert f"{floor_of(world)['final']:.2f}" == floor
    assert f"{ceiling_of(world)['final']:.2f}" == ceiling
    assert len(world.rules) == int(rules)


@pytest.mark.parametrize("name", [*crisis.parameters, *crisis.settings, *crisis.subjects])
def test_every_parameter_setting_and_subject_is_named(name: str) -> None:
    assert f"`{name}`" in README
