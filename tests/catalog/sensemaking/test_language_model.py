"""A language model takes the exam over the protocol of chat completions: the map in words and as a picture."""

import json

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.record import answers_from_record
from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.generating import Design, generate_exam, write_generated
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.running.take import take
from mensura.subjects import find_subject


def _any(schema):
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        names = schema["required"]
        whole = schema["properties"][names[0]]["maximum"]
        return {name: whole / len(names) for name in names}
    if schema["type"] == "array":
        return [50.0, 50.0, 10.0][: schema.get("minItems", 2)]
    return schema["minimum"]


@pytest.fixture
def model(chat_model):
    """Give a model that answers by the schema of each request: all alike, the first choice, the middle of the map."""
    chat_model.answer = lambda request: _any(
        request["response_format"]["json_schema"]["schema"]["properties"]["answer"]
    )
    return chat_model


@pytest.fixture(scope="module")
def exam(tmp_path_factory):
    design = Design(
        blocks_1=1, blocks_2=1, blocks_3=1, trials_4=1, trials_5=1, trials_6=1, trials_7=2, networks=1,
        shortest_wave=2, longest_wave=2,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("exam")
    write_generated(generate_exam(np.random.default_rng(3), design=design, id="short"), folder)
    return folder


@pytest.mark.parametrize("pictures", [False, True])
def test_a_language_model_takes_all_tasks_and_is_told_nothing_early(model, exam, pictures):
    subject = find_subject(model.name, sensemaking)()
    parameters = {"exam": str(exam), "breaks": False, "pictures": pictures}
    taken = take(sensemaking, subject, seed=1, parameters=parameters)
    assert taken.record.status == "finished", taken.record.last_words
    read = read_exam(exam)
    answers = check_answers(answers_from_record(taken.record), read)
    assert [str(fault) for fault in answers.faults] == []
    assert set(answers.tasks) == set(range(1, 8))

    sent = [json.dumps(request["messages"]) for request in model.requests]
    assert any("road 1 at (" in text for text in sent)
    assert any("region A at (" in text for text in sent)
    assert all(("image_url" in text) == (pictures and "data:image/png" in text) for text in sent)
    assert any("data:image/png" in text for text in sent) == pictures
    whole = "".join(sent)
    for word in ("normative", "sigma", "base_rate", str(exam)):
        assert word not in whole
    for number in (4, 5, 6):
        for trial in read.tasks[number].trials:
            for miles in trial.distances:
                assert f"{miles:.3f}" not in whole


def test_the_truth_of_a_trial_is_first_said_after_its_decision(model, exam):
    subject = find_subject(model.name, sensemaking)()
    take(sensemaking, subject, seed=1, parameters={"exam": str(exam), "tasks": "5", "breaks": False})
    said = [json.dumps(request["messages"]) for request in model.requests]
    first = next(place for place, text in enumerate(said) if "It was group" in text)
    decided = next(place for place, text in enumerate(said) if "Divide your resources" in text)
    assert first == decided + 1
