"""Unanswered: what is left out counts nothing, in every task and stage."""

import pytest

from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.dialogue import Refused, session_mean
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from tests.catalog.sensemaking.test_dialogue import Watching


class Picky(Watching):
    """Answers only what it is told to."""

    def __init__(self, subject, answers):
        super().__init__(subject)
        self.answers = answers

    def __call__(self, ask):
        return super().__call__(ask) if self.answers(ask.key) else Refused("no")


def _scores(folder, answers, **parameters):
    given = {"exam": str(folder), "breaks": False, "trials": 2, **parameters}
    taken = take(sensemaking, Picky(SUBJECTS["normative"](), answers), seed=7, parameters=given)
    found = score_record(sensemaking, taken.record, taken.truths).values
    return {name: session_mean(value) for name, value in found.items()}


def test_who_refuses_everything_scores_nothing_in_every_task(folder):
    found = _scores(folder, lambda key: False)
    assert found == dict.fromkeys(("s1", "s2", *(f"s1_task_{number}" for number in range(1, 7))), 0.0)


def test_a_stage_left_out_counts_nothing_in_the_mean_of_its_trial(folder):
    every = _scores(folder, lambda key: True, tasks="4")
    half = _scores(folder, lambda key: key.split(".")[2] != "1", tasks="4")
    assert every["s1"] == pytest.approx(100, abs=0.5)
    assert half["s1"] == pytest.approx(every["s1"] / 2, abs=0.5)
    assert half["s2"] <= every["s2"]


def test_a_report_not_chosen_counts_as_a_judgement_left_out(folder):
    every = _scores(folder, lambda key: True, tasks="6")["s1"]
    less = _scores(folder, lambda key: not key.endswith("layer2"), tasks="6")["s1"]
    # Three reports may be chosen.
    assert less == pytest.approx(every * 2 / 3, abs=0.5)
