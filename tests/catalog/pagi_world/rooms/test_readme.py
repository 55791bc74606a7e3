"""The README has a row for every room, and its figures are those of the seeds that it names."""

import re
from pathlib import Path

import pytest

import mensura.catalog.pagi_world as package
from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.rooms.room import list_rooms
from mensura.running.take import take
from mensura.stats import proportion_estimate

README = (Path(package.__file__).parent / "README.md").read_text()
ROW = re.compile(r"^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.M)
ROWS = {found[1]: found.groups()[1:] for found in ROW.finditer(README)}
TASKS = [name for name in list_rooms() if name != "open"]


def seeds(room):
    return 20 if room == "water-diversion" else 200


def solved(room, who):
    taken = (take(pagi_world, who, seed=seed, parameters={"room": room}) for seed in range(seeds(room)))
    return sum(one.truths["result"]["success"] for one in taken)


def words(count, of):
    found = proportion_estimate(count, n=of, method="Clopper-Pearson")
    return f"{found.value:.3g} [{found.low:.3f}, {found.high:.3f}]"


def test_every_room_but_open_has_a_row_with_objects_rule_chance_and_ceiling():
    assert set(ROWS) == set(TASKS)
    for row in ROWS.values():
        assert all(re.fullmatch(r"[\d.]+ \[[\d.]+, [\d.]+\]", cell) for cell in row[2:])
        assert all(cell.strip() for cell in row[:2])


def test_each_stated_interval_is_that_of_a_count_over_the_stated_seeds():
    for room, row in ROWS.items():
        for cell in row[2:]:
            count = round(float(cell.split()[0]) * seeds(room))
            assert cell == words(count, seeds(room))
        assert float(row[3].split()[0]) == 1


@pytest.mark.proof
@pytest.mark.parametrize("room", TASKS)
def test_random_solves_a_room_as_often_as_is_stated(room):
    assert ROWS[room][2] == words(solved(room, "random"), seeds(room))
