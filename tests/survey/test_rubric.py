"""Rubrics: what is wrong with one is said in words."""

import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.survey.rubric import Rubric
from mensura.survey.scale import RatingScale


@pytest.mark.parametrize(
    ("rubric", "words"),
    [
        ({}, "names its items"),
        ({"items": [{"key": "a"}]}, "Item 1 of the rubric needs a text"),
        ({"items": [{"text": "A."}]}, "'item1' has no scale"),
        ({"scale": 5, "items": [{"key": "a", "text": "A."}, {"key": "a", "text": "B."}]}, "Two items"),
        ({"scale": 1, "items": [{"text": "A."}]}, "at least 2 points"),
        ({"scale": {"from": 3, "to": 1}, "items": [{"text": "A."}]}, "from a smaller to a larger"),
        ({"scale": "x", "items": [{"text": "A."}]}, "A scale is written as"),
        ({"scale": 5, "items": [{"text": "A.", "weight": 0}]}, "must be more than 0"),
        ({"scale": 5, "items": [{"text": "A.", "key": "a/b"}]}, "holds a slash"),
        ({"scale": {"from": -1, "to": 1}, "items": [{"text": "A.", "pick": 2}]}, "from 0 up"),
    ],
)
def test_a_wrong_rubric_is_refused_in_words(rubric, words):
    with pytest.raises(BadParameter, match=words):
        Rubric.read(rubric)


def test_a_misspelt_part_of_a_rubric_names_the_right_one():
    with pytest.raises(UnknownName, match="Did you mean weight"):
        Rubric.read({"scale": 5, "items": [{"text": "A.", "wieght": 2}]})


def test_the_words_no_and_yes_stay_words_though_yaml_reads_them_otherwise():
    space = RatingScale.read({"points": 5, "low": False, "high": True}).space
    assert (space.low_label, space.high_label) == ("no", "yes")
