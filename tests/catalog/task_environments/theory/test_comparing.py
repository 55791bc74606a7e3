"""Comparing tasks and choosing the next one."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.task_environments.oracle.command import oracle
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.catalog.task_environments.theory.command import choose as choose_verb
from mensura.catalog.task_environments.theory.command import compare as compare_verb
from mensura.catalog.task_environments.theory.comparing import choose, compare_tasks
from mensura.errors import MensuraError

LADDER = [find_task("car-race").fix([start]) for start in (90.0, 75.0, 50.0, 10.0)]


def test_a_task_is_no_way_from_itself_and_metrics_differ():
    race, crew = find_task("car-race"), find_task("two-agents")
    assert compare_tasks(race, race, seed=1).distance == 0
    near, far = (compare_tasks(race, crew, seed=1, metric=metric) for metric in ("euclid", "manhattan"))
    assert 0 < near.distance < far.distance
    own = compare_tasks(race, crew, seed=1, metric=lambda first, second: float(np.abs(first - second).max()))
    assert own.distance < near.distance
    assert compare_tasks(crew, race, seed=1).distance == pytest.approx(far.distance)
    with pytest.raises(MensuraError, match="manhatten"):
        compare_tasks(race, crew, seed=1, metric="manhatten")


def test_choosing_moves_with_success():
    none = choose(LADDER, solved=[0] * 4, tried=[0] * 4)
    lost = choose(LADDER, solved=[0] * 4, tried=[8, 0, 0, 0])
    won = choose(LADDER, solved=[8, 8, 8, 8], tried=[8] * 4)
    at = [LADDER.index(choice.task) for choice in (lost, none, won)]
    assert at == sorted(at)
    assert at[0] < at[2]
    half = choose(LADDER, solved=[10, 9, 5, 0], tried=[10] * 4)
    assert half.task is LADDER[2]
    assert list(half.chances) == sorted(half.chances, reverse=True)
    with pytest.raises(MensuraError, match="as often as it was tried"):
        choose(LADDER, solved=[2, 0, 0, 0], tried=[1, 0, 0, 0])


def run(verb, *words):
    result = CliRunner().invoke(verb, words)
    assert result.exception is None, result.exception
    return json.loads(result.stdout)


def test_oracle_verb_prints_the_figures():
    body = ["--mass", "5", "--friction", "0.2", "--gravity", "10", "--power", "200", "--distance", "75", "--json"]
    found = run(oracle, *body, "--energy", "900")
    assert found["kind"] == "closed-form"
    assert round(found["T"], 6) == 7.382162
    assert (round(found["t_min"], 6), round(found["e_at_t_min"], 4)) == (6.627488, 1325.4975)
    assert (found["e_min"], round(found["t_at_e_min"], 6)) == (750, 10.11228)
    assert len(found["curve"]) == 100
    assert round(run(oracle, *body, "--time", "7.382162")["E"], 3) == 900
    assert round(run(oracle, *body, "--stop")["t_min"], 6) == 7.302386
    drag = run(oracle, *body, "--drag", "0.05", "--energy", "1050", "--points", "5")
    assert (drag["kind"], round(drag["T"], 5), drag["t_at_e_min"]) == ("numerical", 9.45611, None)
    assert round(run(oracle, *body, "--slope", "0.1")["e_min"], 4) == 1120.6284


def test_oracle_verb_reads_a_task_file(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(find_task("car-race").fix([20.0]).data()))
    assert run(oracle, str(file), "--json")["e_min"] == 750
    strict = run(oracle, "n-dimensions:5", "--seed", "3", "--json")
    assert strict["kind"] == "bound"
    assert strict["sequence"]["energy"] == pytest.approx(strict["e_min"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--mass 5", "missing"),
        ("car-race --mass 5", "not both"),
        ("car-race --energy 3", "not enough"),
        ("car-race --time 0.1", "not enough"),
        ("--mass 0 --friction 0 --gravity 1 --power 1 --distance 1", "mass"),
    ],
)
def test_oracle_verb_refuses_with_a_sentence(words, message):
    result = CliRunner().invoke(oracle, words.split())
    assert isinstance(result.exception, MensuraError)
    assert message in str(result.exception)


def test_compare_verb_prints_properties_distance_and_least():
    found = run(compare_verb, "car-race", "two-agents", "--metric", "manhattan", "--json")
    assert {"properties", "distance", "least", "size", "definitions"} <= set(found)
    assert found["properties"][1]["agents"] == 0.5
    words = CliRunner().invoke(compare_verb, ["car-race", "parking"]).stdout
    assert "least energy" in words
    assert "ergodicity: how much" in words
    assert "distance: the sum of the differences" in words


def test_choose_verb_names_a_task(tmp_path):
    rows = [{"task": name, "tried": 4, "solved": won} for name, won in (("car-race", 4), ("two-agents", 2))]
    file = tmp_path / "tried.json"
    file.write_text(json.dumps(rows))
    assert run(choose_verb, str(file), "--json")["task"] in ("car-race", "two-agents")
    file.write_text("[1]")
    result = CliRunner().invoke(choose_verb, [str(file)])
    assert isinstance(result.exception, MensuraError)
