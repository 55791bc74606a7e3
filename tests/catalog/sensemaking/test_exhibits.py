import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.record import record_of, truths_of
from mensura.catalog.sensemaking.exhibits import exhibits, skill_by_group
from mensura.catalog.sensemaking.generating import generate_exam, write_generated
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.minds.simulated import simulate_people
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.scoring import score
from mensura.exhibit import Group


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("exam")
    write_generated(generate_exam(np.random.default_rng(4), id="shown"), path)
    return path


def _group(name, answers, folder, **parameters):
    exam = read_exam(folder)
    checked = [check_answers(each, exam) for each in answers]
    scores = [score(record_of(each, exam), truths_of(each, exam)) for each in checked]
    return Group(name, "", parameters, scores)


def _model(name, folder, **parameters):
    answers = answer_exam(read_exam(folder), find_mind(name), rng=np.random.default_rng(0))
    return _group(name, [answers], folder, **parameters)


def test_a_run_of_one_model_is_shown_by_task(folder):
    (shown,) = exhibits([_model("bayesian", folder, exam=str(folder))])
    assert [row[1] for row in shown.rows] == [f"Task {number}" for number in range(1, 8)]
    assert shown.lines[0][2] == "99.9949 (99.9907 to 99.9992)"
    assert shown.lines[6][2] == "–"
    assert "S1 and S2 of each task" in shown.figures[0].words
    assert "<svg" in shown.figures[0].svg


def test_people_and_a_model_that_took_one_exam_are_compared_wherever_they_are_shown(folder):
    exam = read_exam(folder)
    people = simulate_people(exam, count=4, rng=np.random.default_rng(1), tasks=range(1, 7))
    groups = [_group("people", people, folder, exam=str(folder)), _model("bayesian", folder, exam=str(folder))]
    shown = {each.title: each for each in exhibits(groups)}
    assert "How near to people (CPA)" in shown
    assert [row[0] for row in shown["Which biases are shared (CFA)"].rows][-1] == "CFA"
    assert len(shown["Every stage"].figures) == 5
    assert all("<svg" in figure.svg for figure in shown["How near to people (CPA)"].figures)


def test_exams_of_their_own_are_not_compared_and_sessions_are_the_units(folder):
    one, other = _model("bayesian", folder), _model("conservative", folder)
    both = Group("both", "", {}, [*one.scores, *other.scores])
    assert [each.title for each in exhibits([one, both])] == ["Judgements and decisions"]
    s1, _ = skill_by_group(both)[1]
    assert (s1.n, s1.method) == (2, "t over sessions")
    assert 0 <= s1.low <= s1.value <= s1.high <= 100
