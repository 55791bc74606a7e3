"""A subject that sees the advice of another."""

import numpy as np
import pytest

from mensura.dialogue import Ask, Choice, Grid, Noted, Outcome, Probability, Refused, Text, Wait, prompt_text, test
from mensura.errors import BadParameter
from mensura.subjects import Constant, SubjectSpec
from mensura.subjects.assisted import Assisted


@test("even-v1", subjects={"half": lambda ask: 0.5})
def even(rng):
    """Say the chance of heads."""
    yield Ask("Heads?", Probability())


HEADS = Ask("Heads?", Probability(), key="heads")


def test_advice_is_shown_below_the_prompt_and_only_to_the_subject():
    seen = {}

    def subject(ask):
        seen["subject"] = ask
        return 0.5

    def assistant(ask):
        seen["assistant"] = ask
        return 0.75

    Assisted(subject, assistant=assistant)(HEADS)
    assert seen["assistant"] is HEADS
    assert seen["subject"].prompt == ["Heads?", "Your assistant advises: 0.75"]
    assert (seen["subject"].space, seen["subject"].key) == (HEADS.space, "heads")
    Assisted(subject, assistant=Constant("red"))(Ask([Grid([["A"]]), "Which?"], Choice(("red", "blue"))))
    assert prompt_text(seen["subject"].prompt).endswith("Which?\n\nYour assistant advises: red")


@pytest.mark.parametrize(("answer", "followed"), [(0.75, True), (0.5, False), ("what?", False), (Refused(), False)])
def test_advice_and_whether_it_was_followed_are_noted(answer, followed):
    reply = Assisted(lambda ask: answer, assistant=Constant(0.75))(HEADS)
    assert reply.value == answer
    assert reply.notes == {"assistant": "constant:0.75", "advice": 0.75, "followed": followed}


def test_the_same_answer_in_another_form_follows():
    reply = Assisted(Constant(1), assistant=Constant(1.0))(HEADS)
    assert reply.notes["followed"] is True


@pytest.mark.parametrize(
    ("given", "why"),
    [(Refused("no"), "refused: no"), (Wait(), "waited"), (1.7, "invalid: A probability lies between 0 and 1")],
)
def test_no_advice_is_said_and_noted(given, why):
    shown = []

    def subject(ask):
        shown.append(ask.prompt[-1])
        return 0.5

    reply = Assisted(subject, assistant=lambda ask: given)(HEADS)
    assert shown == ["Your assistant has no advice."]
    assert reply.notes["advice"] is None
    assert reply.notes["followed"] is None
    assert reply.notes["no_advice"].startswith(why)


def test_an_ask_that_comes_again_after_an_invalid_answer_brings_the_same_advice():
    advice = iter([0.1, 0.2, 0.3])
    answers = iter(["what?", 0.1, 0.2])
    pair = Assisted(lambda ask: next(answers), assistant=lambda ask: Noted(next(advice), {"tokens_in": 5}))
    pair.begin(np.random.default_rng(1))
    notes = [pair(HEADS).notes for _ in range(3)]
    assert [note["advice"] for note in notes] == [0.1, 0.1, 0.2]
    # Tokens of the assistant are counted once for each time it was asked.
    assert [note.get("tokens_in", 0) for note in notes] == [5, 0, 5]


def test_notes_of_both_are_kept_and_added():
    pair = Assisted(
        lambda ask: Noted(0.5, {"tokens_in": 2, "model": "small"}),
        assistant=lambda ask: Noted(0.5, {"tokens_in": 5, "model": "large"}),
    )
    notes = pair(HEADS).notes
    assert notes["tokens_in"] == 7
    assert notes["model"] == "small"
    assert notes["assistant_notes"] == {"tokens_in": 5, "model": "large"}
    assert notes["followed"] is True


def test_both_begin_hear_and_end():
    class Listening(Constant):
        def begin(self, rng):
            self.rng = rng

        def feedback(self, told):
            self.told = told.prompt

        def end(self, outcome):
            self.ended = True

    subject, assistant = Listening(0.5), Listening(0.25)
    pair = Assisted(subject, assistant=assistant)
    pair.begin(np.random.default_rng(1))
    pair.feedback(Ask("Told."))
    pair.end(Outcome())
    assert subject.rng.random() != assistant.rng.random()
    assert subject.told == assistant.told == "Told."
    assert subject.ended
    assert assistant.ended
    assert pair.recomputes
    assert pair.name == "constant:0.5+constant:0.25"


def test_an_assisted_subject_is_named():
    pair = SubjectSpec("assisted:half+(team:mean(half,constant:1))").make(even)
    reply = pair(HEADS)
    assert (reply.value, reply.notes["advice"]) == (0.5, 0.75)
    assert pair.name == "assisted:half+(team:mean(half,constant:1))"
    for wrong in ("assisted:half", "assisted:half+", "assisted:half+half+half"):
        with pytest.raises(BadParameter, match=r"assisted:SUBJECT\+ASSISTANT"):
            SubjectSpec(wrong).find(even)


def test_advice_in_words_is_shown_as_it_is():
    shown = []
    Assisted(lambda ask: shown.append(ask.prompt[-1]) or "yes", assistant=Constant("say yes"))(Ask("?", Text()))
    assert shown == ["Your assistant advises: say yes"]
