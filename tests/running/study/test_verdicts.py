"""Verdicts: too little data is said as that, and what could not be tested is not called unsupported."""

from mensura.running.study import analyse, conduct, make_study


def small_study(sessions, values):
    plan = {
        "name": "small",
        "test": "coin",
        "casts": {"first": f"constant:{values[0]}", "second": f"constant:{values[1]}"},
        "sessions": sessions,
        "seed": 1,
        "hypotheses": [{"name": "H1", "score": "quadratic_score", "compare": ["first", "second"]}],
    }
    return make_study(plan)


def test_a_hypothesis_that_could_not_be_tested_is_not_called_unsupported(store):
    small = small_study(1, (0.5, 0.9))
    conduct(small, store=store)
    (tested,) = analyse(small, store=store, generalise="sessions").planned
    assert tested.verdict == "not tested"
    assert not tested.supported


def test_too_little_data_is_said_with_how_much_would_be_needed(store):
    small = small_study(4, (0.5, 0.55))
    conduct(small, store=store)
    (tested,) = analyse(small, store=store).planned
    assert tested.verdict == "undecided"
    assert "Too little data to say which does better" in tested.sentence
    assert "would be needed to tell" in tested.sentence or "would about halve the interval" in tested.sentence
