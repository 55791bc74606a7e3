import json
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.sensemaking.command import generate
from mensura.catalog.sensemaking.command import score as scorer
from mensura.cli.results.score import reporting
from mensura.errors import BadFile, BadParameter, MensuraError

score = reporting(scorer)


def _run(command, *arguments):
    return CliRunner().invoke(command, [str(each) for each in arguments], catch_exceptions=False)


@pytest.fixture(scope="module", autouse=True)
def _published_files_are_read_once(data):
    """Reading the published exam and its people costs most of a command; each file of one's own is read as it is."""
    from mensura.catalog.sensemaking import people
    from mensura.catalog.sensemaking.mitre import exam_reading

    read_exam, read_people = exam_reading.read_exam, people.read_people
    exams, groups = cache(read_exam), cache(lambda path: read_people(path, exams(data / "exam_final")))

    def exam(path):
        return exams(path) if path == data / "exam_final" else read_exam(path)

    def humans(path, exam):
        ours = path == data / "human_final" and exam is exams(data / "exam_final")
        return groups(path) if ours else read_people(path, exam)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exam_reading, "read_exam", exam)
        patch.setattr(people, "read_people", humans)
        yield


@pytest.fixture(scope="module")
def published(data):
    exam, humans, model = data / "exam_final", data / "human_final", data / "results_bayesian.json"
    result = _run(score, "--exam", exam, "--humans", humans, "--model", model, "--json", "--draws", 200)
    assert result.exit_code == 0
    return json.loads(result.stdout)


def test_json_has_the_promised_keys_and_the_published_values(published):
    assert published["cpa"]["value"] == pytest.approx(60.51909564338336, abs=1e-9)
    assert published["cpa"]["low"] < published["cpa"]["value"] < published["cpa"]["high"]
    assert published["cpa"]["pass"] is True
    assert published["tasks"]["5"]["rsr"] == pytest.approx(57.54994604709064, abs=1e-9)
    assert published["tasks"]["6"]["rmr"] == pytest.approx(95.45454545454545, abs=1e-9)
    assert (published["cfa"]["passed"], published["cfa"]["of"]) == (2, 4)
    assert set(published["cfa"]["biases"]) == {
        "representativeness",
        "anchoring",
        "probability_matching",
        "confirmation",
    }
    assert {name: each["items"] for name, each in published["cfa"]["biases"].items()} == {
        "representativeness": 20,
        "anchoring": 29,
        "probability_matching": 30,
        "confirmation": 1,
    }
    assert published["cfa"]["biases"]["representativeness"]["score"] == 0
    assert published["cfa"]["biases"]["probability_matching"]["pass"] is True
    assert published["excluded"]["cpa"] == ["1.9.0"]
    assert published["excluded"]["anchoring"][:3] == ["5.1.2", "5.1.3", "5.2.3"]


def test_the_answer_says_that_cfa_alone_says_little(published):
    assert "passes 2 of 4 biases here" in published["notes"][0]
    assert "3 of 4 if it asks" in published["notes"][0]


def test_the_same_command_gives_the_same_intervals(data, published):
    exam, humans, model = data / "exam_final", data / "human_final", data / "results_bayesian.json"
    again = _run(score, "--exam", exam, "--humans", humans, "--model", model, "--json", "--draws", 200)
    assert json.loads(again.stdout) == published


def test_computed_exclusions_leave_out_one_more_stage(data):
    exam, humans = data / "exam_final", data / "human_final"
    found = json.loads(
        _run(score, "--exam", exam, "--humans", humans, "--model", "bayesian", "--exclusions", "computed",
             "--json", "--draws", 0).stdout
    )  # fmt: skip
    assert found["cfa"]["biases"]["anchoring"]["items"] == 28
    assert "5.9.4" in found["excluded"]["anchoring"]
    assert found["cpa"]["low"] is None


def test_a_reference_subject_needs_no_people(data):
    found = json.loads(_run(score, "--exam", data / "exam_final", "--model", "normative", "--json").stdout)
    assert found["tasks"]["1"]["s1"] > 99.9
    assert found["tasks"]["7"]["s1"] is None
    for number, each in found["tasks"].items():
        estimate = each["s2_estimate"]
        assert 0 <= estimate["low"] <= each["s2"] <= estimate["high"] <= 100, number
        assert estimate["n"] == each["trials"]
        assert estimate["method"] == "t over trials, within 0 to 100"


