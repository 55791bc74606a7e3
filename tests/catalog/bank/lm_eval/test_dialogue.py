"""Tasks of lm-eval as tests: what is asked and what is right are what the harness itself makes of them."""

import json
import pickle
from pathlib import Path

import pytest

from mensura.catalog.find import find_test
from mensura.running.check import CheckOptions, check_test
from mensura.running.run import resume_run, run
from mensura.store import open_store

FOLDER = Path(__file__).parent / "harness"
HARNESS = json.loads((FOLDER / "harness.json").read_text())
ROWS = [json.loads(line) for line in (FOLDER / "test.jsonl").read_text().splitlines()]
TASKS = HARNESS["tasks"]


def replies(right):
    return [*HARNESS["replies"], f"#### {right}", f"so {right} apples", f"The {right}", f"{right}.", right]


@pytest.mark.parametrize("name", TASKS)
def test_the_context_is_that_of_the_harness(name):
    bank = find_test(str(FOLDER / f"{name}.yaml")).bank
    assert [item.shown for item in bank] == [row["ctx"] for row in TASKS[name]]


@pytest.mark.parametrize("name", [name for name, rows in TASKS.items() if "gold" in rows[0]])
def test_options_and_the_right_one_are_those_of_the_harness(name):
    for item, row in zip(find_test(str(FOLDER / f"{name}.yaml")).bank, TASKS[name], strict=True):
        assert item.space.options == tuple(row["choices"])
        assert item.answer == row["choices"][row["gold"]]


@pytest.mark.parametrize("name", [name for name, rows in TASKS.items() if "scores" in rows[0]])
def test_exact_match_is_that_of_the_harness_under_every_filter(name):
    test = find_test(str(FOLDER / f"{name}.yaml"))
    (grading,) = test.score.args
    given = [value for row in TASKS[name] for scores in row["scores"] for value in scores.values()]
    assert {0.0, 1.0} == set(given)
    for item, own, row in zip(test.bank, ROWS, TASKS[name], strict=True):
        assert [grading.grade(reply, item.answer) for reply in replies(own["right"])] == row["scores"]


def test_examples_and_settings_are_recorded_and_stand_outside_of_the_item(tmp_path):
    test = find_test(str(FOLDER / "filters.yaml"))
    plain = find_test(f"{FOLDER / 'filters.yaml'}#num_fewshot=0")
    assert [item.hash for item in test.bank] == [item.hash for item in plain.bank]
    with open_store(tmp_path / "mensura.db") as store:
        head = run(str(FOLDER / "filters.yaml"), "chance", store=store, seed=1).head
    kept = head.details["bank"]
    assert kept["lm_eval"]["generation_kwargs"]["until"] == ["Q:", "</s>"]
    assert (kept["examples"]["split"], kept["examples"]["seed"]) == ("train", 1234)
    pool = [json.loads(line) for line in (FOLDER / "train.jsonl").read_text().splitlines()]
    for item in test.bank:
        first, second = (pool[place]["question"] for place in kept["examples"]["rows"][item.hash])
        assert item.before.index(first) < item.before.index(second)


def test_a_run_gives_a_score_for_each_filter_and_can_be_resumed_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(FOLDER)
    with open_store(tmp_path / "mensura.db") as store:
        done = run("./filters.yaml", "constant:So #### 36, or 12", store=store, seed=1)
        assert {name: found.estimate.value for name, found in done.estimated.items()} == {
            "exact_match_strict_match": 0.4,
            "exact_match_flexible_extract": 0.2,
        }
        with store.database.writing() as connection:
            connection.exec_driver_sql("UPDATE sessions SET status = 'open' WHERE number = 1")
        monkeypatch.chdir(tmp_path)
        assert resume_run("last", store=store).counts["finished"] == 5


@pytest.mark.parametrize("name", ["templates", "several"])
def test_a_task_keeps_the_contract_and_can_be_pickled(name):
    test = find_test(str(FOLDER / f"{name}.yaml"))
    assert pickle.loads(pickle.dumps(test)).bank.hash == test.bank.hash
    report = check_test(test, options=CheckOptions(sessions=3))
    assert report.passed, str(report)


def test_the_version_of_a_task_is_that_of_the_test():
    assert [find_test(str(FOLDER / f"{name}.yaml")).id for name in ("plain", "templates")] == [
        "plain-v1",
        "templates-v2",
    ]
