"""A person at the terminal."""

import os
import pty
import sys

import pytest

from mensura.dialogue import (
    Abstained,
    Action,
    Allocation,
    Ask,
    Call,
    Chart,
    Choice,
    Circle,
    Density,
    Distribution,
    Feature,
    Grid,
    Image,
    Likert,
    Mailbox,
    Map,
    Message,
    Noted,
    Number,
    Outcome,
    Point,
    Probability,
    Readings,
    Refused,
    Table,
    TableView,
    Text,
    Tool,
    test,
)
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
    assert subject(HEADS) == Noted(0.3, {"typed": {"answer": "30%"}})
    assert shown == ["Reward: 0.5", "Heads?", Probability().hint_for_people()]


def test_a_share_without_a_sign_is_asked_back_and_every_text_is_noted():
    subject, shown = person("0.6", "0.6 %")
    given = subject(HEADS)
    assert given.value == 0.006
    assert shown[-1] == "Do you mean 0.6 % or 60 %? Write it with the sign."
    assert given.notes["typed"] == {"answer": "0.6 %"}
    assert [change[1:] for change in given.notes["changes"]] == [["answer", "0.6"], ["answer", "0.6 %"]]


def test_what_is_mistyped_is_said_asked_again_and_counted():
    subject, shown = person("", "gren", "red")
    given = subject(Ask(Grid([["A"]]), Choice(("red", "blue"))))
    assert (given.value, given.notes["mistyped"]) == ("red", 2)
    assert shown[-2:] == ["Nothing was answered.", "Choose one of red, blue; got 'gren'."]


def test_a_person_may_skip_with_a_reason():
    subject, _ = person("/skip I cannot know")
    assert subject(HEADS) == Refused("I cannot know")


def test_a_person_may_pass_where_the_question_says_so():
    question = Ask("Heads?", Probability(), may_pass=True)
    subject, shown = person("/pass")
    assert subject(question) == Abstained()
    assert "/pass" in shown[-1]
    subject, shown = person("/pass", "30%")
    assert subject(HEADS).value == 0.3
    assert not any("/pass" in line for line in shown[:3])


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
        os.write(ours, b"25\n")
        assert SubjectSpec("terminal").make(even)(HEADS).value == 0.25
    os.close(ours)
    said = capfd.readouterr()
    assert "Heads?" in said.err
    assert "Heads?" not in said.out


def test_a_person_takes_a_break_until_they_go_on():
    subject, shown = person("")
    subject.rest("Stretch your legs.")
    assert shown == ["Stretch your legs.\nPress Enter to go on."]


@pytest.mark.parametrize(
    ("space", "typed", "answer"),
    [
        (Choice(("yes", "no")), "yes", "yes"),
        (Number(0, 10), "2,5", 2.5),
        (Probability(), "30%", 0.3),
        (Distribution(("x", "y")), "40 60", {"x": 0.4, "y": 0.6}),
        (Density(0, 10), "1 2 3 4 5", [1.0, 2.0, 3.0, 4.0, 5.0]),
        (Allocation(("x", "y"), 10.0), "4 6", {"x": 4.0, "y": 6.0}),
        (Likert(), "4", 4),
        (Text(), "hello there", "hello there"),
        (Point((0, 0), (10, 10)), "3 4", [3.0, 4.0]),
        (Circle((0, 0), (10, 10), 5.0), "3 4 1", [3.0, 4.0, 1.0]),
        (Action(("left", "right")), "right", 1),
        (
            Call({"go": Tool("Walk.", {"where": Choice(("n", "s"))})}),
            '{"call": "go", "arguments": {"where": "n"}}',
            {"call": "go", "arguments": {"where": "n"}},
        ),
        (Table({"n": Number()}), '[{"n": 3}]', [{"n": 3.0}]),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_every_kind_of_answer_can_be_typed_as_its_hint_says(space, typed, answer):
    subject, shown = person(typed)
    given = subject(Ask("?", space))
    assert getattr(given, "value", given) == space.check(answer)
    assert shown[1] == space.hint_for_people()


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("**Bold** [a]", "**Bold** [a]"),
        (TableView(("a", "b"), [(1, "x|y")], title="T"), "x|y"),
        (Image(b"png", "a dog"), "[Picture: a dog]"),
        (Grid([["A", "G"]], legend={"A": "you"}), "A: you"),
        (Chart("bar", {"g": ["A"], "s": [1]}, x="g", y="s", words="Shares"), "Shares"),
        (Map((0, 0), (9, 9), [Feature("point", [(3, 4)], label="well")]), "point well at (3, 4)"),
        (Mailbox([Message("m1", "Ada", "Room", "Which?")]), "from Ada: Room"),
        (Readings([1.0, 2.0], names=("u", "v")), "u = 1, v = 2"),
        (["Two", "parts"], "Two\n\nparts"),
    ],
)
def test_every_kind_of_prompt_is_shown_on_a_real_screen_as_it_is(prompt, words, capfd):
    Terminal(read=lambda sign: "50")(Ask(prompt, Probability()))
    assert words in capfd.readouterr().err
