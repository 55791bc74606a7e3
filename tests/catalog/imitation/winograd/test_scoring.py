"""Scores of schemas: worked by hand, and what leaving out, losing and another order do to them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.imitation.winograd.scoring import score
from mensura.dialogue import Answer, Record

TRUTHS = {"p/0": "Ann", "p/1": "Bea", "q/0": "Ann", "q/1": "Bea", "q/0/switched": "Bea", "q/1/switched": "Ann"}
RIGHT = list(TRUTHS.values())


def record_of(said, status="finished"):
    """Make a record of what was said to each key; None lapsed, "lost" was lost."""
    states = {None: "lapsed", "lost": "lost"}
    answers = [
        Answer(place, "subject", key, "choice", one if one not in states else None, states.get(one, "answered"))
        for place, (key, one) in enumerate(zip(TRUTHS, said, strict=True))
    ]
    return Record("winograd-v1", {}, status=status, answers=answers)


def values_of(said):
    found = score(record_of(said), TRUTHS).values
    return {name: dict(zip(items.keys, items.values, strict=True)) for name, items in found.items()}


def test_scores_worked_by_hand():
    found = values_of(["Ann", "Bea", "Bea", "Bea", "Bea", "Ann"])
    assert found == {
        "accuracy": {"p": 1, "q": 0.5},
        "twins": {"p": 1, "q": 0},
        "consistency": {"p": 1, "q": 0},
        "switching": {"q": 0.5},
    }


def test_an_answer_that_changes_the_wrong_way_is_consistent_and_wrong():
    found = values_of(["Bea", "Ann", "Bea", "Ann", "Ann", "Bea"])
    assert found["accuracy"] == {"p": 0, "q": 0}
    assert found["twins"] == {"p": 0, "q": 0}
    assert found["consistency"] == {"p": 1, "q": 1}
    assert found["switching"] == {"q": 1}


def test_what_was_lost_is_unknown():
    found = values_of(["lost", "lost", *RIGHT[2:]])
    assert all(np.isnan(found[name]["p"]) for name in ("accuracy", "twins", "consistency"))
    assert found["accuracy"]["q"] == 1


@given(st.lists(st.sampled_from(["Ann", "Bea"]), min_size=6, max_size=6), st.integers(0, 5))
def test_leaving_out_never_pays(said, place):
    less = [None if number == place else one for number, one in enumerate(said)]
    before, after = values_of(said), values_of(less)
    for name, row in before.items():
        assert all(after[name][key] <= value for key, value in row.items())


@given(st.permutations(range(6)))
def test_the_order_of_answers_changes_nothing(order):
    record = record_of(["Ann", None, "Bea", "Bea", "Bea", "Ann"])
    other = Record("winograd-v1", {}, status="finished", answers=[record.answers[place] for place in order])
    for name, items in score(record, TRUTHS).values.items():
        again = score(other, dict(sorted(TRUTHS.items(), reverse=True))).values[name]
        assert list(items.values) == list(again.values)
