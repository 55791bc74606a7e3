import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json, answers_to_json
from mensura.catalog.sensemaking.mitre.response_reading import read_responses
from mensura.catalog.sensemaking.mitre.response_writing import write_responses
from mensura.catalog.sensemaking.people import read_people
from mensura.errors import BadFile
from mensura.xml_file import read_xml


@pytest.fixture
def subject(data, tmp_path):
    folder = tmp_path / "101"
    folder.mkdir()
    for file in (data / "subject_xml_examples").glob("S_BED_101_*.xml"):
        shutil.copy(file, folder)
    return folder


def test_a_persons_files_written_again_read_the_same(subject, final_exam, tmp_path):
    answers = read_responses(subject)
    assert answers.human
    assert answers.subject == "BED_101"
    written = write_responses(answers, final_exam, tmp_path / "again")
    assert len(written) == 7
    assert read_responses(tmp_path / "again") == answers


@pytest.mark.parametrize(
    "tag", ["ProbabilitiesScore_s1", "TroopAllocationScore_s2", "NumCreditsRemaining", "NormativeProbsCumulative"]
)
def test_written_scores_and_normative_values_equal_the_originals(subject, final_exam, tmp_path, tag):
    written = write_responses(read_responses(subject), final_exam, tmp_path / "again")
    for path in written:
        original = [e.text.split() for e in read_xml(subject / path.name).iter(tag)]
        ours = [e.text.split() for e in read_xml(path).iter(tag)]
        if tag == "TroopAllocationScore_s2":  # the originals repeat it inside the response
            original = [
                e.text.split()
                for feedback in read_xml(subject / path.name).iter("ResponseFeedback")
                for e in feedback.iter(tag)
            ]
        assert len(original) == len(ours)
        for one, other in zip(original, ours, strict=True):
            assert [float(x) for x in one] == pytest.approx([float(x) for x in other], abs=1e-9)


def test_written_expected_gains_equal_the_originals(subject, final_exam, tmp_path):
    written = write_responses(read_responses(subject), final_exam, tmp_path / "again")
    (path,) = [each for each in written if each.name.endswith("Task6.xml")]
    original, ours = (list(read_xml(each).iter("ExpectedUtility")) for each in (subject / path.name, path))
    assert len(original) == len(ours) > 10 * 3 * 3
    for one, other in zip(original, ours, strict=True):
        assert one.find("LayerType").findtext("Group") == other.find("LayerType").findtext("Group")
        assert one.attrib.keys() == other.attrib.keys()
        for name, value in one.attrib.items():
            assert float(other.get(name)) == pytest.approx(float(value), abs=1e-9)


def test_a_models_file_written_again_reads_the_same(data, final_exam, tmp_path):
    model = check_answers(answers_from_json(json.loads((data / "results_bayesian.json").read_text())), final_exam)
    path = tmp_path / "model.xml"
    write_responses(model, final_exam, path)
    again = check_answers(read_responses(path), final_exam)
    assert again.faults == ()
    assert again.tasks.keys() == model.tasks.keys()
    for number, trials in model.tasks.items():
        for trial, answer in trials.items():
            found = again.tasks[number][trial]
            assert found.layers == answer.layers
            assert found.allocation.values == answer.allocation.values
            assert [stage.values for stage in found.stages] == [stage.values for stage in answer.stages]


def test_json_answers_written_again_read_the_same(data):
    model = answers_from_json(json.loads((data / "results_bayesian.json").read_text()))
    again = answers_from_json(json.loads(json.dumps(answers_to_json(model))))
    assert again.tasks == model.tasks


def test_two_subjects_in_one_folder_are_two_people(data, final_exam):
    people = read_people(data / "subject_xml_examples", final_exam)
    assert people.subjects == ("BED_101", "BED_201")
    assert people.faults == ()


def test_a_truncated_file_of_one_task_is_named_and_the_other_tasks_are_read(subject, final_exam):
    (path,) = subject.glob("*Task3.xml")
    path.write_text(path.read_text()[:3000])
    answers = read_responses(subject)
    assert set(answers.tasks) == {1, 2, 4, 5, 6, 7}
    faults = _faults(subject, final_exam)
    assert any("Task3.xml" in fault and "left out" in fault for fault in faults)
    assert "S, task 3: no answers." in faults


def test_a_hostile_file_among_peoples_is_named_and_the_people_are_kept(data, final_exam, tmp_path):
    for file in (data / "subject_xml_examples").glob("*.xml"):
        shutil.copy(file, tmp_path)
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><Task_1_Phase>&b;</Task_1_Phase>'
    (tmp_path / "S_BAD_Task1.xml").write_text(bomb)
    people = read_people(tmp_path, final_exam)
    assert people.subjects == ("BED_101", "BED_201")
    (fault,) = people.faults
    assert "S_BAD_Task1.xml" in str(fault)