def test_two_models_are_said_to_differ_or_not(data):
    exam, humans = data / "exam_final", data / "human_final"
    base = ("--exam", exam, "--humans", humans, "--json", "--draws", 100)
    apart = json.loads(_run(score, *base, "--model", "bayesian", "--against", "conservative").stdout)["against"]
    assert apart["high"] < 0
    assert "conservative comes nearer to people than bayesian" in apart["sentence"]
    same = json.loads(_run(score, *base, "--model", "conservative", "--against", "anchoring").stdout)["against"]
    assert same["low"] < 0 < same["high"]
    assert "do not differ in CPA beyond chance" in same["sentence"]


def test_response_xml_scores_as_the_same_answers_in_json(data, published, final_exam, tmp_path):
    from mensura.catalog.sensemaking.answers.check import check_answers
    from mensura.catalog.sensemaking.answers.json_file import answers_from_json
    from mensura.catalog.sensemaking.mitre.response_writing import write_responses

    model = check_answers(answers_from_json(json.loads((data / "results_bayesian.json").read_text())), final_exam)
    write_responses(model, final_exam, tmp_path / "model.xml")
    exam, humans = data / "exam_final", data / "human_final"
    found = json.loads(
        _run(score, "--exam", exam, "--humans", humans, "--model", tmp_path / "model.xml", "--json",
             "--draws", 200).stdout
    )  # fmt: skip
    assert found["cpa"] == published["cpa"]
    assert found["cfa"] == published["cfa"]


def test_what_is_missing_is_named_counted_and_the_rest_assessed(data, tmp_path):
    model = json.loads((data / "results_bayesian.json").read_text())
    del model["responses"]["5"][2]
    model["responses"]["4"][0]["stages"][1] = [-1, 50, 30, 21]
    del model["responses"]["2"]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(model))
    result = _run(score, "--exam", data / "exam_final", "--humans", data / "human_final", "--model", path, "--json",
                  "--draws", 0)  # fmt: skip
    found = json.loads(result.stdout)
    assert "task 5, trial 3: no answer." in result.stderr
    assert "task 4, trial 1, stage 1: the distribution holds the negative value -1." in result.stderr
    assert "task 2: no answers." in result.stderr
    assert {name: each["missing"] for name, each in found["tasks"].items()} == {
        "1": 0, "2": 5, "3": 0, "4": 1, "5": 4, "6": 0,
    }  # fmt: skip
    assert found["tasks"]["2"]["rsr"] == 0
    assert found["tasks"]["1"]["rsr"] == pytest.approx(1.4418770732388735, abs=1e-9)
    assert found["cpa"]["pass"] is False
    assert found["cpa"]["value"] < found["cpa"]["answered"]


def test_more_runs_than_people_are_refused(data):
    runs = [word for _ in range(3) for word in ("--model", "uniform")]
    two = data / "subject_xml_examples"
    with pytest.raises(BadParameter, match="3 runs of the model for 2 people"):
        _run(score, "--exam", data / "exam_final", "--humans", two, *runs, "--draws", 0)


def test_several_runs_are_averaged(data, tmp_path):
    base = ("--exam", data / "exam_final", "--humans", data / "human_final", "--json", "--draws", 0)
    one = json.loads(_run(score, *base, "--model", "bayesian").stdout)
    two = json.loads(_run(score, *base, "--model", "bayesian", "--model", "bayesian").stdout)
    mixed = json.loads(_run(score, *base, "--model", "bayesian", "--model", "uniform").stdout)
    assert two["runs"] == 2
    assert two["cpa"]["value"] == pytest.approx(one["cpa"]["value"], abs=1e-9)
    assert mixed["tasks"]["1"]["rsr"] > one["tasks"]["1"]["rsr"]
    assert any("How sequences of Task 6 are averaged was never published" in note for note in two["notes"])
    # Where two runs disagree on a sequence, the first of the menu stands: IMINT, MOVINT, SIGINT before SOCINT.
    assert mixed["tasks"]["6"]["rmr"] == pytest.approx(one["tasks"]["6"]["rmr"], abs=1e-9)


def test_each_run_declares_its_parameters_and_is_hashed_by_them(data):
    base = ("--exam", data / "exam_final", "--humans", data / "human_final", "--json", "--draws", 0)
    models = ("conservative:shrink=0.25", "conservative:shrink=0.25", "conservative:shrink=0.5")
    found = json.loads(_run(score, *base, *(part for name in models for part in ("--model", name))).stdout)
    assert [each["parameters"]["shrink"] for each in found["declared"]] == [0.25, 0.25, 0.5]
    first, second, third = (each["hash"] for each in found["declared"])
    assert first == second != third
    silent = json.loads(_run(score, *base, "--model", data / "results_bayesian.json").stdout)
    assert any("1 of 1 runs declare no parameters" in note for note in silent["notes"])


