import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.record import answers_from_record, record_of, truths_of
from mensura.catalog.sensemaking.assessment.skill import skill_by_task
from mensura.catalog.sensemaking.generating import generate_exam
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.people import respondents_of
from mensura.catalog.sensemaking.scoring import score


@pytest.fixture(scope="module")
def exam():
    return generate_exam(np.random.default_rng(8))


@pytest.fixture(scope="module")
def answers(exam):
    return check_answers(answer_exam(exam, find_mind("anchoring"), rng=np.random.default_rng(0)), exam)


def test_answers_of_a_file_come_back_from_their_record(exam, answers):
    back = respondents_of([check_answers(answers_from_record(record_of(answers, exam)), exam)], exam)
    whole = respondents_of([answers], exam)
    for number in range(1, 8):
        np.testing.assert_allclose(back.tasks[number].stages, whole.tasks[number].stages)
        np.testing.assert_allclose(back.tasks[number].allocation, whole.tasks[number].allocation)
        np.testing.assert_array_equal(back.tasks[number].layers, whole.tasks[number].layers)
        np.testing.assert_array_equal(back.tasks[number].surprise, whole.tasks[number].surprise)
        np.testing.assert_allclose(back.tasks[number].drawn, whole.tasks[number].drawn)


def test_a_files_record_is_scored_as_its_arrays_are(exam, answers):
    scores = score(record_of(answers, exam), truths_of(answers, exam))
    skill = skill_by_task(exam, respondents_of([answers], exam))
    for name in ("s1", "s2"):
        found = dict(zip(scores.values[name].keys, scores.values[name].values, strict=True))
        for number, each in skill.items():
            for trial, value in enumerate(getattr(each, name)[0], start=1):
                if np.isfinite(value):
                    assert found[f"{number}.{trial}"] == pytest.approx(value, abs=1e-9)
