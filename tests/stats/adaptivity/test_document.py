import json

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.errors import BadData
from mensura.stats.adaptivity import read_document
from mensura.stats.adaptivity.command import command

ARMS = {"x": {"on_x": [0.9, 0.8], "on_y": [0.5, 0.6]}}


def run(tmp_path, text, *options):
    file = tmp_path / "file.json"
    file.write_text(text)
    return CliRunner().invoke(cli, ["adaptivity", str(file), *options])


def test_numbers_stand_under_their_names_and_intervals_under_estimates(tmp_path):
    done = run(tmp_path, '{"times": [10, 20, 30, null], "horizon": 50}', "--json")
    found = json.loads(done.stdout)
    assert (found["reached"], found["courses"], found["restricted_mean"], found["median"]) == (3, 4, 27.5, 20)
    assert found["estimates"]["restricted_mean"]["n"] == 4
    assert found["estimates"]["restricted_mean"]["population"] == "courses"


def test_without_json_the_sentence_is_printed(tmp_path):
    done = run(tmp_path, '{"times": [null, null], "horizon": 50}')
    assert done.stdout == "None of 2 courses reached the level within 50 sessions: how long it takes is unknown.\n"


def test_forms_of_transfer_and_those_that_are_missing():
    found = read_document({"arms": ARMS})
    assert found["raw"] == pytest.approx(0.55)
    assert found["loss"] == pytest.approx(0.3)
    assert [found[name] for name in ("gain_extra", "gain_fixed", "knowledge", "training_time", "composite_time")] == [
        None
    ] * 5


def test_points_of_training_are_a_list():
    found = read_document({"arms": [{"training": 20, "arms": ARMS}, {"training": 5, "arms": ARMS}]})
    assert [point["training"] for point in found["points"]] == [5, 20]
    assert found["points"][0]["level_on_x"] == pytest.approx(0.85)
    assert found["sentence"].startswith("After 5 on X: On Y after X:")


def test_courses_of_matrices_give_intervals():
    found = read_document(
        {"R": [[[0.8, 0.2], [0.6, 0.9]], [[0.7, 0.2], [0.6, 0.8]], [[0.9, 0.1], [0.6, 0.9]]], "b": 0.1}
    )
    assert found["estimates"]["bwt"]["low"] < found["bwt"] < found["estimates"]["bwt"]["high"]
    assert len(found["forgetting"]) == len(found["estimates"]["forgetting"]) == 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([1, 2], "either R, times or arms; got none"),
        ({}, "got none"),
        ({"R": [[1]], "times": [1]}, "got R and times"),
        ({"times": [1, 2]}, "The horizon, up to where courses were watched, is a number; got None"),
        ({"times": [1], "horizon": "long"}, "is a number; got 'long'"),
        ({"times": [1], "horizon": 5, "b": 1}, "Beside 'times' the file may have horizon, resource, watched; got 'b'"),
        ({"R": [[0.1, 0.2]]}, "as many phases as tasks"),
        ({"R": [[0.1, 0.2], [0.3]]}, "square table"),
        ({"arms": 3}, "Arms are one object, or a list"),
        ({"arms": []}, "Arms are one object, or a list"),
        ({"arms": ARMS, "horizon": -5}, "The horizon is a number above 0"),
        ({"times": None, "horizon": 5}, "at least one course"),
        ({"arms": [{"training": "long", "arms": ARMS}]}, "The training on X is a number"),
        ({"arms": {"x": {"on_y": [[1, 2], [3]]}}}, "must be numbers"),
    ],
)
def test_bad_documents_are_refused_in_one_sentence(data, words):
    with pytest.raises(BadData, match=words):
        read_document(data)


def test_a_file_that_is_not_json_is_one_sentence(tmp_path):
    done = run(tmp_path, '{"times": [1,')
    assert "is not JSON: Expecting value in line 1." in str(done.exception)
    missing = CliRunner().invoke(cli, ["adaptivity", str(tmp_path / "none.json")])
    assert "cannot be read" in str(missing.exception)


def test_the_command_can_be_offered_under_another_name(tmp_path):
    import click

    group = click.Group("task-environments", commands={"transfer": command})
    (tmp_path / "arms.json").write_text(json.dumps({"arms": ARMS}))
    done = CliRunner().invoke(group, ["transfer", str(tmp_path / "arms.json"), "--json"])
    assert json.loads(done.stdout)["loss"] == pytest.approx(0.3)


def test_intervals_of_levels_and_their_differences_stay_within_what_they_can_be():
    far = {"R": [[[0.9, 1], [-1, 0.9]], [[0.8, -1], [0.9, 0.8]]], "b": [-1, -1]}
    found = read_document(far)["estimates"]
    assert (found["fwt"]["low"], found["fwt"]["high"]) == (-2, 2)
    assert -1 <= found["acc"]["low"] <= found["acc"]["high"] <= 1
    percents = read_document({"R": [[[90, 100], [0, 90]], [[80, 0], [90, 80]]], "b": 0, "bounds": [0, 100]})
    assert percents["estimates"]["fwt"]["high"] == 100