@pytest.mark.parametrize("said", [{"human": False}, {"human": False, "subject": "S"}, {"model": "bayesian"}])
def test_an_answer_file_of_a_model_is_not_counted_as_a_person(said, final_exam, tmp_path):
    from mensura.catalog.sensemaking.minds.simulated import write_people

    path = write_people(final_exam, tmp_path, count=3, rng=np.random.default_rng(1))
    first, second, third = (json.loads(line) for line in path.read_text().splitlines())
    for name in ("human", "model"):
        second.pop(name, None)
        third.pop(name, None)
    path.write_text("\n".join(json.dumps(each) for each in (first, second | said, third)))
    people = read_people(path, final_exam)
    # The third says nothing of who answered, and is taken for the person that --humans speaks of.
    assert len(people) == 2
    assert people.models == (f"{path}, line 2",)
    path.write_text(json.dumps(second | said))
    with pytest.raises(BadFile, match="only answers of models"):
        read_people(path, final_exam)


def test_a_broken_line_among_peoples_answers_is_named_and_the_people_are_kept(final_exam, tmp_path):
    from mensura.catalog.sensemaking.minds.simulated import write_people

    path = write_people(final_exam, tmp_path, count=3, rng=np.random.default_rng(1))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1][:500], '{"answers": 3}', lines[2]]))
    people = read_people(path, final_exam)
    assert len(people) == 2
    assert [str(fault).partition(": ")[0] for fault in people.faults] == [f"{path}, line 2", f"{path}, line 3"]


def test_one_subjects_reader_refuses_a_folder_of_two(data):
    with pytest.raises(BadFile, match="answers of several subjects"):
        read_responses(data / "subject_xml_examples")


def test_an_exam_given_as_answers_is_named(data):
    with pytest.raises(BadFile, match="looks like an exam, not like answers"):
        read_responses(data / "exam_final" / "FinalExam.xml")


def _edit(subject, task, change):
    (path,) = subject.glob(f"*Task{task}.xml")
    path.write_text(change(path.read_text()))


def _faults(subject, exam):
    return [str(fault) for fault in check_answers(read_responses(subject), exam, file="S").faults]


def test_a_stage_left_out_in_the_middle_is_named_and_does_not_shift_the_others(subject, final_exam):
    whole = read_responses(subject).tasks[5][1]
    pattern = r"<GroupResponse_afterINT>(?:(?!</GroupResponse_afterINT>).)*SigintLayer.*?</GroupResponse_afterINT>"
    _edit(subject, 5, lambda text: re.sub(pattern, "", text, count=1, flags=re.S))
    cut = read_responses(subject).tasks[5][1]
    assert cut.stages[2] is None
    assert [cut.stages[i] for i in (0, 1, 3, 4)] == [whole.stages[i] for i in (0, 1, 3, 4)]
    assert _faults(subject, final_exam) == ["S, task 5, trial 1, stage 2: the distribution is missing."]


def test_a_missing_trial_is_named_and_the_rest_kept(subject, final_exam):
    _edit(subject, 4, lambda text: re.sub(r"<TrialResponse .*?</TrialResponse>", "", text, count=1, flags=re.S))
    assert _faults(subject, final_exam) == ["S, task 4, trial 1: no answer."]
    assert len(read_responses(subject).tasks[4]) == 9


def test_a_missing_task_is_named(subject, final_exam):
    next(subject.glob("*Task3.xml")).unlink()
    assert _faults(subject, final_exam) == ["S, task 3: no answers."]


def test_a_negative_value_is_named_and_its_stage_left_out(subject, final_exam):
    _edit(subject, 1, lambda text: text.replace('probability="75.0"', 'probability="-75.0"', 1))
    checked = check_answers(read_responses(subject), final_exam, file="S")
    assert [str(f) for f in checked.faults] == [
        "S, task 1, trial 1, stage 0: the distribution holds the negative value -75."
    ]
    assert checked.tasks[1][1].stages == (None,)


def test_an_unknown_int_is_named(subject, final_exam):
    _edit(
        subject,
        6,
        lambda text: re.sub(
            r"(<INTLayerShown userSelected=\"true\"[^>]*>\s*<LayerType [^>]*ns3:)Movint", r"\1Rumint", text, count=1
        ),
    )
    assert any("task 6, trial 1: 'RUMINT' is not an INT" in fault for fault in _faults(subject, final_exam))


@pytest.fixture
def model(data):
    return json.loads((data / "results_bayesian.json").read_text())


def _checked(model, exam):
    return check_answers(answers_from_json(model, file="m.json"), exam, file="m.json")


