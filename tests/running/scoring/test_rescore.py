"""Rescoring: by the version of the run, or by another that was asked for."""

import pytest

from mensura.errors import BadParameter
from mensura.running.run import run
from mensura.running.scoring.rescore import rescore

POINTS = """
from mensura.dialogue import Ask, Choice, Score, test

@test("points-v{version}", score=lambda record, truths: {{"points": {factor}.0 * len(record.answers)}},
      scoring="{scoring}", scores=[Score("points", better="more")])
def points(rng):
    yield Ask("?", Choice(("a", "b")), key="q")
"""


def test_a_run_is_not_scored_by_another_scoring_unless_that_is_asked_for(store, tmp_path):
    file = tmp_path / "points.py"
    file.write_text(POINTS.format(version=1, scoring=1, factor=1))
    run(f"{file}:points", "chance", store=store, sessions=2)
    file.write_text(POINTS.format(version=1, scoring=2, factor=100))
    with pytest.raises(BadParameter, match="scored by version 1 of points-v1; installed is 2"):
        rescore("last", store=store)
    assert [result.scoring for result in store.results.latest(store.runs.find("last").id)] == ["1", "1"]
    with pytest.raises(BadParameter, match="has version 2; got --by 3"):
        rescore("last", store=store, by="3")
    result = rescore("last", store=store, by="2")
    assert result.scores["points"].value == 100
    assert result.as_json()["scoring"] == {"taken_under": "1", "scored_by": ["2"]}
    assert [one.scoring for one in store.results.history(f"{store.runs.find('last').id}/0.0.0")] == ["1", "2"]


def test_a_run_of_one_version_of_a_test_is_not_scored_by_the_next_unless_that_is_asked_for(store, tmp_path):
    file = tmp_path / "points.py"
    file.write_text(POINTS.format(version=1, scoring=1, factor=1))
    run(f"{file}:points", "chance", store=store)
    file.write_text(POINTS.format(version=2, scoring=1, factor=100))
    with pytest.raises(BadParameter, match="taken under points-v1; installed is points-v2, which may score"):
        rescore("last", store=store)
    result = rescore("last", store=store, by="points-v2")
    assert result.as_json()["scoring"] == {"taken_under": "1", "scored_by": ["points-v2, scoring 1"]}