def test_the_report_is_one_file_that_fetches_nothing(data, tmp_path):
    page = tmp_path / "out.html"
    result = _run(score, "--exam", data / "exam_final", "--humans", data / "human_final", "--model", "bayesian",
                  "--draws", 100, "--report", page)  # fmt: skip
    assert result.exit_code == 0
    text = page.read_text()
    assert "bayesian against 103 people" in text
    assert text.count("<svg") >= 8
    assert "src=" not in text
    assert "<link" not in text
    assert "CFA alone says little" in text


def test_answers_without_people_are_reported_by_task(tmp_path):
    _run(generate, "--seed", 3, "--out", tmp_path / "exam")
    page = tmp_path / "skill.html"
    result = _run(score, "--exam", tmp_path / "exam", "--model", "conservative", "--report", page)
    assert "The judgements of conservative are" in result.stdout
    assert "Task 7" in result.stdout
    assert "conservative on generated-3" in page.read_text()
    assert "S1 and S2 of each task, with 95 % intervals." in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        (["--model", "normativ"], MensuraError, "Did you mean normative"),
        (["--model", "nowhere.json"], BadFile, r"nowhere\.json does not exist"),
        (["--model", "normative", "--weights", "5=2"], BadParameter, "sum to 1"),
        (["--model", "normative", "--weights", "five"], BadParameter, "is not a weight"),
        (["--model", "normative", "--humans", "/nowhere"], BadFile, "does not exist; give the folder with people"),
        (["--model", "normative", "--against", "uniform"], BadParameter, "comparing models needs people"),
        (["--model", "fitted", "--against", "uniform"], BadParameter, "Fitting or comparing models needs people"),
    ],
)
def test_mistakes_of_the_user_are_sentences(data, arguments, error, sentence):
    given = any(word in arguments for word in ("--humans", "--against"))
    extra = [] if given else ["--humans", data / "human_final"]
    with pytest.raises(error, match=sentence):
        _run(score, "--exam", data / "exam_final", *extra, *arguments)


def test_published_exclusions_of_another_exam_are_refused(tmp_path, data):
    _run(generate, "--seed", 5, "--out", tmp_path / "exam")
    people = tmp_path / "people.jsonl"
    from mensura.catalog.sensemaking.answers.json_file import answers_to_json
    from mensura.catalog.sensemaking.minds import answer_exam, find_mind
    from mensura.catalog.sensemaking.mitre.exam_reading import read_exam

    exam = read_exam(tmp_path / "exam")
    minds = [find_mind("conservative"), find_mind("averaging"), find_mind("bayesian")]
    answers = [answer_exam(exam, mind, rng=np.random.default_rng(0)).as_person() for mind in minds]
    people.write_text("\n".join(json.dumps(answers_to_json(each)) for each in answers))
    with pytest.raises(BadParameter, match="published exclusions belong to the exam Final-Exam-1"):
        _run(score, "--exam", tmp_path / "exam", "--humans", people, "--model", "bayesian", "--exclusions", "published")
    found = json.loads(
        _run(score, "--exam", tmp_path / "exam", "--humans", people, "--model", "bayesian", "--json",
             "--draws", 50).stdout
    )  # fmt: skip
    assert found["exclusions"] == "computed"
    assert found["people"] == 3


def test_generated_exams_are_written_for_everyone(tmp_path):
    result = _run(generate, "--seed", 1, "--out", tmp_path / "exam", "--json")
    assert json.loads(result.stdout)["exam"] == "generated-1"
    for name in ("exam.xml", "exam_with_gt.xml", "exam_full.xml", "normative.json", "task1_1.csv", "ROAD_Task3.csv"):
        assert (tmp_path / "exam" / name).exists()
    assert "GroundTruth " not in (tmp_path / "exam" / "exam.xml").read_text()
    assert "Next: mensura score sensemaking" in result.stderr


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(BadParameter, match="is a file; --out names a folder"):
        _run(generate, "--seed", 1, "--out", tmp_path / "taken")


def test_commands_are_found_by_the_command_line(data):
    done = subprocess.run(
        [sys.executable, "-m", "mensura.cli.main", "score", "sensemaking", "--exam", str(data / "exam_final"),
         "--model", "normativ"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Did you mean normative" in done.stderr
    assert "Traceback" not in done.stderr
