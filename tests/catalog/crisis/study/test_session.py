"""The quiz and the milestones of a session."""

from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.crisis.scoring.standing import untouched
from mensura.catalog.crisis.settings import CONDITIONS
from mensura.catalog.crisis.study.milestones import PAY, milestones
from mensura.catalog.crisis.study.quiz import ask_quiz, questions, quiz, quiz_for, score_quiz
from mensura.dialogue import Refused
from mensura.dialogue import test as declare
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


@declare("quiz-alone-v1")
def quiz_alone(rng):
    """Take the quiz of the sheet."""
    yield from ask_quiz(rng, CONDITIONS["cots"].tools)


def test_each_condition_is_asked_about_its_own_tools():
    keys = {name: {each.key for each in quiz_for(has.tools)} for name, has in CONDITIONS.items()}
    assert "sheet" in keys["cots"]
    assert "sheet" not in keys["radar+l"]
    assert keys["radar+l"] == keys["radar-l"]
    assert {"proposals", "optimise"} <= keys["radar-l"] - keys["cots"]


def test_options_are_mixed_so_that_the_first_is_not_always_right():
    rng = np.random.default_rng(1)
    firsts = []
    for question in questions():
        ask = next(ask_quiz(rng, set(question.tools)))
        firsts.append(ask.space.options[0] == ask.truth)
    assert 0 < sum(firsts) < len(firsts)


def test_a_right_and_a_wrong_answer_are_told_apart():
    right = {each.text: each.options[0] for each in questions()}
    taken = take(quiz_alone, lambda ask: right[ask.prompt], seed=1)
    scored = score_quiz(taken.record.given(), taken.truths)
    assert scored.values.tolist() == [1.0] * len(quiz_for(CONDITIONS["cots"].tools))
    wrong = {each.text: each.options[1] for each in questions()}
    taken = take(quiz_alone, lambda ask: wrong[ask.prompt], seed=1)
    assert np.nansum(score_quiz(taken.record.given(), taken.truths).values) == 0


def test_a_question_left_out_is_not_a_right_one():
    right = {each.text: each.options[0] for each in questions()}
    for answer, share in ((lambda ask: Refused("no"), 0), (lambda ask: right[ask.prompt], 1)):
        taken = take(quiz, answer, seed=1)
        values = score_record(quiz, taken.record, taken.truths).values["accuracy"].values
        assert values.tolist() == [share] * len(quiz_for(CONDITIONS["agent"].tools))


def test_no_quiz_is_no_score():
    assert score_quiz({}, {"world": {}}) is None


def test_an_untouched_office_has_reached_nothing(small):
    assert milestones(untouched(small)) == {"schedule": False, "briefing": False, "site": False}
    assert set(PAY) == {"schedule", "briefing", "site"}


@pytest.fixture
def cleared(small):
    world = small
    start = untouched(world)
    lost = {(room, slot) for room in world.loss.rooms for slot in world.loss.slots}
    place = {
        event: (at[0], 0) if any((at[0], s) in lost for s in start.times[event]) else at
        for event, at in start.place.items()
    }
    return replace(start, place=place)


def test_empty_lost_rooms_and_all_events_placed_reach_the_schedule(cleared):
    assert milestones(cleared)["schedule"]
    one = next(iter(cleared.place))
    assert not milestones(replace(cleared, place={**cleared.place, one: None}))["schedule"]


def test_any_changed_entry_and_any_words_count(cleared):
    entry = next(iter(cleared.site))
    fields = {name: value + "!" for name, value in cleared.site[entry].items()}
    done = milestones(replace(cleared, site={**cleared.site, entry: fields}, briefing="All is well."))
    assert done["site"]
    assert done["briefing"]
