"""Stored prompts are read back as words, whatever their kind."""

from mensura.dialogue import Beside, TableView, prompt_data
from mensura.dialogue.prompts.stored import stored_text


def test_every_part_of_a_prompt_is_said_in_words():
    table = TableView(["city"], [["Paris"]])
    parts = ["Look:", prompt_data(table), {"kind": "audio", "words": "a bell"}, {"kind": "grid", "rows": [1]}]
    words = stored_text(parts)
    assert words.startswith("Look:\n\n")
    assert table.text() in words
    assert "[Recording: a bell]" in words
    assert words.endswith('{"rows":[1]}')


def test_what_stands_beside_an_answer_is_what_was_shown():
    assert stored_text(prompt_data(Beside("The text."))) == "The text."