def test_a_distribution_that_sums_to_something_else_is_scaled_and_named(model, final_exam):
    model["responses"]["2"][0]["stages"][0] = [10, 20, 10, 10]
    checked = _checked(model, final_exam)
    assert [str(f) for f in checked.faults] == [
        "m.json, task 2, trial 1, stage 0: the distribution sums to 50, not 100; it is scaled."
    ]
    assert checked.tasks[2][1].stages[0].values == (20, 40, 20, 20)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda r: r["4"][2]["stages"].__setitem__(1, [1, 2, 3]), "trial 3, stage 1: the distribution has 3 values; 4"),
        (lambda r: r["4"][2]["stages"].__setitem__(1, ["a", 1, 1, 1]), "trial 3, stage 1: expected a list of numbers"),
        (lambda r: r["4"][2]["stages"].__setitem__(1, [float("nan"), 1, 1, 1]), "something that is not a number"),
        (lambda r: r["4"][2]["stages"].__setitem__(1, [0, 0, 0, 0]), "stage 1: the distribution sums to nothing"),
        (lambda r: r["4"][2]["stages"].pop(), "task 4, trial 3, stage 1: the distribution is missing"),
        (lambda r: r["4"][2].pop("allocation"), "task 4, trial 3: the allocation is missing"),
        (lambda r: r["4"].pop(2), "task 4, trial 3: no answer"),
        (lambda r: r.pop("2"), "task 2: no answers"),
        (lambda r: r["6"][0].update(layers=["IMINT", "RUMINT", "SIGINT-A"]), "task 6, trial 1: 'RUMINT' is not an INT"),
        (lambda r: r["6"][0].update(layers=["IMINT", "IMINT", "SIGINT-A"]), "trial 1: the same INT is chosen twice"),
        (lambda r: r["6"][0].update(layers=["IMINT"]), "task 6, trial 1: 1 INTs are chosen where 3"),
        (lambda r: r["6"][0].update(layers=["IMINT", "MOVINT", "SIGINT"]), "SIGINT, and only SIGINT, names a group"),
        (lambda r: r["1"].append({"trial": 11, "stages": [[50, 50]]}), "task 1, trial 11: the task has trials 1 to 10"),
        (lambda r: r["1"].append(dict(r["1"][0])), "task 1, trial 1: answered twice; the first is kept"),
        (lambda r: r["1"].__setitem__(0, "nothing"), "task 1, trial 1: should be an object"),
        (lambda r: r.__setitem__("9", []), "'9' is not a task"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_models_answers_is_named_exactly(model, final_exam, change, sentence):
    change(model["responses"])
    assert any(sentence in str(fault) for fault in _checked(model, final_exam).faults)


def test_given_humint_may_be_left_out(model, final_exam):
    whole = _checked(model, final_exam)
    for number in ("5", "6"):
        for item in model["responses"][number]:
            item["stages"] = item["stages"][1:]
    assert replace(_checked(model, final_exam), tasks={}) == replace(whole, tasks={})
    assert _checked(model, final_exam).tasks == whole.tasks


def test_json_without_responses_is_named():
    with pytest.raises(BadFile, match="no object `responses`"):
        answers_from_json([1, 2], file="x.json")


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ([1e308] * 4, "sums to infinity."),
        ([float("nan"), 50, 25, 25], "holds something that is not a number."),
        ([float("inf"), 0, 0, 0], "holds something that is not a number."),
    ],
)
def test_numbers_too_large_or_none_are_set_aside_in_a_sentence(data, final_exam, values, wrong):
    model = json.loads((data / "results_bayesian.json").read_text())
    model["responses"]["4"][2]["stages"][1] = values
    answers = check_answers(answers_from_json(model, file="m.json"), final_exam, file="m.json")
    assert [str(fault) for fault in answers.faults] == [f"m.json, task 4, trial 3, stage 1: the distribution {wrong}"]
    assert answers.tasks[4][3].stages[1] is None


def test_what_is_drawn_nowhere_is_left_out_and_named(data, final_exam):
    model = json.loads((data / "results_bayesian.json").read_text())
    places = [("A", 5.0, 5.0), ("B", float("nan"), 5.0), ("C", 5.0, float("inf"))]
    model["responses"]["3"][0]["drawn"] = [{"group": group, "x": x, "y": y} for group, x, y in places]
    answers = check_answers(answers_from_json(model, file="m.json"), final_exam, file="m.json")
    assert [each.group for each in answers.tasks[3][1].drawn] == ["A"]
    assert [str(fault) for fault in answers.faults] == [
        "m.json, task 3, trial 1: what is drawn lies at finite coordinates; the rest is left out."
    ]
