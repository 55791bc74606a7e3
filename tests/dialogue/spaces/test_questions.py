"""Several questions on one page: read from fields or JSON, and refused by the question that is wrong."""

import pytest

from mensura.dialogue import Likert, Probability, Questions, Text
from mensura.dialogue.spaces.described import read_space
from mensura.errors import Invalid

SPACE = Questions(
    {"a.b/c": ("I like it.", Likert(7)), "p": ("Will it rain?", Probability()), "why": ("Why?", Text(shortest=2))}
)


def test_fields_are_read_by_place_and_percents_as_people_type_them():
    form = {"answer.0": "3", "answer.1": "60 %", "answer.2": "so", "answer.10": "x"}
    assert SPACE.check(SPACE.parse(form)) == {"a.b/c": 3, "p": 0.6, "why": "so"}
    assert SPACE.parse({"answer": '{"a.b/c": 3, "p": 60, "why": "so"}'})["p"] == 0.6


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"answer.1": "60", "answer.2": "so"}, "“I like it.”: Nothing was answered."),
        ({"answer.0": "3", "answer.1": "0.6", "answer.2": "so"}, "“Will it rain\\?”: Do you mean 0.6 % or 60 %"),
        ({"answer.0": "3", "answer.1": "60", "answer.2": "s"}, "“Why\\?”: The text has 1 characters"),
        ({"answer": "3"}, "Give an answer to each of a.b/c, p, why; got 3"),
        ({"answer": "{"}, "Write shares in percent."),
    ],
)
def test_a_refusal_names_the_question(form, words):
    with pytest.raises(Invalid, match=words):
        SPACE.check(SPACE.parse(form))


def test_it_comes_back_from_its_description_and_its_schema_says_what_is_asked():
    assert read_space(SPACE.described()) == SPACE
    assert SPACE.schema()["properties"]["why"]["description"] == "Why?"
    assert "p (Will it rain?)" in SPACE.hint()
