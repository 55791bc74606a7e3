"""A person at the terminal."""

import os
import pty
import sys

import pytest

from mensura.dialogue import Ask, Choice, Grid, Noted, Outcome, Probability, Refused, test
from mensura.errors import SubjectCrashed
from mensura.subjects import SubjectSpec
from mensura.subjects.terminal import Terminal

HEADS = Ask("Heads?", Probability(), key="heads", reward=0.5)


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


def person(*typed):
    lines, shown = iter(typed), []

    def read(sign):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    return Terminal(read=read, write=shown.append), shown


def test_a_person_sees_prompt_hint_and_reward_and_types():
    subject, shown = person("30%")
    assert subject(HEADS) == 0.3
    assert shown == ["Reward: 0.5", "Heads?", Probability().hint()]


def test_what_is_mistyped_is_said_asked_again_and_counted():
    subject, shown = person("", "gren", "red")
    assert subject(Ask(Grid([["A"]]), Choice(("red", "blue")))) == Noted("red", {"mistyped": 2})
    assert shown[-2:] == ["Nothing was answered.", "Choose one of red, blue; got 'gren'."]


def test_a_person_may_skip_with_a_reason():
    subject, _ = person("/skip I cannot know")
    assert subject(HEADS) == Refused("I cannot know")


def test_a_person_is_told_and_sees_the_end():
    subject, shown = person()
    subject.feedback(Ask("It was heads.", reward=1.0))
    subject.end(Outcome("Thank you.", reward={"buyer": 2.0}))
    assert shown == ["It was heads.", "Reward: 1", "Reward: {'buyer': 2.0}", "Thank you."]


def test_a_closed_terminal_ends_the_session():
    subject, _ = person()
    with pytest.raises(SubjectCrashed, match="closed"):
        subject(HEADS)


def test_a_real_terminal_works(monkeypatch, capfd):
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r") as screen:
        monkeypatch.setattr(sys, "stdin", screen)
        os.write(ours, b"0.25\n")
        assert SubjectSpec("terminal").make(even)(HEADS) == 0.25
    os.close(ours)
    said = capfd.readouterr()
    assert "Heads?" in said.err
    assert "Heads?" not in said.out
