"""Chain of thought: the answer is read off the last line ANSWER:, by a rule that is stated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mensura
from mensura.dialogue import Action, Ask, Choice, Distribution, Likert, Number, Probability, Refused, Text, prompt_text
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.subjects.outside.protocol import Unreadable, written
from mensura.subjects.solver.chain_of_thought import cot, read_answer_line
from mensura.subjects.solver.solver import Solved

CITIES = Choice(("Rome", "Paris", "New York"))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("ANSWER: Paris", "Paris"),
        ("I think.\nanswer:  new  york.", "New York"),
        ("**Answer:** B", "Paris"),
        ("> ANSWER: (c)", "New York"),
        ("ANSWER: A. Rome", "Rome"),
        ('ANSWER: "Rome"', "Rome"),
        ("ANSWER: A\nOn second thoughts:\nANSWER: B", "Paris"),
        ("ANSWER:\n\nParis", "Paris"),
        ("ANSWER: A) Paris", None),
        ("ANSWER: D", None),
        ("ANSWER: Rome or Paris", None),
        ("ANSWER: A\nANSWER: I do not know", None),
        ("The answer is Paris.", None),
        ("", None),
    ],
)
def test_an_option_is_named_by_itself_or_by_its_letter(said, answer):
    found = read_answer_line(said, space=CITIES)
    assert isinstance(found, Unreadable) if answer is None else found == answer


@pytest.mark.parametrize(
    ("space", "said", "answer"),
    [
        (Number(), "-3.5", -3.5),
        (Number(), "42.", 42),
        (Number(), "about 42", None),
        (Number(0, 10), "42", None),
        (Probability(), "0.25", 0.25),
        (Likert(5), "4", 4),
        (Text(), "To be, or not.", "To be, or not."),
        (Text(), "42", "42"),
        (Distribution(("a", "b")), '{"a": 0.25, "b": 0.75}', {"a": 0.25, "b": 0.75}),
        (Distribution(("a", "b")), "a", None),
        (Action(("left", "right")), "right", 1),
        (Action(("left", "right")), "A", 0),
        # Letters that are options themselves mean those, and no others.
        (Choice(("B", "A")), "A", "A"),
        (Choice(("B", "A")), "C", None),
        (Choice(("A", "B")), "b", "B"),
    ],
)
def test_other_answers_are_json_or_the_text_itself(space, said, answer):
    found = read_answer_line(f"ANSWER: {said}", space=space)
    assert isinstance(found, Unreadable) if answer is None else found == answer


@settings(max_examples=60)
@given(st.text().map("ANSWER: {}".format) | st.text(), st.sampled_from([CITIES, Number(), Text(), Probability()]))
def test_whatever_is_said_an_answer_is_valid_or_unreadable(text, space):
    found = read_answer_line(text, space=space)
    assert isinstance(found, Unreadable) or space.check(found) == found


@given(st.integers(0, 2), st.text(alphabet=st.characters(blacklist_characters=":", codec="utf-8")))
def test_what_is_thought_before_does_not_matter(place, thought):
    said = f"{thought}\nANSWER: {'ABC'[place]}"
    assert read_answer_line(said, space=CITIES) == CITIES.options[place]


def test_the_subject_is_asked_for_free_words_with_the_options_by_letter():
    asked = []

    def think(ask):
        asked.append(ask)
        return "Paris has more bridges.\nANSWER: B"

    reply = Solved([think], solve=cot)(Ask("Which city?", CITIES, key="city"))
    assert reply.value == "Paris"
    assert reply.notes["understood"] == f"Its last line ANSWER: was read as {written('Paris')}."
    (ask,) = asked
    assert (ask.space.kind, ask.key) == ("text", "city")
    text = prompt_text(ask.prompt)
    assert text.startswith("Which city?")
    assert "B) Paris" in text
    assert "ANSWER:" in text


def test_a_refusal_stays_one():
    assert Solved([lambda ask: Refused("no")], solve=cot)(Ask("?", CITIES)).value == Refused("no")


def test_what_cannot_be_read_is_invalid_told_and_counted():
    bank = mensura.bank([{"prompt": "Which?", "options": ["Rome", "Paris"], "answer": "Paris"}])

    class Slow:
        told = ()

        def __call__(self, ask):
            return "ANSWER: Paris" if self.told else "Paris, I think."

        def feedback(self, told):
            self.told = (*self.told, told.prompt)

    subject = Slow()
    taken = take(bank, Solved([subject], solve=cot), seed=1)
    (answer,) = taken.record.answers
    assert (answer.value, answer.invalid) == ("Paris", 1)
    assert "Choose one of Rome, Paris; got the unreadable reply 'Paris, I think.'" in subject.told[0]

    never = take(bank, Solved([lambda ask: "Paris, I think."], solve=cot), seed=1)
    scores = score_record(bank, never.record, never.truths)
    assert (never.record.status, scores.values["accuracy"].outcomes) == ("invalid", ("invalid",))
    # By itself it is unknown; beside items that were answered it is wrong.
    assert np.isnan(scores.values["accuracy"].values).all()
    assert scores.otherwise.values["accuracy"].values.tolist() == [0]
