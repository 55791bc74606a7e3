"""Sizes and distances as reports of courses ask for them."""

from math import log1p

import pytest

from mensura.catalog.find import find_test
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.theory.comparing import compare_tasks

TEST = find_test("task-environments")


def filled(task):
    return TEST.fill({"task": task})


def test_sizes_are_parts_and_what_the_oracle_needs():
    found, double = (TEST.tasks.properties(**filled(f"n-dimensions:{count}")) for count in (4, 8))
    assert list(found) == ["size", "least time"]
    # Twice as many bodies with one motor at a time take twice the time.
    assert double["least time"] == pytest.approx(2 * found["least time"], rel=0.02)
    assert double["size"] > 1.7 * found["size"]


def test_a_distance_is_0_to_itself_alike_both_ways_and_tells_racing_from_parking():
    race, park, follow = (filled(task) for task in ("car-race", "parking", "follow"))
    far = TEST.tasks.distance
    assert far(race, race) == 0
    assert far(race, follow) == far(follow, race) > far(race, park) > 0
    assert far(race, follow) <= far(race, park) + far(park, follow) + 1e-12


def test_the_command_and_reports_of_courses_know_one_distance():
    for first, second in (("car-race", "parking"), ("car-race", "keep")):
        compared = compare_tasks(find_task(first), find_task(second), seed=0)
        assert TEST.tasks.distance(filled(first), filled(second)) == compared.distance > 0


def test_a_distance_is_that_of_properties_and_of_the_logarithms_of_sizes():
    compared = compare_tasks(find_task("car-race"), find_task("keep"), seed=0)
    world = sum(abs(one - other) for one, other in zip(*(each.values() for each in compared.properties), strict=True))
    least = sum(abs(log1p(first) - log1p(second)) for first, second in zip(*map(_needs, compared.least), strict=True))
    parts = [log1p(sum(each.values())) for each in compared.size]
    assert compared.distance == pytest.approx(world + least + abs(parts[0] - parts[1]))


def _needs(least):
    return least["t_min"], least["e_min"]
