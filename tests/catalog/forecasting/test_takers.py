"""Programs, language models and pools take the test that people take."""

import json
import sys

import numpy as np

from mensura.catalog.forecasting.dialogue import forecasting
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.subjects import find_subject

PARAMETERS = {"alternatives": 3, "count": 12, "fixed": True}
PROGRAM = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        options = message["space"]["options"]
        rest = 0.4 / (len(options) - 1)
        answer = {name: 0.6 if name == options[0] else rest for name in options}
        print(json.dumps({"answer": answer, "number": message["number"]}), flush=True)
"""


def taken_by(name, **parameters):
    taken = take(forecasting, find_subject(name, forecasting)(), seed=1, parameters={**PARAMETERS, **parameters})
    assert taken.record.status == "finished", taken.record.last_words
    return score_record(forecasting, taken.record, taken.truths), taken


def test_a_program_takes_it_over_its_standard_streams(tmp_path):
    (tmp_path / "agent.py").write_text(PROGRAM)
    scores, taken = taken_by(f"program:{sys.executable} {tmp_path / 'agent.py'}")
    assert scores.values["logarithmic_score"].values.size == 12
    assert {answer.value["A"] for answer in taken.record.answers} == {0.6}


def test_a_pool_of_two_says_the_mean_of_both_and_beats_the_worse_one():
    long = {"count": 300, "feedback": False}
    pool, realist, ignorant = (
        float(np.mean(taken_by(name, **long)[0].values["quadratic_score"].values))
        for name in ("team:mean(realistic,ignorance)", "realistic", "ignorance")
    )
    assert realist > pool > ignorant


def first_a_little_more(request):
    """Answer with a little more for the first alternative."""
    names = request["response_format"]["json_schema"]["schema"]["properties"]["answer"]["required"]
    return {name: 0.5 if name == names[0] else 0.25 for name in names}


def test_a_language_model_takes_it_and_never_sees_a_truth_before_its_answer(chat_model):
    chat_model.answer = first_a_little_more
    scores, _ = taken_by(chat_model.name)
    assert len(chat_model.requests) == 12
    assert scores.values["quadratic_score"].values.size == 12
    first = json.dumps(chat_model.requests[0]["messages"])
    assert "One of these urns was picked by chance" in first
    assert "The answer is" not in first
    assert "The answer is" in json.dumps(chat_model.requests[1]["messages"])
