"""Samples become items: texts and choices; what cannot be asked is refused by name. Nothing of Inspect is needed."""

from types import SimpleNamespace

import pytest

from mensura.catalog.inspect.sample import chat_text, item_of
from mensura.dialogue import Choice
from mensura.errors import BadFile


def sample(**given):
    return SimpleNamespace(**{"id": 1, "input": "Who?", "choices": None, "target": "me", "metadata": None, **given})


def message(role, content):
    return SimpleNamespace(role=role, content=content)


def test_a_text_with_a_target_is_an_item_with_its_facts_as_tags():
    item = item_of(sample(metadata={"level": 3, "long": "x" * 50}), choosing=False)
    assert (item.prompt, item.answer, item.id, item.tags) == ("Who?", "me", "1", ("level=3",))
    assert item.space.kind == "text"


def test_a_letter_means_one_of_the_choices():
    item = item_of(sample(choices=["Rome", "Paris"], target=["B"]), choosing=True)
    assert item.space == Choice(("Rome", "Paris"))
    assert item.answer == "Paris"


def test_a_talk_is_told_with_its_roles_and_a_lone_question_without():
    assert chat_text([message("system", "Be brief."), message("user", "Who?")]) == "Be brief.\n\nWho?"
    assert chat_text([message("user", "Hi"), message("assistant", "Hello")]) == "User: Hi\n\nAssistant: Hello"


def test_what_no_database_stores_is_left_out():
    assert item_of(sample(input="a\x00b\ud800"), choosing=False).prompt == "ab?"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"choices": ["a", "b"], "target": "AB"}, "its target 'AB' is not the letter of one choice"),
        ({"choices": ["a", "b"], "target": "C"}, "its target 'C' is not the letter of one choice"),
        ({"choices": ["a", "a"], "target": "A"}, "its choices are not two or more different ones"),
        ({"input": " "}, "it asks nothing"),
        ({"input": [message("user", [SimpleNamespace(type="image")])]}, "its input holds image"),
        ({"input": [message("tool", "4")]}, "its input holds the result of a tool"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_sample_and_the_reason(given, why):
    with pytest.raises(BadFile, match=rf"Sample 1 cannot be taken as an item: {why}"):
        item_of(sample(**given), choosing=True)


def test_in_records_pictures_are_named_instead_of_refused():
    shown = item_of(sample(input=[message("user", [SimpleNamespace(type="image")])]), choosing=False, read_only=True)
    assert shown.prompt == "[image]"
