"""Critique: an answer, what is wrong with it, and the answer after that."""

import pytest

from mensura.dialogue import Ask, Choice, Number, Refused, prompt_text
from mensura.subjects.solver.critique import critique
from mensura.subjects.solver.solver import Solved

QUESTION = Ask("7 * 8?", Number())


def scripted(*replies):
    """Give replies in order, and keep what was asked."""
    left, asked = list(replies), []

    def subject(ask):
        asked.append(ask)
        return left.pop(0)

    return subject, asked


def test_the_draft_is_criticised_in_words_and_both_are_shown_again():
    subject, asked = scripted(54, "7 * 8 is 56.", 56)
    reply = Solved([subject], solve=critique)(QUESTION)
    assert reply.value == 56
    assert [step["answer"] for step in reply.notes["steps"]] == [54, "7 * 8 is 56.", 56]
    assert [ask.space.kind for ask in asked] == ["number", "text", "number"]
    assert "proposed: 54" in prompt_text(asked[1].prompt)
    last = prompt_text(asked[2].prompt)
    assert "proposed: 54" in last
    assert "What was said of it: 7 * 8 is 56." in last
    assert last.startswith("7 * 8?")


def test_several_rounds_go_on_from_the_last_answer():
    subject, asked = scripted(54, "Too small.", 58, "Too large.", 56)
    assert Solved([subject], solve=critique, options={"rounds": 2})(QUESTION).value == 56
    assert "proposed: 58" in prompt_text(asked[3].prompt)


@pytest.mark.parametrize("first", ["what?", Refused("no")])
def test_a_draft_that_is_no_answer_is_given_back(first):
    subject, asked = scripted(first)
    assert Solved([subject], solve=critique)(QUESTION).value == first
    assert len(asked) == 1


def test_without_a_critique_the_draft_stands():
    subject, _ = scripted("a", Refused("no"))
    assert Solved([subject], solve=critique)(Ask("?", Choice(("a", "b")))).value == "a"
