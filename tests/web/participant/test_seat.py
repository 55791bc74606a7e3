"""The name of a question in the title of the window."""

from mensura.dialogue import Ask, Number
from mensura.web.participant.seat import _first_words


def test_a_question_is_named_without_marks():
    assert _first_words(Ask("## **Mount Everest**: height? Give it.", Number())) == "Mount Everest: height? Give it."
