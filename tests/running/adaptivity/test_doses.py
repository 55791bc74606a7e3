"""Levels, training time and transfer by dose: of faults, of parameters, of burdens of a task, and of training."""

from dataclasses import replace

import pytest

from mensura.errors import BadParameter
from mensura.running.adaptivity.measures import Measures
from mensura.running.study import Cast, Stopping, Study, conduct, exhibits_of
from tests.running.adaptivity.test_study import SLIPPERY, STUDY, SURE

FAULTS = replace(
    STUDY,
    name="doses",
    casts=(*STUDY.casts, Cast("dropped", {"": "fault:drop(q-learner)#rate=0.9"})),
    arms={name: STUDY.arms[name] for name in ("X then Y", "Y alone", "X only")},
    stopping=Stopping(most=2),
    hypotheses=(),
)
RACE = Study(
    name="burdens",
    tests=("task-environments",),
    casts=(Cast("full", {"": "full-throttle"}),),
    factors={"task": tuple(f"car-race#less_energy={dose}" for dose in (0, 0.5, 0.78, 0.8))},
    # Two courses of two sessions: a dose that changed nothing would leave all of them solved.
    phases=({"name": "race", "sessions": 2},),
    adaptivity={"score": "solved", "dose": "less_energy"},
    stopping=Stopping(most=2),
    seed=3,
)


def shown(study, store):
    conduct(study, store=store)
    return {one.title: one for one in exhibits_of(study, store=store)}


def test_training_time_and_transfer_are_shown_by_the_dose_of_a_fault(store):
    found = shown(FAULTS, store)
    level = found["Dose and response: drop round q-learner in Y alone"]
    assert [row[0] for row in level.rows] == [0, 0.5, 0.9]
    time = found["Training time by dose: drop round q-learner in X only"]
    assert [row[:2] for row in time.rows] == [[0, "X"], [0.5, "X"], [0.9, "X"]]
    assert all(row[2].endswith("of 2") for row in time.rows)
    assert all(row[3] is None or 2 <= row[3].value <= 4 for row in time.rows)
    carried = found["Transfer by dose: drop round q-learner, from X to Y, probed frozen"]
    forms = ("raw performance", "performance loss", "gain with extra time", "training time")
    assert carried.columns == ("rate", *forms)
    assert [row[0] for row in carried.rows] == [0, 0.5, 0.9]
    alone = found["Transfer of learner from X to Y, probed frozen"]
    gain = next(row[1] for row in alone.rows if row[0] == "gain with extra time")
    assert carried.rows[0][3] == gain


def test_energy_that_is_taken_away_breaks_those_who_waste_it(store):
    found = shown(RACE, store)["Dose and response: less_energy for full-throttle"]
    assert [row[0] for row in found.rows] == [0, 0.5, 0.78, 0.8]
    solved = [row[1].value for row in found.rows]
    assert solved == sorted(solved, reverse=True)
    assert solved[0] == 1
    assert solved[-1] < 1


def test_a_parameter_and_the_sessions_of_training_are_doses_too(store):
    arms = {
        f"{count} sessions": ({"name": "Y", "sessions": count}, {"probe": "Y", "at": "last", "sessions": 3})
        for count in (1, 6)
    }
    study = replace(
        FAULTS,
        casts=(Cast("learner", {"": "q-learner"}),),
        conditions={"sure": SURE},
        arms=arms,
        adaptivity={"score": "return", "dose": "training"},
    )
    found = shown(study, store)["Dose and response: training for q-learner"]
    assert [row[0] for row in found.rows] == [1, 6]
    assert not any(title.startswith(("Training time by", "Transfer by")) for title in shown(study, store))
    slips = replace(
        study,
        name="slips",
        conditions={},
        factors={"slip": (0.0, 0.4)},
        arms={"Y": ({"name": "Y", "sessions": 2, "parameters": {"length": SLIPPERY["length"]}},)},
        adaptivity={"score": "return", "dose": "slip"},
    )
    assert [row[0] for row in shown(slips, store)["Dose and response: slip for q-learner in Y"].rows] == [0, 0.4]


def test_a_dose_is_a_name():
    with pytest.raises(BadParameter, match="dose names what"):
        Measures.read(replace(RACE, adaptivity={"score": "solved", "dose": 3}))
