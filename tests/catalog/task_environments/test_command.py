"""`mensura task-environments`: what it prints is what Python gives."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task, list_tasks
from mensura.cli.main import cli


def run(*words):
    done = CliRunner().invoke(cli, ["task-environments", *words])
    assert done.exit_code == 0, done.output
    return done


def test_step_prints_where_the_car_is():
    words = ["--physics", "original", "--power", "150", "--steps", "500", "--start", "10", "--velocity", "2", "--json"]
    found = json.loads(run("step", "car-race", *words).stdout)
    assert found["x"] == pytest.approx(11.9319971018, abs=1e-10)
    assert found["v"] == pytest.approx(5.1289922126, abs=1e-10)
    assert (found["t"], found["energy"]) == (pytest.approx(0.5), pytest.approx(75.0))


def test_step_reads_a_file_and_names_bodies(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(find_task("plotter").data()))
    done = run("step", str(path), "--power", "0", "--power", "5", "--steps", "200", "--json")
    found = json.loads(done.stdout)
    assert found["x"]["arm"] > 0
    assert found["created"] == 0


def test_other_physics_say_what_they_made_out_of_nothing():
    assert "J out of nothing" in run("step", "car-race", "--physics", "paper", "--power", "200").stderr
    over = run("step", "car-race", "--physics", "original", "--power", "900").stderr
    assert "engine gives 200 W at most: the rest of 900 W was wasted" in over


def test_schema_and_list():
    assert json.loads(run("schema").stdout) == Task.schema()
    assert Task.read(json.loads(run("schema", "follow").stdout)).id == find_task("follow").id
    listed = json.loads(run("list", "--json").stdout)["tasks"]
    assert [one["name"] for one in listed] == list_tasks()


def test_too_many_powers_are_refused():
    done = CliRunner().invoke(cli, ["task-environments", "step", "car-race", "--power", "1", "--power", "2"])
    assert done.exit_code != 0


def test_transfer_is_the_command_of_adaptivity(tmp_path):
    path = tmp_path / "tasks.json"
    path.write_text('{"R": [[0.8, 0.3, 0.2], [0.6, 0.9, 0.4], [0.5, 0.7, 0.85]], "b": [0.1, 0.1, 0.1]}')
    found = run("transfer", str(path), "--json").stdout
    assert json.loads(found)["bwt"] == pytest.approx(-0.25)
    assert found == CliRunner().invoke(cli, ["adaptivity", str(path), "--json"]).stdout


CAR = ["--mass", "5", "--friction", "0.2", "--gravity", "10", "--power", "200", "--distance", "75"]


@pytest.mark.parametrize("option", ["--energy", "--time"])
def test_an_energy_or_time_that_is_no_number_is_refused(option):
    done = CliRunner().invoke(cli, ["task-environments", "oracle", *CAR, option, "nan", "--json"])
    assert done.exit_code != 0
    assert f"{option} is a finite number" in str(done.exception or done.output)


def test_a_least_energy_that_no_trip_attains_is_said_in_words():
    lines = run("oracle", *CAR, "--drag", "0.05").stdout
    assert "inf s" not in lines
    assert "750 J, which ever slower trips come near" in lines
