"""A schedule that coders read from a sheet."""

import csv
import json

import pytest
from click.testing import CliRunner

from mensura.catalog.crisis.command import score
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.scoring.encoded import score_encoded
from mensura.catalog.crisis.world.time import block_of, day_of
from mensura.cli.results.score import reporting
from mensura.errors import BadFile


@pytest.fixture(scope="module")
def world():
    return build_world("practice-1")


def write(path, places):
    with path.open("w", newline="") as file:
        rows = [(event, f"{room} {day_of(slot) + 1}.{block_of(slot) + 1}") for event, (room, slot) in places.items()]
        csv.writer(file).writerows([("item", "value"), *rows])
    return path


def test_the_original_schedule_scores_what_doing_nothing_does(world, tmp_path):
    path = write(tmp_path / "a.csv", {event.id: (event.room, event.slot) for event in world.events})
    found = score_encoded(path, package="practice-1").data
    assert found["quality"] == pytest.approx(found["floor"])
    assert found["placed"] == found["events"] == len(world.events)


def test_the_best_schedule_scores_more_and_the_first_copy_counts(world, tmp_path):
    path = write(tmp_path / "a.csv", world.best)
    better = score_encoded(path, package="practice-1").data["quality"]
    assert better > score_encoded(path, package="practice-1").data["floor"]
    event = next(iter(world.best))
    with path.open("a") as file:
        file.write(f"{event},{world.rooms[-1].id} 4.1\n")
    assert score_encoded(path, package="practice-1").data["quality"] == better


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nothing,a 1.1", "a.csv:2: there is no event 'nothing'"),
        ("{event},somewhere", "a.csv:2: a place is written ROOM DAY.BLOCK"),
        ("{event},nowhere 1.1", "a.csv:2: there is no room 'nowhere'"),
        ("{event},{room} 9.1", "a.csv:2: days go from 1 to 4"),
    ],
)
def test_what_cannot_be_read_is_named(world, tmp_path, line, words):
    path = tmp_path / "a.csv"
    path.write_text("item,value\n" + line.format(event=world.events[0].id, room=world.rooms[0].id) + "\n")
    with pytest.raises(BadFile, match=words):
        score_encoded(path, package="practice-1")


def test_the_command_prints_n_and_says_that_there_is_no_interval(world, tmp_path):
    path = write(tmp_path / "a.csv", {event.id: (event.room, event.slot) for event in world.events})
    given = ["--schedule", str(path), "--package", "practice-1"]
    done = CliRunner().invoke(reporting(score), given)
    assert "rules" in done.output
    assert "no interval" in done.output
    data = json.loads(CliRunner().invoke(reporting(score), [*given, "--json"]).stdout)
    assert data["n"] > 100


def test_the_report_shows_what_the_schedule_meets(world, tmp_path):
    path = write(tmp_path / "a.csv", world.best)
    report = tmp_path / "sheet.html"
    given = ["--schedule", str(path), "--package", "practice-1", "--report", str(report)]
    assert CliRunner().invoke(reporting(score), given).exit_code == 0
    assert "What the schedule meets" in report.read_text()
