"""Conditions of the user's own: a function in a package or in a file beside the specification."""

import pytest

from mensura.errors import BadFile, BadParameter
from mensura.scores.matching import candidates

TEXT = """
types:
  Attack:
    case: true
    conditions: [{function: ./mine.py:plausible}]
    attributes:
      target: {domain: string, weight: 5}
      day: {domain: date, weight: 2, nominal_distance: 10}
      actors: {domain: string, weight: 1, cardinality: many}
"""
MINE = """
def plausible(reference, hypothesis):
    assert isinstance(reference.get("actors", []), list)
    return hypothesis["day"] >= reference["day"]
def fragile(reference, hypothesis):
    return 1 / 0
def distance(reference, hypothesis):
    return 0.5
number = 3
"""
REFERENCE = [{"type": "Attack", "uid": "r1", "target": "bridge", "day": 10, "actors": ["a"]}]


def attack(uid, day):
    return {"type": "Attack", "uid": uid, "target": "bridge", "day": day, "actors": ["a", "b"]}


@pytest.fixture(autouse=True)
def beside(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)


def test_a_pair_that_the_function_refuses_is_never_made(score):
    found = score(REFERENCE, [attack("early", 9), attack("late", 15)], text=TEXT).types["Attack"]
    assert [pair["hypothesis"] for pair in found.as_json()["pairs"]] == ["late"]
    assert found.tracking.fragmentation == 1
    assert score(REFERENCE, [attack("early", 9)], text=TEXT).types["Attack"].counts.f == 0


def test_equal_identifiers_are_paired_by_force_whatever_the_function_says(score):
    assert len(score(REFERENCE, [attack("r1", 2)], text=TEXT).types["Attack"].pairs) == 1


def test_a_hypothesis_with_alternatives_may_be_paired_if_one_of_them_may(score):
    either = {"type": "Attack", "uid": "h", "target": "bridge", "alternatives": []}
    either["alternatives"] = [{"probability": 0.5, "day": 2}, {"probability": 0.5, "day": 12}]
    assert len(score(REFERENCE, [either], text=TEXT).types["Attack"].pairs) == 1
    either["alternatives"][1]["day"] = 3
    assert len(score(REFERENCE, [either], text=TEXT).types["Attack"].pairs) == 0


def test_a_function_that_fails_is_told_with_the_pair_it_failed_on(score):
    with pytest.raises(BadParameter, match="fragile failed on reference 'r1' and hypothesis 'h': ZeroDivisionError"):
        score(REFERENCE, [attack("h", 12)], text=TEXT.replace("plausible", "fragile"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("./mine.py:nothing", "no function"),
        ("./nowhere.py:a", "cannot be read"),
        ("./mine.py:number", "not a function"),
    ],
)
def test_a_function_that_is_not_there_is_told_with_file_and_line(specify, name, words):
    with pytest.raises(BadFile, match=rf"specification.yaml, line 5.*{words}"):
        specify(TEXT.replace("./mine.py:plausible", name))


def test_a_distance_function_may_stand_beside_the_specification_too(score):
    text = TEXT.replace("{domain: string, weight: 5}", "{domain: string, weight: 5, function: './mine.py:distance'}")
    found = score(REFERENCE, [{**attack("h", 10), "target": "tower"}], text=text).types["Attack"]
    assert found.counts.recall == pytest.approx((2.5 + 2 + 1) / 8)


def test_more_pairs_than_can_be_tried_are_refused_with_their_number(score, monkeypatch):
    monkeypatch.setattr(candidates, "MOST_ENTRIES", 3)
    monkeypatch.setattr(candidates, "MOST_LOOKS", 3)
    with pytest.raises(BadParameter, match=r"at most 3.*a condition of your own needs"):
        score(REFERENCE, [attack(str(number), 12) for number in range(9)], text=TEXT)
